import Foundation
import TestSupport
import Testing

@testable import loopsim

/// Words in the place of a verb of `loopsim study`.
@Suite("Words after study")
struct StudyWordTests {
  @Test("A folder or a file in the place of a verb is told as what it is")
  func noVerb() async throws {
    let scratch = try Scratch()
    let folder = scratch.file("trial.d")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let inPlace = await program(["study", folder])
    #expect(inPlace.code == 64)
    #expect(inPlace.error.contains("'\(folder)' is a folder, and a study is begun from the file"))
    #expect(
      inPlace.error.contains(
        "'loopsim study status \(folder)': run, status, merge, verify, report, runs or script."))
    // The words alone, as the tests have no working folder of their own.
    #expect(StudyCommand.complaint(about: "no-such-thing") == nil)
    #expect(StudyCommand.complaint(about: folder) == StudyCommand.folderComplaint(folder))
    let file = scratch.file("trial")
    try Files.write("", to: file)
    #expect(
      StudyCommand.complaint(about: file)
        == "'\(file)' is no subcommand. For the study in the file of that name write "
        + "'loopsim study ./\(file)'.")
  }
}
