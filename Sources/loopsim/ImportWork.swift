import Arguments
import Foundation
import Scenarios
import StructuredText

/// The work that all imports of scenarios share: finding files, writing results, counting reasons.
struct ImportWork {
  /// A file to import, and its name below the folder that was given.
  struct Source {
    var path: String
    var name: String
  }

  let paths: [String]
  let endings: [String]
  let output: String?
  let printsAll: Bool

  /// The most files that one import takes.
  static let maximumFiles = 1_000_000

  /// The options that all imports have.
  static func describe<Root>(
    _ it: inout Parameters<Root>, output: WritableKeyPath<Root, String?>,
    printsAll: WritableKeyPath<Root, Bool>
  ) {
    it.option(
      "out", short: "o", output, valueName: "path",
      help: "The scenario file to write; for several files the folder. Default: standard output.")
    it.flag("all", printsAll, help: "Print warnings and notes of several files, not errors alone.")
  }

  /// The files named and those in the folders named, folders in the order of names.
  func files() throws -> [Source] {
    var sources: [Source] = []
    for path in paths {
      var isFolder: ObjCBool = false
      guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw Failure(.badInput, "There is no file or folder \"\(path)\". Check its name.")
      }
      guard isFolder.boolValue else {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        sources.append(Source(path: path, name: name))
        continue
      }
      let names = Self.names(in: path).filter { name in
        endings.contains { name.lowercased().hasSuffix($0) } && !name.contains("reusable/")
      }
      sources += names.map { Source(path: "\(path)/\($0)", name: $0) }
    }
    guard sources.count <= Self.maximumFiles else {
      throw Failure(
        .badInput, "\(sources.count) files are too many; import at most \(Self.maximumFiles).")
    }
    guard !sources.isEmpty else {
      throw Failure(
        .badInput,
        "There is no \(endings.joined(separator: " or ")) file in \(paths.joined(separator: ", "))."
      )
    }
    return sources
  }

  /// Imports the files one after another, writes the scenarios, and prints what there is to say.
  func run(
    _ files: [Source], to console: any Console,
    _ importing: (_ bytes: [UInt8], _ file: String) -> ImportOutcome
  ) throws {
    var tally = ImportTally()
    var progress = ProgressLine(on: console)
    var failures: [String] = []
    var ids: Set<String> = []
    for (index, source) in files.enumerated() {
      progress.update(source.name, done: Double(index) / Double(files.count))
      guard let bytes = try? Files.read(source.path) else {
        failures.append("\(source.path): error: the file cannot be read.")
        tally.add(ImportOutcome(scenario: nil, id: "", runs: 0, problems: []))
        continue
      }
      let outcome = unique(importing(bytes, source.path), of: source, among: &ids)
      tally.add(outcome)
      progress.finish()
      report(outcome, isOnly: files.count == 1, to: console)
      try write(outcome, of: source, isOnly: files.count == 1, to: console)
    }
    progress.finish()
    for failure in failures { console.note(failure) }
    if files.count > 1 { count(tally, on: console) }
    if tally.imported < tally.files { throw CommandLineError.exit(.badInput) }
  }

  /// The outcome under an id that no file before it has: the file's own name where ids collide.
  private func unique(
    _ outcome: ImportOutcome, of source: Source, among ids: inout Set<String>
  ) -> ImportOutcome {
    guard outcome.scenario != nil, !ids.insert(outcome.id).inserted else { return outcome }
    let stem = ImportOutcome.id(ofFile: source.name)
    var id = stem
    var number = 2
    while !ids.insert(id).inserted {
      id = "\(stem.prefix(56))-\(number)"
      number += 1
    }
    return outcome.renamed(id)
  }

  private func report(_ outcome: ImportOutcome, isOnly: Bool, to console: any Console) {
    for problem in outcome.problems where isOnly || printsAll || problem.severity == .error {
      console.note(problem.description)
    }
  }

  private func write(
    _ outcome: ImportOutcome, of source: Source, isOnly: Bool, to console: any Console
  ) throws {
    guard let text = outcome.text(header: ["Imported from \(source.name)."]) else { return }
    guard let output else {
      if isOnly { console.write(text, to: .output) }
      return
    }
    guard !isOnly || output.hasSuffix("/") else {
      try Files.write(text, to: output)
      return
    }
    let stem = source.name.split(separator: ".").dropLast().joined(separator: ".")
    let place = URL(fileURLWithPath: output).appendingPathComponent("\(stem).json5")
    do {
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    } catch {
      throw Files.problem(.write, place.path, errno)
    }
    try Files.write(text, to: place.path)
  }

  /// Prints how many files and runs came over, and why others did not.
  private func count(_ tally: ImportTally, on console: any Console) {
    console.note(
      "\(tally.imported) of \(tally.files) files imported, with \(tally.runs) runs; "
        + "\(tally.lostRuns) runs lost.")
    for row in tally.reasons {
      let code = row.reason.rawValue.padding(toLength: 16, withPad: " ", startingAt: 0)
      console.note("  \(code) \(row.places) places in \(row.files) files: \(row.reason.meaning)")
    }
  }

  // MARK: - Reusable parts

  /// The folder `reusable` nearest above the files; nothing when there is none.
  static func reusableFolder(above files: [Source]) -> String? {
    guard let first = files.first else { return nil }
    var folder = URL(fileURLWithPath: first.path).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent("reusable").path
      if FileManager.default.fileExists(atPath: candidate) { return candidate }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  /// The parts below a folder, which is itself the folder `reusable` or holds it.
  static func parts(in folder: String?) -> ReusableParts {
    guard let folder else { return ReusableParts(paths: []) { _ in nil } }
    let inner = "\(folder)/reusable"
    let root = FileManager.default.fileExists(atPath: inner) ? inner : folder
    return ReusableParts(paths: names(in: root)) { try? Files.read("\(root)/\($0)") }
  }

  /// The files below a folder, relative to it, in the order of their names.
  private static func names(in folder: String) -> [String] {
    guard let walker = FileManager.default.enumerator(atPath: folder) else { return [] }
    var names: [String] = []
    while let name = walker.nextObject() as? String, names.count <= maximumFiles {
      names.append(name)
    }
    return names.sorted()
  }
}
