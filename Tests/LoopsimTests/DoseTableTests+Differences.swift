import Simulation
import Testing

@testable import Reports

extension DoseTableTests {
  @Test("A dose that the body did not get, or got late, has the difference that says so")
  func notInBody() throws {
    func kinds(_ rest: String) throws -> [DoseRow.Kind: [RecordDifference.Kind]] {
      let run = try Self.result(rest)
      let rows = DoseTable(run).rows.map { row in
        (row.kind, row.differences.map { run.agreement.differences[$0].kind })
      }
      return Dictionary(rows) { $0 + $1 }
    }
    // Of a bolus of 2 U the first 1.5 U are air; no basal pulse comes before the air is gone.
    let air = try kinds(
      """
      faults: [{ id: 'air', at: '01:00', pump: { airBubble: { units: 1.5 } } }],
      events: [{ at: '01:00', bolus: { units: 2 } }]
      """)
    #expect(air == [.bolus: [.notAbsorbed], .scheduledBasal: []])
    // 0.05 U each three minutes wait from 02:03 on, and come free at the end.
    let late = try kinds(
      "faults: [{ during: ['02:00', '20m'], pump: { occlusion: { backlog: 'released' } } }]")
    #expect(late == [.scheduledBasal: [.heldBack], .released: [.heldBack]])
  }

  @Test("A copy of a bolus and a wrong record of an injection of its instant are told apart")
  func copyBesideMisstated() throws {
    let run = try Self.result(
      """
      events: [{ at: '01:00', injection: { units: 2 }, entry: { units: 1.25 } },
        { at: '01:00', bolus: { units: 1 } }],
      faults: [{ id: 'c', during: ['00:30', '1h'], healthStore: { duplicate: {} } }]
      """)
    let kinds = DoseTable(run).rows.filter { $0.kind == .external }.map { row in
      [row.source ?? ""] + row.differences.map { run.agreement.differences[$0].kind.rawValue }
    }
    #expect(
      Set(kinds) == [
        ["humalog", "misstatedDose"], ["Pen", "misstatedDose"], ["Copy", "duplicateSample"],
      ], "\(kinds)")
  }

  @Test("An injection in no record is told, also beside a copy of a bolus of its instant")
  func unloggedBesideCopy() throws {
    let run = try Self.result(
      """
      events: [{ at: '01:00', injection: { units: 2 }, entry: false },
        { at: '01:00', bolus: { units: 1 } }],
      faults: [{ id: 'c', during: ['00:30', '1h'], healthStore: { conflict: {} } }]
      """)
    // The copy says one and a half times the bolus.
    let elsewhere = run.agreement.differences.filter { $0.origin == .elsewhere }
    #expect(elsewhere.first { $0.kind == .unloggedInjection }?.units == -2)
    #expect(elsewhere.contains { $0.kind == .conflictingSample && $0.units == 1.5 })
    #expect(!elsewhere.contains { $0.kind == .misstatedDose })
  }

  /// The rows of what came from elsewhere: the source and the kinds of differences, sorted.
  private static func outside(_ events: String) throws -> [[String]] {
    let run = try result("events: [\(events)]")
    return DoseTable(run).rows.filter { $0.kind == .external }.map { row in
      [row.source ?? ""]
        + Set(row.differences.map { run.agreement.differences[$0].kind.rawValue }).sorted()
    }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  @Test("The pen's record of an injection is no copy of what the app has of another of its instant")
  func penBesideApp() throws {
    let rows = try Self.outside(
      """
      { at: '01:00', injection: { units: 3 } },
      { at: '01:00', injection: { units: 1 }, entry: { in: 'app' } }
      """)
    #expect(rows == [["Loop", "externalDose"], ["Pen", "externalDose"]])
  }

  @Test("Why the app lacks a record with another amount is told with the record")
  func reasonOfMisstated() throws {
    let rows = try Self.outside(
      "{ at: '01:00', injection: { units: 8, insulin: 'glargine' }, entry: { units: 10 } }")
    #expect(rows == [["Pen", "foreignBasal", "misstatedDose"], ["glargine", "misstatedDose"]])
  }
}
