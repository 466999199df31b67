/// A place in a text file.
public struct TextPosition: Hashable, Sendable {
  /// The file's name as problems and provenance show it.
  public var file: String
  /// The line, counted from 1.
  public var line: Int
  /// The column, counted from 1 in characters (Unicode scalars) of the line.
  public var column: Int

  /// Creates a `TextPosition` from its parts; see the properties.
  public init(file: String, line: Int, column: Int) {
    assert(line >= 0 && column >= 0, "Lines and columns are counted upwards.")
    self.file = file
    self.line = line
    self.column = column
  }
}

extension TextPosition: CustomStringConvertible {
  /// The place as compilers write it, such as `dinner.json5:12:9`.
  public var description: String { "\(file):\(line):\(column)" }
}

extension TextPosition: Comparable {
  /// Orders by file name, then by place in the file.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    if lhs.file != rhs.file { return lhs.file < rhs.file }
    return (lhs.line, lhs.column) < (rhs.line, rhs.column)
  }
}
