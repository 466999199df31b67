import Testing

@Suite("A bolus or temp basal while another bolus is given is warned of")
struct BolusForecastTests {
  /// The warnings of a run whose pump gives a unit in 40 seconds.
  private static func warnings(_ rest: String) -> [String] {
    let (_, problems) = BehaviourFixture.attempt(
      """
      { format: 'loopsim/1', clock: { start: '2026-01-15T08:00:00', duration: '3h' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 0.8]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        pump: { model: 'omnipodDASH' }, \(rest) }
      """)
    return problems.filter { $0.hasSuffix(" [W-REFUSED]") }.map {
      String($0.dropLast(12).split(separator: "warning: ", maxSplits: 1)[1])
    }
  }

  private static func past(_ doses: String) -> [String] {
    warnings("history: { doses: [\(doses)] }")
  }

  private static let during =
    "it gives the bolus of 10.00 U from 2026-01-15T07:00:00Z until 2026-01-15T07:06:40Z."

  @Test("In the history, whatever the order of the file")
  func history() {
    let first = "{ at: '-1h', bolus: 10 }"
    let expected = ["The pump refuses this bolus: \(Self.during)"]
    #expect(Self.past("\(first), { at: '-58m', bolus: 2 }") == expected)
    #expect(Self.past("{ at: '-58m', bolus: 2 }, \(first)") == expected)
    #expect(Self.past("\(first), { at: '-1h', bolus: 2 }") == expected)
    #expect(
      Self.past("\(first), { at: '-55m', basal: 2, duration: '30m' }")
        == ["The pump refuses this temp basal: \(Self.during)"])
    #expect(Self.past("\(first), { at: '-53m', bolus: 2 }") == [])
    #expect(Self.past("\(first), { at: '-58m', bolus: 2, insulin: 'humalog' }") == [])
    // The one that is refused does not hold up the next.
    #expect(Self.past("\(first), { at: '-54m', bolus: 9 }, { at: '-50m', bolus: 1 }") == expected)
  }

  @Test("Among the events, unless the first is cancelled, may not happen, or something intervenes")
  func events() {
    func events(_ first: String, _ between: String = "") -> [String] {
      Self.warnings(
        "events: [{ at: '08:30', bolus: { units: 9 }, \(first) }, \(between) "
          + "{ at: '08:33', bolus: { units: 1 } }]")
    }
    #expect(
      events("") == [
        "The pump refuses this bolus: it gives the bolus of 9.00 U from 2026-01-15T08:30:00Z until "
          + "2026-01-15T08:36:00Z."
      ])
    #expect(events("if: 'glucose.cgm > 100'") == [])
    #expect(events("", "{ at: '08:32', suspend: {} }, { at: '08:32:30', resume: {} },") == [])
    #expect(
      Self.warnings(
        """
        events: [{ at: '08:30', bolus: { units: 9, cancelAt: '+2m' } },
          { at: '08:33', bolus: { units: 1 } }]
        """) == [])
    #expect(
      Self.warnings(
        """
        therapy: { maxBolus: 3 }, events: [{ at: '08:30', bolus: { units: 9 } },
          { at: '08:33', bolus: { units: 1 } }]
        """) == [])
    #expect(
      Self.warnings(
        """
        events: [{ at: '08:30', bolus: { units: 9 } }, { at: '08:33', bolus: { units: 1 } }],
        expect: [{ event: { kind: 'warning' } }]
        """) == [])
  }

  @Test("A largest bolus that is saved later counts from then on")
  func savedLimit() {
    func warnings(_ first: String, _ change: String) -> [String] {
      Self.warnings(
        """
        therapy: { maxBolus: \(first) }, events: [{ at: '08:10', settings: \(change) },
          { at: '08:30', bolus: { units: 9 } }, { at: '08:33', bolus: { units: 1 } }]
        """)
    }
    // 1 U takes 40 s and 9 U take 6 min.
    #expect(warnings("10", "{ maxBolus: 1 }") == [])
    #expect(warnings("1", "{ maxBolus: 10 }").count == 1)
    #expect(warnings("10", "{ maxBolus: 1 }, if: 'glucose.cgm > 300'") == [])
    #expect(warnings("10", "{ maxBasal: 1 }").count == 1)
  }

  @Test("On the pump itself, and where the report is stated, no maximum of the app shortens one")
  func onPump() {
    func warned(_ first: String) -> Bool {
      !Self.warnings(
        """
        therapy: { maxBolus: 1 }, events: [{ at: '08:30', bolus: { \(first) } },
          { at: '08:33', bolus: { units: 1 } }]
        """
      ).isEmpty
    }
    #expect(!warned("units: 9, by: 'watch'"))
    #expect(warned("units: 9, by: 'pump'"))
    #expect(warned("units: 9, by: 'quick'"))
    #expect(warned("units: 2, reported: { units: 9 }"))
    #expect(!warned("units: 9, reported: { units: 2 }"))
  }
}
