internal import Quantities

/// What is wrong with a run, by one expectation.
struct Complaint: Sendable {
  /// What was found and what was expected, on one line.
  var message: String
  /// More lines: the surroundings.
  var body: String
  /// Where in the run it is best looked at; nothing when no moment stands out.
  var instant: Instant?

  init(_ message: String, body: String = "", at instant: Instant? = nil) {
    self.message = message
    self.body = body
    self.instant = instant
  }
}
