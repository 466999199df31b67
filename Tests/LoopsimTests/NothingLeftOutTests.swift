import Foundation
import Testing

@testable import loopsim

@Suite("Nothing that was named is left out unsaid")
struct NothingLeftOutTests {
  private static func scenario(_ tag: String) -> String {
    """
    { format: 'loopsim/1', clock: { duration: '30m' }, tags: ['\(tag)'],
      patient: { model: 'uva-padova-s2008', name: 'adult#001' } }
    """
  }

  /// A folder `in` with two scenarios, of which one is tagged `smoke` and one `slow`.
  private func folder() throws -> Scratch {
    let scratch = try Scratch()
    try Files.makeFolder(scratch.file("in/deep"))
    try Files.write(Self.scenario("smoke"), to: scratch.file("in/a.json5"))
    try Files.write(Self.scenario("slow"), to: scratch.file("in/deep/b.json5"))
    return scratch
  }

  @Test("A tag that no scenario has is refused, also beside one that some have")
  func tags() async throws {
    let scratch = try folder()
    let kept = ["--results", scratch.file("kept")]
    for words in [["run", "--out", scratch.file("out")], ["verify"] + kept] {
      let words = words + [scratch.file("in"), "--tag", "smoke"]
      let wrong = await program(words + ["--tag", "slwo"])
      #expect(wrong.code == 65)
      #expect(
        wrong.error.contains(
          "No scenario matches \"--tag slwo\". Did you mean \"slow\"? Check the tags.\n"),
        "\(wrong.error)")
      #expect(wrong.output.isEmpty)
      #expect(try scratch.names == ["in"])
    }
    let right = await program(
      ["run", scratch.file("in"), "--tag", "smoke", "--tag", "slow", "--out", scratch.file("out")])
    #expect(right.code == 0)
    #expect(right.output.contains("2 runs, "), "\(right.output)")
    // What cannot be read may have any tag, and is told itself.
    try Files.write("{", to: scratch.file("in/c.json5"))
    let broken = await program(
      ["run", scratch.file("in"), "--tag", "slwo", "--out", scratch.file("out")])
    #expect(broken.code == 65)
    #expect(!broken.error.contains("slwo"), "\(broken.error)")
  }

  @Test(
    "A folder without a scenario is refused, also beside one that has some",
    arguments: [["check"], ["run", "-q"], ["verify", "-q"]])
  func emptyFolders(words: [String]) async throws {
    let scratch = try folder()
    try Files.makeFolder(scratch.file("empty/base"))
    try Files.write(Self.scenario("base"), to: scratch.file("empty/base/x.json5"))
    let result = await program(words + [scratch.file("in"), scratch.file("empty")])
    #expect(result.code == 65)
    #expect(
      result.error.hasSuffix("There is no scenario file in \(scratch.file("empty")). Name one.\n"),
      "\(result.error)")
  }

  @Test("A link to a folder of scenarios, which is not entered, is told of until it is named")
  func linkedFolders() async throws {
    let scratch = try folder()
    let files = FileManager.default
    for name in ["more", "tables", "base"] { try Files.makeFolder(scratch.file(name)) }
    try Files.write(Self.scenario("more"), to: scratch.file("more/c.json5"))
    try Files.write(Self.scenario("base"), to: scratch.file("base/d.json5"))
    try Files.write("id\n", to: scratch.file("tables/t.csv"))
    for (link, place) in [
      ("more", "../more"), ("tables", "../tables"), ("base", "../base"), ("again", "deep"),
      ("upward", ".."), ("nowhere", "../nowhere"),
    ] {
      try files.createSymbolicLink(
        atPath: scratch.file("in/\(link)"), withDestinationPath: place)
    }
    let some = await program(["check", scratch.file("in")])
    #expect(some.code == 0)
    let sentence = " is a link to a folder, and what lies in it is left out. Name it too.\n"
    #expect(
      some.error
        == "Warning: \(scratch.file("in/more"))\(sentence)"
        + "Warning: \(scratch.file("in/upward"))\(sentence)2 files, 2 runs: 0 errors, 0 warnings.\n"
    )
    try files.removeItem(atPath: scratch.file("in/upward"))
    for more in ["in/more", "more"] {
      let all = await program(["check", scratch.file("in"), scratch.file(more)])
      #expect(all.error == "3 files, 3 runs: 0 errors, 0 warnings.\n")
    }
  }
}
