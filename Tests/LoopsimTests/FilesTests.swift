import Foundation
import Testing

@testable import loopsim

@Suite("Files")
struct FilesTests {
  @Test("What is written is read back, and nothing else is left in the folder")
  func survivesWriting() throws {
    let scratch = try Scratch()
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try Files.write(bytes, to: scratch.file("data"))
    #expect(try Files.read(scratch.file("data")) == bytes)
    try Files.write("short", to: scratch.file("data"))
    #expect(try Files.read(scratch.file("data")) == Array("short".utf8))
    #expect(try scratch.names == ["data"])
  }

  @Test("A missing file is a mistake in what we were given, named by its path")
  func namesMissingFiles() throws {
    let scratch = try Scratch()
    let path = scratch.file("absent.json5")
    let problem = try #require(throws: FileProblem.self) { try Files.read(path) }
    #expect(problem.exitCode == .badInput)
    #expect(problem.description == "\(path): cannot be read: No such file or directory.")
  }

  @Test("A folder is not a file")
  func refusesFolders() throws {
    let scratch = try Scratch()
    let problem = try #require(throws: FileProblem.self) { try Files.read(scratch.path) }
    #expect(problem.exitCode == .badInput)
    #expect(problem.description == "\(scratch.path): cannot be read: Is a directory.")
  }

  @Test("A file above the limit is refused")
  func limitsSize() throws {
    let scratch = try Scratch()
    try Files.write([UInt8](repeating: 0, count: 2 << 20), to: scratch.file("large"))
    #expect(try Files.read(scratch.file("large"), limit: 2 << 20).count == 2 << 20)
    let problem = try #require(throws: FileProblem.self) {
      try Files.read(scratch.file("large"), limit: 1 << 20)
    }
    #expect(problem.exitCode == .badInput)
    #expect(problem.description.contains("larger than the limit of 1 MiB"))
  }

  @Test("A file that cannot be written leaves nothing behind")
  func cleansUpAfterFailure() throws {
    let scratch = try Scratch()
    let problem = try #require(throws: FileProblem.self) {
      try Files.write("text", to: scratch.file("no/such/folder"))
    }
    #expect(problem.exitCode == .inputOutput)
    #expect(problem.path == scratch.file("no/such/folder"))
    try FileManager.default.createDirectory(
      atPath: scratch.file("taken"), withIntermediateDirectories: false)
    for folder in [scratch.file("taken"), scratch.path + "/none/", scratch.path + "/.", ".", ".."] {
      let refusal = #expect(throws: FileProblem.self) { try Files.write("text", to: folder) }
      #expect(
        refusal?.description == "\(folder): cannot be written: it is a folder; name a file.")
    }
    #expect(try scratch.names == ["taken"])
  }

  @Test("A pipe stays where a file is to be written, and says so")
  func keepsPipes() async throws {
    let scratch = try Scratch()
    let (pipe, file) = (scratch.file("pipe"), scratch.file("night.json5"))
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    try Files.write(scenario(), to: file)
    let words = ["run", file, "--out", scratch.file("out"), "--junit"]
    for words in [words + [pipe], ["freeze", file, "-o", pipe], ["report", file, "-o", pipe]] {
      let refused = await program(words)
      #expect(refused.code == 74)
      #expect(
        refused.error.contains(
          "\(pipe): cannot be written: it is a device, a pipe or a socket, which a file would "
            + "replace; name a file."), "\(refused.error)")
    }
    // Nothing is run whose report could not be written.
    try Files.makeFolder(scratch.file("folder"))
    #expect(await program(words + [scratch.file("folder")]).code == 74)
    #expect(try scratch.names == ["folder", "night.json5", "pipe"])
  }

  @Test("A folder of results appears when it is finished, and not before")
  func foldersAppearWhole() throws {
    let scratch = try Scratch()
    let folder = try OutputFolder(at: scratch.file("deep/results"))
    try folder.write("{}\n", named: "summary.json")
    #expect(try names(in: scratch, "deep").filter { !$0.hasPrefix(".") }.isEmpty)
    try folder.finish()
    #expect(try names(in: scratch, "deep") == ["results"])
    #expect(try names(in: scratch, "deep/results") == ["summary.json"])
  }

  @Test("A folder that is not finished leaves nothing behind")
  func unfinishedFoldersVanish() throws {
    struct Interruption: Error {}
    let scratch = try Scratch()
    #expect(throws: Interruption.self) {
      let folder = try OutputFolder(at: scratch.file("results"))
      try folder.write("{}\n", named: "summary.json")
      throw Interruption()
    }
    #expect(try scratch.names.isEmpty)
  }

  @Test("A folder of results that exists is replaced whole")
  func replacesWhole() throws {
    let scratch = try Scratch()
    for name in ["timeline.csv", "summary.json"] {
      let folder = try OutputFolder(at: scratch.file("results"))
      try folder.write("text", named: name)
      try folder.finish()
    }
    #expect(try names(in: scratch, "results") == ["summary.json"])
    #expect(try scratch.names == ["results"])
  }

  @Test(
    "No folder is put in place of the one in which the program works, by whatever name",
    arguments: ["", ".", "./", "../\(workingName)", "..", "/"])
  func keepsWorkingFolder(path: String) throws {
    let problem = try #require(throws: FileProblem.self) {
      _ = try OutputFolder(at: path)
    }
    #expect(problem.reason.contains(path.isEmpty ? "names no folder" : "works in it"))
  }

  @Test("A link to the folder in which the program works is that folder")
  func keepsLinkedFolder() throws {
    let scratch = try Scratch()
    let link = scratch.file("link")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: FileManager.default.currentDirectoryPath)
    let problem = try #require(throws: FileProblem.self) {
      _ = try OutputFolder(at: link)
    }
    #expect(problem.reason.contains("works in it"))
  }

  private static let workingName =
    URL(fileURLWithPath: FileManager.default.currentDirectoryPath).lastPathComponent

  @Test("Without a terminal no progress is shown")
  func keepsQuietWithoutTerminal() {
    let console = QuietConsole()
    var progress = ProgressLine(on: console)
    progress.update("running", done: 0.5)
    progress.finish()
    #expect(console.error.isEmpty)
  }

  @Test("Work of less than a second shows no progress on a terminal either")
  func keepsQuietForShortWork() {
    let console = QuietConsole(isWatched: true)
    var progress = ProgressLine(on: console)
    progress.update("running", done: 0.5)
    progress.finish()
    #expect(console.error.isEmpty)
  }

  private func names(in scratch: Scratch, _ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.file(folder)).sorted()
  }
}
