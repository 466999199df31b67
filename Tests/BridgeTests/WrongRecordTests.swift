import Bridge
import StructuredText
import Testing

@Suite("Records of answers that cannot be read")
struct WrongRecordTests {
  private func problem(_ text: String) -> String? {
    let problems = ProblemList()
    _ = Transcript.read(Array(text.utf8), file: "d.ndjson", problems: problems)
    return problems.problems.first.map { "\($0)" }
  }

  @Test("A record that was changed is told, and no key of it is passed over")
  func changedRecords() {
    let header =
      #"{"transcript":1,"run":"a","scenario":"b","seed":"1","loopsim":"0.1.0","#
      + #""program":{"name":"","version":"","seat":"controller","manualBolus":"loop"},"#
      + #""privileged":false}"#
    let entry = #"{"n":0,"at":"2026-01-05T00:00:00Z","asked":"x","answer":null,"why":"late"}"#
    let end = #"{"answers":1,"digest":"0"}"#
    func problem(_ lines: String...) -> String? { self.problem(lines.joined(separator: "\n")) }
    #expect(problem(header, entry, end, "") == nil)
    let told = "d.ndjson:3:12: error: The transcript has 1 of 2 answers: it was changed. "
    #expect(
      problem(header, entry, #"{"answers":2,"digest":"0"}"#) == told + "Record it anew.")
    #expect(problem(header, entry, #"{"digest":"0"}"#)?.contains("\"answers\"") == true)
    for more in [entry, end] {
      let line = problem(header, entry, end, more)
      #expect(line?.hasPrefix("d.ndjson:4:1: error: The transcript has ended") == true)
    }
    for (number, lines) in [
      [header.replacing(#""run""#, with: #""odd":1,"run""#), entry],
      [header.replacing(#""name""#, with: #""odd":1,"name""#), entry],
      [header, entry.replacing(#""asked""#, with: #""odd":1,"asked""#)],
      [header, entry, end.replacing(#""digest""#, with: #""odd":1,"digest""#)],
    ].enumerated() {
      let told = self.problem(lines.joined(separator: "\n"))
      #expect(told?.hasPrefix("d.ndjson:\([1, 1, 2, 3][number]):") == true, "\(told ?? "")")
      #expect(told?.contains(#""odd""#) == true, "\(told ?? "")")
    }
  }

  @Test(
    "What the first line says in another form than it must is told where it stands",
    arguments: [
      (#""loopsim":"0.1.0""#, #""loopsim":5"#), (#""privileged":false"#, #""privileged":"yes""#),
      (#""name":"""#, #""name":null"#), (#""version":"""#, #""version":1"#),
    ])
  func wrongHeaders(right: String, wrong: String) throws {
    #expect(problem(Self.header) == nil)
    let text = Self.header.replacing(right, with: wrong)
    let place = try #require(text.firstRange(of: wrong)).lowerBound
    let colon = try #require(text[place...].firstIndex(of: ":"))
    let column = text.distance(from: text.startIndex, to: colon) + 2
    #expect(problem(text)?.hasPrefix("d.ndjson:1:\(column): error: ") == true, "\(text)")
  }

  private static let header =
    #"{"transcript":1,"run":"a","scenario":"b","seed":"1","loopsim":"0.1.0","#
    + #""program":{"name":"","version":"","seat":"controller"},"privileged":false}"#

  /// The line of a question, five minutes after the one before.
  private static func entry(_ number: Int) -> String {
    let minutes = number * 5
    return "{\"n\":\(number),\"at\":\"2026-01-05T00:\(minutes < 10 ? "0" : "")\(minutes):00Z\","
      + #""asked":"x","answer":null,"why":"late"}"#
  }

  @Test("A line that was removed is told by its place, with the count of the last line or without")
  func removedLines() {
    for end in [#"{"answers":4,"digest":"0"}"#, #"{"answers":3,"digest":"0"}"#, ""] {
      // After the header, question 0 and question 1 comes question 3, below an empty line.
      let lines = [Self.header, Self.entry(0), Self.entry(1), "", Self.entry(3), end]
      #expect(
        problem(lines.joined(separator: "\n"))
          == "d.ndjson:5:6: error: The line has question 3 in place of question 2: the record was "
          + "changed. Record it anew.")
    }
    let twice = [Self.header, Self.entry(0), Self.entry(0)].joined(separator: "\n")
    #expect(problem(twice)?.hasPrefix("d.ndjson:3:6: error: The line has question 0") == true)
  }

  @Test("Answers that a run does not ask for are a warning, with the line of the first")
  func unusedAnswers() throws {
    let text = [Self.header, Self.entry(0), Self.entry(1), #"{"answers":2,"digest":"0"}"#]
      .joined(separator: "\n")
    let problems = ProblemList()
    let transcript = try #require(
      Transcript.read(Array(text.utf8), file: "d.ndjson", problems: problems))
    let replay = TranscriptReplay(transcript, file: "d.ndjson", remedy: "Record it anew.")
    #expect(
      replay.unusedAnswers.map { "\($0)" }
        == "d.ndjson:2:1: warning: The run is over after 0 of the 2 recorded answers: that of "
        + "2026-01-05T00:00:00Z and those after it have no effect. Record it anew. [W-NOEFFECT]")
    #expect(
      TranscriptReplay(Transcript(transcript.header), file: "d.ndjson", remedy: "").unusedAnswers
        == nil)
  }

  @Test("A record that cannot be read is told with its line and column")
  func wrongRecords() {
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
