/// Why two records differ.
struct DifferenceCause: Hashable {
  /// Whether a person should look.
  var severity: RecordDifference.Severity
  var kind: RecordDifference.Kind
  /// The cause as a part of a sentence.
  var clause: String

  init(_ severity: RecordDifference.Severity, _ kind: RecordDifference.Kind, _ clause: String) {
    self.severity = severity
    self.kind = kind
    self.clause = clause
  }
}
