import StructuredText
import Testing

@testable import loopsim

@Suite("What each cycle decided, and entries that were deleted, in tables")
struct CycleTableTests {
  /// The rows of a table of a run, each by the names of its columns.
  private static func rows(
    _ table: String, of scenario: String, in scratch: Scratch
  ) async throws -> [[String: String]] {
    let file = scratch.file("s.json5")
    try Files.write(scenario, to: file)
    let result = await program(["run", file, "--out", scratch.file("out"), "--quiet"])
    #expect(result.code == 0, "\(result.error)")
    let text = String(decoding: try Files.read(scratch.file("out/s/\(table)")), as: UTF8.self)
    let lines = text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let names = try #require(lines.first)
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(names, $0)) }
  }

  @Test("A bolus of long before the run is written while the app can still write it")
  func longBefore() async throws {
    let scratch = try Scratch()
    let file = scratch.file("s.json5")
    // It ends 23 h 48 min before the run, at whose first cycle it began more than a day ago.
    let scenario = """
      { format: 'loopsim/1', id: 's', clock: { duration: '1h', preRoll: '26h' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' },
        therapy: { basal: [['00:00', 1.25]], sensitivity: [['00:00', 30]],
          carbRatio: [['00:00', 10]] },
        pump: { model: 'omnipodDASH' },
        history: { doses: [{ at: '-24h5m', bolus: 25 }] } }
      """
    try Files.write(scenario, to: file)
    let result = await program(["run", file, "--out", scratch.file("out"), "--quiet"])
    #expect(result.code == 0, "\(result.error)")
    let ledger = JSONReader.read(
      try Files.read(scratch.file("out/s/ledger.json")), file: "ledger.json")
    #expect(ledger.root?["records"]?["bolus"]?["health_store_U"]?.double == 25)
  }

  @Test("A deleted event stands where it happened among those of its instant")
  func orderOfOneInstant() async throws {
    let scratch = try Scratch()
    let scenario = """
      { format: 'loopsim/1', id: 's', clock: { duration: '3h' }, app: { closedLoop: false },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' },
        events: [
          { at: '01:00', bolus: { units: 1 } },
          { at: '01:00', basal: { rate: 2, duration: '30m' } },
          { at: '02:00', delete: { from: 'eventHistory', match: { kind: 'bolus' } } }] }
      """
    let events = try await Self.rows("event-history.csv", of: scenario, in: scratch)
    #expect(events.map { $0["kind"] } == ["bolus", "tempBasal"])
    #expect(events.first?["deleted_at"]?.isEmpty == false)
  }

  @Test("A cycle has its numbers beside the words of the timeline")
  func cycles() async throws {
    let scratch = try Scratch()
    let scenario = """
      { format: 'loopsim/1', id: 's', clock: { duration: '6h' }, output: { every: '5m' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' },
        events: [ { at: '01:00', meal: { grams: 40 } } ] }
      """
    let cycles = try await Self.rows("cycles.csv", of: scenario, in: scratch)
    let timeline = try await Self.rows("timeline.csv", of: scenario, in: scratch)
    #expect(cycles.count == 72 || cycles.count == 73)
    // A trend needs three readings of the last 15 minutes; the third comes after ten.
    #expect(
      cycles.prefix(3).map { $0["no_momentum"] } == ["fewReadings", "fewReadings", ""])
    #expect(cycles.dropFirst(3).allSatisfy { $0["no_momentum"] == "" })
    var starts = 0
    for cycle in cycles {
      guard let row = timeline.first(where: { $0["time"] == cycle["time"] }) else { continue }
      let words = try #require(row["recommendation"])
      if let rate = cycle["temp_basal_U_per_h"], !rate.isEmpty {
        starts += 1
        #expect(words.hasPrefix("temp \(rate) U/h for \(cycle["temp_basal_minutes"] ?? "")m"))
      } else if cycle["temp_basal_minutes"] == "0" {
        #expect(words == "cancel temp")
      } else {
        #expect(words == "no change" || words.hasPrefix("none: "))
        #expect(words.hasPrefix("none: ") == (cycle["refusal"] != ""))
      }
    }
    #expect(starts > 3)
  }

  @Test("The seconds of a cycle are those of its time, of which a late one has thousandths")
  func seconds() async throws {
    let scratch = try Scratch()
    let scenario = """
      { format: 'loopsim/1', id: 's', clock: { start: '2026-01-15T00:00:00', duration: '50m',
          loopJitter: '20s' }, random: { seed: 3 },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' } }
      """
    let cycles = try await Self.rows("cycles.csv", of: scenario, in: scratch)
    var late = 0
    for cycle in cycles {
      let time = try #require(cycle["time_utc"])
      // 2026-01-15T00:05:08.472Z is 5 minutes and 8.472 seconds after the start.
      let minute = try #require(Double(time.dropFirst(14).prefix(2)))
      let second = try #require(Double(time.dropFirst(17).dropLast()))
      let found = try #require(cycle["seconds"].flatMap { Double($0) })
      #expect(abs(found - (60 * minute + second)) < 1e-9, "\(time)")
      if second != second.rounded() { late += 1 }
    }
    #expect(late > 5)
  }

  @Test("An entry of the event history that a person deleted stays in the table, with when")
  func deleted() async throws {
    let scratch = try Scratch()
    let scenario = """
      { format: 'loopsim/1', id: 's', clock: { duration: '6h' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' }, app: { closedLoop: false },
        events: [ { id: 'b', at: '01:00', bolus: { units: 2 } },
          { at: '02:00', delete: { from: 'eventHistory', match: { id: 'b' } } } ] }
      """
    let rows = try await Self.rows("event-history.csv", of: scenario, in: scratch)
    let boluses = rows.filter { $0["kind"] == "bolus" }
    #expect(boluses.count == 1 && boluses[0]["programmed_U"] == "2.00")
    #expect(boluses.first?["deleted_at"]?.contains("T02:00:00") == true, "\(rows)")
  }
}
