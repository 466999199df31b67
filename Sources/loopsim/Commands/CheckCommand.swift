import Arguments
import ScenarioLanguage
import StructuredText

/// Checks scenario files without running them.
struct CheckCommand: Command {
  enum Format: String, CaseIterable, ArgumentValue { case text, json }

  static let name = "check"
  static let abstract = "Check scenario files without running them."
  static let discussion = """
    Every problem of every file is printed in one pass, as file:line:column. A setting that has no \
    effect in any run of its file, or is cut or refused in each, is a warning; with --strict a \
    warning fails the check. With --fix former names of keys are first rewritten in the files \
    themselves.
    """

  var files: [String] = []
  var isStrict = false
  var fixes = false
  var format = Format.text
  var allowsOutside = false

  static func describe(_ it: inout Parameters<Self>) {
    it.positional(
      "files", \.files, help: "Scenario files, folders, or - for standard input.")
    it.flag("strict", \.isStrict, help: "Take warnings for errors.")
    it.flag("fix", \.fixes, help: "Rewrite former names of keys in the files.")
    it.option("format", \.format, help: "How to print the problems.")
    it.flag("allow-outside", \.allowsOutside, help: OutsideHelp.text)
  }

  func run(to console: any Console) async throws {
    let paths = try ScenarioFolder.files(files, withStudies: true) { console.note($0) }
    if fixes { try fix(paths, console) }
    let batch = await ScenarioBatch.reading(paths, allowsOutside: allowsOutside)
    let found = await batch.check()
    var filter = ProblemFilter()
    let problems = filter.fresh(found)
    let errors = problems.count { $0.severity == .error }
    let warnings = problems.count { $0.severity == .warning }
    let leavesOut = problems.contains { $0.code == ProblemList.omissionCode }
    switch format {
    case .text:
      var lines = ProblemFilter()
      for line in lines.lines(found) + lines.rest { console.print(line) }
      console.note(
        "\(WordList.counted(paths.count, "file")), \(WordList.counted(batch.runs.count, "run")): "
          + (leavesOut ? "at least " : "")
          + "\(WordList.counted(errors, "error")), \(WordList.counted(warnings, "warning")).")
    case .json:
      console.printJSON(.array(problems.map(\.json)))
    }
    if errors > 0 || (isStrict && warnings > 0) { throw CommandLineError.exit(batch.inputCode) }
  }
}

extension CheckCommand {
  /// Rewrites former names in files; those of standard input stay what they are.
  private func fix(_ paths: [String], _ console: any Console) throws {
    for path in paths where path != FilePath.standardInput {
      guard let fixed = RenamedKeys.fixed(try Files.read(path), file: path) else { continue }
      try Files.write(fixed.bytes, to: path)
      console.note("\(path): \(WordList.counted(fixed.count, "name")) rewritten.")
    }
  }
}

extension TextProblem {
  /// The problem as a JSON tree.
  var json: JSONValue {
    [
      "file": .string(position.file), "line": .integer(Int64(position.line)),
      "column": .integer(Int64(position.column)), "severity": .string(severity.rawValue),
      "code": code.map { .string($0) } ?? .null, "sentence": .string(sentence),
    ]
  }
}
