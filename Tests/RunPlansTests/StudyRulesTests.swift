import RunPlans
import Testing

@Suite("A study beside the rest of its scenario")
struct StudyRulesTests {
  /// Two arms, of which one has an event more.
  private static func arms(_ event: String) -> String {
    """
    patient: {}, cohort: { generate: { model: 'hovorka', n: 40 } },
      variants: { plain: {}, other: { events: [{ at: '01:00', \(event) }] } },
      study: { control: 'plain', primary: [{ metric: 'tdd', better: 'lower', superior: true }] }
    """
  }

  private static let warning = "The arms differ in more than treatment: events."

  @Test("Arms may differ in the events that are said to give insulin, and in no others")
  func insulinIsTreatment() {
    let bolus = Self.arms("bolus: { units: 1 }")
    func warns(_ body: String, _ insulinEvents: [String]) -> Bool {
      Read(body, insulinEvents: insulinEvents).sentences.contains { $0.contains(Self.warning) }
    }
    #expect(!warns(bolus, ["bolus", "suspend"]))
    #expect(warns(bolus, ["suspend"]))
    #expect(warns(Self.arms("meal: { grams: 20 }"), ["bolus", "suspend"]))
  }

  @Test(
    "What all arms have, and a list or block with nothing in it, is no difference",
    arguments: [
      ("faults: []", false), ("events: [], behaviour: {}, cgm: {}", false),
      ("cgm: { model: 'dexcomG6' }", true),
    ])
  func noDifference(_ change: String, _ isDifference: Bool) {
    func warns(_ arms: String, _ warning: String = "differ in more than treatment") -> Bool {
      Read(
        """
        patient: {}, cohort: { generate: { model: 'hovorka', n: 40 } },
          variants: { \(arms) },
          study: { control: 'plain', primary: [{ metric: 'tdd', better: 'lower', superior: true }] }
        """
      ).sentences.contains { $0.contains(warning) }
    }
    let low = "therapy: { suspendThreshold: 70 }"
    #expect(warns("plain: {}, low: { \(low), \(change) }") == isDifference)
    #expect(!warns("plain: { \(change) }, low: { \(low), \(change) }"))
    #expect(warns("plain: {}, twin: { \(change) }", "All arms are the same") == !isDifference)
  }

  @Test("An end point that only an app has is refused where an arm has none")
  func endPointsOfApps() throws {
    let body = Self.arms("meal: { grams: 20 }").replacing("'tdd'", with: "'loopsCompleted'")
    #expect(Read(body).plan?.study?.endPoints.map(\.id) == ["loopscompleted"])
    let without = Read(body + ", app: 'none'")
    // The study is refused; its runs can still be told, and what else is wrong with them.
    #expect(without.plan?.count == 80)
    #expect(
      without.sentences.contains {
        $0.contains("The metric loopsCompleted needs an app, and the arm \"plain\" has none")
      }, "\(without.sentences)")
  }
}
