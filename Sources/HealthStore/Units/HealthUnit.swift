/// A unit of measurement, such as `mg/dL`, `IU/hr` or `count/min`.
///
/// HealthKit: `HKUnit`.
///
/// A unit is a product of symbols with integer exponents. Two units are equal when they are written
/// alike after equal symbols are merged; they are compatible when they measure the same thing.
public struct HealthUnit: Sendable {
  /// One symbol and its exponent.
  struct Factor: Hashable, Sendable {
    var symbol: UnitSymbol
    var exponent: Int
  }

  private final class Definition: Sendable {
    let factors: [Factor]
    let dimension: UnitDimension
    let scale: Double
    let offset: Double
    let text: String
    /// Whether no factor is a mole, whose molar mass is printed with fewer digits than it has.
    let isPlain: Bool

    init(factors: [Factor]) {
      var dimension = UnitDimension.none
      var scale = 1.0
      for factor in factors {
        dimension = dimension * factor.symbol.dimension.raised(to: factor.exponent)
        for _ in 0..<max(0, factor.exponent) { scale *= factor.symbol.scale }
        for _ in 0..<max(0, -factor.exponent) { scale /= factor.symbol.scale }
      }
      self.factors = factors
      self.dimension = dimension
      self.scale = scale
      offset = factors.count == 1 && factors[0].exponent == 1 ? factors[0].symbol.offset : 0
      text = HealthUnit.text(of: factors)
      isPlain = factors.allSatisfy { $0.symbol.molarMass == nil }
    }
  }

  private let definition: Definition

  /// Creates a unit from factors; equal symbols are merged, and those with exponent 0 dropped.
  init(factors: [Factor]) {
    var merged: [Factor] = []
    for factor in factors {
      if let index = merged.firstIndex(where: { $0.symbol == factor.symbol }) {
        merged[index].exponent += factor.exponent
      } else {
        merged.append(factor)
      }
    }
    definition = Definition(factors: merged.filter { $0.exponent != 0 })
  }

  /// The factors in the order in which they were written.
  var factors: [Factor] { definition.factors }

  /// What the unit measures.
  public var dimension: UnitDimension { definition.dimension }

  /// The unit as Health writes it, such as `mg/dL`.
  public var unitString: String { definition.text }

  /// How many base units one of this unit is; the base units are g, m, s, K, S, V and IU.
  public var scale: Double { definition.scale }

  /// The base units at this unit's zero; not zero for `degC` and `degF` standing alone.
  public var offset: Double { definition.offset }

  /// Whether values in the two units can be converted into one another.
  ///
  /// HealthKit asks this of a quantity: `is(compatibleWith:)`.
  public func isCompatible(with other: HealthUnit) -> Bool {
    definition === other.definition || dimension == other.dimension
  }

  /// A value in this unit, converted to another; nothing when the units are not compatible.
  public func convert(_ value: Double, to other: HealthUnit) -> Double? {
    if definition === other.definition { return value }
    guard isCompatible(with: other) else { return nil }
    if self == other { return value }
    if offset == 0 && other.offset == 0 { return value * (scale / other.scale) }
    return (value * scale + offset - other.offset) / other.scale
  }

  /// The unit to a power, such as `m^2`.
  ///
  /// HealthKit: `unitRaised(toPower:)`.
  public func raised(to power: Int) -> HealthUnit {
    HealthUnit(factors: factors.map { Factor(symbol: $0.symbol, exponent: $0.exponent * power) })
  }

  /// One divided by the unit.
  public var reciprocal: HealthUnit { raised(to: -1) }

  /// The product of two units.
  public static func * (lhs: Self, rhs: Self) -> Self { Self(factors: lhs.factors + rhs.factors) }
  /// The quotient of two units.
  public static func / (lhs: Self, rhs: Self) -> Self { lhs * rhs.reciprocal }

  private static func text(of factors: [Factor]) -> String {
    func product(_ factors: some Sequence<Factor>) -> String {
      factors.map { factor in
        let power = factor.exponent.magnitude
        return power == 1 ? factor.symbol.text : "\(factor.symbol.text)^\(power)"
      }.joined(separator: ".")
    }
    let above = product(factors.filter { $0.exponent > 0 })
    let below = product(factors.filter { $0.exponent < 0 })
    guard !below.isEmpty else { return above.isEmpty ? "count" : above }
    return "\(above.isEmpty ? "1" : above)/\(below)"
  }
}

extension HealthUnit: Hashable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    let (left, right) = (lhs.definition, rhs.definition)
    if left === right { return true }
    // Units that are written alike are the common case, and cost no set of factors.
    if left.isPlain, right.isPlain, left.text == right.text { return true }
    return left.dimension == right.dimension && Set(left.factors) == Set(right.factors)
  }

  /// Units that are equal measure the same, however they are written: `1` is `count`.
  public func hash(into hasher: inout Hasher) { hasher.combine(dimension) }
}

extension HealthUnit: CustomStringConvertible {
  public var description: String { unitString }
}

extension HealthUnit {
  /// The gram.
  public static let gram = known("g")
  /// The kilogram.
  public static let kilogram = known("kg")
  /// The metre.
  public static let metre = known("m")
  /// The second.
  public static let second = known("s")
  /// The minute.
  public static let minute = known("min")
  /// The kilocalorie.
  public static let kilocalorie = known("kcal")
  /// A number of things.
  public static let count = known("count")
  /// The percent, a hundredth.
  public static let percent = known("%")
  /// The millimetre of mercury.
  public static let millimetreOfMercury = known("mmHg")
  /// The degree Celsius.
  public static let degreeCelsius = known("degC")
  /// The international unit, in which insulin is counted.
  public static let internationalUnit = known("IU")
  /// The international unit of insulin an hour.
  public static let internationalUnitPerHour = known("IU/hr")
  /// The milligram per decilitre.
  public static let milligramPerDecilitre = known("mg/dL")
  /// The milligram per decilitre and minute.
  public static let milligramPerDecilitrePerMinute = known("mg/min.dL")
  /// Millimoles of glucose per litre: 18.01558800000541 mg/dL.
  public static let millimolePerLitre = known("mmol<180.15588000005408>/L")

  /// A unit whose text stands in this source; a plain number when it could not be read.
  static func known(_ text: String) -> HealthUnit {
    (try? HealthUnit(text)) ?? HealthUnit(factors: [])
  }
}
