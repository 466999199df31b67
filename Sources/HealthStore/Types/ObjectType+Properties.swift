public import Quantities

extension ObjectType {
  /// The kinds of type, each with its own way to be saved and read.
  ///
  /// HealthKit: the subclasses of `HKObjectType`.
  public enum Kind: String, Hashable, Sendable {
    /// How samples of the type are made and read.
    case quantity, category, correlation, characteristic, workout, document, activitySummary
  }

  /// How the values of a quantity type are summed up.
  ///
  /// HealthKit: `HKQuantityAggregationStyle`.
  public enum Aggregation: String, Hashable, Sendable {
    /// Sums make sense, as for steps and insulin.
    case cumulative
    /// Means and extremes make sense, as for glucose.
    case discrete
    /// Means weigh each value by its duration, as for heart rate.
    case temporallyWeighted
    /// Not a quantity.
    case none
  }

  var row: TypeRow { TypeRow.table[Int(rawValue)] }

  /// HealthKit's name of the type, such as `HKQuantityTypeIdentifierBloodGlucose`.
  public var identifier: String { row.identifier }

  /// The type with one of HealthKit's names, or nothing when there is none.
  public init?(identifier: String) {
    guard let type = Self.byIdentifier[identifier] else { return nil }
    self = type
  }

  private static let byIdentifier = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.identifier, $0) })

  /// The name without HealthKit's prefix, such as `BloodGlucose`.
  public var name: String {
    switch kind {
    case .workout: "Workout"
    case .document: "ClinicalDocument"
    case .activitySummary: "ActivitySummary"
    case .quantity, .category, .correlation, .characteristic:
      identifier.components(after: "Identifier")
    }
  }

  /// The type with the given short name or identifier, whatever its capitals.
  public init?(name: String) {
    let wanted = name.lowercased()
    let found = Self.allCases.first {
      $0.name.lowercased() == wanted || $0.identifier.lowercased() == wanted
    }
    guard let found else { return nil }
    self = found
  }

  /// How samples of the type are made and read.
  public var kind: Kind { row.kind }

  /// The unit in which values are stored and exported; nothing for types that are no quantity.
  public var unit: HealthUnit? { row.unit }

  /// How values of the type are put together.
  public var aggregation: Aggregation { row.aggregation }

  /// The values a sample of a category type may have.
  public var categoryValues: ClosedRange<Int>? { row.categories }

  /// Whether an app may ask for permission to write the type.
  public var isShareable: Bool { row.isShareable }

  /// Whether negative values are refused: our choice for glucose, insulin, carbohydrates, heart
  /// rate, pressures and counts, on which HealthKit's documentation is silent.
  public var refusesNegativeValues: Bool { row.refusesNegativeValues }

  /// The largest value that a record can have, in the type's own unit; `nil` where any can be.
  ///
  /// Our choice for the three types that a loop reads: more is a wrong unit or a slip. The store
  /// itself takes any value, as HealthKit does.
  public var largestRecordedValue: Double? {
    switch self {
    case .bloodGlucose, .dietaryCarbohydrates, .insulinDelivery: 1_000
    default: nil
    }
  }

  /// The shortest time between two wake-ups of an app in the background.
  public var minimumDeliveryInterval: TimeSpan { row.minimumDeliveryInterval }

  /// The longest a sample may last; nothing when there is no limit.
  public var maximumDuration: TimeSpan? { row.maximumDuration }

  /// Whether samples of the type exist.
  public var isSampleType: Bool {
    switch kind {
    case .quantity, .category, .correlation, .workout, .document: true
    case .characteristic, .activitySummary: false
    }
  }

  /// The types that a correlation of the type may contain; empty for every other type.
  public var memberTypes: [ObjectType] {
    switch self {
    case .bloodPressure: [.bloodPressureSystolic, .bloodPressureDiastolic]
    case .food: Self.allCases.filter(\.isDietary)
    default: []
    }
  }

  /// Whether the type is one of the nutrients a food correlation may contain.
  public var isDietary: Bool { kind == .quantity && name.hasPrefix("Dietary") }
}

extension ObjectType: CustomStringConvertible {
  public var description: String { name }
}

extension String {
  /// What follows the first occurrence of a word; everything when it does not occur.
  fileprivate func components(after word: String) -> String {
    let letters = Array(utf8)
    let wanted = Array(word.utf8)
    guard letters.count >= wanted.count else { return self }
    for start in 0...(letters.count - wanted.count)
    where letters[start..<(start + wanted.count)].elementsEqual(wanted) {
      return String(decoding: letters[(start + wanted.count)...], as: UTF8.self)
    }
    return self
  }
}

extension ObjectType {
  /// A number of the type as people read it: glucose in whole mg/dL or in mmol/L with one decimal,
  /// everything else in as many digits as it has.
  public func displayText(of value: Double, in unit: HealthUnit) -> String {
    let isMolar = unit == .millimolePerLitre
    let name = isMolar ? "mmol/L" : unit.unitString
    guard self == .bloodGlucose else { return "\(HealthQuantity.text(of: value)) \(name)" }
    guard isMolar else { return "\(HealthQuantity.text(of: value.rounded())) \(name)" }
    let tenths = (value * 10).rounded()
    guard tenths.magnitude < 1e15 else { return "\(value) \(name)" }
    let (whole, rest) = Int64(tenths.magnitude).quotientAndRemainder(dividingBy: 10)
    return "\(tenths < 0 ? "-" : "")\(whole).\(rest) \(name)"
  }
}
