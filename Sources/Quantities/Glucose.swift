/// A concentration of glucose, in blood or in interstitial fluid.
///
/// The value is held in milligrams per decilitre, the unit of every equation in this package.
/// Millimoles per litre appear only where a person or a file asks for them.
public struct GlucoseConcentration: Hashable, Sendable {
  /// The concentration in milligrams per decilitre.
  public var mgdL: Double

  /// Creates a concentration in mg/dL.
  public init(mgdL: Double) { self.mgdL = mgdL }

  /// A concentration in milligrams per decilitre.
  public static func mgdL(_ value: Double) -> Self { Self(mgdL: value) }

  /// A concentration in millimoles per litre, converted with ``mgdLPerMmolL``.
  public static func mmolL(_ value: Double) -> Self { Self(mgdL: value * mgdLPerMmolL) }

  /// A reading of a record, which the record may have in millimoles per litre.
  ///
  /// Sensors and meters give whole milligrams per decilitre, and programs keep them in mmol/L to
  /// five decimals or six digits: 70 mg/dL comes back as 69.99994. What lies nearer to a whole
  /// number than such rounding moves it is that number.
  public static func recorded(mgdL: Double) -> Self {
    let whole = mgdL.rounded()
    return Self(mgdL: (mgdL - whole).magnitude < 5e-4 ? whole : mgdL)
  }

  /// The concentration in millimoles per litre.
  public var mmolL: Double { mgdL / Self.mgdLPerMmolL }

  /// One millimole of glucose (180.156 mg) per litre, in milligrams per decilitre.
  public static let mgdLPerMmolL = 18.0156
}

extension GlucoseConcentration: Comparable {
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.mgdL < rhs.mgdL }

  /// How far one concentration lies above another.
  public static func - (lhs: Self, rhs: Self) -> GlucoseChange {
    GlucoseChange(mgdL: lhs.mgdL - rhs.mgdL)
  }

  /// The concentration after a change.
  public static func + (lhs: Self, rhs: GlucoseChange) -> Self {
    Self(mgdL: lhs.mgdL + rhs.mgdL)
  }
}

/// A difference between two glucose concentrations.
public struct GlucoseChange: Hashable, Sendable {
  /// The difference in milligrams per decilitre.
  public var mgdL: Double

  /// Creates a difference in mg/dL.
  public init(mgdL: Double) { self.mgdL = mgdL }

  /// The difference in millimoles per litre.
  public var mmolL: Double { mgdL / GlucoseConcentration.mgdLPerMmolL }
}

extension GlucoseChange: AdditiveArithmetic, Comparable {
  public static let zero = Self(mgdL: 0)
  public static func + (lhs: Self, rhs: Self) -> Self { Self(mgdL: lhs.mgdL + rhs.mgdL) }
  public static func - (lhs: Self, rhs: Self) -> Self { Self(mgdL: lhs.mgdL - rhs.mgdL) }
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.mgdL < rhs.mgdL }
}

/// A range of glucose concentrations, such as a correction range.
public struct GlucoseRange: Hashable, Sendable {
  /// The lowest concentration within the range.
  public let lower: GlucoseConcentration

  /// The highest concentration within the range.
  public let upper: GlucoseConcentration

  /// Creates a range.
  ///
  /// - Precondition: `lower` is not above `upper`.
  public init(lower: GlucoseConcentration, upper: GlucoseConcentration) {
    precondition(lower <= upper, "A glucose range starts at its lower bound.")
    self.lower = lower
    self.upper = upper
  }

  /// The concentration half way between the bounds.
  public var midpoint: GlucoseConcentration { .mgdL((lower.mgdL + upper.mgdL) / 2) }
}

/// How far one unit of insulin lowers glucose (ISF), in mg/dL per U.
public struct InsulinSensitivity: Hashable, Sendable {
  /// The fall in milligrams per decilitre for each unit.
  public var mgdLPerUnit: Double

  /// Creates a sensitivity in mg/dL per U.
  public init(mgdLPerUnit: Double) { self.mgdLPerUnit = mgdLPerUnit }
}

/// How many grams of carbohydrate one unit of insulin covers (CR), in g/U.
public struct CarbohydrateRatio: Hashable, Sendable {
  /// The grams for each unit.
  public var gramsPerUnit: Double

  /// Creates a ratio in g/U.
  public init(gramsPerUnit: Double) { self.gramsPerUnit = gramsPerUnit }
}

/// A mass of carbohydrate, in grams.
public struct CarbohydrateMass: Hashable, Sendable {
  /// The mass in grams.
  public var grams: Double

  /// Creates a mass in grams.
  public init(grams: Double) { self.grams = grams }
}

extension CarbohydrateMass: AdditiveArithmetic, Comparable {
  public static let zero = Self(grams: 0)
  public static func + (lhs: Self, rhs: Self) -> Self { Self(grams: lhs.grams + rhs.grams) }
  public static func - (lhs: Self, rhs: Self) -> Self { Self(grams: lhs.grams - rhs.grams) }
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.grams < rhs.grams }
}
