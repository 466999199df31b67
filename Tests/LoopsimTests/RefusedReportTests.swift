import StructuredText
import Testing

@testable import loopsim

@Suite("The reports of a batch hold all that is wrong with a scenario that is refused")
struct RefusedReportTests {
  /// A scenario with so many keys that there are not, one on each line from the second on.
  private static func scenario(wrongKeys count: Int) -> String {
    let keys = (0..<count).map { "  qqqzz\($0): 1,\n" }.joined()
    return "{ format: 'loopsim/1', id: 'many', clock: { duration: '1h' },\n\(keys)"
      + "  patient: { model: 'uva-padova-s2008', name: 'adult#001' } }\n"
  }

  /// The sentences that a scenario so made has, by its lines.
  private static func problem(_ number: Int, in file: String) -> String {
    "\(file):\(number + 2):3: error: \"qqqzz\(number)\" is not a known key."
  }

  @Test("Three problems stand in JUnit, TAP, JSON and the annotation for GitHub")
  func three() async throws {
    let scratch = try Scratch()
    let file = scratch.file("many.json5")
    let (junit, tap) = (scratch.file("junit.xml"), scratch.file("run.tap"))
    try Files.write(Self.scenario(wrongKeys: 3), to: file)
    let run = await program([
      "run", file, "--out", scratch.file("out"), "--junit", junit, "--tap", tap, "--github",
    ])
    #expect(run.code == 65)
    let json = await program(["run", file, "--out", scratch.file("out"), "--format", "json"])
    let root = try #require(JSONReader.read(text: json.output, file: "json").root)
    let verdict = try #require(root.items?.first?["expectations"]?.items?.first)
    #expect(verdict["message"]?.string == Self.problem(0, in: file))
    #expect(
      verdict["others"]?.items?.map(\.string)
        == [Self.problem(1, in: file), Self.problem(2, in: file)], "\(json.output)")
    let (xml, points) = (try scratch.text(of: "junit.xml"), try scratch.text(of: "run.tap"))
    for number in 0..<3 {
      let problem = Self.problem(number, in: file)
      #expect(xml.contains(problem.replacing("\"", with: "&quot;")) == (number == 0), "\(xml)")
      #expect(xml.contains("\(problem)"), "\(xml)")
      #expect(points.contains("    \(problem)\n"), "\(points)")
    }
    let lines = run.output.split(separator: "\n").filter { $0.hasPrefix("::error ") }
    #expect(lines.count == 1, "\(run.output)")
    let said = (0..<3).map { Self.problem($0, in: file) }.joined(separator: "%0A")
    #expect(lines.first?.hasSuffix("::\(said)") == true, "\(lines)")
  }

  @Test("Of more than twenty the others are counted")
  func counted() async throws {
    let scratch = try Scratch()
    let file = scratch.file("many.json5")
    let junit = scratch.file("junit.xml")
    try Files.write(Self.scenario(wrongKeys: 25), to: file)
    let run = await program(["run", file, "--out", scratch.file("out"), "--junit", junit])
    #expect(run.code == 65)
    let xml = try scratch.text(of: "junit.xml")
    #expect(xml.contains("\n\(Self.problem(19, in: file))\n… and 5 more</error>"), "\(xml)")
    #expect(!xml.contains("qqqzz20"), "\(xml)")
    // Standard error has them all.
    #expect(run.error.contains(Self.problem(24, in: file)), "\(run.error)")
  }

  @Test("A single problem is the message alone")
  func single() async throws {
    let scratch = try Scratch()
    let file = scratch.file("many.json5")
    let junit = scratch.file("junit.xml")
    try Files.write(Self.scenario(wrongKeys: 1), to: file)
    let run = await program(["run", file, "--out", scratch.file("out"), "--junit", junit])
    #expect(run.code == 65)
    #expect(try scratch.text(of: "junit.xml").contains(" type=\"run\"></error>"))
  }
  @Test("A file of which no run can be told stands in JSON and in the count too")
  func unreadable() async throws {
    let scratch = try Scratch()
    let file = scratch.file("broken.json5")
    try Files.write("{", to: file)
    let problem = "\(file):1:2: error: The file ends before the object opened at "
    let run = await program(["run", file, "--out", scratch.file("out"), "--format", "json"])
    let told = try #require(JSONReader.read(text: run.output, file: "json").root?.items?.first)
    #expect(run.code == 65 && told["file"]?.string == file, "\(run.output)")
    let verdict = told["expectations"]?.items?.first
    #expect(verdict?["message"]?.string?.hasPrefix(problem) == true, "\(run.output)")
    let results = scratch.file("results")
    let kept = await program(["verify", file, "--results", results, "--format", "json"])
    let failed = try #require(JSONReader.read(text: kept.output, file: "json").root?.items?.first)
    #expect(kept.code == 65 && failed["outcome"]?.string == "failed", "\(kept.output)")
    let failure = failed["failures"]?.items?.first
    #expect(failure?["message"]?.string?.hasPrefix(problem) == true, "\(kept.output)")
    let text = await program(["verify", file, "--results", results]).output
    #expect(text.contains("\n1 run: 0 the same, 0 differ, 1 fails; digest "), "\(text)")
  }
}
