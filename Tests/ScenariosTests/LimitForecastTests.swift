import Testing

@Suite("Settings beyond limits that are saved later")
struct LimitForecastTests {
  @Test("Settings that are saved later are held against the limits that hold by then")
  func savedLimits() {
    func said(_ settings: String...) -> [String] {
      let events = settings.enumerated().map { "{ at: '0\($0 + 1):00', settings: { \($1) } }" }
      let (_, problems) = BehaviourFixture.attempt(
        """
        { format: 'loopsim/1', clock: { duration: '4h' },
          patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 0.8]],
            sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
          therapy: { basal: [['00:00', 1]], maxBasal: 5, suspendThreshold: 75 },
          events: [\(events.joined(separator: ", "))] }
        """)
      return problems.filter {
        $0.contains("above maxBasal") || $0.contains("below the suspend threshold")
      }
    }
    #expect(said("basal: [['00:00', 4], ['08:00', 5]]") == [])
    #expect(said("maxBasal: 6", "basal: [['00:00', 1], ['08:00', 6]]") == [])
    #expect(
      said("basal: [['00:00', 1], ['08:00', 6]]").first?
        .contains("The scheduled rate 6 U/h is above maxBasal (5 U/h)") == true)
    #expect(
      said("maxBasal: 0.5").first?
        .contains("The scheduled rate 1 U/h is above maxBasal (0.5 U/h)") == true)
    #expect(
      said("target: [['00:00', [70, 90]]]").first?
        .contains("The correction range begins at 70, below the suspend threshold (75)") == true)
    #expect(
      said("target: [['00:00', [80, 90]]]", "suspendThreshold: 85").first?
        .contains("The correction range begins at 80, below the suspend threshold (85)") == true)
    #expect(said("suspendThreshold: 70", "target: [['00:00', [70, 90]]]") == [])
  }

  @Test("A temp basal is held against the maximum that the app has by then")
  func tempBasal() {
    func said(_ events: String, more: String = "") -> [String] {
      BehaviourFixture.attempt(
        """
        { format: 'loopsim/1', clock: { duration: '4h' },
          patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 0.8]],
            sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
          therapy: { basal: [['00:00', 0.8]] }, events: [\(events)], \(more) }
        """
      ).1.filter { $0.contains("takes no temp basal") }
    }
    let temp = "{ at: '02:00', basal: { rate: 3, duration: '30m' } }"
    let lower = "{ at: '01:00', settings: { maxBasal: 1.5 } }"
    let told = said("\(lower), \(temp)")
    #expect(told.count == 1)
    #expect(
      told.first?.contains("The app takes no temp basal above maxBasal (1.5 U/h) by then.")
        == true)
    #expect(said("\(temp), { at: '02:01', settings: { maxBasal: 1.5 } }") == [])
    #expect(said("\(lower), { at: '01:30', settings: { maxBasal: 3 } }, \(temp)") == [])
    // The default is 5 U/h.
    #expect(said("{ at: '02:00', basal: { rate: 5, duration: '30m' } }") == [])
    #expect(said("{ at: '02:00', basal: { rate: 5.5, duration: '30m' } }").count == 1)
    #expect(said("\(lower), \(temp)", more: "expect: [{ event: { kind: 'warning' } }]") == [])
  }

  @Test("A temp basal of the pump's own past changes no limit")
  func pastTempBasal() {
    func said(_ history: String) -> [String] {
      BehaviourFixture.attempt(
        """
        { format: 'loopsim/1', clock: { duration: '4h', preRoll: '4h' },
          patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 0.8]],
            sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
          therapy: { basal: [['00:00', 0.8]] }, history: { \(history) },
          events: [{ at: '-3h', settings: { maxBasal: 1.5 } },
            { at: '+1h', basal: { rate: 3, duration: '30m' } }] }
        """
      ).1.filter { $0.contains("takes no temp basal above maxBasal (1.5 U/h) by then") }
    }
    #expect(said("").count == 1)
    #expect(said("doses: [{ at: '-1h', basal: 2, duration: '30m' }]").count == 1)
  }
}
