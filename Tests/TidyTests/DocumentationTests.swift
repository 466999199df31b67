import Testing

/// That what other modules use says what it is.
@Suite("Documentation")
struct DocumentationTests {
  private static let modifiers: Set<Substring> = [
    "public", "static", "mutating", "nonmutating", "final", "indirect", "override", "lazy",
    "private(set)", "internal(set)", "prefix",
  ]

  private static let kinds: Set<Substring> = [
    "struct", "enum", "class", "protocol", "actor", "func", "init", "let", "var", "subscript",
    "typealias",
  ]

  /// Whether a line begins a public declaration.
  static func isPublicDeclaration(_ line: Substring) -> Bool {
    let words = line.split(separator: " ")
    guard words.first == "public", let kind = words.first(where: { !modifiers.contains($0) })
    else { return false }
    return kinds.contains(kind.prefix { $0.isLetter })
  }

  /// Whether a docstring stands above a line; attributes may stand between.
  static func isDocumented(_ index: Int, in lines: [Substring]) -> Bool {
    var above = index - 1
    while above >= 0, lines[above].drop(while: { $0 == " " }).hasPrefix("@") { above -= 1 }
    return above >= 0 && lines[above].drop(while: { $0 == " " }).hasPrefix("///")
  }

  @Test("Nine of ten public declarations are described")
  func isDescribed() {
    var (described, all) = (0, 0)
    for file in Repository.sources where ShapeTests.libraries.contains(file.target) {
      let lines = file.lines
      for index in lines.indices where Self.isPublicDeclaration(lines[index]) {
        all += 1
        described += Self.isDocumented(index, in: lines) ? 1 : 0
      }
    }
    #expect(all > 5_000)
    #expect(described * 10 >= all * 9, "Only \(described) of \(all) are.")
  }

  @Test("A declaration is known by its words")
  func knowsDeclarations() {
    for line in [
      "  public static let none = 1", "public struct Run {", "  public init?(_ text: String) {",
      "  public private(set) var rows: [Row] = []", "    public mutating func step() -> Bool {",
    ] as [Substring] {
      #expect(Self.isPublicDeclaration(line), "\(line)")
    }
    for line in ["public import Quantities", "  let publicKey = 1", "  /// public"] as [Substring] {
      #expect(!Self.isPublicDeclaration(line), "\(line)")
    }
  }
}
