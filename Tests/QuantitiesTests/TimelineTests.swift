import Determinism
import Quantities
import Testing

@Suite("Timeline")
struct TimelineTests {
  private let timeline = Timeline(segments: [
    segment(0, 60, "a"), segment(60, 90, "b"), segment(90, 240, "c"),
  ])

  @Test("A segment holds from its start up to but not including its end")
  func isHalfOpen() {
    #expect(timeline.value(at: at(0)) == "a")
    #expect(timeline.value(at: at(60) - .milliseconds(1)) == "a")
    #expect(timeline.value(at: at(60)) == "b")
    #expect(timeline.value(at: at(239)) == "c")
    #expect(timeline.segment(at: at(90))?.duration == .minutes(150))
  }

  @Test("Outside a timeline nothing holds")
  func endsAtItsEnds() {
    #expect(timeline.value(at: at(0) - .milliseconds(1)) == nil)
    #expect(timeline.value(at: at(240)) == nil)
    #expect(Timeline<Int>(segments: []).value(at: at(0)) == nil)
  }

  @Test(
    "A stretch gives the parts of the segments within it",
    arguments: [
      (0, 240, ["0-60 a", "60-90 b", "90-240 c"]),
      (30, 75, ["30-60 a", "60-75 b"]),
      (60, 90, ["60-90 b"]),
      (70, 80, ["70-80 b"]),
      (-100, 10, ["0-10 a"]),
      (230, 500, ["230-240 c"]),
      (240, 500, []),
      (-100, 0, []),
      (50, 50, []),
      (80, 20, []),
    ] as [(Int64, Int64, [String])])
  func clips(start: Int64, end: Int64, expected: [String]) {
    let parts = timeline.segments(from: at(start), to: at(end))
    #expect(parts.map { "\(minute($0.start))-\(minute($0.end)) \($0.value)" } == expected)
  }

  @Test("Cutting a stretch in two loses no time", arguments: 0..<30 as Range<UInt64>)
  func losesNoTime(seed: UInt64) {
    var stream = RandomStream(seed: seed, name: "cuts")
    let cuts = (0..<3).map { _ in Int64(stream.integer(below: 300)) - 30 }.sorted()
    func length(_ from: Int64, _ to: Int64) -> TimeSpan {
      timeline.segments(from: at(from), to: at(to)).map(\.duration).reduce(.zero, +)
    }
    #expect(length(cuts[0], cuts[1]) + length(cuts[1], cuts[2]) == length(cuts[0], cuts[2]))
  }

  private static func segment(
    _ start: Int64, _ end: Int64, _ value: String
  ) -> Timeline<String>.Segment {
    .init(
      start: Instant(secondsSince1970: start * 60), end: Instant(secondsSince1970: end * 60),
      value: value)
  }

  private func at(_ minute: Int64) -> Instant { Instant(secondsSince1970: minute * 60) }

  private func minute(_ instant: Instant) -> Int64 { instant.millisecondsSince1970 / 60_000 }
}
