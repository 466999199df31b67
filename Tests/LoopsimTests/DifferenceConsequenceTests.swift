import Reports
import TestSupport
import Testing

@testable import loopsim

/// What a page says that a difference between the records does to insulin on board.
@Suite("What a difference does to insulin on board")
struct DifferenceConsequenceTests {
  /// The sentences on insulin on board of the page of a run of four hours from midnight on, with a
  /// bolus of 3 U at 01:00.
  private func sentences(_ more: String) throws -> [String] {
    let scratch = try Scratch()
    try Files.write(
      """
      { format: 'loopsim/1', clock: { start: '2026-01-15T00:00:00', duration: '4h' },
        patient: { model: 'tidepool-simple', initialGlucose: 200, needs: {
          basal: [['00:00', 1]], sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        app: { closedLoop: false },
        events: [{ at: '01:00', id: 'dose', bolus: { units: 3 } }, \(more)] }
      """, to: scratch.file("look.json5"))
    let selection = try RunSelection(nil, in: scratch.file("look.json5"))
    let report = try #require(ScenarioBatch.carryOut(selection.planned, seed: nil).report)
    return RunPage(report).html.matches(
      of: /At [0-9:]{5,8} that makes insulin on board [^<]{1,40}\./
    )
    .map { String($0.output) }
  }

  @Test("A dose is missing from when the app forgets it, and not before")
  func forgotten() throws {
    // Of 3 U there are 1.50 U left after two hours: by the curve with its peak at 75 minutes.
    #expect(
      try sentences("{ at: '03:00', delete: { from: 'both', match: { id: 'dose' } } }")
        == ["At 03:00 that makes insulin on board 1.50 U too low."])
    // An hour after the dose it has been missing for long.
    #expect(
      try sentences("{ at: '01:20', delete: { from: 'both', match: { id: 'dose' } } }")
        == ["At 02:00 that makes insulin on board 2.50 U too low."])
  }

  @Test("Nothing is said of the time after the run")
  func afterTheEnd() throws {
    func injected(at time: String) throws -> [String] {
      try sentences("{ at: '\(time)', injection: { units: 3 }, entry: false }")
    }
    #expect(try injected(at: "02:30") == ["At 03:30 that makes insulin on board 2.50 U too low."])
    #expect(try injected(at: "03:10") == [])
  }

  @Test("An amount that was logged wrongly counts with what it has more or less")
  func misstated() throws {
    func logged(_ injected: Int, as units: Int) throws -> [String] {
      try sentences(
        "{ at: '02:30', injection: { units: \(injected) }, entry: { units: \(units) } }")
    }
    // Of 1 U there are 0.83 U left after an hour.
    #expect(try logged(2, as: 1) == ["At 03:30 that makes insulin on board 0.83 U too low."])
    #expect(try logged(1, as: 2) == ["At 03:30 that makes insulin on board 0.83 U too high."])
  }

  @Test("Of what was deleted later, and of basal insulin, nothing untrue is said")
  func deletedLater() throws {
    let pen = "{ at: '01:30', injection: { units: 2 } }, "
    // It counts until 03:50, when 0.7 of it have acted.
    let gone = try sentences(
      pen + "{ at: '03:50', delete: { from: 'healthStore', match: { kind: 'bolus' } } }")
    #expect(!gone.contains { $0.hasPrefix("At 02:30") }, "\(gone)")
    #expect(
      try sentences("{ at: '02:00', injection: { units: 9, insulin: 'glargine' }, entry: false }")
        == [])
  }
}
