internal import Quantities
internal import StructuredText

extension JSONField {
  /// A time with its offset; `nil`, and reported, for what is none.
  func instant() -> Instant? {
    guard let text = text() else { return nil }
    guard let instant = Instant(iso8601: text) else {
      reportUnusable(expected: "a time with its offset, such as 2026-01-15T08:00:00Z")
      return nil
    }
    return instant
  }
}
