import StructuredText
import Testing

@testable import Studies

/// Runs that end early have fewer events because they have less time.
@Suite("Early deaths in a study")
struct EarlyDeathTests {
  /// Patients without a goal: one or two lows until death, ten in the whole time.
  @Test("No difference is claimed that is one of time alone", arguments: [0, 1])
  func deathsDecideNothing(deadly: Int) throws {
    let study = """
      study: { control: 'plain',
        primary: [{ id: 'range', metric: 'tir(70,180)', better: 'higher', superior: true }],
        safety: [{ id: 'lows', metric: 'lows(54,15m)', better: 'lower' }] }
      """
    let made = try Fixture.study(Fixture.scenario(patients: 10, Fixture.arms + study))
    let analysis = try Fixture.analysis(of: made) { item in
      let (patient, digest) = (item.patient, "\(item.patient)")
      guard item.arm == deadly else {
        return ["range": "\(60 + patient)", "lows": "10", "digest": digest]
      }
      return [
        "range": "\(60 + patient)", "lows": "\(1 + patient % 2)", "status": "lethal",
        "days": "0.5", "digest": digest,
      ]
    }
    let result = try #require(analysis.comparisons.first?.results.last)
    #expect(result.interval.map { $0.side == (deadly == 1 ? -1 : 1) } == true)
    #expect(result.isDecidedByDeaths)
    let text = StudyText(analysis).lines.joined(separator: " ")
    #expect(text.contains("Note  lows: the interval alone excludes no difference, but not where"))
    // All of them differ, whatever that is good for.
    #expect(result.counts == EndPointResult.Counts(equal: 10))
    #expect(result.skewSentence.hasPrefix("10 of 10 patients differ"))
  }

  /// Patients 0 to 2 die after half a day under the treatment with fewer lows, as many, and more;
  /// 3 and 4 under control, with fewer and with more; the others live.
  @Test(
    "Nobody is better for having fewer events for want of time", arguments: ["", "per: 'week',"])
  func deathsMakeNobodyBetter(per: String) throws {
    let study = """
      study: { control: 'plain',
        primary: [{ id: 'range', metric: 'tir(70,180)', better: 'higher', superior: true }],
        safety: [{ id: 'lows', metric: 'lows(54,15m)', \(per) better: 'lower' }] }
      """
    let (control, treatment) = ([5, 2, 1, 1, 5, 3, 1, 2], [1, 2, 4, 3, 2, 1, 3, 2])
    let made = try Fixture.study(Fixture.scenario(patients: 8, Fixture.arms + study))
    let analysis = try Fixture.analysis(of: made) { item in
      let lows = (item.arm == 0 ? control : treatment)[item.patient]
      let row = ["range": "\(60 + item.patient)", "lows": "\(lows)", "digest": "\(item.number)"]
      guard (item.arm == 1 ? 0...2 : 3...4).contains(item.patient) else { return row }
      return row.merging(["status": "lethal", "days": "0.5"]) { $1 }
    }
    let result = try #require(analysis.comparisons.first?.results.last)
    #expect(result.patients.map(\.benefit) == [0, 0, -1, 0, 1, 1, -1, 0])
    #expect(result.counts == EndPointResult.Counts(better: 2, equal: 4, worse: 2))
    // 3, -3, -2 and 2 lows more: the ranks 3.5, 3.5, 1.5 and 1.5.
    #expect(result.ranks.positive == 5 && result.ranks.negative == 5)
    let text = StudyText(analysis).lines.joined(separator: " ")
    #expect(text.contains("with a run that died early"))
  }

  /// Bodies at 120 mg/dL that 10 U kill within two hours of twelve: more than 80 % of the time
  /// lies below, however near together the rows are that it is told from.
  @Test(
    "The time that was not lived weighs as much as that which was",
    arguments: ["10s", "30s", "5m", "7m", "13m"])
  func unlivedTime(every: String) throws {
    let study = try Fixture.study(
      Fixture.scenario(
        patients: 5, hours: 12,
        """
        app: { closedLoop: false }, output: { every: '\(every)' },
        variants: { plain: {}, deadly: { events: [{ at: '+10m', bolus: { units: 10 } }] } },
        study: { control: 'plain',
          primary: [{ id: 'low', metric: 'below(70)', better: 'lower', noninferior: 1 }] }
        """))
    for unit in 0..<5 {
      for item in study.cases(ofUnit: unit) where study.plan.arms[item.arm] == "deadly" {
        let row = try #require(study.carryOut(item))
        #expect(row.status == .lethal)
        let low = try #require(row.values[0])
        // The days are those that were lived; the rest of the half day is low.
        let unlived = 100 * (0.5 - row.days) / 0.5
        #expect(low > unlived && low < 100, "\(low) of which \(unlived)")
      }
    }
  }

