internal import Quantities
internal import StructuredText

extension TableReading {
  /// Stops where the median cannot be a glucose in the unit that was taken.
  ///
  /// The true glucose of a simulated body may be far beyond that of people, and below zero, but no
  /// model's goes so far that figures over it are no numbers any more.
  func checkUnit(_ table: inout RecordTable, _ problems: ProblemList) {
    guard let column = layout.columns.first(where: \.isGlucose) else { return }
    if column.isSimulated { return checkRange(-1_000_000...1_000_000, of: table, problems) }
    let values = table.rows.compactMap(\.value.mgdL).sorted()
    guard !values.isEmpty else { return }
    let median = values[values.count / 2]
    // What a table says of itself counts, so that nothing else can set it right.
    func advice(_ unit: GlucoseUnit) -> String {
      let saysItself = column.isMolar != nil || (layout.unit != nil && options.isMolar == nil)
      return " They look like \(unit.rawValue). "
        + (saysItself
          ? "Correct the unit that the table states if they are."
          : "Say --unit \(unit.rawValue) if they are.")
    }
    let unit = table.glucoseUnit
    let isMolar = unit == .millimolesPerLitre
    let other: GlucoseUnit = isMolar ? .milligramsPerDecilitre : .millimolesPerLitre
    let written = Self.short(isMolar ? median / GlucoseConcentration.mmolL(1).mgdL : median)
    func stop(_ side: String, isOther: Bool) {
      problems.error(
        at: column.position,
        "Half of the values are \(side) \(written) when taken as \(unit.rawValue), which no "
          + "glucose is.\(isOther ? advice(other) : "")")
    }
    // What is too low for mg/dL may be mmol/L, and what is too high for mmol/L may be mg/dL.
    if median < 30 {
      stop("below", isOther: !isMolar && median >= 1)
    } else if median > 720 {
      stop("above", isOther: isMolar)
    } else {
      checkRange(0...1_000, of: table, problems)
    }
  }

  /// Names every row whose glucose lies outside a range in mg/dL.
  private func checkRange(
    _ range: ClosedRange<Double>, of table: RecordTable, _ problems: ProblemList
  ) {
    for row in table.rows {
      guard let mgdL = row.value.mgdL, !range.contains(mgdL) else { continue }
      problems.error(
        at: row.position,
        "The glucose of this row is \(Self.short(mgdL)) mg/dL; it must be from "
          + "\(Self.short(range.lowerBound)) to \(Self.short(range.upperBound)) mg/dL.")
    }
  }

  private static func short(_ value: Double) -> String {
    // What is so large has no decimals, and ten times as much may be no number any more.
    JSONField.shortText(value.magnitude > 1e15 ? value : (value * 10).rounded() / 10)
  }
}
