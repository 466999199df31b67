import Testing

@testable import loopsim

@Suite("What JUnit says of the runs of a file")
struct SuitePropertyTests {
  private static let alone = """
    { format: 'loopsim/1', id: 'alone', clock: { duration: '30m' }, random: { seed: 7 },
      patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
        sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } } }
    """

  /// The first replicate has the seed of the file, and the second one of its own.
  @Test("Each of several runs of a file stands there with its own seed")
  func seeds() async throws {
    let scratch = try Scratch()
    try Files.write(Self.alone, to: scratch.file("alone.json5"))
    try Files.write(
      Self.alone.replacing("alone", with: "many")
        .replacing("seed: 7", with: "seed: 7, replicates: 2"),
      to: scratch.file("many.json5"))
    let ran = await program([
      "run", scratch.file("alone.json5"), scratch.file("many.json5"), "--quiet", "--out",
      scratch.file("out"), "--junit", scratch.file("all.xml"),
    ])
    #expect(ran.code == 0, "\(ran.error)")
    let seeds = try scratch.text(of: "all.xml").split(separator: "\n")
      .filter { $0.contains("name=\"seed") }.map { $0.drop { $0 == " " } }
    #expect(
      seeds == [
        "<property name=\"seed\" value=\"7\"/>",
        "<property name=\"seed of many/r0\" value=\"7\"/>",
        "<property name=\"seed of many/r1\" value=\"15942281460455314787\"/>",
      ])
    #expect(
      try scratch.text(of: "out/many/r1/summary.json").contains(
        "\"seed\": \"15942281460455314787\""))
  }

  /// Of two cases with one name GitLab shows the first alone.
  @Test("No case has the name of another, whatever a file calls its expectations")
  func names() async throws {
    let scratch = try Scratch()
    let expect = ["runs", "runs (loopsim)", "reference summary.json"].map {
      "{ id: '\($0)', metric: 'mean', max: 1 }"
    }
    try Files.write(
      Self.alone.replacing(
        "patient:", with: "expect: [\(expect.joined(separator: ", "))], patient:"),
      to: scratch.file("alone.json5"))
    let verified = await program([
      "verify", scratch.file("alone.json5"), "--results", scratch.file("none"), "--junit",
      scratch.file("j.xml"), "--tap", scratch.file("t.tap"),
    ])
    #expect(verified.code == 1)
    let cases = try scratch.text(of: "j.xml").split(separator: "\n")
      .filter { $0.contains("<testcase ") }
    #expect(cases.count == Set(cases).count, "\(cases)")
    #expect(cases.contains { $0.contains("name=\"runs\">") }, "\(cases)")
    #expect(cases.contains { $0.contains("name=\"runs (loopsim) (loopsim)\"/>") }, "\(cases)")
    #expect(cases.contains { $0.contains("name=\"reference summary.json (loopsim)\">") })
    #expect(try scratch.text(of: "t.tap").contains("not ok 2 - alone · runs\n"))
  }
}
