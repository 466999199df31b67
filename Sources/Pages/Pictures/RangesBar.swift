internal import Outcomes
internal import StructuredText
internal import Typesetting

extension PageParts {
  /// The five ranges of glucose as a bar with its legend, highest first; shares add to 100.
  static func ranges(_ shares: TimeInRanges, _ glucose: GlucoseWords) -> Markup {
    let names: [(String, String, Markup)] = [
      ("f-vhi", "Very high", glucose.range(">250")), ("f-hi", "High", glucose.range("181–250")),
      ("f-tgt", "In range", glucose.range("70–180")), ("f-lo", "Low", glucose.range("54–69")),
      ("f-vlo", "Very low", glucose.range("<54")),
    ]
    let whole = wholePercentages(shares.stacked)
    let items = zip(names, zip(shares.stacked, whole)).map { name, share -> Markup in
      let text = wholePercent(share.0, rounded: share.1)
      return """
        <li><s class="\(name.0)"></s><span>\(name.1)</span><span class="mut">\(name.2)</span>\
        <b>\(text)%</b></li>
        """
    }
    let bar = bar(zip(names, shares.stacked).reversed().map { ($0.0, $1) })
    return bar + """
      <ul class="two three">\(items.joined())<li><span class="mut">Mean</span>\
      <b>\(glucose.value(shares.mean)) \(glucose.unitName)</b></li></ul>
      """
  }

  /// A share in per cent as a whole number; one that is there is never written as none, nor one
  /// short of all as all.
  ///
  /// - Parameters:
  ///   - share: The share in per cent.
  ///   - rounded: What it is rounded to, where that makes several add up; else the nearest.
  /// - Returns: The number without a sign, such as `<1`.
  static func wholePercent(_ share: Double, rounded: Int? = nil) -> String {
    let whole = rounded ?? Int(share.rounded())
    if share > 0, whole == 0 { return "<1" }
    return share < 100 && whole == 100 ? ">99" : "\(whole)"
  }

  /// A share in per cent with decimals, of which none that is there is written as none, nor one
  /// short of all as all: `<0.1 %`.
  static func percent(_ share: Double, decimals: Int) -> String {
    var step = 1.0
    for _ in 0..<decimals { step /= 10 }
    func text(_ value: Double) -> String { FixedDecimal.text(value, decimals: decimals) }
    if share > 0, text(share) == text(0) { return "<\(text(step)) %" }
    if share < 100, text(share) == text(100) { return ">\(text(100 - step)) %" }
    return "\(text(share)) %"
  }
}
