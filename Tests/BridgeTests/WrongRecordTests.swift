import Bridge
import StructuredText
import Testing

@Suite("Records of answers that cannot be read")
struct WrongRecordTests {
  @Test("A record that cannot be read is told with its line and column")
  func wrongRecords() {
    func problem(_ text: String) -> String? {
      let problems = ProblemList()
      _ = Transcript.read(Array(text.utf8), file: "d.ndjson", problems: problems)
      return problems.problems.first.map { "\($0)" }
    }
    #expect(problem("")?.contains("empty") == true)
    #expect(problem("{}")?.hasPrefix("d.ndjson:1") == true)
    let header =
      "{\"transcript\":1,\"run\":\"a\",\"scenario\":\"b\",\"seed\":\"1\","
      + "\"program\":{\"seat\":\"controller\"},\"privileged\":false}\n"
    #expect(problem(header) == nil)
    #expect(problem(header + "{\"n\":0}")?.hasPrefix("d.ndjson:2") == true)
    let wrong = "{\"n\":0,\"at\":\"2026-01-05T00:00:00Z\",\"asked\":\"x\",\"answer\":{\"b\":1}}"
    #expect(problem(header + wrong)?.contains("\"b\"") == true)
    let entry = "{\"n\":0,\"at\":\"2026-01-05T00:00:00Z\",\"asked\":\"x\",\"answer\":{}}"
    #expect(problem(header + entry) == nil)
    let timeless = problem(header + entry.replacing("2026-01-05T00:00:00Z", with: "yesterday"))
    #expect(
      timeless == "d.ndjson:2:13: error: \"at\" must be a time with its offset, such as "
        + "2026-01-15T08:00:00Z, not \"yesterday\".")
    let seedless = problem(header.replacing("\"1\"", with: "\"x\"") + entry)
    #expect(
      seedless?.hasPrefix("d.ndjson:1:") == true
        && seedless?.hasSuffix(
          "\"seed\" must be the digits of a whole number from 0 to 18446744073709551615, "
            + "not \"x\".") == true,
      "\(seedless ?? "")")
    // The columns are those of the line.
    #expect(problem(header + wrong)?.hasPrefix("d.ndjson:2:58: error: ") == true)
    #expect(problem(header + "\n{\"n\":NaN}")?.hasPrefix("d.ndjson:3:6: error: NaN is ") == true)
  }
}
