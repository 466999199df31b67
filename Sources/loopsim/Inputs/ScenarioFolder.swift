import FileSystem
import FoundationEssentials
import ScenarioLanguage

/// Finds the scenario files that words on the command line mean.
enum ScenarioFolder {
  /// The files themselves, and for a folder every `.json5` and `.json` file below it that is a
  /// scenario of its own, sorted by path.
  ///
  /// Files in a folder called `base` are there to be extended, and folders that begin with a dot
  /// are left out, and so are the results that this program has written there. Those in a folder
  /// called `studies` are carried out by `loopsim study`, each as a whole; they are found where
  /// studies are asked for. A link to a folder is not followed.
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - withStudies: Whether studies are asked for.
  ///   - note: Is told of each link that leads to scenarios which none of the words means.
  /// - Returns: The files.
  /// - Throws: ``Failure`` where a word means none; ``FileProblem`` where a folder cannot be read
  ///   and its scenarios would be left out.
  static func files(
    _ words: [String], withStudies: Bool = false, noting note: (String) -> Void = { _ in }
  ) throws -> [String] {
    var files: [String] = []
    for word in words {
      // Standard input, by the name that the system gives it.
      if word == "-" {
        guard !StandardStreams.isInputClosed else {
          throw Failure(
            .inputOutput, "Standard input is closed. Give the scenario there, or name it.")
        }
        files.append(FilePath.standardInput)
        continue
      }
      guard let isFolder = Files.isFolder(word) else {
        throw Failure(.badInput, "There is no file or folder \"\(word)\". Check the path.")
      }
      guard isFolder else {
        files.append(word)
        continue
      }
      let (below, links) = try filesBelow(word, withStudies: withStudies)
      for link in links where leads(link, besides: words) {
        note(
          "Warning: \(link) is a link to a folder, and what lies in it is left out. Name it too.")
      }
      guard !below.isEmpty else {
        throw Failure(.badInput, "There is no scenario file in \(word). Name one.")
      }
      files += below
    }
    try FileNames.check(files)
    // A file that is named beside its folder is meant once, whichever way it is named. A link with
    // another name is another file, as a scenario may be called by its file's name.
    var seen: Set<String> = []
    var folders: [String: String] = [:]
    return files.filter { file in
      let folder = FilePath.folder(of: file)
      let real = folders[folder] ?? MachineFiles().canonicalPath(of: folder)
      folders[folder] = real
      return seen.insert("\(real)/\(file.split(separator: "/").last ?? "")").inserted
    }
  }

  /// The most paths below a link that are looked at.
  private static let mostLooked = 10_000

  /// Whether a link to a folder leads to scenarios that none of the words means.
  private static func leads(_ link: String, besides words: [String]) -> Bool {
    let place = Files.place(link)
    guard !words.contains(where: { "\(place)/".hasPrefix("\(Files.place($0))/") }) else {
      return false
    }
    return FolderTree.paths(below: place, atMost: mostLooked).contains(where: isNamedAsScenario)
  }

  private static func isNamedAsScenario(_ path: String) -> Bool {
    path.hasSuffix(".json5") || path.hasSuffix(".json")
  }

  private static func filesBelow(
    _ folder: String, withStudies: Bool
  ) throws -> (files: [String], links: [String]) {
    // A folder that is named itself is entered, also where its name is a link.
    let place = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    let name = folder.hasSuffix("/") ? folder : "\(folder)/"
    let listing = try Files.listing(below: place, named: folder) { path in
      isSearched(path.split(separator: "/"), withStudies: withStudies)
    }
    let paths = listing.paths
    let links = listing.linked.filter {
      isSearched($0.split(separator: "/"), withStudies: withStudies)
    }
    let written = WrittenDocuments(among: paths, below: place)
    let files = paths.filter { path in
      let parts = path.split(separator: "/")
      return isNamedAsScenario(path)
        && isSearched(parts.dropLast(), withStudies: withStudies)
        && !parts.contains { $0.hasPrefix(".") }
        && !written.contains(path)
    }
    return (files.sorted().map { name + $0 }, links.sorted().map { name + $0 })
  }

  /// Whether the files of a folder are scenarios of their own.
  private static func isSearched(_ parts: [Substring], withStudies: Bool) -> Bool {
    !parts.contains("base") && (withStudies || !parts.contains("studies"))
      && !parts.contains { $0.hasPrefix(".") }
  }
}

/// The help of the flag that lets scenarios name any file.
enum OutsideHelp {
  static let text = "Let scenarios read and keep files outside their folder."

  /// Refuses the flag beside what is no scenario, which it would be given for in vain.
  static func refuse(_ allowsOutside: Bool, beside place: String, _ kind: String) throws {
    guard allowsOutside else { return }
    throw Failure(.usage, "--allow-outside is for a scenario; \(place) is \(kind).")
  }
}

/// The JSON files of results among the files below a folder: no scenarios, though they may lie
/// beside them.
private struct WrittenDocuments {
  /// The folders of runs, of batches and of studies, from the folder that was searched.
  private var runs: Set<String> = []
  private var batches: Set<String> = []
  private var studies: Set<String> = []

  init(among paths: [String], below place: String) {
    let all = Set(paths)
    for path in paths {
      let (folder, name) = Self.split(path)
      if name == RunFolder.summaryName, FormerResults.saysSo(in: "\(place)/\(folder)") {
        runs.insert(folder)
      }
      if BatchFiles.isTable(name) { batches.insert(folder) }
      if name == "plan.json", all.contains(folder.isEmpty ? "layout.json" : "\(folder)/layout.json")
      {
        studies.insert(folder)
      }
    }
  }

  func contains(_ path: String) -> Bool {
    guard path.hasSuffix(".json"), !(runs.isEmpty && batches.isEmpty && studies.isEmpty) else {
      return false
    }
    var (folder, name) = Self.split(path)
    if runs.contains(folder), ResultNames.isOwn(name, inResult: false) { return true }
    if batches.contains(folder), BatchFiles.isSummary(name) { return true }
    let (outer, inner) = Self.split(folder)
    if inner == LoopInputFolder.name, runs.contains(outer) { return true }
    while !studies.contains(folder) {
      guard !folder.isEmpty else { return false }
      folder = Self.split(folder).folder
    }
    return true
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    return (String(path[..<slash]), String(path[path.index(after: slash)...]))
  }
}
