import Scenarios
import Testing

@Suite("Keys of programs and calculators that have no effect")
struct IdleProgramKeyTests {
  private static let needs =
    "needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] }"

  private static func warnings(
    _ rest: String, patient: String = "model: 'tidepool-simple'"
  ) -> [String] {
    BehaviourFixture.attempt(
      """
      { format: 'loopsim/1', clock: { start: '2026-03-28T12:00:00', timeZone: 'UTC' },
        patient: { \(patient), \(needs) }, \(rest) }
      """
    ).1.filter { $0.contains("[W-NOEFFECT]") }
  }

  private static let keys = ["timeout: '5s'", "startTimeout: '5s'", "environment: { A: 'b' }"]

  @Test(
    "A program that is not started takes no time, and has no environment",
    arguments: keys + ["onTimeout: 'skip'"])
  func record(key: String) {
    let name = key.prefix { $0 != ":" }
    let told = Self.warnings("controller: { transcript: 'decisions.ndjson', \(key) }")
    #expect(told.count == 1, "\(told)")
    #expect(
      told.first?.contains(
        "\"controller.\(name)\" has no effect: a record answers, and no program is started.")
        == true, "\(told)")
    #expect(Self.warnings("controller: { command: ['a'], \(key) }") == [])
    // The command line may name the program.
    #expect(Self.warnings("controller: { \(key) }") == [])
  }

  @Test("So it is with a body that a record tells of", arguments: keys)
  func bodyOfRecord(key: String) {
    let body = "model: 'external', \(key)"
    let told = Self.warnings("", patient: "\(body), transcript: 'lived.ndjson'")
    #expect(told.count == 1 && told[0].contains("has no effect: a record answers"), "\(told)")
    #expect(Self.warnings("", patient: "\(body), command: ['a']") == [])
  }

  @Test("In place of the algorithm a program is told what that goes by, and no more of the past")
  func historyOfAlgorithm() {
    func told(_ seat: String) -> [String] {
      Self.warnings("controller: { command: ['a'], \(seat) history: '2d' }")
    }
    #expect(told("seat: 'algorithm',").count == 1)
    #expect(told("seat: 'algorithm',").first?.contains("\"controller.history\"") == true)
    #expect(told("seat: 'controller',") == [])
    // The program may choose either.
    #expect(told("") == [])
  }

  @Test(
    "A calculator does not correct what is not above its target",
    arguments: [
      ("target: 120, correctAbove: 119", true), ("target: 120, correctAbove: 120", false),
      ("target: 120, correctAbove: 180", false), ("correctAbove: 90", false),
    ])
  func correctAbove(keys: String, isIdle: Bool) {
    let told = Self.warnings(
      "events: [{ at: '18:00', bolus: { calculator: { grams: 40, \(keys) } } }]")
    #expect(told.count == (isIdle ? 1 : 0), "\(told)")
    if isIdle {
      #expect(told.first?.contains("\"correctAbove\" has no effect below \"target\"") == true)
    }
  }
}
