import StructuredText
import TestSupport
import Testing

@testable import Bridge

@Suite("The guards of a batch are those of its scenario")
struct BatchGuardTests {
  @Test(
    "The limits of the settings cut with the app's guards, and not with the pump's",
    arguments: ["scenario", "patient"], ["app", "pump"])
  func limits(environment: String, guards: String) throws {
    var session = BridgeFixture.session()
    let needs = "basal: [['00:00', 1]], sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]]"
    let text = """
      { format: 'loopsim/1', id: 's', clock: { duration: '1h' }, cgm: { model: 'ideal' },
        patient: { model: 'tidepool-simple', needs: { \(needs) } },
        therapy: { \(needs), maxBasal: 2, maxBolus: 3 },
        controller: { command: ['none'], guards: '\(guards)' } }
      """
    let batch = try #require(
      session.ask([
        "type": "batch", "text": .string(text), "members": 1, "environment": .string(environment),
      ]).first)
    try #require(batch.text("type") == "batch", "\(batch)")
    _ = session.ask(["type": "batchReset", "batch": "b1", "seeds": ["1"]])
    let seen = session.ask(["type": "batchStep", "batch": "b1", "actions": [5, 8]]).first
    let numbers = seen?.numbers("observations") ?? []
    // The pump's rate and the bolus.
    #expect(
      numbers.count == 10 && [numbers[4], numbers[8]] == (guards == "app" ? [2, 3] : [5, 8]))
  }
}
