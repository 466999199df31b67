public import StructuredText

/// What the amounts in a file came to: what it states, what was made of it, and every difference.
///
/// Amounts are kept in whole billionths of a unit or gram, so that nothing is lost in a sum:
/// what the file states, plus the sum of the named differences, is what was made of it.
/// ``unexplained(of:)`` is zero unless an importer forgot to name something.
///
///     account.state(.bolus, 2.5)
///     account.change(.bolus, by: -2.5, because: "the bolus is a superseded version")
public struct ImportAccount: Hashable, Sendable {
  /// What is added up.
  public enum Quantity: String, CaseIterable, Hashable, Sendable {
    // Records of what happened.
    /// Boluses, in U.
    case bolus
    /// Basal, in U.
    case basal
    /// Carbohydrates, in grams.
    case carbohydrates
    // Scenarios, which know the truth and the report.
    /// Boluses that the body got, in U.
    case bolusGiven = "bolus given"
    /// Boluses that the app was told of, in U.
    case bolusReported = "bolus reported"
    /// Carbohydrates that were eaten, in grams.
    case carbohydratesEaten = "carbohydrates eaten"
    /// Carbohydrates that were entered, in grams.
    case carbohydratesEntered = "carbohydrates entered"

    /// `U` or `g`.
    public var unit: String {
      switch self {
      case .bolus, .basal, .bolusGiven, .bolusReported: "U"
      case .carbohydrates, .carbohydratesEaten, .carbohydratesEntered: "g"
      }
    }
  }

  /// An amount in whole billionths.
  public struct Amount: Hashable, Sendable, Comparable {
    /// The number of billionths.
    public var billionths: Int128

    /// Creates an amount of so many billionths.
    public init(billionths: Int128) { self.billionths = billionths }

    /// The nearest amount to a number; none for one that is not finite.
    public init(_ value: Double) {
      let scaled = (value * 1e9).rounded()
      billionths = scaled.isFinite && scaled.magnitude < 1e30 ? Int128(scaled) : 0
    }

    /// Nothing.
    public static let zero = Self(billionths: 0)

    /// The sum of two amounts.
    public static func + (left: Self, right: Self) -> Self {
      Self(billionths: left.billionths &+ right.billionths)
    }

    /// The first amount less the second.
    public static func - (left: Self, right: Self) -> Self {
      Self(billionths: left.billionths &- right.billionths)
    }

    public static func < (left: Self, right: Self) -> Bool { left.billionths < right.billionths }

    /// The amount as a number.
    public var value: Double { Double(billionths) / 1e9 }
  }

  /// The sum of one quantity on both sides.
  public struct Total: Hashable, Sendable {
    /// What is added up.
    public var quantity: Quantity
    /// How many records of the file state an amount.
    public var recordsIn = 0
    /// What the file states.
    public var amountIn = Amount.zero
    /// How many things were made of them.
    public var recordsOut = 0
    /// What was made of it.
    public var amountOut = Amount.zero
  }

  /// A difference with its reason.
  public struct Change: Hashable, Sendable {
    /// What differs.
    public var quantity: Quantity
    /// Why.
    public var reason: String
    /// The sum; negative for what was left out.
    public var amount: Amount
    /// How many records it concerns.
    public var count: Int
    /// Where the first one stands.
    public var first: TextPosition?
  }

  /// The totals in the order of ``Quantity``; only those that occur.
  public var totals: [Total] {
    Quantity.allCases.compactMap { quantity in sums.first { $0.quantity == quantity } }
  }
  /// The differences in the order in which they first occurred.
  public private(set) var changes: [Change] = []
  private var sums: [Total] = []

  /// The reason of basal that no record states: it is the schedule's between temp basals.
  static let rebuiltBasal = "scheduled basal rebuilt from the profile"

  /// The basal that no record states, and in how many stretches; `nil` where there is none.
  public var rebuilt: Change? { changes.first { $0.reason == Self.rebuiltBasal } }

  /// The most reasons that are told apart.
  static let mostReasons = 60

  /// What is said where there are more reasons than are told apart.
  static let otherReasons = "for other reasons"

  /// Creates an account of nothing.
  public init() {}

  /// Whether nothing was added up.
  public var isEmpty: Bool { sums.isEmpty && changes.isEmpty }

  /// Adds an amount that the file states.
  public mutating func state(_ quantity: Quantity, _ value: Double) {
    assert(value.isFinite, "What a file states is added up as a number.")
    let index = index(of: quantity)
    sums[index].recordsIn += 1
    sums[index].amountIn = sums[index].amountIn + Amount(value)
  }

  /// Adds an amount that was made of the file.
  public mutating func make(_ quantity: Quantity, _ value: Double) {
    assert(value.isFinite, "What is made of a file is added up as a number.")
    let index = index(of: quantity)
    sums[index].recordsOut += 1
    sums[index].amountOut = sums[index].amountOut + Amount(value)
  }