  /// The sensor measures at whole fives of minutes, and its readings come with the cycles of the
  /// app: the last one may be nine minutes old when the body dies.
  @Test(
    "A low in which a run ends is one on the sensor too, whenever its readings come",
    arguments: 0...4)
  func endsInLow(minute: Int) throws {
    let study = try Fixture.study(
      Fixture.scenario(
        patients: 5, hours: 12,
        """
        clock: { start: '2026-01-05T00:0\(minute):00' }, app: { closedLoop: false },
        variants: { plain: {}, deadly: { events: [{ at: '+10m', bolus: { units: 10 } }] } },
        study: { control: 'plain',
          primary: [{ id: 'low', metric: 'below(70)', better: 'lower', noninferior: 1 }],
          safety: [{ id: 'lows', metric: 'lows(70,15m)@cgm', better: 'lower' }] }
        """))
    for item in (0..<5).flatMap({ study.cases(ofUnit: $0) })
    where study.plan.arms[item.arm] == "deadly" {
      let row = try #require(study.carryOut(item))
      #expect(row.status == .lethal)
      #expect(row.values[1] == 1, "\(row.patient)")
    }
  }

  @Test("A reading of 10.0 mmol/L is in range, also in a run that ends early")
  func readingsAtALimit() throws {
    let study = try Fixture.study(
      Fixture.scenario(
        patients: 5, hours: 8,
        """
        glucoseUnit: 'mmol/L', history: { glucose: { flat: 6.7 } }, app: { closedLoop: false },
        patient: { initialGlucose: 6.7, floor: { glucose: 3 } },
        cgm: { model: 'ideal', noise: { $remove: true }, rounding: 0.1 },
        faults: [{ id: 'ten', during: ['+0m', '8h'], cgm: { stuck: { value: 10 } } }],
        variants: { plain: {}, deadly: { events: [{ at: '+2h', bolus: { units: 10 } }] } },
        study: { control: 'plain',
          primary: [
            { id: 'high', metric: 'above(10)@cgm', better: 'lower', noninferior: 1 },
            { id: 'range', metric: 'tir(3.9,10)@cgm', better: 'higher', noninferior: 1 }] }
        """))
    let table = CaseTable(
      Fixture.bytes(study), file: "cases.csv", study: study, problems: ProblemList())
    for row in try #require(table).rows where row.arm == "deadly" {
      #expect(row.status == .lethal)
      // Of eight hours, those that were lived: two or more.
      #expect(row.values[0] == 0)
      let share = try #require(row.values[1])
      #expect(share >= 25)
      // Of as many readings as the others have, from the first instant to the last.
      let readings = share * 97 / 100
      #expect(abs(readings - readings.rounded()) < 1e-9)
    }
  }

  /// The pump stands for half an hour, and 10 U an hour later end every run of an arm.
  @Test("A pump that stood before a lethal end is told of, and is no end point of that run")
  func stoppedPump() throws {
    let study = try Fixture.study(
      Fixture.scenario(
        patients: 5, hours: 8,
        """
        patient: { floor: { glucose: 54 } }, app: { closedLoop: false },
        events: [{ id: 'stand', at: '+30m', suspend: { duration: '30m' } }],
        variants: {
          plain: {}, deadly: { events: { $append: [{ at: '+2h', bolus: { units: 10 } }] } } },
        study: { control: 'plain',
          primary: [{ id: 'range', metric: 'tir(70,180)', better: 'higher', superior: true }],
          secondary: [
            { id: 'stood', metric: 'suspendedMinutes', better: 'lower', superior: true }] }
        """))
    let bytes = Fixture.bytes(study)
    let table = CaseTable(bytes, file: "cases.csv", study: study, problems: ProblemList())
    let figure = try #require(StandardFigure.all.firstIndex { $0.name == "suspendedMinutes" })
    for row in try #require(table).rows {
      let isLethal = row.arm == "deadly"
      let minutes: Double? = isLethal ? nil : 30
      #expect((row.status == .lethal) == isLethal)
      #expect(row.values[1] == minutes)
      #expect(row.values[2 + figure] == 30)
    }
    let stopped = try #require(try Fixture.analysis(study, bytes).flow.stoppedPumps)
    #expect(stopped.runs == 10 && stopped.patients == 5 && stopped.longestMinutes == 30)
    #expect(stopped.words.contains("5 of 5 with plain, 5 of 5 with deadly"), "\(stopped.words)")
  }
}
