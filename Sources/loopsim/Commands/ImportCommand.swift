import Arguments
import Formats
import FoundationEssentials
import ScenarioLanguage
import StructuredText

/// Groups the imports of other programs' files as scenarios.
struct ImportCommand: Command {
  static let name = "import"
  static let abstract = "Turn other programs' scenario files into scenarios."
  static let discussion = """
    Nothing is dropped in silence: what cannot be carried over, and what the other program \
    ignores, \
    is printed with its place in the file. A bad file never stops the import of a folder.

    Records of people (Nightscout, oref, Apple Health, Tidepool's data, vendors' tables) are no \
    scenarios: 'loopsim audit' and 'loopsim store import' read them. What becomes of simglucose's \
    and other programs' files is told in Scenarios/GUIDE.md, "Coming from another program".
    """
  static let subcommands: [any Command.Type] = [
    ImportTidepoolCommand.self, ImportTidepoolTableCommand.self, ImportLoopScenarioCommand.self,
  ]

  /// Programs and services whose files are records of people.
  private static let recorders: Set<String> = [
    "aaps", "androidaps", "apple-health", "carelink", "dexcom", "glooko", "health", "libreview",
    "nightscout", "openaps", "oref", "oref0", "oref1", "trio", "xdrip",
  ]
  /// Simulators whose scenarios are programs or tables.
  private static let simulators: Set<String> = [
    "glucoenv", "padova", "replaybg", "simglucose", "uva", "uva-padova", "uvapadova",
  ]

  /// A word that names a file is no form that somebody mistyped, and neither is a program whose
  /// files go another way.
  static func complaint(about word: String) -> String? {
    let name = word.lowercased()
    if recorders.contains(name) {
      return "'\(word)' has records of people, which are no scenarios: read them with "
        + "'loopsim audit FILE' or 'loopsim store import STORE FILE'."
    }
    if simulators.contains(name) {
      return "'\(word)' has no scenario files that could be imported: see \"Coming from another "
        + "program\" in Scenarios/GUIDE.md."
    }
    guard FileManager.default.fileExists(atPath: word) else { return nil }
    let forms = subcommands.map { $0.name }
    return "'\(word)' is no form, but the name of a file or a folder. Say whose form it has, such "
      + "as 'loopsim import \(ImportTidepoolCommand.name) \(ShellWord.quoted(word))': "
      + "\(forms.dropLast().joined(separator: ", ")) or \(forms.last ?? "")."
  }
}

/// Imports scenario configurations of Tidepool's simulator.
struct ImportTidepoolCommand: Command {
  static let name = "tidepool"
  static let abstract = "Import scenario configurations of Tidepool's simulator (JSON)."
  static let discussion = """
    Files and folders may be given; folders named 'reusable' inside them are skipped. The reusable \
    parts that files point to are looked for in the nearest folder 'reusable' above each file \
    unless --reusable names it. Each simulation is checked as 'loopsim check' would; one that \
    cannot be run is named and left out.
    """

  var paths: [String] = []
  var reusable: String?
  var isLiteral = false
  var output: String?
  var printsAll = false
  var report: String?

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("files", \.paths, help: "Files, or folders to search for .json files.")
    it.option(
      "reusable", \.reusable, valueName: "folder", help: "The folder with the reusable parts.")
    BatchImport.describe(&it, isLiteral: \.isLiteral)
    BatchImport.describe(&it, output: \.output, printsAll: \.printsAll, report: \.report)
  }

  func run(to console: any Console) async throws {
    let work = BatchImport(
      paths: paths, endings: [".json"], output: output, printsAll: printsAll, report: report)
    let files = try work.files()
    if let reusable, Files.isFolder(reusable) != true {
      throw Failure(
        .badInput, "There is no folder \"\(reusable)\" of reusable parts. Check the path.")
    }
    let folders = try ReusableFolders(of: files, named: reusable)
    for sentence in folders.warnings { console.note(sentence) }
    let mode = isLiteral ? ImportMode.literal : .asIntended
    try await work.run(files, to: console) {
      var importers: [String: TidepoolImporter] = [:]
      return { bytes, file in
        let folder = folders.folder(of: file)
        let importer =
          importers[folder ?? ""]
          ?? TidepoolImporter(parts: folders.parts(in: folder), mode: mode)
        importers[folder ?? ""] = importer
        return importer.importing(bytes, file: file)
      }
    }
  }
}

