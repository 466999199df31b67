internal import StructuredText

/// Reads JSON that other programs wrote: of a key that stands twice the last value counts, as in
/// those programs.
enum OtherJSON {
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
