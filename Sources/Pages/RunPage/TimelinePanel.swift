internal import StructuredText
internal import Typesetting

/// Lanes on one axis of time with the cursor through them, of a run or of a record.
struct TimelinePanel {
  /// The lanes, from above.
  let lanes: [RunLane]
  /// What the lanes are called together.
  let name: Markup
  /// What stands above and below them: in one panel of a page, from which the script copies it into
  /// the others.
  var controls: Controls?

  /// The buttons, the read-out and the keys.
  struct Controls {
    /// The heading of the panel; empty where it has another.
    var title: Markup = ""
    /// What stands below the heading.
    var note: Markup = ""
    /// What the jumps lead to: `difference`.
    let stop: String
    /// How long the panel is, in hours.
    let hours: Double
    /// The classes that hide a part of the lanes, and what the buttons for them say.
    var layers: [(style: String, name: Markup)] = []
    /// The read-out, without its frame.
    let fields: Markup
    /// The class of the read-out's frame beside its own.
    var style = ""
    /// What stands behind the keys.
    var counts = ""
  }

  /// A field of a read-out, which the script fills by its key.
  static func field(_ name: Markup, _ key: String, style: String = "") -> Markup {
    let own: Markup = style.isEmpty ? "" : " class=\"\(style)\""
    return "<div\(own)><span>\(name)</span><b data-r=\"\(key)\"></b></div>"
  }

  /// The field of the time, with what held then.
  static let time: Markup = """
    <div class="tm"><span data-r="st"></span><b data-r="t"></b></div>
    """

  /// What tells the script that a panel begins so many minutes after the first, and its length.
  static func place(from start: Double, minutes: Double) -> Markup {
    " data-t0=\"\(number(start))\" data-len=\"\(number(minutes))\""
  }

  /// The panel without its frame.
  var markup: Markup {
    let keys: Markup =
      controls.map {
        """
        Left and right arrow move one step, with shift thirty minutes. Square brackets jump \
        between \($0.stop)s. Plus and minus zoom.
        """
      } ?? ""
    return """
      \(controls.map { head($0) + readOut($0) } ?? "")\(PageParts.swipe)\
      <div class="wrap" tabindex="0" role="group" aria-label="\(name). \(keys)"><div class="plot">
      \(lanes.map(\.markup).joined())<div class="cur"></div></div></div>
      \(controls.map(hint) ?? "")
      """
  }

  private func head(_ controls: Controls) -> Markup {
    let zooms = [1, 2, 4, 8].map { zoom -> Markup in
      let length = controls.hours / Double(zoom)
      let text =
        length >= 1
        ? "\(FixedDecimal.text(length, decimals: length.rounded() == length ? 0 : 1)) h"
        : "\(minutes(length * 60)) min"
      return """
        <button type="button" data-z="\(zoom)" aria-pressed="\(zoom == 1 ? "true" : "false")">\
        \(text)</button>
        """
    }.joined()
    let layers = controls.layers.map {
      "<button type=\"button\" data-c=\"\($0.style)\" aria-pressed=\"true\">\($0.name)</button>"
        as Markup
    }.joined()
    let shows: Markup =
      layers.isEmpty ? "" : "<div class=\"grp\" role=\"group\" aria-label=\"Show\">\(layers)</div>"
    return """
      <div class="tlh">\(controls.title)\
      <div class="grp" role="group" aria-label="\(controls.stop.capitalizedAtStart)">\
      <button type="button" data-jump="-1">‹ Previous \(controls.stop)</button>\
      <button type="button" data-jump="1">Next ›</button></div>\
      <div class="grp" role="group" aria-label="Zoom">\(zooms)</div>\
      \(shows)</div>
      \(controls.note)
      """
  }

  private func readOut(_ controls: Controls) -> Markup {
    let style = controls.style.isEmpty ? "read" : "read \(controls.style)"
    return "<div class=\"\(style)\">\(controls.fields)</div>\n"
  }

  private func hint(_ controls: Controls) -> Markup {
    """
    <p class="hint">Point or drag to read values<span class="kb">, or focus the chart and use \
    <kbd>←</kbd> <kbd>→</kbd>; <kbd>[</kbd> <kbd>]</kbd> jump between \(controls.stop)s; \
    <kbd>+</kbd> <kbd>−</kbd> zoom</span>.\(controls.counts)</p>

    """
  }

  /// A number of minutes on a button: of a few with a decimal, so that two zooms are told apart.
  private func minutes(_ length: Double) -> String {
    let text = FixedDecimal.text(length, decimals: length < 10 ? 1 : 0)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A number of minutes for the script, with two decimals where it is not whole.
  static func number(_ value: Double) -> String {
    let text = FixedDecimal.text(value, decimals: 2)
    return text.hasSuffix(".00") ? String(text.dropLast(3)) : text
  }
}
