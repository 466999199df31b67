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

  @Test(
    "A folder of programs is refused by each verb of a study that starts none",
    arguments: [["script"], ["run"], ["runs", "--case", "0"], ["verify", "--rerun", "1"]])
  func unneededPrograms(words: [String]) async throws {
    let scratch = try Scratch()
    let folder = scratch.file("planned")
    let planned = await program(
      ["study", "plan", try SmallStudy.write(in: scratch), "--out", folder])
    #expect(planned.code == 0, "\(planned.error)")
    let told = await program(["study"] + words + [folder, "--programs", scratch.file("mine")])
    #expect(told.code == 64)
    #expect(
      told.error.contains("The study starts no program: leave out --programs."), "\(told.error)")
  }

  @Test("An empty line of a list of shards is a line, and a number of shards is a whole one")
  func shards() async throws {
    let scratch = try Scratch()
    let (folder, list) = (scratch.file("planned"), scratch.file("list"))
    let planned = await program(
      ["study", "plan", try SmallStudy.write(in: scratch), "--out", folder, "--shards", "4"])
    #expect(planned.code == 0, "\(planned.error)")
    try Files.write("3\n\n1\n", to: list)
    let run = ["study", "run", folder]
    let empty = await program(run + ["--task", "1", "--from", list])
    #expect(empty.code == 65 && empty.output.isEmpty)
    #expect(empty.error == "Error: \(list): line 1 names no shard of this study.\n")
    let third = await program(run + ["--task", "2", "--from", list])
    #expect(third.output == "shard 1 of 4 is complete\n", "\(third.error)")
    let half = await program(run + ["--shard", "3/x"])
    #expect(half.code == 64)
    #expect(half.error.hasPrefix("Error: A shard is written as 3/8 or 3, counted from 0.\n"))
  }

  @Test("A folder of programs says nothing to a verification that carries out no unit anew")
  func programsWithoutRerun() async throws {
    let told = await program(["study", "verify", "somewhere", "--programs", "mine"])
    #expect(told.code == 64 && told.error.contains("add --rerun"), "\(told.error)")
  }
}
