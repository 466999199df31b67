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
      let text = PercentText.whole(share.0, rounded: share.1)
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
}