/// Imports tables of Tidepool's first risk scenarios.
struct ImportTidepoolTableCommand: Command {
  static let name = "tidepool-table"
  static let abstract = "Import tables of Tidepool's first risk scenarios (TSV or CSV)."

  var paths: [String] = []
  var isLiteral = false
  var output: String?
  var printsAll = false
  var report: String?

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("files", \.paths, help: "Files, or folders to search for .tsv and .csv files.")
    BatchImport.describe(&it, isLiteral: \.isLiteral)
    BatchImport.describe(&it, output: \.output, printsAll: \.printsAll, report: \.report)
  }

  func run(to console: any Console) async throws {
    let work = BatchImport(
      paths: paths, endings: [".tsv", ".csv"], output: output, printsAll: printsAll,
      report: report)
    let mode = isLiteral ? ImportMode.literal : .asIntended
    try await work.run(try work.files(), to: console) {
      let importer = TidepoolTableImporter(mode: mode)
      return { importer.importing($0, file: $1) }
    }
  }
}

/// Imports testing scenarios of the Loop app.
struct ImportLoopScenarioCommand: Command {
  static let name = "loop-scenario"
  static let abstract = "Import testing scenarios of the Loop app (JSON)."
  static let discussion = """
    Such a file holds data only. The body and the therapy come from the scenario that --extends \
    names. Readings before the start become history, and those after it are shown again unchanged; \
    with --closed-loop the body makes its own glucose instead.
    """

  var paths: [String] = []
  var base: String?
  var start = "2026-01-05T12:00:00"
  var isClosedLoop = false
  var output: String?
  var printsAll = false
  var report: String?

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("files", \.paths, help: "Files, or folders to search for .json files.")
    it.option(
      "extends", \.base, valueName: "file",
      help: "The scenario with body and therapy; one that is not there yet, from the output.")
    it.option("start", \.start, valueName: "time", help: "The local time that offsets count from.")
    it.flag(
      "closed-loop", \.isClosedLoop, help: "Let the body make its own glucose after the start.")
    BatchImport.describe(&it, output: \.output, printsAll: \.printsAll, report: \.report)
  }

  func validate() throws {
    guard LoopScenarioImporter(start: start) != nil else {
      throw ValidationError(
        "The start '\(start)' is no local time. Write one such as 2026-01-05T12:00:00.")
    }
  }

  func run(to console: any Console) async throws {
    let (start, base, replays) = (start, base, !isClosedLoop)
    let work = BatchImport(
      paths: paths, endings: [".json"], output: output, printsAll: printsAll, report: report)
    let files = try work.files()
    if let base {
      try Files.keep([base], apartFrom: [report] + files.map { work.place(of: $0, among: files) })
    }
    let bases = Dictionary(
      files.map { ($0.path, Base(base, seenFrom: work.place(of: $0, among: files))) }
    ) { first, _ in first }
    try await work.run(files, to: console) {
      { bytes, file in
        let importer = LoopScenarioImporter(
          start: start, base: bases[file]?.path, replaysGlucose: replays, files: MachineFiles(),
          path: bases[file]?.scenario ?? Base.imported)
        return importer?.importing(bytes, file: file)
          ?? ImportOutcome(scenario: nil, id: "", runs: 0, problems: [])
      }
    }
  }
}

/// The scenario that an imported one extends.
private struct Base {
  /// A name beside the imported scenario that nothing else has, under which it is checked.
  static let imported = ".imported.json5"

  /// The base as the imported scenario names it.
  let path: String?
  /// Where the imported scenario is checked: in the folder in which it will stand.
  let scenario: String

  /// A base that is named on the command line, and thus from the working folder; one that is not
  /// there is taken as it is named, from the folder of the scenario.
  ///
  /// - Parameters:
  ///   - base: The base; `nil` where none is named.
  ///   - place: Where the scenario will stand; `nil` for standard output.
  init(_ base: String?, seenFrom place: String?) {
    let folder = FilePath.folder(of: place ?? "")
    scenario = FilePath.joined(folder, Self.imported)
    guard let base, !base.hasPrefix("/"), FileManager.default.fileExists(atPath: base) else {
      path = base
      return
    }
    let here = FileManager.default.currentDirectoryPath
    path = FilePath.relative(
      FilePath.joined(here, base), from: FilePath.joined(here, folder))
  }
}
