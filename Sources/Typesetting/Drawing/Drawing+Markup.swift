internal import StructuredText

extension Drawing {
  /// The chart for a page: an image with its finding in a sentence, or a group where it has links.
  ///
  /// The words that are drawn are hidden from screen readers; the sentence says what they show.
  public var markup: Markup {
    let role = words.contains { $0.link != nil } ? "group" : "img"
    var result: Markup =
      "<div class=\"cv\" role=\"\(role)\" aria-label=\"\(label)\" style=\"--h:\(height)\">"
    for box in boxes {
      result += """
        <i class="bx \(box.style.rawValue)" style="left:\(Self.percent(box.left));\
        width:\(Self.percent(box.right - box.left));top:\(Self.percent(box.top));\
        height:\(Self.percent(box.bottom - box.top))"></i>
        """
    }
    if !shapes.isEmpty {
      result += "<svg viewBox=\"0 0 10000 1000\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
      for shape in shapes { result += Self.markup(of: shape) }
      result += "</svg>"
    }
    let plain = words.filter { $0.link == nil }.map(Self.markup).joined()
    if !plain.isEmpty { result += "<div aria-hidden=\"true\">\(plain)</div>" }
    for word in words where word.link != nil { result += Self.markup(of: word) }
    return result + "</div>"
  }

  private static func markup(of shape: Shape) -> Markup {
    switch shape.sharing {
    case .none: "<path class=\"\(shape.style.rawValue)\" d=\"\(shape.path.data)\"/>"
    case .defined(let id):
      "<path id=\"\(id)\" class=\"\(shape.style.rawValue)\" d=\"\(shape.path.data)\"/>"
    case .used(let id): "<use href=\"#\(id)\"/>"
    }
  }

  private static func markup(of word: Word) -> Markup {
    let anchor = word.anchor == .start ? "" : word.anchor == .middle ? " m" : " e"
    let zoom = word.zoom > 1 ? " z\(word.zoom)" : ""
    let style = word.style == .word ? "" : " \(word.style.rawValue)"
    let place = "left:\(percent(word.x));top:\(percent(word.y))"
    let classes = "w\(anchor)\(style)\(zoom)"
    guard let link = word.link else {
      return "<i class=\"\(classes)\" style=\"\(place)\">\(word.text)</i>"
    }
    let label: Markup = word.label.map { " aria-label=\"\($0)\"" } ?? ""
    return "<a class=\"\(classes)\" style=\"\(place)\" href=\"\(link)\"\(label)>\(word.text)</a>"
  }

  /// A fraction in per cent with two decimals at most: a hundredth of a per cent is a tenth of a
  /// pixel.
  package static func percent(_ fraction: Double) -> String {
    assert(fraction.isFinite, "A place on a chart is a number.")
    var text = FixedDecimal.text(fraction * 100, decimals: 2)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return (text == "-0" ? "0" : text) + "%"
  }
}
