internal import ScenarioLanguage
internal import StructuredText

/// The names of the events or the faults of a run, each of which belongs to one item of its list.
///
/// Occurrences have the name of their item with a number (`lunch#2`), what a slip makes a second
/// time has one (`lunch-again`), and what has no name gets one (`meal-2`): an id may be one of
/// these too, and one of what a person does on seeing glucose (`rescue#1`) or of the drift of the
/// pump's clock. What is said of a name would then concern both, and the end of one fault end the
/// other.
struct TakenNames {
  /// What the items are, such as "event".
  let noun: String
  /// What has a number by itself, and no item.
  private let numbered: [String]
  private var taken: Set<String> = []

  /// No names yet, of items that are called so, but for those with a number behind these words.
  init(noun: String, numbered: [String] = []) {
    self.noun = noun
    self.numbered = numbered
  }

  /// Takes the names of an item's occurrences, and reports the first that another item has.
  mutating func take(_ names: [String], by item: Field) {
    if let name = names.first(where: { isTaken($0) }) {
      let id = item["id"]
      (id.exists ? id : item).error(
        Self.sentence(on: name, noun: noun))
    }
    taken.formUnion(names)
  }

  /// What is wrong with a name that something else has, or may have in some run.
  static func sentence(on name: String, noun: String) -> String {
    "\"\(name)\" is the name of another \(noun) already, be it by its id, by its place, by "
      + "the number of its occurrence, as what a slip doubles, as what \"behaviour\" makes the "
      + "person do or as the drift of \"pump.clockDrift\". Give each an id of its own."
  }

  private func isTaken(_ name: String) -> Bool {
    taken.contains(name)
      || numbered.contains { name != $0 && OccurrenceName.isMeant(name, by: $0) }
  }
}
