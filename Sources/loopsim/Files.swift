import FileSystem
import FoundationEssentials
import Glibc

/// Why a file could not be read or written.
struct FileProblem: ClassifiedError, CustomStringConvertible {
  enum Attempt: Equatable {
    case read
    case write
  }

  let attempt: Attempt
  let path: String
  let reason: String
  /// Whether the file is missing or too large, which is a mistake in what we were given.
  let isInputMistake: Bool

  var exitCode: ExitCode { isInputMistake ? .badInput : .inputOutput }

  var description: String {
    let name = path.isEmpty ? "\"\"" : path
    return switch attempt {
    case .read: "\(name): cannot be read: \(reason)."
    case .write: "\(name): cannot be written: \(reason)."
    }
  }
}

/// Reading whole files, and writing them so that nobody ever sees half of one.
enum Files {
  /// The most that is read of one file into memory unless a command says otherwise: 256 MiB.
  static let sizeLimit = 256 << 20

  /// The bytes of a file, or of standard input for `-`.
  static func read(_ path: String, limit: Int = sizeLimit) throws(FileProblem) -> [UInt8] {
    do throws(InputFile.Refusal) {
      return try InputFile.bytes(of: path, limit: limit)
    } catch {
      throw problem(error, path)
    }
  }

  /// The bytes of a file, or of standard input for `-`, part by part; empty at the end.
  static func parts(
    of path: String, size: Int = 1 << 20
  ) throws(FileProblem) -> () throws -> [UInt8] {
    let file: InputFile
    do throws(InputFile.Refusal) {
      file = try InputFile(path)
    } catch {
      throw problem(error, path)
    }
    return {
      do throws(FileFault) {
        return try file.next(upTo: size)
      } catch {
        throw problem(.read, path, error.number)
      }
    }
  }

  /// Writes a file part by part under a temporary name, and gives it its own when it is complete.
  static func write(
    to path: String, _ body: (_ part: ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    let file = try begin(path)
    defer { end([file]) }
    try body { part in try append(part, to: file) }
    try publish([file])
  }

  /// Writes a file under a temporary name beside it, and gives it its own name when it is complete.
  static func write(_ bytes: [UInt8], to path: String) throws(FileProblem) {
    try write([(bytes, path)])
  }

  /// Writes files under temporary names beside them, and gives them their own when they are
  /// complete; the medium is waited for once.
  static func write(_ files: [(bytes: [UInt8], path: String)]) throws(FileProblem) {
    var begun: [NewFile] = []
    defer { end(begun) }
    for (bytes, path) in files {
      let file = try begin(path)
      begun.append(file)
      try append(bytes, to: file)
    }
    try publish(begun)
  }

  /// Begins a file, which goes away with this process until ``end(_:)``.
  private static func begin(_ path: String) throws(FileProblem) -> NewFile {
    try checkReplacing(path)
    cleanBeside(path)
    do throws(FileFault) {
      let file = try NewFile(path)
      PartialOutput.paths.add(file.workingPath)
      return file
    } catch {
      throw problem(.write, path, error.number)
    }
  }

  /// Whether a folder is there, or a link that leads to one; `nil` where there is nothing.
  static func isFolder(_ path: String) -> Bool? {
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) ? isFolder : nil
  }

  /// Refuses to put a file in place of what is none.
  private static func checkReplacing(_ path: String) throws(FileProblem) {
    guard isFolder(path) != true, !path.hasSuffix("/") else {
      throw FileProblem(
        attempt: .write, path: path, reason: "it is a folder; name a file", isInputMistake: false)
    }
    guard !NewFile.mayReplace(path) else { return }
    throw FileProblem(
      attempt: .write, path: path,
      reason: "it is a device, a pipe or a socket, which a file would replace; name a file",
      isInputMistake: false)
  }

  private static func append(_ bytes: [UInt8], to file: NewFile) throws(FileProblem) {
    do throws(FileFault) {
      try file.write(bytes)
    } catch {
      throw problem(.write, file.path, error.number)
    }
  }

  private static func publish(_ files: [NewFile]) throws(FileProblem) {
    do throws(FileFault) {
      try NewFile.publish(files)
    } catch {
      let file = files.first { $0.workingPath == error.path || $0.path == error.path }
      throw problem(.write, (file ?? files.last)?.path ?? error.path, error.number)
    }
  }

  /// Removes what of files is not published, and forgets them.
  private static func end(_ files: [NewFile]) {
    for file in files {
      file.discard()
      PartialOutput.paths.remove(file.workingPath)
    }
  }

  /// Writes text as UTF-8; see ``write(_:to:)-([UInt8],_)``.
  static func write(_ text: String, to path: String) throws(FileProblem) {
    try write(Array(text.utf8), to: path)
  }

  /// The paths of the files and folders below a folder, from there, at most so many of them.
  ///
  /// What a process is writing, or left when it was killed, is not among them: it is not whole.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - name: What the folder is called in messages.
  ///   - limit: The most paths.
  ///   - matters: Whether what lies in a folder below it, by its path, would be missed.
  /// - Returns: The paths.
  /// - Throws: ``FileProblem`` where a folder cannot be read, so that nothing is left out unsaid.
  static func paths(
    below folder: String, named name: String, atMost limit: Int = .max,
    where matters: (String) -> Bool = { _ in true }
  ) throws(FileProblem) -> [String] {
    try listing(below: folder, named: name, atMost: limit, where: matters).paths
  }

