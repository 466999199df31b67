import Quantities
import Simulation
import Testing

/// The pre-meal range beside a preset of one's own, by the app that is meant.
@Suite("The pre-meal range")
struct PreMealTests {
  private static func told(_ app: String, _ events: String) throws -> [Happening] {
    try BehaviourFixture.result(
      """
      { format: 'loopsim/1', clock: { start: '2026-01-15T08:00:00', duration: '4h' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        therapy: { preMealTarget: [80, 90], workoutTarget: [140, 160],
          presets: { less: { insulinNeeds: 0.8 } } },
        app: { algorithm: '\(app)' }, events: [\(events)] }
      """
    ).trace.happenings
  }

  @Test("It holds for an hour where nothing else is said, and for as long as is said")
  func length() throws {
    for (rest, minutes) in [
      ("", 60), (", duration: '30m'", 30), (", until: '+90m'", 90), (", indefinite: true", nil),
    ] as [(String, Int64?)] {
      let told = try Self.told("loop-algorithm", "{ at: '09:00', preset: 'preMeal'\(rest) }")
      let start = try #require(told.first { $0.kind == .preset && $0.name == "preMeal" })
      let ends = told.filter { $0.kind == .preset && $0.name == "end" }
      #expect(ends.map { $0.instant - start.instant } == minutes.map { [.minutes($0)] } ?? [])
    }
  }

  @Test("That Loop 3 would run it beside another preset is told, and of nothing else")
  func together() throws {
    func warnings(_ app: String, _ first: String, _ second: String) throws -> [String] {
      try Self.told(
        app, "{ at: '09:00', preset: '\(first)' }, { at: '09:30', preset: '\(second)' }"
      ).filter { $0.kind == .warning }.map(\.text)
    }
    #expect(
      try warnings("loop-3", "less", "preMeal") == [
        "Loop 3 would run less and preMeal together; here one preset holds at a time."
      ])
    #expect(try warnings("loop-3", "preMeal", "less").count == 1)
    // What a preset is called does not make it the workout range.
    let named = "{ at: '09:00', id: 'workout', preset: { insulinNeeds: 0.6 } }"
    let told = try Self.told("loop-3", "\(named), { at: '09:30', preset: 'preMeal' }")
    #expect(
      told.filter { $0.kind == .warning }.map(\.text) == [
        "Loop 3 would run workout and preMeal together; here one preset holds at a time."
      ])
    // The workout range and the pre-meal range exclude one another there.
    #expect(try warnings("loop-3", "workout", "preMeal") == [])
    #expect(try warnings("loop-3", "preMeal", "workout") == [])
    #expect(try warnings("loop-3", "less", "workout") == [])
    #expect(try warnings("tidepool", "less", "preMeal") == [])
  }
}
