import Scenarios
import Testing

/// Settings that make no difference in a run, as far as that is known before it.
@Suite("Settings without effect in a run")
struct SettingForecastTests {
  private static let needs = """
    needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] }
    """

  private static func told(
    _ rest: String, duration: String = "8h", patient: String = "model: 'tidepool-simple', \(needs)"
  ) -> [String] {
    BehaviourFixture.attempt(
      """
      { format: 'loopsim/1', clock: { start: '2026-01-15T00:00:00', duration: '\(duration)' },
        patient: { \(patient) }, \(rest) }
      """
    ).1.filter { $0.hasSuffix("[W-NOEFFECT]") }
  }

  @Test("When a pump was put on matters where it ages, or gives its pulses at intervals")
  func pumpStart() {
    let told = Self.told("pump: { startedAt: '-2d' }")
    #expect(told.count == 1)
    #expect(
      told.first?.contains(
        "\"pump.startedAt\" has no effect: the Generic 0.05 U pump was put on before the run, "
          + "and nothing about it goes by its age.") == true, "\(told)")
    #expect(Self.told("pump: { model: 'omnipodDASH', startedAt: '-2d' }").isEmpty)
    #expect(Self.told("pump: { life: '5d', startedAt: '-2d' }").isEmpty)
    #expect(Self.told("pump: { startedAt: '+2h' }").isEmpty)
    let late = Self.told("pump: { startedAt: '+9h' }")
    #expect(late.count == 1)
    #expect(late.first?.contains("it comes after the end of the run.") == true, "\(late)")
  }

  @Test("A sensor that is put in so late that no reading comes is told, unless another one is")
  func sensorStart() {
    // A Dexcom G6 warms up for two hours, so that of a run of eight the sixth is the last.
    func told(_ start: String, _ rest: String = "") -> [String] {
      Self.told("cgm: { model: 'dexcomG6', startedAt: '\(start)' }\(rest)")
    }
    #expect(told("+6h").isEmpty)
    let late = told("+6h1m")
    #expect(late.count == 1)
    #expect(
      late.first?.contains(
        "The sensor shows nothing in this run: its first reading comes after the end, after a "
          + "warm-up of 2h.") == true, "\(late)")
    func replaced(_ time: String) -> String {
      ", events: [{ at: '\(time)', cgm: { replace: true } }]"
    }
    #expect(told("+9h", replaced("02:00")).isEmpty)
    #expect(told("+9h", replaced("07:00")).count == 1)
    #expect(Self.told("cgm: { startedAt: '+9h' }").count == 1)
  }

  @Test("The needs of a body with equations serve a therapy that says less")
  func needs() {
    let body = "model: 'uva-padova-s2008', name: 'adult#001', \(Self.needs)"
    let two = "basal: [['00:00', 1]], sensitivity: [['00:00', 50]]"
    #expect(Self.told("therapy: { \(two) }", patient: body).isEmpty)
    let told = Self.told("therapy: { \(two), carbRatio: [['00:00', 10]] }", patient: body)
    #expect(told.count == 1)
    #expect(told.first?.contains("\"patient.needs\" has no effect") == true, "\(told)")
    #expect(Self.told("therapy: { \(two), carbRatio: [['00:00', 10]] }").isEmpty)
  }

  @Test("Rapid-acting insulin acts as the model has it, and so does a child's")
  func childsInsulin() {
    func count(_ insulin: String) -> Int {
      Self.told("", patient: "model: 'tidepool-simple', \(Self.needs), insulinType: '\(insulin)'")
        .count
    }
    #expect(count("rapidActingChild") == 1)
    #expect(count("humalog") == 0)
    #expect(count("fiasp") == 0)
  }

  @Test("Nothing is written again where nothing is deleted in the health store")
  func rereporting() {
    let setting = "healthStore: { rereportDeleted: false }"
    func deletion(_ place: String) -> String {
      ", events: [{ at: '02:00', delete: { from: '\(place)', match: { kind: 'tempBasal' } } }]"
    }
    #expect(Self.told(setting).count == 1)
    #expect(Self.told(setting + deletion("eventHistory")).count == 1)
    #expect(Self.told(setting + deletion("healthStore")).isEmpty)
    #expect(
      Self.told(setting + ", faults: [{ at: '02:00', healthStore: { wipe: {} } }]").isEmpty)
    #expect(Self.told("healthStore: { rereportDeleted: true }").isEmpty)
  }

  @Test("Segments of a day and more are divided, and a shorter run has none")
  func longSegments() {
    let setting = "healthStore: { splitLongSegments: false }"
    #expect(Self.told(setting, duration: "23h").count == 1)
    #expect(Self.told(setting, duration: "24h").isEmpty)
  }

  @Test("The sensitivity in the middle of absorption is that of its beginning all day")
  func midAbsorption() {
    let setting = "app: { midAbsorptionISF: true }"
    let told = Self.told(setting)
    #expect(told.count == 1)
    #expect(
      told.first?.contains("has no effect: the sensitivity is the same all day.") == true,
      "\(told)")
    #expect(
      Self.told("\(setting), therapy: { sensitivity: [['00:00', 50], ['04:00', 40]] }").isEmpty)
    for event in [
      "preset: { insulinNeeds: 0.5 }, duration: '1h'",
      "settings: { sensitivity: [['00:00', 40]] }",
    ] {
      #expect(Self.told("\(setting), events: [{ at: '02:00', \(event) }]").isEmpty)
    }
  }
}
