public import Quantities
public import StructuredText

/// A report as one HTML file that fetches nothing and can be read without its script.
///
/// The same report gives the same bytes: there is no time of making in it, and every id follows
/// from the content.
public struct Page: Sendable {
  /// What kind of report it is, such as `Run report`.
  public var kind: String
  /// The heading: one sentence with the finding.
  public var title: String
  /// What stands below the heading: who, when, from what.
  public var meta = Markup()
  /// The unit in which glucose is written; `nil` for a page without glucose.
  ///
  /// A page has a button for the unit where there is glucose in it for the button to change.
  public var glucoseUnit: GlucoseUnit?
  /// Where the first link of the page leads past what stands before it, and what it is called.
  public var skip: (link: String, text: String)?
  /// The sections of the page.
  public var body = Markup()
  /// What the page was made from, a piece each.
  public var footer: [Markup] = []
  /// What the script reads; `nil` where it needs nothing but the unit of glucose.
  public var data: JSONValue?
  /// Whether the page is printed on its side.
  public var isLandscape = false

  /// Begins a page of a kind.
  public init(kind: String, title: String) {
    self.kind = kind
    self.title = title
  }

  /// The file.
  public var html: String {
    let style = Markup(trusted: PageStyle.sheet(isLandscape: isLandscape))
    var result: Markup = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width,initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
      style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
      <meta name="color-scheme" content="light dark">
      <title>\(kind): \(title)</title>
      <style>\(style)</style>
      </head>
      <body>
      <script>document.documentElement.classList.add('js')</script>

      """
    if let skip { result += "<a class=\"skip\" href=\"\(skip.link)\">\(skip.text)</a>\n" }
    result += "\(header)<main>\n\(body)</main>\n"
    let notice: Markup = "Not a medical device: not for decisions about therapy."
    let spans = (footer + [notice]).map { "<span>\($0)</span>" as Markup }
    result += "<footer>\(spans.joined())</footer>\n"
    let unit = glucoseUnit.map { ["unit": .string($0.rawValue)] as JSONValue }
    if let data = data ?? unit {
      result +=
        "<script type=\"application/json\" id=\"data\">\(Self.embedded(data))</script>\n"
    }
    result += "<script>\(Markup(trusted: PageScript.text))</script>\n</body>\n</html>\n"
    return result.text
  }

  private var header: Markup {
    let molar = glucoseUnit == .millimolesPerLitre
    let unitButton: Markup =
      glucoseUnit == nil || !body.text.contains(" data-mg=")
      ? ""
      : """
      <button id="b-unit" type="button" aria-pressed="false">\(molar ? "mg/dL" : "mmol/L")</button>
      """
    return """
      <header>
      <div>
      <p class="over">\(kind)</p>
      <h1>\(title)</h1>
      <p class="meta">\(meta)</p>
      </div>
      <div class="tools" role="group" aria-label="How the page is shown">
      \(unitButton)<button id="b-theme" type="button">Dark</button>\
      <button id="b-print" type="button">Print or PDF</button>
      </div>
      </header>

      """
  }

  /// A tree as a script's data: nothing in it can end the element.
  private static func embedded(_ data: JSONValue) -> Markup {
    var writer = JSONWriter()
    writer.isCompact = true
    let line = writer.line(data)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(line.utf8.count)
    for byte in line.utf8 {
      switch byte {
      case UInt8(ascii: "<"): bytes += "\\u003c".utf8
      case UInt8(ascii: ">"): bytes += "\\u003e".utf8
      case UInt8(ascii: "&"): bytes += "\\u0026".utf8
      default: bytes.append(byte)
      }
    }
    return Markup(trusted: String(decoding: bytes, as: UTF8.self))
  }
}
