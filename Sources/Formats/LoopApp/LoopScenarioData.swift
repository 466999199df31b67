internal import Interchange
internal import Quantities
internal import StructuredText

/// What a testing scenario of the Loop app holds; all times count from its reference date.
struct LoopScenarioData {
  struct Glucose {
    var offset: TimeSpan
    var mgdL: Double
  }

  /// A temp basal in U/h, or a bolus in U.
  struct Dose {
    var offset: TimeSpan
    var amount: Double
    var duration: TimeSpan
    var position: TextPosition
  }

  struct Carbs {
    var offset: TimeSpan
    var grams: Double
    var absorption: TimeSpan
    var enteredAt: TimeSpan?
    var position: TextPosition
  }

  var glucose: [Glucose]
  var basals: [Dose]
  var boluses: [Dose]
  var carbs: [Carbs]
  /// What is carried as it is: device actions and reloads.
  var carried: [JSONValue.Member]

  /// The keys of the file and of the items of its lists.
  private static let known = [
    "": [
      "glucoseValues", "basalDoses", "bolusDoses", "carbEntries", "deviceActions", "reloadManager",
    ],
    "glucoseValues": ["mgdlValue", "dateOffset"],
    "basalDoses": ["unitsPerHourValue", "dateOffset", "duration"],
    "bolusDoses": ["unitsValue", "dateOffset", "deliveryDuration"],
    "carbEntries": ["gramValue", "dateOffset", "absorptionTime", "enteredAtOffset"],
  ]

  /// Reports keys that nothing reads.
  private static func reportUnknown(_ node: JSONNode, in list: String, _ problems: ProblemList) {
    let known = known[list] ?? []
    for member in node.members ?? [] where !known.contains(member.key) {
      problems.add(
        .warning, .lost, at: member.keyPosition,
        "\"\(member.key)\" is not known here and is left out."
          + NearestName.suggestion(for: member.key, among: known))
    }
  }

  /// Reads the object of a file; nothing, with located problems, when a part is unusable.
  init?(_ root: JSONField) {
    for (list, _) in Self.known.sorted(by: { $0.key < $1.key }) {
      let items = list.isEmpty ? root.node.map { [$0] } : root[list].node?.items
      for item in items ?? [] { Self.reportUnknown(item, in: list, root.problems) }
    }
    func list(_ key: String) -> [JSONField] { root.required(key).items() ?? [] }
    glucose = list("glucoseValues").compactMap { item in
      guard let offset = Self.span(item.required("dateOffset")),
        let value = item.required("mgdlValue").number(in: 0...2_000, unit: "mg/dL")
      else { return nil }
      return Glucose(offset: offset, mgdL: value)
    }
    basals = list("basalDoses").compactMap { item in
      Self.dose(item, amount: "unitsPerHourValue", duration: "duration")
    }
    boluses = list("bolusDoses").compactMap { item in
      Self.dose(item, amount: "unitsValue", duration: "deliveryDuration")
    }
    carbs = list("carbEntries").compactMap { item in
      guard let offset = Self.span(item.required("dateOffset")),
        let grams = item.required("gramValue").number(in: 0...10_000, unit: "g"),
        let absorption = Self.span(item.required("absorptionTime"))
      else { return nil }
      let entered = item["enteredAtOffset"]
      return Carbs(
        offset: offset, grams: grams, absorption: absorption,
        enteredAt: Self.isStated(entered) ? Self.span(entered) : nil, position: item.position)
    }
    carried = ["deviceActions", "reloadManager"].compactMap { key in
      Self.isStated(root[key])
        ? root[key].node.map { JSONValue.Member(key, JSONValue($0)) } : nil
    }
    if root.problems.hasErrors { return nil }
  }

  private static func dose(_ item: JSONField, amount: String, duration: String) -> Dose? {
    guard let offset = span(item.required("dateOffset")),
      let value = item.required(amount).number(in: 0...1_000),
      let length = span(item.required(duration))
    else { return nil }
    guard length >= .zero else {
      item[duration].reportUnusable(expected: "a number of seconds that is not negative")
      return nil
    }
    return Dose(
      offset: offset, amount: value, duration: length, position: item[amount].position)
  }

  /// Whether a key that need not be there is there; Loop reads `null` as if it were not.
  private static func isStated(_ field: JSONField) -> Bool { field.node?.isNull == false }

  private static func span(_ field: JSONField) -> TimeSpan? {
    guard let seconds = field.number(in: -3e7...3e7, unit: "s") else { return nil }
    return TimeSpan(roundingSeconds: seconds)
  }

  /// How long the run has to be to hold everything, at least an hour, in whole hours.
  var duration: TimeSpan {
    let ends = glucose.map(\.offset) + (basals + boluses).map { $0.offset + $0.duration }
    // What begins with the end of a run has no time in it.
    let starts =
      (basals + boluses).map(\.offset) + carbs.map { max($0.offset, $0.enteredAt ?? $0.offset) }
    let last = max(
      ends.max() ?? .zero, (starts.max() ?? .zero) + .milliseconds(1), .hours(1))
    return .hours((last + .milliseconds(3_599_999)).quotient(by: .hours(1)))
  }
}

