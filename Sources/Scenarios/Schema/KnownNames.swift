import ScenarioLanguage
import StructuredText

/// The names of events or faults that other keys may refer to, those of their occurrences included.
struct KnownNames {
  /// The names as they are written, for what may have been meant.
  private(set) var written: [String] = []
  private var exact: Set<String> = []
  /// The numbers of the occurrences of what may come more than once.
  private var numbers: [String: ClosedRange<Int>] = [:]

  /// Adds a name that comes once, or just as it is written.
  ///
  /// One with a number, as in a frozen scenario, is meant by the name without it too.
  mutating func add(_ name: String) {
    written.append(name)
    exact.formUnion([name, OccurrenceName.id(of: name)])
  }

  /// Adds the name of what comes at the times of an object.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - item: The object, an event or a fault.
  ///   - first: The number of the first occurrence that has one in its name.
  mutating func add(_ name: String, of item: Field, numberedFrom first: Int) {
    assert(first >= 1, "Occurrences are counted from 1.")
    add(name)
    let at = item["at"].node
    if at?.members != nil || item["every"].exists || item["user"].exists {
      numbers[name] = first...Int.max
    } else if let count = at?.items?.count, count > 1 {
      numbers[name] = first...count
    }
  }

  /// Adds a name that comes every day, each time with its number.
  mutating func add(daily name: String, numberedFrom first: Int = 1) {
    add(name)
    numbers[name] = first...Int.max
  }

  /// Whether there is something of the name.
  func contains(_ name: String) -> Bool { exact.contains(name) || containsOccurrence(name) }

  /// Whether it is the name of an occurrence, with its number, of something that has such.
  func containsOccurrence(_ name: String) -> Bool {
    let id = OccurrenceName.id(of: name)
    guard let numbers = numbers[id], let number = Int(name.dropFirst(id.count + 1)),
      OccurrenceName.numbered(id, number) == name
    else { return false }
    return numbers.contains(number)
  }
}

extension KnownNames {
  /// The names of faults, stated or not; the first occurrence has no number.
  ///
  /// - Parameters:
  ///   - root: The root of a run's scenario.
  ///   - others: Faults that other runs of the file may have; an expectation is written for all.
  /// - Returns: Their names.
  static func faults(of root: Field, others: [JSONNode] = []) -> Self {
    let items = root["faults"].listed
    var names = Self()
    for (name, item) in zip(FaultKeys.names(of: items.compactMap(\.node)), items) {
      names.add(name, of: item, numberedFrom: 2)
    }
    for node in others {
      let item = Field(node, in: .plain, problems: ProblemList())
      for name in FaultKeys.names(of: [node]) { names.add(name, of: item, numberedFrom: 2) }
    }
    return names
  }

  /// The ids of the events of a scenario, of which this is the root, and of their entries, and the
  /// names of its daily meals, of the boluses that go with them, and of the person's reactions.
  static func events(of root: Field) -> Self {
    var names = Self()
    for event in root["events"].listed {
      if let id = event["id"].node?.string { names.add(id, of: event, numberedFrom: 1) }
      if let id = event["entry"]["id"].node?.string { names.add(id, of: event, numberedFrom: 1) }
    }
    let behaviour = root["behaviour"]
    for (place, meal) in behaviour["meals"].listed.enumerated() {
      let name = BehaviourMeals.name(of: meal.node, at: place)
      // The window of the evening before may go on past the midnight with which the run begins.
      let read = BehaviourBlock.meal.read(meal.reporting(to: ProblemList()))
      let first = read.map { $0.passesMidnight ? 0 : 1 } ?? 1
      names.add(daily: name, numberedFrom: first)
      if behaviour["bolus"].exists {
        names.add(daily: BehaviourMeals.bolusName(of: name), numberedFrom: first)
      }
    }
    for name in BehaviourBlock.reactions where behaviour[name].exists { names.add(daily: name) }
    return names
  }
}

extension ScenarioDocument {
  /// The faults that its variants, edits of lists included, and the values of its sweep have.
  var faultsOfVariants: [JSONNode] {
    let variants = (tree["variants"]?.statedMembers ?? []).compactMap { $0.value["faults"] }
    let swept = (tree["sweep"]?.statedMembers ?? []).flatMap { member in
      member.key == "zip"
        ? (member.value.items ?? [member.value]).flatMap { $0.members ?? [] } : [member]
    }.filter { $0.key.hasPrefix("faults") }.map(\.value)
    return (variants + swept).flatMap(Self.faults)
  }

  private static func faults(in node: JSONNode) -> [JSONNode] {
    if let items = node.items { return items.flatMap(faults) }
    guard let members = node.members else { return [] }
    if ScenarioSchema.fault.kinds.contains(where: { node[$0.name] != nil }) { return [node] }
    // Edits hold faults, and so do laws of which one value is chosen.
    return members.flatMap { faults(in: $0.value) }
  }
}
