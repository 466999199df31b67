/// A chart: shapes that stretch with their place, and words that keep their size.
///
/// Places are fractions of the chart from its left upper corner, so that one drawing serves a
/// phone, a screen, paper and a figure in a file. ``Drawing/markup`` is for a page and
/// ``SVGFigure`` for a file.
public struct Drawing: Sendable {
  /// Where a word stands relative to its place.
  public enum Anchor: String, Hashable, Sendable {
    /// The place is that of the word's start, middle or end.
    case start, middle, end
  }

  /// Lines or areas of one style.
  public struct Shape: Hashable, Sendable {
    /// How it looks.
    public var style: ChartStyle
    /// Its outline.
    public var path: SVGPath
    /// Whether other charts of the page have it as well.
    public var sharing = Sharing.none
  }

  /// Whether several charts of a page have a shape in common, which then stands there once.
  public enum Sharing: Hashable, Sendable {
    /// It is this chart's alone.
    case none
    /// The shape stands here, under an id.
    case defined(String)
    /// It stands in a chart before this one, under an id.
    case used(String)
  }

  /// A hatched or outlined box.
  public struct Box: Hashable, Sendable {
    /// How it looks.
    public var style: ChartStyle
    /// Its left side, as a fraction of the width.
    public var left: Double
    /// Its right side, as a fraction of the width.
    public var right: Double
    /// Its top, as a fraction of the height.
    public var top: Double
    /// Its bottom, as a fraction of the height.
    public var bottom: Double
  }

  /// A word or number on a chart.
  public struct Word: Hashable, Sendable {
    /// What it says.
    public var text: Markup
    /// Its place from the left, as a fraction of the width.
    public var x: Double
    /// The height of the word's middle.
    public var y: Double
    /// Where the word stands relative to its place.
    public var anchor: Anchor
    /// How it looks.
    public var style: ChartStyle
    /// How many times the chart must be wider than at least before the word fits: 1, 2, 4 or 8.
    public var zoom = 1
    /// Where the word leads, such as `#d3`.
    public var link: String?
    /// What a link is called for those who do not see the chart.
    public var label: String?
  }

  /// The height of the chart in pixels.
  public var height: Int
  /// One sentence with the chart's finding, for those who do not see it.
  public var label: String
  /// The lines and areas, in the order of drawing.
  public private(set) var shapes: [Shape] = []
  /// The boxes, in the order of drawing.
  public private(set) var boxes: [Box] = []
  /// The words, in the order of drawing.
  public private(set) var words: [Word] = []

  /// Creates an empty chart.
  public init(height: Int, label: String = "") {
    assert(height > 0, "A chart is higher than nothing.")
    self.height = height
    self.label = label
  }

  /// Leaves out the words that show only from a zoom on that is larger than one.
  ///
  /// A page of many days would otherwise be mostly words that nobody sees.
  public mutating func leaveOutWords(above zoom: Int) { words.removeAll { $0.zoom > zoom } }

  /// Lets charts of one page have the shapes of some styles in common where they are the same.
  ///
  /// - Parameters:
  ///   - styles: The styles of the shapes.
  ///   - drawings: The charts, in the order in which they stand on the page.
  ///   - id: What the ids of the shapes begin with.
  public static func share(
    _ styles: [ChartStyle], of drawings: inout [Drawing], id: String
  ) {
    var known: [Shape: String] = [:]
    for drawing in drawings.indices {
      for index in drawings[drawing].shapes.indices {
        let shape = drawings[drawing].shapes[index]
        guard styles.contains(shape.style) else { continue }
        if let name = known[shape] {
          drawings[drawing].shapes[index].sharing = .used(name)
        } else {
          let name = "\(id)-\(shape.style.rawValue)\(known.count)"
          known[shape] = name
          drawings[drawing].shapes[index].sharing = .defined(name)
        }
      }
    }
  }

  /// Adds a path above what is there; an empty one leaves no trace.
  public mutating func add(_ path: SVGPath, _ style: ChartStyle) {
    if !path.isEmpty { shapes.append(Shape(style: style, path: path)) }
  }

  /// Adds a path of a style that is built in a closure.
  public mutating func draw(_ style: ChartStyle, _ build: (inout SVGPath) -> Void) {
    var path = SVGPath()
    build(&path)
    add(path, style)
  }

  /// Adds a box, over all shapes; its edges are cut at the chart's.
  public mutating func box(
    _ style: ChartStyle, from left: Double, to right: Double, top: Double = 0, bottom: Double = 1
  ) {
    assert(top <= bottom, "A box ends below its top.")
    let (from, to) = (max(0, left), min(1, right))
    guard to > from else { return }
    boxes.append(Box(style: style, left: from, right: to, top: top, bottom: bottom))
  }

  /// Adds a word.
  public mutating func word(
    _ text: Markup, at x: Double, _ y: Double, _ anchor: Anchor = .middle,
    _ style: ChartStyle = .word, zoom: Int = 1, link: String? = nil, label: String? = nil
  ) {
    assert([1, 2, 4, 8].contains(zoom), "A word is shown from one of four zooms on.")
    words.append(
      Word(
        text: text, x: x, y: y, anchor: anchor, style: style, zoom: zoom, link: link, label: label))
  }
}
