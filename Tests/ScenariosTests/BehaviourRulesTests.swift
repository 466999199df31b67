import Testing

/// What a person does with a probability of 0.
@Suite("Behaviour that never happens")
struct BehaviourRulesTests {
  private static let food = "meals: [{ window: ['08:00', '09:00'], grams: 40 }]"

  private static func told(_ behaviour: String, _ rest: String = "") -> [String] {
    CheckTests.sentences("behaviour: { \(behaviour) }\(rest)")
      .filter { $0.hasSuffix("[W-NOEFFECT]") }
  }

  @Test(
    "It is told where the probability stands",
    arguments: [
      (
        "meals: [{ window: ['08:00', '09:00'], grams: 40, probability: 0 }]",
        "This meal never comes"
      ),
      ("rescue: { below: 70, grams: 15, probability: 0 }", "Nobody reacts so"),
      ("correction: { above: 200, probability: 0 }", "Nobody reacts so"),
      ("\(food), bolus: { probability: 0, minUnits: 0.5 }", "No such bolus is given"),
    ])
  func never(behaviour: String, sentence: String) {
    let told = Self.told(behaviour)
    #expect(
      told.count == 1
        && told.allSatisfy { $0.contains("\(sentence): its \"probability\" is 0.") }, "\(told)")
    #expect(
      Self.told(behaviour.replacing("probability: 0", with: "probability: 0.1")).isEmpty)
  }

  @Test("That no meal is entered may be meant; how, and with which bolus, makes no difference then")
  func unentered() {
    #expect(Self.told("\(Self.food), announce: { probability: 0 }").isEmpty)
    let told = Self.told(
      "\(Self.food), announce: { probability: 0, bias: 1.2, delay: '5m' }, bolus: {}")
    #expect(told.count == 3)
    for words in ["\"bias\" has no effect", "\"delay\" has no effect", "boluses go with entries"] {
      #expect(told.contains { $0.contains(words) }, "\(told)")
    }
  }

  @Test("One point of a sweep, or a variant, may be the world without it")
  func neutralPoints() {
    let behaviour = "\(Self.food), bolus: { minUnits: 0.5 }"
    #expect(
      Self.told(behaviour, ", sweep: { 'behaviour.bolus.probability': [0, 0.5] }").isEmpty)
    #expect(
      Self.told(
        behaviour,
        ", variants: { none: { behaviour: { bolus: { probability: 0 } } }, some: {} }"
      ).isEmpty)
  }
}
