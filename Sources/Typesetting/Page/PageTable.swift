/// A table of a page, which scrolls inside its own box where it is too wide.
public struct PageTable: Sendable {
  /// One column.
  public struct Column: Sendable {
    /// What the column is called.
    public var name: Markup
    /// Whether its cells are numbers, which stand at the right.
    public var isNumber: Bool
    /// What the column's head is in, such as `c-p` for the pump's colour; empty for none.
    public var style: String
    /// Whether the column is left out where there is no room for it, as on a phone.
    public var isOptional: Bool
    /// Whether a click on its head sorts the rows.
    public var isSorted: Bool

    /// Creates a `Column` from its parts; see the properties.
    public init(
      _ name: Markup, number: Bool = false, style: String = "", optional: Bool = false,
      sorted: Bool = false
    ) {
      self.name = name
      isNumber = number
      self.style = style
      isOptional = optional
      isSorted = sorted
    }
  }

  /// A cell whose order is not that of its text.
  public struct Cell: Sendable, ExpressibleByStringInterpolation {
    /// What stands in the cell.
    public var content: Markup
    /// What it is sorted by; `nil` for its text.
    public var order: String?
    /// The class of the style sheet; empty for none.
    public var style: String

    /// Creates a `Cell` from its parts; see the properties.
    public init(_ content: Markup, order: String? = nil, style: String = "") {
      self.content = content
      self.order = order
      self.style = style
    }

    public init(stringLiteral value: String) { self.init(Markup(text: value)) }
  }

  /// The columns, from left to right.
  public var columns: [Column]
  /// The rows, from top to bottom.
  public var rows: [[Cell]] = []
  /// The last row, set off from the others.
  public var total: [Cell]?
  /// What the table shows, for those who do not see what stands around it.
  public var caption: String

  /// Creates a table without rows.
  public init(_ columns: [Column], caption: String) {
    self.columns = columns
    self.caption = caption
  }

  /// The table.
  public var markup: Markup {
    let heads = columns.map { column -> Markup in
      let style = classes(of: column, column.style)
      guard column.isSorted else { return "<th scope=\"col\"\(style)>\(column.name)</th>" }
      return """
        <th scope="col"\(style) aria-sort="none"><button type="button" class="sort">\
        \(column.name)</button></th>
        """
    }
    var result: Markup = """
      <div class="tw" tabindex="0" role="region" aria-label="\(caption)"><table>\
      <thead><tr>\(heads.joined())</tr></thead><tbody>
      """
    for row in rows { result += "<tr>\(cells(row))</tr>" }
    result += "</tbody>"
    if let total { result += "<tfoot><tr>\(cells(total))</tr></tfoot>" }
    return result + "</table></div>\n"
  }

  private func cells(_ row: [Cell]) -> Markup {
    zip(columns, row).enumerated().map { index, pair -> Markup in
      let (column, cell) = pair
      let order: Markup = cell.order.map { " data-v=\"\($0)\"" } ?? ""
      let style = classes(of: column, cell.style)
      return index == 0
        ? "<th scope=\"row\"\(style)\(order)>\(cell.content)</th>"
        : "<td\(style)\(order)>\(cell.content)</td>"
    }.joined()
  }

  private func classes(of column: Column, _ style: String) -> Markup {
    let names = [column.isNumber ? "num" : "", column.isOptional ? "opt" : "", style].filter {
      !$0.isEmpty
    }.joined(separator: " ")
    return names.isEmpty ? "" : " class=\"\(names)\""
  }
}
