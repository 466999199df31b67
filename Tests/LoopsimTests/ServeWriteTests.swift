import Foundation
import Testing

@testable import loopsim

@Suite("Results that a client writes")
struct ServeWriteTests {
  /// What serve answers to lines.
  private func serve(_ lines: [String], in scratch: Scratch) throws -> [String] {
    let input = scratch.file("input")
    try Files.write(lines.joined(separator: "\n") + "\n", to: input)
    let result = try Binary.run(
      ["serve", "--stdio"], in: scratch.url,
      input: try FileHandle(forReadingFrom: URL(fileURLWithPath: input)))
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test("A line of blanks is no request, and one that is too long is told, also the last")
  func blanks() throws {
    let hello = #"{"type":"hello","protocol":1}"#
    let answers = try serve(["", "  ", hello, "\t\r", " \r"], in: try Scratch())
    #expect(answers.count == 1)
    #expect(answers.first?.hasPrefix(#"{"type":"hello""#) == true, "\(answers)")
    // What is left of it when the rest was read would be a request by itself.
    let scratch = try Scratch()
    let long = String(repeating: " ", count: 16_777_217 + 65_536) + hello
    try Files.write(long, to: scratch.file("input"))
    let result = try Binary.run(
      ["serve", "--stdio"], in: scratch.url,
      input: try FileHandle(forReadingFrom: URL(fileURLWithPath: scratch.file("input"))))
    #expect(result.output.contains(#""type":"error""#), "\(result.output)")
  }

  private static func lines(of file: String) -> [String] {
    [
      #"{"type":"reset","scenario":"\#(file)","answers":[]}"#,
      #"{"type":"advance","run":"r1","through":"2027-01-01T00:00:00Z"}"#,
      #"{"type":"write","run":"r1","folder":"episode","scenario":true}"#,
    ]
  }

  @Test("A newer result takes the place of one with its scenario, until somebody changes that")
  func twice() throws {
    let scratch = try Scratch()
    for (name, units) in [("first", 1), ("second", 2)] {
      try Files.write(
        """
        { format: 'loopsim/1', id: '\(name)', clock: { duration: '30m' },
          patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
            sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
          events: [{ at: '+5m', bolus: { units: \(units) } }] }
        """, to: scratch.file("\(name).json5"))
    }
    for name in ["first", "second", "second"] {
      let answers = try serve(Self.lines(of: "\(name).json5"), in: scratch)
      #expect(answers.last == #"{"type":"written","folder":"episode"}"#, "\(answers)")
      let scenario = try scratch.text(of: "episode/scenario.json5")
      #expect(scenario.contains("\(name)-frozen"))
      let run = try Binary.runByHand(
        ["run", "episode/scenario.json5", "--out", "again"], in: scratch)
      #expect(run.code == 0, "\(run.error)")
    }
    let path = scratch.file("episode/scenario.json5")
    try Files.write(try scratch.text(of: "episode/scenario.json5") + "// mine\n", to: path)
    let answers = try serve(Self.lines(of: "first.json5"), in: scratch)
    #expect(answers.last?.contains("it holds scenario.json5") == true, "\(answers)")
  }

  @Test("The scenario beside a run that draws its seed from the file's repeats that run")
  func drawnSeed() throws {
    let scratch = try Scratch()
    try Files.write(
      """
      { format: 'loopsim/1', id: 'noisy', clock: { duration: '30m' },
        random: { seed: 7, replicates: 3 }, cgm: { model: 'gaussian', noise: { sd: 10 } },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        expect: [{ id: 'most', metric: 'tir(70,180)', min: 0, across: 'mean' }] }
      """, to: scratch.file("noisy.json5"))
    for (seed, kept) in [("", 7), (#""seed":"21","#, 21)] {
      let reset =
        #"{"type":"reset","scenario":"noisy.json5",\#(seed)"of":"noisy/r2","answers":[]}"#
      let answers = try serve([reset] + Self.lines(of: "").dropFirst(), in: scratch)
      // What looks at other runs is no part of it, and that is told with its place.
      let written = answers.last ?? ""
      #expect(written.contains(#""type":"written""#), "\(answers)")
      #expect(written.contains(#""file":"noisy.json5","line":5"#), "\(answers)")
      #expect(written.contains("looks at several runs together"), "\(answers)")
      let scenario = try scratch.text(of: "episode/scenario.json5")
      #expect(scenario.contains("random: { seed: \(kept), replicate: 2 }"), "\(scenario)")
      let run = try Binary.runByHand(
        ["run", "episode/scenario.json5", "--out", "again"], in: scratch)
      #expect(run.code == 0, "\(run.error)")
      let rows = try scratch.text(of: "episode/timeline.csv")
      #expect(try scratch.text(of: "again/noisy-r2-frozen/timeline.csv") == rows)
    }
  }

  @Test("A folder whose name has a zero is refused, and nothing is written under another name")
  func zeroInName() throws {
    let scratch = try Scratch()
    try Files.write(
      """
      { format: 'loopsim/1', clock: { duration: '30m' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } } }
      """, to: scratch.file("first.json5"))
    let lines = Self.lines(of: "first.json5").map {
      $0.replacing("episode", with: "episode\\u0000x")
    }
    let answers = try serve(lines, in: scratch)
    #expect(answers.last?.contains("cannot hold the character U+0000") == true, "\(answers)")
    #expect(answers.last?.contains(#""code":74"#) == true, "\(answers)")
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
    #expect(!names.contains { $0.hasPrefix("episode") }, "\(names)")
  }
}
