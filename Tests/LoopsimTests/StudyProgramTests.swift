import Foundation
import StructuredText
import Testing

@testable import loopsim

/// Every child that these tests start ends by itself or is ended after seconds.
@Suite("Programs take part in studies")
struct StudyProgramTests {
  private static let study = """
    { format: 'loopsim/1', id: 'mine', title: 'My controller against Loop',
      clock: { duration: '2h' }, random: { seed: 7 },
      patient: { model: 'tidepool-simple', initialGlucose: 170,
        needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
          carbRatio: [['00:00', 10]] } },
      cohort: { from: 'people.csv', columns: { isf: 'patient.needs.sensitivity[0][1]' } },
      variants: { loop: {}, mine: {
        controller: { command: ['./steady.sh'], privileged: true } } },
      study: { control: 'loop',
        primary: [{ id: 'seen', metric: 'mean', better: 'lower', noninferior: 10 }] } }
    """

  private static func scratch(
    _ program: String = ReusedProgramTests.steady(), study: String = study
  ) throws -> Scratch {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      atPath: scratch.file("mine"), withIntermediateDirectories: false)
    try scratch.writeProgram(program, named: "mine/steady.sh")
    try Files.write(study, to: scratch.file("mine/study.json5"))
    try Files.write("id,isf\na,40\nb,45\nc,50\nd,55\ne,60\n", to: scratch.file("mine/people.csv"))
    return scratch
  }

  private static func run(_ words: [String], in scratch: Scratch) throws -> Binary.Result {
    try Binary.runByHand(["study"] + words, in: scratch)
  }

  private static func cases(_ folder: String, in scratch: Scratch) throws -> [[Substring]] {
    try scratch.text(of: "\(folder)/results.cases.csv").split(separator: "\n").dropFirst()
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
  }

  @Test("Nothing is started without consent")
  func consent() throws {
    let scratch = try Self.scratch()
    for command in [["mine/study.json5"], ["plan", "mine/study.json5"]] {
      let refused = try Self.run(command + ["--out", "out"], in: scratch)
      #expect(refused.code == 65)
      #expect(refused.error.contains("mine/study.json5:8:"), "\(refused.error)")
      #expect(refused.error.contains("--allow-programs"))
    }
    #expect(try !scratch.names.contains("out"))
    #expect(try Self.run(["power", "mine/study.json5", "--sd", "4"], in: scratch).code == 0)
    let mine = try FileManager.default.contentsOfDirectory(atPath: scratch.file("mine"))
    #expect(!mine.contains("starts"))
  }

  @Test("The number of patients is told for differences in points where the end point is in %")
  func powerInPoints() throws {
    let scratch = try Self.scratch(
      study: Self.study.replacing("metric: 'mean'", with: "metric: 'below(70)'"))
    let answer = try Self.run(["power", "mine/study.json5", "--sd", "4"], in: scratch)
    #expect(answer.output.contains("standard deviation of the differences 4.000 points\n"))
    #expect(answer.output.contains("  8.000 points  "))
    #expect(!answer.output.contains("000 %"))
  }

  @Test("A controller is compared with Loop; the results say who it was")
  func compared() throws {
    let scratch = try Self.scratch()
    let whole = try Self.run(
      ["mine/study.json5", "--allow-programs", "--out", "out", "--jobs", "1"], in: scratch)
    #expect(whole.code == 0, "\(whole.error)")
    let words = "steady 1 (controller, told the truth about the body)"
    #expect(whole.output.contains("Program          \(words)"), "\(whole.output)")
    #expect(whole.output.contains("no part of the plan"))
    #expect(try scratch.text(of: "out/results.checklist.md").contains(words))
    let summary = try #require(
      JSONReader.read(try Files.read(scratch.file("out/results.summary.json")), file: "s").root)
    let program = try #require(summary["programs"]?.items?.first)
    #expect(program["name"]?.string == "steady")
    #expect(program["privileged"]?.bool == true)
    #expect(try Self.cases("out", in: scratch).count == 10)
    // One process greets for the plan and then lives through all runs.
    #expect(try ReusedProgramTests.count("mine/starts", in: scratch) == 2)
    #expect(
      try ReusedProgramTests.count("mine/ends", in: scratch)
        <= ReusedProgramTests.count("mine/starts", in: scratch))
    let page = try Self.run(["report", "out", "--report", "page.html"], in: scratch)
    #expect(page.code == 0, "\(page.error)")
    #expect(try scratch.text(of: "page.html").contains(words))
  }

  @Test("Shards, jobs and reuse change nothing; the rows are the same when they run anew")
  func divided() throws {
    let scratch = try Self.scratch()
    let whole = try Self.run(
      ["mine/study.json5", "--allow-programs", "--fresh-programs", "--out", "whole"], in: scratch)
    #expect(whole.code == 0, "\(whole.error)")
    let planned = try Self.run(
      ["plan", "mine/study.json5", "--allow-programs", "--out", "out", "--shards", "3"],
      in: scratch)
    #expect(planned.code == 0, "\(planned.error)")
    let refused = try Self.run(["run", "out"], in: scratch)
    #expect(refused.code == 65)
    #expect(refused.error.contains("out/plan.json"), "\(refused.error)")
    let lost = try Self.run(["run", "out", "--allow-programs"], in: scratch)
    #expect(lost.code == 69, "\(lost.error)")
    #expect(lost.error.contains("No such file or directory"), "\(lost.error)")
    let here = ["--allow-programs", "--programs", "mine"]
    let script = try Self.run(["script", "out", "--programs", "mine"], in: scratch)
    let folder = scratch.url.resolvingSymlinksInPath().appendingPathComponent("mine").path
    #expect(
      script.output.contains("--jobs 1 --allow-programs --programs '\(folder)'"),
      "\(script.output)")
    #expect(try Self.run(["run", "out"] + here, in: scratch).code == 0)
    #expect(try Self.run(["merge", "out"], in: scratch).code == 0)
    for name in ["results.cases.csv", "results.summary.json"] {
      #expect(try scratch.text(of: "out/\(name)") == scratch.text(of: "whole/\(name)"))
    }
    #expect(try Self.run(["verify", "out"], in: scratch).code == 0)
    #expect(try Self.run(["verify", "out", "--rerun", "2"], in: scratch).code == 65)
    #expect(try Self.run(["verify", "out", "--rerun", "2"] + here, in: scratch).code == 0)
    // A case is written whole with the program's answers, on the same consent.
    let unasked = try Self.run(["runs", "out", "--case", "1"], in: scratch)
    #expect(unasked.code == 65 && unasked.error.contains("--allow-programs"), "\(unasked.error)")
    let written = try Self.run(["runs", "out", "--case", "1"] + here, in: scratch)
    #expect(written.code == 0 && written.error.isEmpty, "\(written.error)")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: scratch.file("out/runs/mine/mine/a"))
    #expect(names.contains("decisions.ndjson"), "\(names)")
  }

  @Test("Another version than that of the plan is refused, and no shard is complete")
  func anotherVersion() throws {
    let scratch = try Self.scratch()
    let planned = try Self.run(
      ["plan", "mine/study.json5", "--allow-programs", "--out", "out"], in: scratch)
    #expect(planned.code == 0, "\(planned.error)")
    try scratch.writeProgram(ReusedProgramTests.steady(version: "2"), named: "mine/steady.sh")
    let other = try Self.run(
      ["run", "out", "--allow-programs", "--programs", "mine"], in: scratch)
    #expect(other.code == 65)
    #expect(other.error.contains("steady 1 (controller"), "\(other.error)")
    #expect(other.error.contains("steady 2 (controller"), "\(other.error)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.file("out/shards")).isEmpty)
  }

  @Test("A program that fails costs its own run, and its reason is told")
  func failure() throws {
    // The third run of the program is that of the patient c.
    let decide = "if [ \"$(wc -l <runs)\" = 4 ]; then exit 3; else \(ReusedProgramTests.act); fi"
    let scratch = try Self.scratch(ReusedProgramTests.steady(at: decide))
    let result = try Self.run(
      ["mine/study.json5", "--allow-programs", "--out", "out", "--jobs", "1"], in: scratch)
    #expect(result.code == 0, "\(result.error)")
    #expect(result.output.contains("FAILED           1 x"), "\(result.output)")
    let failed = try Self.cases("out", in: scratch).filter { $0.contains("failed") }
    #expect(failed.count == 1)
    #expect(failed.first?.contains("c") == true)
    #expect(
      try scratch.text(of: "out/results.cases.csv").contains("ended with exit status 3"))
  }

  @Test("A shard is complete with runs that failed, which is said of it")
  func failuresOfShards() throws {
    let scratch = try Self.scratch(ReusedProgramTests.steady(at: "exit 3"))
    let here = ["--allow-programs", "--jobs", "1"]
    let planned = try Self.run(
      ["plan", "mine/study.json5", "--allow-programs", "--out", "out", "--shards", "2"],
      in: scratch)
    #expect(planned.code == 0, "\(planned.error)")
    // Five patients under two arms, of which one's program fails: of the first two or three four
    // or six runs.
    let first = try Self.run(
      ["run", "out", "--shard", "0/2", "--programs", "mine"] + here, in: scratch)
    #expect(first.code == 0)
    let told = try /Warning: (\d+) of (\d+) runs failed; see the column "reason"/
      .firstMatch(in: first.error)
    let (failed, runs) = try #require(told.map { (Int($0.1), Int($0.2)) })
    #expect(try #require(failed) * 2 == runs, "\(first.error)")
    let again = try Self.run(
      ["run", "out", "--shard", "0/2", "--programs", "mine"] + here, in: scratch)
    #expect(again.error == first.error)
    let rest = try Self.run(["run", "out", "--programs", "mine"] + here, in: scratch)
    #expect(rest.error.contains("Warning: 5 of 10 runs failed"), "\(rest.error)")
  }

  @Test("An arm of which every run fails is no answer: exit code 1, also without --strict")
  func wholeArm() throws {
    let scratch = try Self.scratch(ReusedProgramTests.steady(at: "exit 3"))
    let result = try Self.run(
      ["mine/study.json5", "--allow-programs", "--out", "out", "--jobs", "1"], in: scratch)
    #expect(result.code == 1, "\(result.error)")
    #expect(result.error.contains("5 of 10 runs failed"), "\(result.error)")
    #expect(
      result.error.contains("Error: The study has no answer on mine against loop: no pair of"),
      "\(result.error)")
    // The rows are there, so that the reasons can be read.
    #expect(try Self.cases("out", in: scratch).count { $0.contains("failed") } == 5)
    for command in ["merge", "report"] {
      #expect(try Self.run([command, "out"], in: scratch).code == 1)
    }
    // Nothing is missing or damaged: a study of failed runs is a whole one.
    #expect(try Self.run(["status", "out"], in: scratch).code == 0)
    #expect(try Self.run(["verify", "out"], in: scratch).code == 0)
  }

  @Test("A record of one run is no program for a study")
  func record() throws {
    let text = Self.study.replacing(
      "command: ['./steady.sh'], privileged: true", with: "transcript: 'kept.ndjson'")
    let scratch = try Self.scratch(study: text)
    let refused = try Self.run(
      ["mine/study.json5", "--allow-programs", "--out", "out"], in: scratch)
    #expect(refused.code == 65)
    #expect(refused.error.contains("from a program, not from the record"), "\(refused.error)")
  }
}
