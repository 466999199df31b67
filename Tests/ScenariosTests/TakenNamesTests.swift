import Testing

/// What happens has a name that nothing else has.
@Suite("Names of events and faults")
struct TakenNamesTests {
  private static func errors(_ rest: String) -> [String] {
    BehaviourFixture.attempt(
      """
      { format: 'loopsim/1', clock: { duration: '2d' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        \(rest) }
      """
    ).1.filter { $0.contains("error: ") }
  }

  @Test(
    "An id that is the name of another's occurrence, or of one without an id, is refused",
    arguments: [
      (
        "events: [{ at: { daily: '02:00' }, id: 'a', bolus: { units: 1 } }, "
          + "{ at: '05:00', id: 'a#1', bolus: { units: 2 } }]", "a#1", "event"
      ),
      (
        "events: [{ at: '01:00', id: 'meal-2', meal: { grams: 10 } }, "
          + "{ at: '02:00', meal: { grams: 20 } }]", "meal-2", "event"
      ),
      (
        "events: [{ at: { daily: '02:00', jitter: '5m' }, id: 'a', bolus: { units: 1 } }, "
          + "{ at: '05:00', id: 'a#2', bolus: { units: 2 } }]", "a#2", "event"
      ),
      (
        "events: [{ at: '01:00', meal: { grams: 10 }, entry: { id: 'a' } }, "
          + "{ at: '02:00', meal: { grams: 20 }, entry: { id: 'a' } }]", "a", "event"
      ),
      (
        "events: [{ at: '01:00', meal: { grams: 10 }, entry: { id: 'a' } }, "
          + "{ at: '02:00', id: 'a', bolus: { units: 1 } }]", "a", "event"
      ),
      (
        "events: [{ at: '01:00', id: 'a', meal: { grams: 10 } }, "
          + "{ at: '02:00', id: 'a-again', meal: { grams: 20 } }], "
          + "faults: [{ user: { double: { match: 'a' } } }]", "a-again", "event"
      ),
      (
        "events: [{ at: '02:00', id: 'b', meal: { grams: 20 }, entry: { id: 'e-again' } }, "
          + "{ at: '01:00', id: 'a', meal: { grams: 10 }, entry: { id: 'e' } }], "
          + "faults: [{ user: { double: { match: 'a' } } }]", "e-again", "event"
      ),
      (
        "events: [{ at: '01:00', id: 'a-again', bolus: { units: 1 } }, "
          + "{ at: '02:00', id: 'a', bolus: { units: 1 } }], "
          + "faults: [{ user: { double: { of: 'bolus' } } }]", "a-again", "event"
      ),
      (
        "faults: [{ id: 'd', at: { daily: '02:30' }, cgm: { dropout: { duration: '30m' } } }, "
          + "{ id: 'd#2', at: 'd1 02:40', cgm: { dropout: { duration: '2h' } } }]", "d#2", "fault"
      ),
      (
        "events: [{ at: '02:00', meal: { grams: 10 } }, { at: '02:50', meal: { grams: 20 } }], "
          + "faults: [{ id: 'f', user: { miss: {} } }, "
          + "{ id: 'f#2', at: '02:40', cgm: { dropout: { duration: '2h' } } }]", "f#2", "fault"
      ),
      (
        "pump: { clockDrift: '10s/day' }, "
          + "faults: [{ id: 'pump-clock', at: '02:40', cgm: { dropout: {} } }]", "pump-clock",
        "fault"
      ),
      (
        "events: [{ at: ['01:00', '03:00'], id: 'rescue', meal: { grams: 10 } }], "
          + "behaviour: { rescue: { below: 70, grams: 15 } }", "rescue#1", "event"
      ),
    ])
  func refused(rest: String, name: String, noun: String) {
    let errors = Self.errors(rest)
    #expect(
      errors.count == 1
        && errors[0].contains("error: \"\(name)\" is the name of another \(noun) already"),
      "\(errors)")
  }

  @Test(
    "An id that another thing has in some runs only is refused in all",
    arguments: [
      (
        "events: [{ at: '01:00', id: 'a', meal: { grams: 10 } }, "
          + "{ at: '02:00', id: 'a-again', meal: { grams: 20 } }], "
          + "faults: [{ user: { double: { match: 'a', probability: CHANCE } } }]", "a-again",
        "event"
      ),
      (
        "events: [{ at: '01:00', id: 'lunch#1', meal: { grams: 10 } }], behaviour: { meals: "
          + "[{ name: 'lunch', window: ['12:00', '13:00'], grams: 20, probability: CHANCE }] }",
        "lunch#1", "event"
      ),
      (
        "events: [{ at: '02:00', meal: { grams: 10 } }, { at: '02:50', meal: { grams: 20 } }], "
          + "faults: [{ id: 'f', user: { miss: { probability: CHANCE } } }, "
          + "{ id: 'f#2', at: '02:40', cgm: { dropout: { duration: '2h' } } }]", "f#2", "fault"
      ),
      (
        "faults: [{ id: 'd', at: ['02:30', '03:30'], probability: CHANCE, "
          + "cgm: { dropout: { duration: '5m' } } }, "
          + "{ id: 'd#2', at: '05:40', cgm: { dropout: { duration: '2h' } } }]", "d#2", "fault"
      ),
    ])
  func refusedByChance(rest: String, name: String, noun: String) {
    // In a run of so little chance nothing of it happens, in one of so much all of it.
    for chance in ["1e-9", "0.999999999"] {
      let body = rest.replacing("CHANCE", with: chance)
      let errors = CheckTests.sentences(body).filter { $0.contains("error: ") } + Self.errors(body)
      #expect(
        errors.contains { $0.contains("error: \"\(name)\" is the name of another \(noun)") },
        "\(chance): \(errors)")
    }
    #expect(Self.errors(rest.replacing("CHANCE", with: "0")) == [])
  }

  @Test("The names of thousands of faults are told apart at once", .timeLimit(.minutes(1)))
  func manyFaults() {
    let faults = (0..<20_000).map {
      "{ id: 'f\($0)', at: ['02:30', '03:30'], probability: 0.5, "
        + "cgm: { dropout: { duration: '5m' } } }"
    }
    #expect(CheckTests.sentences("faults: [\(faults.joined(separator: ", "))]") == [])
  }

  @Test("A fault whose id looks like a window cannot be told apart in \"outside\"")
  func looksLikeWindow() {
    func told(_ id: String) -> [String] {
      CheckTests.sentences("faults: [{ id: '\(id)', during: ['+1h', '1h'], cgm: { dropout: {} } }]")
    }
    #expect(told("a.b") == [])
    for id in ["a..b", "20:00..+6h"] {
      #expect(
        told(id).filter { $0.contains("error: \"faults[0].id\" has \"..\" in it") }.count == 1)
    }
  }

  @Test(
    "Names that are told apart are taken",
    arguments: [
      "events: [{ at: { daily: '02:00' }, id: 'a', bolus: { units: 1 } }, "
        + "{ at: '05:00', id: 'a#3', bolus: { units: 2 } }]",
      "events: [{ at: '02:00', id: 'a', bolus: { units: 1 } }, "
        + "{ at: '05:00', id: 'a#1', bolus: { units: 2 } }]",
      "events: [{ at: { daily: '02:00' }, id: 'a', meal: { grams: 10 }, entry: { id: 'a' } }]",
      "events: [{ at: '01:00', id: 'a', meal: { grams: 10 } }, "
        + "{ at: '02:00', id: 'a-again', meal: { grams: 20 } }]",
      "events: [{ at: { daily: '01:00' }, id: 'a', meal: { grams: 10 } }], "
        + "faults: [{ id: 'a-again', user: { double: { match: 'a' } } }, "
        + "{ id: 'a', user: { double: { match: 'a', by: '7m' } } }]",
      "faults: [{ at: { daily: '02:30' }, cgm: { dropout: { duration: '30m' } } }, "
        + "{ at: 'd1 02:40', cgm: { dropout: { duration: '2h' } } }]",
      "pump: { clockDrift: '0s/day' }, "
        + "faults: [{ id: 'pump-clock', at: '02:40', pump: { clockDrift: { perDay: '1m' } } }]",
      "events: [{ at: ['01:00', '03:00'], id: 'rescue', meal: { grams: 10 } }, "
        + "{ at: '02:00', id: 'correction', meal: { grams: 10 } }], "
        + "behaviour: { correction: { above: 250 } }",
    ])
  func taken(rest: String) { #expect(Self.errors(rest) == []) }
}