  /// The paths as ``paths(below:named:atMost:where:)`` tells them, and which of them are links to
  /// folders, of which nothing else is told.
  static func listing(
    below folder: String, named name: String, atMost limit: Int = .max,
    where matters: (String) -> Bool = { _ in true }
  ) throws(FileProblem) -> FolderTree.Listing {
    var listing = FolderTree.listing(below: folder, atMost: limit)
    let unread = listing.unread.filter { matters($0.key) }.min { $0.key < $1.key }
    guard let (path, fault) = unread else {
      listing.paths.removeAll(where: UnfinishedName.isPart)
      return listing
    }
    throw problem(.read, path.isEmpty ? name : "\(name)/\(path)", fault.number)
  }

  /// Refuses a place for output at which a file stands that is read: it would be lost.
  static func keep(_ inputs: [String], apartFrom outputs: [String?]) throws(Failure) {
    for output in outputs.compactMap(\.self)
    where inputs.contains(where: { InputFile.isSame($0, as: output) }) {
      throw Failure(
        .usage,
        "\(output) is a file that is read here, and would be lost. Name another file to write.")
    }
  }

  /// Refuses two outputs in one file, of which the first would be lost.
  ///
  /// - Parameters:
  ///   - outputs: Where they are written; `nil` and empty for none.
  ///   - names: What they are called, such as `Two reports`.
  /// - Throws: ``Failure`` that names the file.
  static func keepApart(_ outputs: [String?], called names: String) throws(Failure) {
    var places: Set<URL> = []
    for output in outputs.compactMap(\.self) where !output.isEmpty && output != "-" {
      guard places.insert(URL(fileURLWithPath: output).standardizedFileURL).inserted else {
        throw Failure(
          .usage, "\(names) cannot be one file, \(output). Name another for one of them.")
      }
    }
  }

  /// Refuses a place for a page at which a file of the folder stands that the page is about.
  ///
  /// Such a file is a plan, a table or a summary; another page gives way.
  static func keepFolder(_ folder: String, apartFrom output: String?) throws(Failure) {
    guard let output, place(output).hasPrefix(place(folder) + "/"), isOther(output) else { return }
    try keep([output], apartFrom: [output])
  }

  /// Refuses a place for a page that nobody named, where a file stands that is no page.
  static func keep(whereNobodyNamed path: String) throws(Failure) {
    guard isOther(path) else { return }
    throw Failure(
      .usage, "\(path) is no page, and would be lost. Name another file for the page, or move it.")
  }

  /// Whether there is a file with something that is no page.
  private static func isOther(_ path: String) -> Bool {
    guard InputFile.isRegular(path), let bytes = try? Files.read(path) else { return false }
    return !bytes.isEmpty && !bytes.starts(with: "<!doctype html>".utf8)
  }

  /// The path of a file or folder from the root, through no link.
  static func place(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
  }

  /// Makes the folder in which a file is to stand, with those above it.
  static func makeFolder(of path: String) throws(FileProblem) {
    try makeFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
  }

  /// Makes the folder in which a file is to stand, and refuses a place at which none can, as far as
  /// that is known before it is written.
  static func prepare(_ path: String) throws(FileProblem) {
    try makeFolder(of: path)
    try checkReplacing(path)
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard unsafe access(folder, W_OK) == 0 else { throw problem(.write, path, errno) }
  }

  /// The folders that ``prepare(_:)`` makes for a file, the innermost first.
  static func missingFolders(of path: String) -> [String] {
    var folder = URL(fileURLWithPath: path).deletingLastPathComponent().path[...]
    var missing: [String] = []
    // As text: above the folder `..` Foundation finds `../..`, and so on without end.
    while !folder.isEmpty, unsafe access(String(folder), F_OK) != 0 {
      missing.append(String(folder))
      folder = folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]
    }
    return missing
  }

  /// Makes a folder, with those above it.
  static func makeFolder(_ path: String) throws(FileProblem) {
    do throws(FileFault) {
      try NewFolder.makeAll(path)
    } catch {
      throw problem(.write, error.path, error.number)
    }
  }

  static func problem(
    _ attempt: FileProblem.Attempt, _ path: String, _ number: Int32
  ) -> FileProblem {
    let isOfName = FileFault.isOfName(number, for: path)
    // What a name in a folder is called here, whose bytes are no UTF-8, is the name of nothing.
    let isNoText = number == EILSEQ || (number == ENOENT && path.contains("\u{FFFD}"))
    return FileProblem(
      attempt: attempt, path: path,
      reason: isNoText
        ? "the name is not UTF-8 where \u{FFFD} stands; rename it"
        : FileFault.words(number, for: path),
      isInputMistake: attempt == .read && (isOfName || isNoText))
  }

  /// A file that has more bytes than are read of one.
  static func tooLarge(_ path: String, limit: Int = sizeLimit) -> FileProblem {
    FileProblem(
      attempt: .read, path: path,
      reason: "it is larger than the limit of \(limit >> 20) MiB; give a smaller file",
      isInputMistake: true)
  }

  private static func problem(_ refusal: InputFile.Refusal, _ path: String) -> FileProblem {
    switch refusal {
    case .fault(let fault): problem(.read, path, fault.number)
    case .isFolder: problem(.read, path, EISDIR)
    case .tooLarge(let limit): tooLarge(path, limit: limit)
    case .isDevice:
      FileProblem(
        attempt: .read, path: path,
        reason: "it is a device or a socket, which may have no end; give a file or a pipe",
        isInputMistake: true)
    }
  }

  /// Removes what killed processes left where a file is to stand.
  private static func cleanBeside(_ path: String) {
    OutdatedOutput.cleanOnce(URL(fileURLWithPath: path).deletingLastPathComponent().path)
  }
}