extension LoopScenarioData {
  /// How far back the history of a scenario reaches.
  private static let pastLimit = TimeSpan.days(3)
  /// The shortest and the longest temp basal of a scenario.
  private static let shortestBasal = TimeSpan.minutes(1)
  private static let longestBasal = TimeSpan.days(1)

  /// The data as a scenario can hold them.
  ///
  /// Long temp basals are divided, what lies too far back is left out, and boluses are rounded to
  /// thousandths of a unit. Each change is reported.
  func fitted(_ journal: ImportJournal, _ problems: ProblemList) -> Self {
    var data = self
    state(in: journal)
    data.basals = basals.flatMap { divided($0, problems) }
    data.boluses = boluses.compactMap { bolus in
      guard isRecent(bolus.offset, bolus.position, problems) else {
        leaveOut([.bolusGiven, .bolusReported], bolus.amount, bolus.position, journal)
        return nil
      }
      return rounded(bolus, journal, problems)
    }
    data.carbs = carbs.filter { entry in
      let isKept = isRecent(entry.offset, entry.position, problems)
      if !isKept {
        // What is entered late counts as not eaten already.
        leaveOut(
          Self.isLate(entry)
            ? [.carbohydratesEntered] : [.carbohydratesEaten, .carbohydratesEntered],
          entry.grams, entry.position, journal)
      }
      return isKept
    }
    return data
  }

  private func state(in journal: ImportJournal) {
    for bolus in boluses where bolus.amount > 0 {
      journal.account.state(.bolusGiven, bolus.amount)
      journal.account.state(.bolusReported, bolus.amount)
    }
    for entry in carbs {
      journal.account.state(.carbohydratesEaten, entry.grams)
      journal.account.state(.carbohydratesEntered, entry.grams)
      if Self.isLate(entry) {
        journal.leaveOut(
          .carbohydratesEaten, entry.grams, because: "eaten before the start and entered later",
          at: entry.position)
      }
    }
  }

  /// Whether food from before the start is entered after it.
  private static func isLate(_ entry: Carbs) -> Bool {
    entry.offset <= .zero && (entry.enteredAt ?? .zero) > .zero
  }

  private func leaveOut(
    _ quantities: [ImportAccount.Quantity], _ amount: Double, _ position: TextPosition,
    _ journal: ImportJournal
  ) {
    for quantity in quantities {
      journal.leaveOut(
        quantity, amount, because: "more than three days before the start", at: position)
    }
  }

  private func isRecent(
    _ offset: TimeSpan, _ position: TextPosition, _ problems: ProblemList
  ) -> Bool {
    if offset >= -Self.pastLimit { return true }
    problems.add(
      .warning, .time, at: position,
      "This entry lies more than three days before the start and is left out.")
    return false
  }

  private func rounded(
    _ bolus: Dose, _ journal: ImportJournal, _ problems: ProblemList
  ) -> Dose {
    var bolus = bolus
    let stated = bolus.amount
    bolus.amount = (stated * 1_000).rounded() / 1_000
    guard (bolus.amount - stated).magnitude > 1e-9 else { return bolus }
    problems.add(
      .note, .decided, at: bolus.position,
      "\(JSONField.shortText(stated)) U is rounded to \(JSONField.shortText(bolus.amount)) U, a "
        + "whole number of thousandths.")
    let change = ImportAccount.Amount(bolus.amount) - ImportAccount.Amount(stated)
    for quantity in [ImportAccount.Quantity.bolusGiven, .bolusReported] {
      journal.account.change(
        quantity, by: change, because: "rounded to thousandths of a unit", at: bolus.position)
    }
    return bolus
  }

  /// A temp basal in parts of a day at most, without what lies too far back.
  private func divided(_ basal: Dose, _ problems: ProblemList) -> [Dose] {
    guard basal.duration >= Self.shortestBasal else {
      problems.add(
        .warning, .lost, at: basal.position, "A temp basal of less than a minute is left out.")
      return []
    }
    let end = basal.offset + basal.duration
    var start = basal.offset
    if start < -Self.pastLimit {
      problems.add(
        .warning, .time, at: basal.position,
        "What lies more than three days before the start of this temp basal is left out.")
      start = -Self.pastLimit
    }
    if start < end, end - start < Self.shortestBasal {
      problems.add(
        .warning, .lost, at: basal.position,
        "What remains of this temp basal is less than a minute and is left out.")
      return []
    }
    guard end - start > Self.longestBasal else {
      var rest = basal
      rest.offset = start
      rest.duration = end - start
      return end > start ? [rest] : []
    }
    problems.add(
      .note, .decided, at: basal.position,
      "A temp basal of \(ImportText.duration(end - start)) is divided into parts of a day.")
    var parts: [Dose] = []
    while start < end {
      var part = basal
      part.offset = start
      part.duration = min(Self.longestBasal, end - start)
      // The last part is to last a minute, too.
      let rest = end - start - part.duration
      if rest > .zero, rest < Self.shortestBasal {
        part.duration = part.duration - Self.shortestBasal
      }
      parts.append(part)
      start = start + part.duration
    }
    return parts
  }
}
