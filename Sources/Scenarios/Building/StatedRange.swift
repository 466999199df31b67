internal import StructuredText

extension ClosedRange<Double> {
  /// Why a therapy has no such value, wherever it comes from, as the end of a sentence; `nil` where
  /// a scenario might state it.
  ///
  /// - Parameters:
  ///   - value: The value, in the unit of the range.
  ///   - unit: The unit in which it is told.
  ///   - factor: How much of the unit of the range one of that unit is.
  /// - Returns: The words, without a full stop.
  func refusal(of value: Double, _ unit: String, per factor: Double = 1) -> String? {
    guard !contains(value) else { return nil }
    let texts = [value, lowerBound, upperBound].map {
      let number = $0 / factor
      let places = number < 1 ? 100.0 : 10
      return JSONField.shortText((number * places).rounded() / places)
    }
    return "\(texts[0]) \(unit), and a therapy has one from \(texts[1]) to \(texts[2])"
  }
}
