/// One symbol of a unit, such as `mg`, `L` or `mmol<180.1558800000541>`.
struct UnitSymbol: Hashable, Sendable {
  /// The symbol as it is printed.
  var text: String
  /// How many base units one of this unit is.
  var scale: Double
  /// What to add, in base units, for a scale whose zero is elsewhere; zero for all but
  /// temperatures.
  var offset: Double = 0
  var dimension: UnitDimension
  /// The molar mass in grams, for moles.
  var molarMass: Double?

  /// Whether two symbols mean the same unit.
  ///
  /// Molar masses are the same when they agree to one part in a thousand million, because Health
  /// prints fewer digits than it calculates with.
  static func == (lhs: Self, rhs: Self) -> Bool {
    guard let left = lhs.molarMass, let right = rhs.molarMass else { return lhs.text == rhs.text }
    guard lhs.dimension == rhs.dimension else { return false }
    let ratio = (lhs.scale / left) / (rhs.scale / right)
    return ratio == 1 && (left - right).magnitude <= 1e-9 * left.magnitude
  }

  func hash(into hasher: inout Hasher) {
    if molarMass == nil { hasher.combine(text) }
    hasher.combine(dimension)
  }
}

extension UnitSymbol {
  /// The molar mass of glucose with which Health converts, in grams per mole.
  ///
  /// `HKUnitMolarMassBloodGlucose` in HealthKit's header `HKUnit.h`.
  static let glucoseMolarMass = 180.15588000005408

  /// The symbol with the given text, or nothing when there is none.
  init?(_ text: String, molarMass: Double? = nil) {
    if let molarMass {
      guard text.hasSuffix("mol"), molarMass.isFinite, molarMass > 0,
        let prefix = Self.prefixScale(text.dropLast(3))
      else { return nil }
      let near = (molarMass - Self.glucoseMolarMass).magnitude <= 1e-9 * molarMass
      let mass = near ? Self.glucoseMolarMass : molarMass
      self.init(
        text: "\(text)<\(decimal(mass, places: 13))>", scale: prefix * mass, dimension: .mass,
        molarMass: mass)
      return
    }
    if let fixed = Self.fixed.first(where: { $0.text == text }) {
      self = fixed
      return
    }
    for base in Self.prefixable where text.hasSuffix(base.text) {
      guard let prefix = Self.prefixScale(text.dropLast(base.text.count)) else { continue }
      self.init(text: text, scale: prefix * base.scale, dimension: base.dimension)
      return
    }
    return nil
  }

  private static func prefixScale(_ text: Substring) -> Double? {
    text.isEmpty ? 1 : prefixes.first { $0.0 == text }?.1
  }

  private static let prefixes: [(String, Double)] = [
    ("f", 1e-15), ("p", 1e-12), ("n", 1e-9), ("mc", 1e-6), ("m", 1e-3), ("c", 1e-2), ("d", 1e-1),
    ("da", 1e1), ("h", 1e2), ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12),
  ]

  private static func symbol(_ text: String, _ scale: Double, _ dimension: UnitDimension) -> Self {
    Self(text: text, scale: scale, dimension: dimension)
  }

  /// The units that take an SI prefix.
  ///
  /// The base units are gram, metre, second and kelvin.
  private static let prefixable: [Self] = [
    symbol("g", 1, .mass), symbol("m", 1, .length), symbol("L", 1e-3, .volume),
    symbol("l", 1e-3, .volume), symbol("Pa", 1_000, .pressure), symbol("s", 1, .time),
    symbol("J", 1_000, .energy), symbol("K", 1, .init(.temperature)),
    symbol("S", 1, .init(.conductance)), symbol("Hz", 1, .init(.time, -1)),
    symbol("V", 1, .init(.voltage)),
  ]

  /// The units that take no prefix; factors as documented at `HKUnit`.
  private static let fixed: [Self] = [
    symbol("oz", 28.3495, .mass), symbol("lb", 453.592, .mass), symbol("st", 6_350.29, .mass),
    symbol("in", 0.0254, .length), symbol("ft", 0.3048, .length), symbol("yd", 0.9144, .length),
    symbol("mi", 1_609.34, .length),
    symbol("mmHg", 133_322.4, .pressure), symbol("cmAq", 98_066.5, .pressure),
    symbol("atm", 101_325_000, .pressure), symbol("inHg", 3_386_388.16, .pressure),
    symbol("dBASPL", 1, .init(.soundPressureLevel)),
    symbol("fl_oz_us", 0.0295735295625e-3, .volume),
    symbol("fl_oz_imp", 0.0284130625e-3, .volume),
    symbol("pt_us", 0.473176473e-3, .volume), symbol("pt_imp", 0.56826125e-3, .volume),
    symbol("cup_us", 0.2365882365e-3, .volume), symbol("cup_imp", 0.284130625e-3, .volume),
    symbol("min", 60, .time), symbol("hr", 3_600, .time), symbol("d", 86_400, .time),
    symbol("cal", 4_184, .energy), symbol("kcal", 4_184_000, .energy),
    symbol("Cal", 4_184_000, .energy),
    Self(text: "degC", scale: 1, offset: 273.15, dimension: .init(.temperature)),
    Self(text: "degF", scale: 1 / 1.8, offset: 459.67 / 1.8, dimension: .init(.temperature)),
    symbol("IU", 1, .init(.pharmacology)), symbol("count", 1, .none), symbol("%", 0.01, .none),
    symbol("dBHL", 1, .init(.hearingLevel)),
  ]
}

/// A positive number with at most `places` decimals, and without zeros at its end.
private func decimal(_ number: Double, places: Int) -> String {
  var scale = 1.0
  for _ in 0..<places { scale *= 10 }
  let whole = number.rounded(.down)
  guard whole < 1e15 else { return "\(number)" }
  var fraction = Int64(((number - whole) * scale).rounded())
  var carried = Int64(whole)
  if Double(fraction) >= scale {
    fraction = 0
    carried += 1
  }
  guard fraction > 0 else { return "\(carried)" }
  let digits = String(fraction)
  var text = String(repeating: "0", count: places - digits.utf8.count) + digits
  while text.hasSuffix("0") { text.removeLast() }
  return "\(carried).\(text)"
}
