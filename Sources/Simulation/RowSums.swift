internal import Quantities

/// What has come together since the last row of the trace.
struct RowSums: Sendable {
  /// The newest reading that was shown; `nil` where none was.
  var reading: GlucoseConcentration?
  var carbsEaten = CarbohydrateMass.zero
  var carbsEntered = CarbohydrateMass.zero
  /// What the last cycle recommended; empty before the first.
  var recommendation = ""
  /// When the last row was written; `nil` before the first.
  var since: Instant?
}
