internal import RunPlans
internal import Studies
internal import Typesetting

/// What a group of patients is called on a page.
enum GroupName {
  /// The name, or words for the group of those of whom the table names none.
  static func text(_ name: String) -> String { name.isEmpty ? "no group" : name }
}

/// The groups as a small forest, the whole at the bottom; no p, and no interval below ten.
struct GroupsCard {
  private let comparison: StudyComparison
  private let number: Int
  private let names: EndPointNames

  /// Takes a comparison of a study with groups, and its place on the page.
  init(_ comparison: StudyComparison, number: Int, names: EndPointNames) {
    self.comparison = comparison
    self.number = number
    self.names = names
  }

  /// What stands in place of an interval for a group too small for one.
  private static let few = "– fewer than 10"

  /// The card.
  var markup: Markup {
    guard let result = comparison.results.first else { return "" }
    let decimals = EndPointWords(result.endPoint).decimals + 1
    // Whom a rule harms, whichever end point it stands at, and also who has no value of this one.
    let harmed = Dictionary(
      comparison.harms.flatMap(\.newlyHarmed).map { ($0.id, $0.group) }, uniquingKeysWith: { $1 })
    let hasRule = !comparison.harms.isEmpty
    var table = PageTable(
      [
        .init("Group"), .init("n", number: true),
        .init("◂ worse · better ▸", style: "chart", optional: true),
        .init("Difference", number: true), .init("Interval", number: true),
      ] + (hasRule ? [.init("Newly harmed", number: true)] : []), caption: "Groups of patients")
    let groups = result.groups
    let ends =
      (groups.flatMap { [$0.difference, $0.interval?.lower, $0.interval?.upper] })
      + [result.differences?.mean, result.interval?.lower, result.interval?.upper]
    let reach = max(ends.compactMap(\.self).map(\.magnitude).max() ?? 1, 1e-9) * 1.1
    func chart(
      _ mean: Double?, _ interval: IntervalOfMean?, _ name: String
    ) -> PageTable.Cell {
      let drawing = self.drawing(mean, interval, name, reach, result.endPoint.better == .lower)
      return .init(drawing.markup, style: "chart")
    }
    for group in groups {
      let own = harmed.values.count { $0 == group.name }
      let name = GroupName.text(group.name)
      table.rows.append(
        [
          "\(name)", "\(group.count)", chart(group.difference, group.interval, name),
          "\(PageNumber.text(group.difference, decimals, signed: true))",
          "\(result.told(group.interval).map { PageNumber.interval($0, decimals) } ?? Self.few)",
        ] + (hasRule ? ["\(own)"] : []))
    }
    let others = Set(harmed.values).subtracting(groups.map(\.name)).sorted()
    for name in others {
      let own = harmed.values.count { $0 == name }
      table.rows.append(["\(GroupName.text(name))", "0", "", "–", "– no value", "\(own)"])
    }
    table.total =
      [
        "All", "\(result.count)", chart(result.differences?.mean, result.interval, "All"),
        "\(PageNumber.text(result.differences?.mean, decimals, signed: true))",
        "\(PageNumber.interval(result.toldInterval, decimals))",
      ] + (hasRule ? ["\(harmed.count)"] : [])
    return """
      <section class="card more" aria-labelledby="groups-\(number)"><h2 class="t" \
      id="groups-\(number)">Groups: \(names.nameAndUnit(of: result.endPoint))</h2>\
      \(table.markup)<p class="small">Intervals of \(StudyNumber.confidence(result.confidence)) \
      %.</p></section>

      """
  }

  /// A row of the forest of groups; an interval without an end runs to the edge.
  private func drawing(
    _ mean: Double?, _ interval: IntervalOfMean?, _ name: String, _ reach: Double,
    _ isLowerBetter: Bool
  ) -> Drawing {
    let sign: Double = isLowerBetter ? -1 : 1
    func x(_ value: Double) -> Double { 0.5 + sign * value / reach / 2 }
    var drawing = Drawing(height: 18, label: "\(name): \(PageNumber.text(mean, 2, signed: true))")
    drawing.draw(.zero) { $0.upright(at: 0.5, from: 0, to: 1) }
    if let interval {
      let (low, high) = (interval.lower.map(x), interval.upper.map(x))
      let (left, right) = sign > 0 ? (low, high) : (high, low)
      drawing.draw(.infoBar) { $0.level(at: 0.5, from: left ?? 0, to: right ?? 1) }
    }
    if let mean { drawing.draw(.dot) { $0.dot(at: x(mean), 0.5) } }
    return drawing
  }
}
