import Determinism
import Quantities
import ScenarioLanguage
import StructuredText
import Testing

@Suite("Reading the values of a scenario")
struct FieldTests {
  @Test(
    "A span of time needs its units, from long to short",
    arguments: [
      ("90s", 90_000), ("5m", 300_000), ("1.5h", 5_400_000), ("2d", 172_800_000),
      ("1h30m", 5_400_000), ("250ms", 250), ("0.001s", 1), ("-20m", -1_200_000), ("+1h", 3_600_000),
      ("", nil), ("5", nil), ("m", nil), ("5x", nil), ("30m1h", nil), ("5m5m", nil),
      ("1.5.5h", nil),
      ("0.0001s", nil), ("1e3s", nil), ("5 m", nil), ("36526d", nil),
      ("99999999999999999999d", nil),
      (".5h", nil), ("5.h", nil),
    ] as [(String, Int64?)])
  func spans(text: String, milliseconds: Int64?) {
    #expect(SpanText.milliseconds(of: text) == milliseconds)
  }

  @Test("A number without a unit is refused as a span of time")
  func bareNumbers() throws {
    let bare = try field("5")
    #expect(bare.duration() == nil)
    #expect(
      bare.problems.problems.map(\.sentence) == [
        "A span of time needs its unit, such as '5m' or '5h', not 5 alone."
      ])
    let long = try field("'3h'")
    #expect(long.duration(in: .minutes(1)...(.hours(2))) == nil)
    #expect(
      long.problems.problems.first?.sentence.hasSuffix("from '1m' to '2h', not \"3h\".") == true)
    let drifts = TimeSpan.hours(-1)...TimeSpan.hours(1)
    #expect(try field("'0.5s/day'").durationPerDay(in: drifts) == .milliseconds(500))
    #expect(try field("'-1h/day'").durationPerDay(in: drifts) == .hours(-1))
    #expect(try field("'61m/day'").durationPerDay(in: drifts) == nil)
    #expect(try field("['10m', '45m']").durationRange() == .minutes(10)...(.minutes(45)))
  }

  // On 8 March 2026 clocks in Los Angeles go from 02:00 PST (-8) to 03:00 PDT (-7).
  @Test(
    "Times of day are the next ones, days count from the start, spans from the anchor",
    arguments: [
      ("18:30", "2026-03-08T02:30:00Z"), ("18:00", "2026-03-08T02:00:00Z"),
      ("17:59", "2026-03-09T00:59:00Z"), ("d0 07:15", "2026-03-07T15:15:00Z"),
      ("d1 07:15", "2026-03-08T14:15:00Z"), ("+1h30m", "2026-03-08T03:30:00Z"),
      ("-90m", "2026-03-08T00:30:00Z"), ("2026-03-08T12:00:00", "2026-03-08T19:00:00Z"),
      ("2026-03-08T12:00:00Z", "2026-03-08T12:00:00Z"),
      ("2026-03-08 12:00+02:00", "2026-03-08T10:00:00Z"),
      ("02:30", "2026-03-08T10:00:00Z"),
    ])
  func times(text: String, utc: String) throws {
    let value = try field("'\(text)'")
    #expect(value.time()?.description == utc)
    #expect(value.problems.hasErrors == false)
  }

  @Test("A time that does not exist, or exists twice, gives a note")
  func clockChanges() throws {
    let gap = try field("'02:30'")
    _ = gap.time()
    #expect(
      gap.problems.problems.map(\.description) == [
        "f:1:6: note: The clock skips 2026-03-08 02:30; the first instant after the gap is used "
          + "(03:00)."
      ])
    // On 1 November 2026 clocks go back from 02:00 PDT to 01:00 PST.
    for (text, utc, notes) in [
      ("01:30", "2026-11-01T08:30:00Z", 1), ("01:30~2", "2026-11-01T09:30:00Z", 0),
    ] {
      let value = try field("'\(text)'", start: "2026-10-31T18:00:00")
      #expect(value.time()?.description == utc)
      #expect(value.problems.problems.count == notes)
    }
    let autumn = try field("'d1 01:30'", start: "2026-10-31T18:00:00")
    _ = autumn.time()
    #expect(
      autumn.problems.problems.map(\.sentence) == [
        "The clock shows 2026-11-01 01:30 twice; the first is used. Add '~2' to it for the second."
      ])
    let once = try field("'20:30~2'")
    _ = once.time()
    #expect(once.problems.problems.first?.sentence.contains("only once that day") == true)
  }

  @Test(
    "What is no time is refused",
    arguments: [
      "25:00", "7", "d1", "d 07:00", "tomorrow", "2026-02-29T00:00:00", "2026-3-1", "+", "~2",
      "2026-03-01T00:00+99:00", "3000-01-01T00:00",
    ])
  func noTimes(text: String) throws {
    let value = try field("'\(text)'")
    #expect(value.time() == nil)
    #expect(
      value.problems.problems.first?.sentence.contains("must be a time such as '18:30'") == true)
  }

  @Test("Stretches of time end after they begin")
  func windows() throws {
    let hours: (String) throws -> [Double]? = { text in
      let value = try field(text)
      return value.during().map {
        [($0.lowerBound - value.context.start).hours, ($0.upperBound - value.context.start).hours]
      }
    }
    #expect(try hours("['23:00', '+3h']") == [5, 8])
    #expect(try hours("['+1h', '25m']") == [1, 1 + 25.0 / 60])
    #expect(try hours("['23:00', '01:00']") == [5, 7])
    #expect(try hours("['+2h', '-1h']") == nil)
    let between = try field("['+7h', '+8h']")
    #expect(between.window().map { ($0.upperBound - between.context.start).hours } == 8)
    let after = try field("['23:00', '+1h']")
    #expect(after.window().map { ($0.upperBound - after.context.start).hours } == 6)
    // Both bounds are told of; a span may be the second bound of a fault's time alone.
    for (text, count) in [("['x', 'y']", 2), ("['x', '3h']", 1), ("['x', 5]", 2), ("[5, 6]", 2)] {
      let value = try field(text)
      #expect(value.during() == nil)
      #expect(value.problems.problems.count == count, "\(text)")
    }
    let late = try field("'+25h'")
    #expect(late.timeInRun() == nil)
    #expect(
      late.problems.problems.first?.sentence.contains(
        "outside the run from 2026-03-07T18:00:00-08:00") == true)
  }

  @Test(
    "Both ends of a range that a sentence names may be stated, in either unit",
    arguments: [20.0...600, 40...250, 40...400, 1...2_000, 0.01...50, -200...200, 0...100])
  func namedEnds(range: ClosedRange<Double>) throws {
    for unit in [GlucoseUnit.milligramsPerDecilitre, .millimolesPerLitre] {
      let wrong = try field("1e6", unit: unit)
      #expect(wrong.glucoseChange(in: range) == nil)
      let sentence = try #require(wrong.problems.problems.first?.sentence)
      let ends = try #require(sentence.firstMatch(of: /from (-?[0-9.e-]+) to (-?[0-9.e-]+)/))
      for end in [ends.1, ends.2] {
        let value = try field(String(end), unit: unit)
        #expect(value.glucoseChange(in: range) != nil, "\(end): \(sentence)")
        #expect(value.problems.problems.isEmpty)
      }
    }
  }

  @Test("Glucose is read in the file's unit, and the other unit is recognised")
  func glucose() throws {
    #expect(try field("108").glucose()?.mgdL == 108)
    #expect(try field("6", unit: .millimolesPerLitre).glucose()?.mgdL == 6 * 18.0156)
    let wrong = try field("108", unit: .millimolesPerLitre)
    #expect(wrong.glucose(in: 20...600) == nil)
    #expect(
      wrong.problems.problems.map(\.sentence) == [
        "\"v\" must be a number from 1.12 to 33.3 (mmol/L), not 108. It looks like mg/dL; the "
          + "file's glucoseUnit is mmol/L."
      ])
    let low = try field("5.5")
    #expect(low.glucose(in: 20...600) == nil)
    #expect(low.problems.problems.first?.sentence.contains("looks like mmol/L") == true)
    #expect(try field("[100, 115]").glucoseRange()?.midpoint.mgdL == 107.5)
    #expect(try field("[115, 100]").glucoseRange() == nil)
    #expect(try field("2", unit: .millimolesPerLitre).sensitivity()?.mgdLPerUnit == 36.0312)
  }

  @Test("Insulin becomes whole milliunits, or is refused")
  func insulin() throws {
    #expect(try field("1.15").units() == .milliunits(1_150))
    #expect(try field("0.8").rate()?.milliunitsPerHour == 800)
    let fine = try field("0.0005")
    #expect(fine.units() == nil)
    #expect(
      fine.problems.problems.first?.sentence.contains("not a whole number of thousandths") == true)
    #expect(try field("-1").units() == nil)
    #expect(try field("1e300").units(in: -1e308...1e308) == nil)
  }

  @Test("A schedule starts at midnight and ascends")
  func schedules() throws {
    let basal = try field("[['00:00', 0.8], ['06:00', 0.95]]").schedule { $0.rate() }
    #expect(basal?.entries.map(\.value.milliunitsPerHour) == [800, 950])
    for (text, sentence) in [
      ("[]", "1 to 48 entries"), ("[['01:00', 1]]", "A schedule starts at '00:00', not at '01:00'"),
      ("[['00:00', 1], ['00:00', 2]]", "The times of a schedule ascend"),
      (
        "[['00:00', 1, 25]]",
        "must be a list of a time and a value, such as ['06:00', 0.95]; this list is not one."
      ),
      ("[['00:00', 'x']]", "must be a number from 0 to 100 (U/h), not \"x\""),
      ("5", "must be a list of times and values"),
      ("[['24:00', 1]]", "must be a time of day"),
    ] {
      let value = try field(text)
      #expect(value.schedule { $0.rate() } == nil)
      #expect(
        value.problems.problems.first?.sentence.contains(sentence) == true,
        "\(value.problems.problems)")
    }
  }

  @Test("Times of a schedule in a wrong order are told beside values that cannot be used")
  func twoMistakesInSchedules() throws {
    let value = try field("[['00:00', 'x'], ['00:00', 2]]")
    #expect(value.schedule { $0.rate() } == nil)
    let sentences = value.problems.sorted.map(\.description)
    #expect(sentences.count == 2, "\(sentences)")
    #expect(sentences[0].contains("f:1:17: error: \"v[0][1]\" must be a number"))
    #expect(sentences[1].contains("f:1:23: error: The times of a schedule ascend"))
  }

  @Test(
    "Of two values that cannot be used each is told of, and what they stand in is not",
    arguments: [
      ("['x', 'y']", [7, 12]), ("[5, 'y']", [10]), ("[5, 4]", [6]), ("[5]", [6]),
    ])
  func twoMistakesInPairs(text: String, columns: [Int]) throws {
    let range = try field(text)
    #expect(range.glucoseRange() == nil)
    #expect(range.problems.sorted.map(\.position.column) == columns)
    let spans = try field(text.replacing("5", with: "'5m'").replacing("4", with: "'4m'"))
    #expect(spans.durationRange() == nil)
    #expect(spans.problems.problems.count == columns.count)
    let uniform = try field("{ uniform: \(text) }")
    #expect(uniform.law() == nil)
    #expect(uniform.problems.problems.count == columns.count)
    let normal = try field("{ normal: { mean: 'x', sd: 'y', min: 'z' } }")
    #expect(normal.law() == nil)
    #expect(normal.problems.problems.count == 3)
  }

  @Test("Numbers can be drawn")
  func laws() throws {
    #expect(try field("5").law(in: 0...9) == .constant(5))
    #expect(try field("{ uniform: [1, 2] }").law(in: 0...9) == .uniform(1...2))
    #expect(
      try field("{ choices: ['-15m', '20m'] }").durationLaw() == .choices([-900_000, 1_200_000]))
    #expect(
      try field("{ normal: { mean: 1, sd: 2 } }").law(in: 0...9)
        == .normal(mean: 1, standardDeviation: 2, within: 0...9))
    #expect(
      try field("{ lognormal: { median: 4, sigma: 0.3, min: 2, max: 8 } }").law(in: 0...9)
        == .logNormal(median: 4, sigma: 0.3, within: 2...8))
    #expect(try field("{ normal: { mean: 4, sd: 0 } }").law(in: 0...9) == .constant(4))
    #expect(
      try field("{ normal: { mean: '30m', sd: '10m', min: '5m' } }")
        .durationLaw(in: .zero...(.hours(1)))
        == .normal(mean: 1_800_000, standardDeviation: 600_000, within: 300_000...3_600_000))
    for text in [
      "{}", "{ uniform: [2, 1] }", "{ choices: [] }", "{ uniform: [1, 99] }", "'x'",
      "{ normal: { mean: 1 } }", "{ normal: { mean: 12, sd: 1 } }",
      "{ normal: { mean: 4, sd: -1 } }", "{ normal: { mean: 4, sd: 1, min: 6, max: 5 } }",
      "{ normal: { mean: 2, sd: 0.1, min: 8 } }", "{ lognormal: { median: 0, sigma: 1 } }",
      "{ lognormal: { median: 4 } }", "{ uniform: [1, 2], choices: [1] }", "{ poisson: 4 }",
    ] {
      let value = try field(text)
      #expect(value.law(in: 0...9) == nil)
      #expect(value.problems.hasErrors, "\(text)")
    }
  }

  @Test("An unknown zone is reported with the nearest name")
  func zones() throws {
    let value = try field("'Europe/Lodnon'")
    #expect(Form.zone.read(value) == nil)
    #expect(
      value.problems.problems.first?.sentence.contains("Did you mean \"Europe/London\"?") == true)
    let offset = try field("'12:00'", start: "2026-01-05T00:00:00", zone: "+02:00")
    #expect(offset.time()?.description == "2026-01-05T10:00:00Z")
  }
}
