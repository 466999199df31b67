/// Which marks in the numbers of a table may be those of decimals as well as stand between
/// thousands, which all numbers of the table tell together.
///
/// Where fields are separated by commas, one in a number was quoted: a decimal comma, as every
/// number of the column then has, or one between thousands. Tabs say as little of it, and beside
/// semicolons it is one between thousands only where `1,234.5` says so.
public struct DecimalMarks: Sendable {
  /// A column with its numbers as they stand there.
  public struct Column: Sendable {
    /// Its place in the table.
    public var index: Int
    /// The texts that are numbers.
    public var numbers: [String]
    /// Whether a number of it may be a thousand or more.
    public var mayHaveThousands: Bool

    /// Creates a `Column` from its parts; see the properties.
    public init(index: Int, numbers: [String], mayHaveThousands: Bool) {
      self.index = index
      self.numbers = numbers
      self.mayHaveThousands = mayHaveThousands
    }
  }

  /// The columns whose only commas are such as that in `1,210`, beside values without.
  private var groupedColumns: Set<Int> = []
  /// Whether a number has a comma that can be none but a decimal one, so that a point may stand
  /// between thousands, as in `1.210`.
  private var hasDecimalCommas = false

  /// No mark is in doubt.
  public init() {}

  /// Looks at the columns of a table whose fields are separated by a byte.
  public init(_ columns: [Column], separator: UInt8) {
    let isSemicolon = separator == UInt8(ascii: ";")
    for column in columns {
      let withComma = column.numbers.filter { $0.contains(",") }
      let isSaid = withComma.contains(where: Self.hasPointBehindComma)
      if !hasDecimalCommas {
        hasDecimalCommas = withComma.contains { text in
          !Self.hasPointBehindComma(text) && (isSemicolon || !Self.mayBeGrouped(text, by: ","))
        }
      }
      if column.mayHaveThousands, !withComma.isEmpty,
        isSaid || !isSemicolon && withComma.count < column.numbers.count,
        withComma.allSatisfy({ Self.mayBeGrouped($0, by: ",") || Self.hasPointBehindComma($0) })
      {
        groupedColumns.insert(column.index)
      }
    }
  }

  /// Reports a number whose mark means decimals or thousands, and nobody can tell which.
  ///
  /// - Parameters:
  ///   - field: The field with the number.
  ///   - column: The place of its column; `nil` where a comma in it is one of decimals.
  ///   - problems: Gets the problem.
  /// - Returns: Whether it is certain.
  public func isCertain(
    _ field: CSVReader.Field, in column: Int? = nil, _ problems: ProblemList
  ) -> Bool {
    let text = field.text.filter { !$0.isWhitespace }
    let isGrouped = column.map(groupedColumns.contains) ?? false
    let mark =
      isGrouped && Self.mayBeGrouped(text, by: ",")
      ? "comma" : hasDecimalCommas && Self.mayBeGrouped(text, by: ".") ? "point" : nil
    guard let mark else { return true }
    problems.error(
      at: field.position,
      "\"\(field.text)\" may have a decimal \(mark) or one between thousands. Write it without.")
    return false
  }

  /// Whether a number is such as `1,234.5`, whose comma stands between thousands.
  private static func hasPointBehindComma(_ text: String) -> Bool {
    text.firstIndex(of: ",").map { text[$0...].contains(".") } ?? false
  }

  /// Whether a number has a mark before its last three digits, one to three others before it, and
  /// nothing else; `0,210` has no thousands.
  private static func mayBeGrouped(_ text: String, by mark: Character) -> Bool {
    let parts = text.split(separator: mark, omittingEmptySubsequences: false)
    guard parts.count == 2, (1...3).contains(parts[0].utf8.count), !parts[0].hasPrefix("0"),
      parts[1].utf8.count == 3
    else { return false }
    return parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
  }
}
