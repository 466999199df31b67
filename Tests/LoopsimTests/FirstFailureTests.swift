import Foundation
import StructuredText
import Testing

@testable import loopsim

@Suite("A batch that stops at the first failure")
struct FirstFailureTests {
  /// A folder with so many scenarios, `a0` …, of which those at the given places fail.
  private func folder(of count: Int, failing: Set<Int>) throws -> Scratch {
    let scratch = try Scratch()
    try Files.makeFolder(scratch.file("in"))
    for number in 0..<count {
      try Files.write(
        """
        { format: 'loopsim/1', clock: { duration: '30m' },
          patient: { model: 'uva-padova-s2008', name: 'adult#001' },
          expect: [{ id: 'low', metric: 'mean', max: \(failing.contains(number) ? 1 : 999) }] }
        """, to: scratch.file("in/a\(number).json5"))
    }
    return scratch
  }

  private func run(_ scratch: Scratch, _ more: [String] = []) async -> (
    code: Int32, output: String, error: String
  ) {
    await program(
      ["run", scratch.file("in"), "--fail-fast", "--out", scratch.file("out")] + more)
  }

  @Test("What failed is told, also where the first of many runs fails", arguments: [[], ["-q"]])
  func saysWhatFailed(more: [String]) async throws {
    let scratch = try folder(of: 4, failing: [0])
    let result = await run(scratch, more)
    #expect(result.code == 1)
    #expect(result.output.contains("failed  a0  low: mean@true "), "\(result.output)")
    #expect(result.output.hasSuffix("1 run, 0 expectations hold, 1 fails.\n"), "\(result.output)")
  }

  @Test("What was left out is told by every report", arguments: [("1/1", 3, 4), ("2/2", 1, 2)])
  func saysWhatIsLeftOut(shard: String, count: Int, all: Int) async throws {
    let scratch = try folder(of: 4, failing: [0, 1])
    let (junit, tap) = (scratch.file("j.xml"), scratch.file("t.tap"))
    let words = ["--shard", shard, "--junit", junit, "--tap", tap, "--github"]
    let result = await run(scratch, words)
    #expect(result.code == 1)
    let sentence =
      "Stopped at the first failure (--fail-fast): \(count) of \(all) runs "
      + "\(count == 1 ? "was" : "were") not carried out."
    #expect(result.error.contains(sentence + "\n"), "\(result.error)")
    #expect(result.output.contains("::notice title=batch · fail-fast::\(sentence)\n"))
    let xml = try scratch.text(of: "j.xml")
    #expect(xml.contains("<skipped message=\"\(sentence)\"/>"), "\(xml)")
    #expect(xml.contains("tests=\"3\" failures=\"1\" errors=\"0\">"), "\(xml)")
    #expect(
      try scratch.text(of: "t.tap").contains("ok 3 - batch · fail-fast # SKIP \(sentence)\n"))
    let name = "batch.\(shard.replacing("/", with: "-of-")).json"
    let root = JSONReader.read(try Files.read(scratch.file("out/\(name)")), file: "").root
    #expect(root?["runs"]?.integer == 1)
    let missing = root?["without_result"]?.items ?? []
    #expect(missing.count == count)
    #expect(missing.last?["run"]?.string == "a3")
    #expect(missing.last?["reason"]?.string == BatchReport.leftOut)
    // The page that is drawn of the folder says it too.
    let page = await program(
      ["report", scratch.file("out"), "-o", scratch.file("page.html")])
    #expect(page.code == 0, "\(page.error)")
    let html = try scratch.text(of: "page.html")
    #expect(html.contains(BatchReport.leftOut), "\(html)")
  }

  @Test("A batch whose last run is the first that fails has left out nothing")
  func leavesOutNothing() async throws {
    let scratch = try folder(of: 3, failing: [2])
    let result = await run(scratch)
    #expect(result.code == 1)
    #expect(!result.error.contains("Stopped"), "\(result.error)")
    #expect(result.output.hasSuffix("3 runs, 2 expectations hold, 1 fails.\n"))
  }

  @Test("A file of which no run can be told stops a batch before its runs, which is told")
  func unreadable() async throws {
    let scratch = try folder(of: 3, failing: [])
    try Files.write("{ format: 'loopsim/1', clock: {", to: scratch.file("in/bad.json5"))
    let result = await run(scratch, ["--junit", scratch.file("j.xml")])
    #expect(result.code == 65)
    #expect(
      result.error.contains(
        "Stopped at the first failure (--fail-fast): 3 of 4 runs were not carried out.\n"))
    #expect(try scratch.text(of: "j.xml").contains("<skipped message=\"Stopped at the first"))
    #expect(!FileManager.default.fileExists(atPath: scratch.file("out")))
  }
}
