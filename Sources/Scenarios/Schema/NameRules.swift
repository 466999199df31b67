import Expectations
import ScenarioLanguage
import StructuredText

/// The names of events, faults and expectations: each belongs to one, and can be told from what
/// else may be named.
struct NameRules {
  let root: Field

  func check() {
    for key in ["events", "faults", "expect"] { checkUniqueIDs(root[key]) }
    for fault in root["faults"].listed { checkWindow(fault["id"]) }
    checkDailyNames()
    checkNumbersOfFaults()
  }

  private func checkUniqueIDs(_ field: Field) {
    var seen: [String: TextPosition] = [:]
    func take(_ name: String, _ id: Field) {
      if let first = seen[name] {
        id.error("The id \"\(name)\" is there twice; the first is at \(first). Give each its own.")
      } else {
        seen[name] = id.position
      }
    }
    for item in field.listed {
      let own = item["id"].node?.string
      if let own { take(own, item["id"]) }
      // The entry of an event may have a name of its own, which is told apart as that of an event.
      guard let entry = item["entry"]["id"].node?.string else { continue }
      let name = OccurrenceName.of(entry, madeBy: own ?? "")
      if name != own { take(name, item["entry"]["id"]) }
    }
  }

  /// A name of a fault that `outside` would take for a window.
  private func checkWindow(_ id: Field) {
    guard let node = id.node, node.string != nil, node.nameOfFault == nil else { return }
    id.error(
      "\"\(id.path)\" has \"..\" in it, as a window of \"outside\" has. Write another name.")
  }

  // MARK: - Names by chance

  /// An event that is called as a meal of some day may be, or the bolus that goes with it.
  private func checkDailyNames() {
    let behaviour = root["behaviour"]
    let meals = behaviour["meals"].listed.enumerated().map { place, meal in
      BehaviourMeals.name(of: meal.node, at: place)
    }
    guard !meals.isEmpty else { return }
    let boluses = behaviour["bolus"].exists ? meals.map { BehaviourMeals.bolusName(of: $0) } : []
    let names = meals + boluses
    for event in root["events"].listed {
      for id in [event["id"], event["entry"]["id"]] {
        guard let name = id.node?.string, !names.contains(name),
          names.contains(where: { OccurrenceName.isMeant(name, by: $0) })
        else { continue }
        id.error(TakenNames.sentence(on: name, noun: "event"))
      }
    }
  }

  /// A fault that is called as an occurrence of another one is, which comes by chance.
  private func checkNumbersOfFaults() {
    let faults = root["faults"].listed
    let names = FaultKeys.names(of: faults.compactMap(\.node))
    // There may be thousands, of which few have a number.
    let numbered = Dictionary(grouping: zip(names, faults).filter { $0.0.contains("#") }) {
      OccurrenceName.id(of: $0.0)
    }
    for (name, fault) in zip(names, faults) {
      guard let others = numbered[name], comesByChance(fault) else { continue }
      var known = KnownNames()
      known.add(name, of: fault, numberedFrom: 2)
      for (other, item) in others where known.containsOccurrence(other) {
        item["id"].error(TakenNames.sentence(on: other, noun: "fault"))
      }
    }
  }

  /// Whether only chance tells how often a fault comes.
  private func comesByChance(_ fault: Field) -> Bool {
    if fault["every"].exists { return true }
    let quiet = fault.reporting(to: ProblemList())
    guard fault["user"].exists else { return isUncertain(quiet[FaultKeys.shared.probability]) }
    guard let slip = UserFaultSpec(quiet) else { return false }
    return isUncertain(slip.probability) || isUncertain(slip.share)
      || root["behaviour"]["meals"].exists || root["app"]["manualBolusAccept"].exists
  }

  private func isUncertain(_ probability: Double) -> Bool { probability > 0 && probability < 1 }
}
