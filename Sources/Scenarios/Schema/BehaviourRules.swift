import ScenarioLanguage
import StructuredText

/// What nobody ever does, as its probability is 0.
struct BehaviourRules {
  /// The block `behaviour`.
  let behaviour: Field
  /// Where the values of a sweep stand, one of which may well be that nobody does it.
  let swept: Set<TextPosition>

  func check() {
    for meal in behaviour["meals"].listed where isNever(meal) {
      tell(meal, "This meal never comes")
    }
    for key in BehaviourBlock.reactions where isNever(behaviour[key]) {
      tell(behaviour[key], "Nobody reacts so")
    }
    checkEntries()
  }

  private func checkEntries() {
    let (announce, bolus) = (behaviour["announce"], behaviour["bolus"])
    guard behaviour["meals"].exists else { return }
    if isNever(announce) {
      // That no meal is entered may well be meant; what it would be entered as is idle.
      for key in ["bias", "cv", "delay", "absorption"] {
        announce[key].warnOfNoEffect("\"\(key)\" has no effect: no meal is entered.")
      }
      bolus.warnOfNoEffect(
        "\"behaviour.bolus\" has no effect: boluses go with entries, and no meal is entered.")
    } else if isNever(bolus) {
      tell(bolus, "No such bolus is given")
    }
  }

  private func tell(_ field: Field, _ sentence: String) {
    field["probability"].warnOfNoEffect("\(sentence): its \"probability\" is 0.")
  }

  /// Whether it has no probability, in other runs of a sweep neither.
  private func isNever(_ field: Field) -> Bool {
    let probability = field["probability"]
    return probability.node?.double == 0
      && ![behaviour, field, probability].contains { swept.contains($0.position) }
  }
}
