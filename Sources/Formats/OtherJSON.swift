internal import StructuredText

/// Reads JSON that other programs wrote: of a key that stands twice the last value counts, as in
/// those programs.
enum OtherJSON {
  /// What a document is by a key of it, or of its first item, and which command reads it.
  private static let forms = [
    ("base_config", "It is a scenario of Tidepool's simulator, for 'loopsim import tidepool'."),
    ("glucoseValues", "It is a testing scenario of Loop, for 'loopsim import loop-scenario'."),
    ("predictionStart", "It is an input of LoopAlgorithm, for 'loopsim predict'."),
    ("format", "It is a scenario of loopsim already, for 'loopsim run'."),
    ("eventType", "It is a record of Nightscout, for 'loopsim audit' or 'loopsim store import'."),
    ("sgv", "It is a record of Nightscout, for 'loopsim audit' or 'loopsim store import'."),
    ("_type", "It is a record of oref, for 'loopsim audit' or 'loopsim store import'."),
  ]

  /// Which command reads a document that is not what was expected, after a space; empty where
  /// nothing tells.
  static func remedy(for root: JSONNode) -> String {
    let node = root.items?.first ?? root
    return forms.first { key, _ in node[key] != nil }.map { " " + $1 } ?? ""
  }

  /// The root; nothing, with located problems, when the file cannot be read.
  static func read(_ bytes: [UInt8], file: String, _ problems: ProblemList) -> JSONNode? {
    var limits = JSONReader.Limits()
    limits.repeatedKeys = .lastCounts
    let reading = JSONReader.read(bytes, file: file, limits: limits)
    var isReadable = true
    for problem in reading.problems {
      let isError = problem.severity == .error
      problems.add(
        problem.severity, isError ? .syntax : .duplicate, at: problem.position, problem.sentence)
      if isError { isReadable = false }
    }
    return isReadable ? reading.root : nil
  }
}
