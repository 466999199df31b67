extension HealthUnit {
  /// Why a text is not a unit.
  ///
  /// HealthKit raises an exception for a unit string that it cannot read.
  public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text that was read.
    public let text: String

    public var description: String {
      "\"\(text)\" is not a unit. Write symbols joined by \".\" with at most one \"/\", as in "
        + "mg/dL, IU/hr or kg/m.s^2; micro is written mc."
    }
  }

  /// Reads a unit such as `mg/dL`, `mmol<180.1558800000541>/L` or `kg/(m.s^2)`.
  ///
  /// Everything to the right of the slash divides. HealthKit: `HKUnit.init(from:)`, which raises an
  /// exception where this throws.
  public init(_ text: String) throws(SyntaxError) {
    var parser = UnitParser(text: text)
    guard text.utf8.count <= UnitParser.maximumLength, let factors = parser.unit() else {
      throw SyntaxError(text: text)
    }
    self.init(factors: factors)
  }
}

/// Reads the grammar of unit texts, one character after the other.
struct UnitParser {
  static let maximumLength = 200
  static let maximumExponent = 12
  static let maximumDepth = 8

  private let characters: [Character]
  private var position = 0

  init(text: String) { characters = Array(text) }

  /// The factors of the whole text, or nothing when it does not follow the grammar.
  mutating func unit() -> [HealthUnit.Factor]? {
    guard var factors = product(depth: 0) else { return nil }
    if take("/") {
      guard let below = product(depth: 0) else { return nil }
      factors += below.map { .init(symbol: $0.symbol, exponent: -$0.exponent) }
    }
    return position == characters.count && Self.fit(factors) ? factors : nil
  }

  /// Whether powers of powers and long products stay within what a dimension counts, in eight bits.
  private static func fit(_ factors: [HealthUnit.Factor]) -> Bool {
    let range = -127...127
    return factors.allSatisfy { range.contains($0.exponent) }
      && UnitDimension.Base.allCases.allSatisfy { base in
        range.contains(
          factors.reduce(0) { $0 + $1.symbol.dimension.exponent(of: base) * $1.exponent })
      }
  }

  private mutating func product(depth: Int) -> [HealthUnit.Factor]? {
    guard depth < Self.maximumDepth, var factors = factor(depth: depth) else { return nil }
    while take(".") || take("*") || take("·") {
      guard let next = factor(depth: depth) else { return nil }
      factors += next
    }
    return factors
  }

  private mutating func factor(depth: Int) -> [HealthUnit.Factor]? {
    let inner: [HealthUnit.Factor]
    if take("(") {
      guard let product = product(depth: depth + 1), take(")") else { return nil }
      inner = product
    } else if take("1") {
      inner = []
    } else {
      guard let symbol = symbol() else { return nil }
      inner = [.init(symbol: symbol, exponent: 1)]
    }
    guard take("^") else { return inner }
    let isNegative = take("-")
    guard let digits = run(where: { $0.isASCII && $0.isNumber }), let magnitude = Int(digits),
      magnitude <= Self.maximumExponent
    else { return nil }
    let power = isNegative ? -magnitude : magnitude
    return inner.map { .init(symbol: $0.symbol, exponent: $0.exponent * power) }
  }

  private mutating func symbol() -> UnitSymbol? {
    guard let name = run(where: { $0.isASCII && ($0.isLetter || $0 == "_" || $0 == "%") })
    else { return nil }
    guard take("<") else { return UnitSymbol(name) }
    guard let mass = run(where: { $0.isASCII && ($0.isNumber || $0 == ".") }), take(">"),
      let molarMass = Double(mass)
    else { return nil }
    return UnitSymbol(name, molarMass: molarMass)
  }

  private mutating func take(_ character: Character) -> Bool {
    guard position < characters.count, characters[position] == character else { return false }
    position += 1
    return true
  }

  private mutating func run(where accepts: (Character) -> Bool) -> String? {
    let start = position
    while position < characters.count, accepts(characters[position]) { position += 1 }
    return position > start ? String(characters[start..<position]) : nil
  }
}
