import HealthStore
import Quantities
import RunPlans
import Simulation
import StructuredText
import TestSupport
import Testing

@testable import Scenarios

@Suite("Carb entries that are changed")
struct EditedCarbsTests {
  /// When food of an hour after the start was eaten, and how much, by the health store at the end.
  ///
  /// The phone's clock is set an hour ahead half an hour after the entry.
  private static func stored(changedTo edit: String) throws -> [(minutes: Int64, grams: Double)] {
    try stored(
      """
      { at: '+90m', clockSet: '1h' },
      { at: '+60m', id: 'lunch', meal: { grams: 30 }, entry: { grams: 30, edits: [\(edit)] } }
      """)
  }

  /// When the food was eaten that the health store has at the end, and how much.
  private static func stored(_ events: String) throws -> [(minutes: Int64, grams: Double)] {
    let read = Read(
      """
      clock: { start: '2026-05-05T06:00:00', duration: '4h' },
      patient: { model: 'tidepool-simple', initialGlucose: 110,
        needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
          carbRatio: [['00:00', 10]] } },
      app: { closedLoop: false },
      events: [\(events)]
      """)
    let plan = try #require(read.plan, "\(read.sentences)")
    let built = try #require(RunBuilder.build(plan.run(at: 0), problems: ProblemList()))
    var run = Run(built.setup)
    while run.step() {}
    let result = run.finish()
    return try result.store.samples(of: .dietaryCarbohydrates, as: .user).map {
      (($0.start - result.start).milliseconds / 60_000, try #require($0.carbohydrates).grams)
    }
  }

  @Test("A time of eating that nobody changes stays, also where the clock was set since")
  func timeStays() throws {
    for (edit, grams) in [
      ("{ at: '+1h', grams: 45 }", 45.0), ("{ at: '+1h', absorption: '4h' }", 30),
    ] {
      let stored = try Self.stored(changedTo: edit)
      #expect(stored.map(\.minutes) == [60])
      #expect(stored.map(\.grams) == [grams])
    }
  }

  @Test("An edit changes the entry of its own occurrence, also where the entry has a name")
  func ownOccurrence() throws {
    for name in ["", "id: 'snack', "] {
      let entry = "{ \(name)edits: [{ at: '+10m', grams: 30 }] }"
      let changed = try Self.stored(
        "{ at: ['+60m', '+64m'], id: 'lunch', meal: { grams: 20 }, entry: \(entry) }")
      #expect(changed.map(\.minutes) == [60, 64])
      #expect(changed.map(\.grams) == [30, 30])
    }
    let one = "{ at: '+80m', delete: { from: 'healthStore', match: { id: 'snack#1' } } }"
    let left = try Self.stored(
      "{ at: ['+60m', '+64m'], meal: { grams: 20 }, entry: { id: 'snack' } }, \(one)")
    #expect(left.map(\.minutes) == [64])
  }

  @Test("A time of eating that is typed is by the phone's clock")
  func typedTime() throws {
    let stored = try Self.stored(changedTo: "{ at: '+1h', eatenAt: '+10m' }")
    let minutes: Int64 = 60 + 10 + 60
    #expect(stored.map(\.minutes) == [minutes])
  }
}
