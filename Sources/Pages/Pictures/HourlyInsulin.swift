internal import Outcomes
internal import StructuredText
internal import Typesetting

/// The pump's insulin by hour of the day, a pair of columns an hour: basal below, boluses above.
struct HourlyInsulin {
  /// The control first, where there are two.
  let arms: [PicturedArm]
  /// What a member is, in the plural: `runs` or `patients`.
  let noun: String

  private func means(_ arm: PicturedArm, _ list: (DailyPattern) -> [Double?]) -> [Double] {
    (0..<24).map { Statistics.mean(arm.values($0, list)) ?? 0 }
  }

  /// The chart; `nil` where no arm has insulin.
  var chart: TickedChart? {
    let columns = arms.map { (basal: means($0, \.basal), bolus: means($0, \.bolus)) }
    let sums = columns.map { arm in zip(arm.basal, arm.bolus).map { $0 + $1 } }
    guard let most = sums.joined().max(), most > 0 else { return nil }
    let top = Self.axis(over: most)
    func y(_ units: Double) -> Double { 1 - units / top }
    var drawing = Drawing(height: 200, label: label(sums))
    let step = top / 4
    drawing.draw(.grid) { path in
      for line in 0...4 { path.level(at: y(step * Double(line)), from: 0, to: 1) }
    }
    let width = 0.8 / 24 / Double(max(1, arms.count))
    for (place, arm) in columns.enumerated() {
      let isControl = place == 0 && arms.count > 1
      var (basal, bolus) = (SVGPath(), SVGPath())
      for hour in 0..<24 {
        let left = (Double(hour) + 0.1) / 24 + width * Double(place)
        let right = left + width * 0.9
        let middle = y(arm.basal[hour])
        basal.rectangle(left: left, top: middle, right: right, bottom: 1)
        bolus.rectangle(
          left: left, top: y(arm.basal[hour] + arm.bolus[hour]), right: right, bottom: middle)
      }
      drawing.add(basal, isControl ? .controlPale : .treatmentPale)
      drawing.add(bolus, isControl ? .controlField : .treatmentField)
    }
    DayAxis.add(to: &drawing, y: 1 + 13 / 200)
    return TickedChart(
      name: "Insulin, U an hour", drawing: drawing,
      ticks: [0.0, 2, 4].map { (y(step * $0), "\(Self.text(step * $0))") })
  }

  /// What the columns are, with the sum of a day in each arm.
  var legend: Markup {
    let days = arms.map { arm -> Markup in
      let known = arm.members.count { $0.day != nil }
      guard known > 0 else { return "\(arm.name) not known, as no run has a day" }
      // An hour that came twice, or never, is one of 24 all the same: their sum is no day's dose.
      // Where nobody lived some of the hours, a day's dose is none of the columns.
      let doses = arm.members.compactMap(\.dailyDose)
      let isDay = (0..<24).allSatisfy { !arm.values($0, \.basal).isEmpty }
      let units =
        (isDay && doses.count == arm.members.count ? Statistics.mean(doses) : nil)
        ?? means(arm, \.basal).reduce(0, +) + means(arm, \.bolus).reduce(0, +)
      let part: Markup =
        known == arm.members.count ? "" : " (\(known) of \(arm.members.count) \(noun))"
      let time = isDay ? "a day" : "in these hours"
      return "\(arm.name) \(FixedDecimal.text(units, decimals: 1)) U \(time)\(part)"
    }.joined(separator: ", ")
    let pair: Markup =
      arms.count > 1
      ? "Left of each pair, grey: \(arms[0].name); right, blue: \(arms[1].name). " : ""
    return """
      \(pair)Pale: basal; full: boluses. Mean of \(noun): \(days).\
      \(PicturedArm.shortDays(of: arms, noun: noun))
      """
  }

  private func label(_ sums: [[Double]]) -> String {
    zip(arms, sums).map { arm, sum in
      guard arm.members.contains(where: { $0.day != nil }) else { return "\(arm.name): no day." }
      let hour = sum.indices.max { sum[$0] < sum[$1] } ?? 0
      return
        "\(arm.name): most insulin at \(hour) h, \(FixedDecimal.text(sum[hour], decimals: 2)) U."
    }.joined(separator: " ")
  }

  /// The end of the axis: the least of 0.4, 0.8, 1, 2, 4, 8, 10, 20 … that no column passes.
  private static func axis(over most: Double) -> Double {
    var unit = 0.1
    while true {
      for factor in [1.0, 2, 2.5, 5] where unit * factor * 4 >= most { return unit * factor * 4 }
      unit *= 10
    }
  }

  private static func text(_ units: Double) -> String {
    var text = FixedDecimal.text(units, decimals: 2)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }
}