  /// Takes back an amount that was made of the file and that nobody took over, and names why.
  public mutating func takeBack(_ quantity: Quantity, _ value: Double, because reason: String) {
    assert(value.isFinite, "What is made of a file is added up as a number.")
    let index = index(of: quantity)
    sums[index].recordsOut -= 1
    sums[index].amountOut = sums[index].amountOut - Amount(value)
    change(quantity, by: -value, because: reason)
  }

  /// Names a difference between what the file states and what was made of it.
  ///
  /// Differences below half a billionth are none.
  public mutating func change(
    _ quantity: Quantity, by amount: Amount, because reason: String,
    at position: TextPosition? = nil
  ) {
    guard amount != .zero else { return }
    add(Change(quantity: quantity, reason: reason, amount: amount, count: 1, first: position))
  }

  /// Adds a difference to that of the same reason, or to that of other reasons where there are too
  /// many.
  private mutating func add(_ change: Change) {
    func place(of reason: String) -> Int? {
      changes.firstIndex { $0.quantity == change.quantity && $0.reason == reason }
    }
    var change = change
    let hasName = change.reason == Self.rebuiltBasal || place(of: change.reason) != nil
    if !hasName, changes.count >= Self.mostReasons { change.reason = Self.otherReasons }
    guard let index = place(of: change.reason) else {
      changes.append(change)
      return
    }
    changes[index].amount = changes[index].amount + change.amount
    changes[index].count += change.count
  }

  /// Names a difference that is a number.
  public mutating func change(
    _ quantity: Quantity, by value: Double, because reason: String,
    at position: TextPosition? = nil
  ) {
    change(quantity, by: Amount(value), because: reason, at: position)
  }

  /// What was made beyond what the file states and the named differences; zero when all is named.
  public func unexplained(of quantity: Quantity) -> Amount {
    guard let total = sums.first(where: { $0.quantity == quantity }) else { return .zero }
    let named = changes.filter { $0.quantity == quantity }.reduce(Amount.zero) { $0 + $1.amount }
    return total.amountOut - total.amountIn - named
  }

  /// Adds everything of another account.
  public mutating func add(_ other: ImportAccount) {
    for total in other.sums {
      let index = index(of: total.quantity)
      sums[index].recordsIn += total.recordsIn
      sums[index].amountIn = sums[index].amountIn + total.amountIn
      sums[index].recordsOut += total.recordsOut
      sums[index].amountOut = sums[index].amountOut + total.amountOut
    }
    for change in other.changes { add(change) }
  }

  private mutating func index(of quantity: Quantity) -> Int {
    if let index = sums.firstIndex(where: { $0.quantity == quantity }) { return index }
    sums.append(Total(quantity: quantity))
    return sums.count - 1
  }
}

extension ImportAccount.Amount: CustomStringConvertible {
  /// The amount to its last digit: `17.5`, `-0.005`.
  public var description: String {
    let digits = String(billionths.magnitude % 1_000_000_000)
    var fraction = String(repeating: "0", count: 9 - digits.count) + digits
    while fraction.hasSuffix("0") { fraction.removeLast() }
    let whole = (billionths < 0 ? "-" : "") + String(billionths.magnitude / 1_000_000_000)
    return fraction.isEmpty ? whole : "\(whole).\(fraction)"
  }
}

extension ImportAccount {
  /// The account as lines of text; none where nothing was added up.
  public var lines: [String] {
    totals.flatMap { total -> [String] in
      let unit = total.quantity.unit
      let head =
        "\(total.quantity.rawValue): \(total.amountIn) \(unit) in \(total.recordsIn) in the file, "
        + "\(total.amountOut) \(unit) in \(total.recordsOut) taken over"
      let named = changes.filter { $0.quantity == total.quantity }.map { change in
        let sign = change.amount < .zero ? "" : "+"
        return "  \(sign)\(change.amount) \(unit) in \(change.count): \(change.reason)"
          + (change.first.map { " (first at \($0))" } ?? "")
      }
      let rest = unexplained(of: total.quantity)
      return [head] + named
        + (rest == .zero ? [] : ["  \(rest) \(unit): not explained; please report this"])
    }
  }

  /// The account as JSON: a list with an object for each quantity.
  public var json: JSONValue {
    .array(
      totals.map { total in
        let named = changes.filter { $0.quantity == total.quantity }.map { change -> JSONValue in
          [
            "reason": .string(change.reason), "amount": .number(change.amount.value),
            "count": .integer(Int64(change.count)),
            "first": change.first.map { .string($0.description) } ?? .null,
          ]
        }
        return [
          "quantity": .string(total.quantity.rawValue), "unit": .string(total.quantity.unit),
          "in": [
            "count": .integer(Int64(total.recordsIn)), "amount": .number(total.amountIn.value),
          ],
          "out": [
            "count": .integer(Int64(total.recordsOut)), "amount": .number(total.amountOut.value),
          ],
          "differences": .array(named),
          "unexplained": .number(unexplained(of: total.quantity).value),
        ]
      })
  }
}
