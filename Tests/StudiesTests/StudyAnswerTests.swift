import StructuredText
import Testing

@testable import Studies

/// What the answer of a study says where runs failed, arms are the same, several rules judge harm,
/// or pumps stood: the cases are made up, so that every number can be counted by hand.
@Suite("What a study answers")
struct StudyAnswerTests {
  private static let one = """
    study: { control: 'plain',
      primary: [{ id: 'range', metric: 'tir(70,180)', better: 'higher', superior: true }] }
    """

  private static let twoRules = """
    study: { control: 'plain',
      primary: [{ id: 'range', metric: 'tir(70,180)', better: 'higher', superior: true }],
      safety: [
        { id: 'low', metric: 'below(54)', better: 'lower', harm: { above: 1 } },
        { id: 'acid', metric: 'dkaHours', better: 'lower', harm: { above: 2 } },
      ] }
    """

  private static let three = """
    variants: { plain: {}, high: { therapy: { target: [['00:00', [140, 150]]] } },
      low: { therapy: { target: [['00:00', [90, 100]]] } } },
    """

  /// The analysis of ten patients; `made` gives the columns of a case that are not empty.
  private func analysis(
    _ body: String, patients: Int = 10, _ made: (_ patient: Int, _ arm: Int) -> [String: String]
  ) throws -> StudyAnalysis {
    let study = try Fixture.study(Fixture.scenario(patients: patients, body))
    return try Fixture.analysis(of: study) { item in
      made(item.patient, item.arm).merging(["digest": "\(item.patient)"]) { own, _ in own }
    }
  }

  private static let failed = ["status": "failed", "reason": "made to fail", "digest": ""]

  private static let rate = """
    study: { control: 'plain',
      primary: [{ id: 'range', metric: 'tir(70,180)', better: 'higher', superior: true }],
      safety: [{ id: 'lows', metric: 'lows(54,15m)', better: 'lower', per: '100 years',
        harm: { more: 2 } }] }
    """

  @Test("So many more harms by the events of a run, whatever the time that the rate goes by")
  func countsEvents() throws {
    // In a day one low more is 36,525 in 100 years; one patient has two more.
    let analysis = try analysis(Fixture.arms + Self.rate) { patient, arm in
      let lows = arm == 0 ? 1 : patient == 4 ? 3 : patient < 4 ? 2 : 1
      return ["range": "\(60 + patient + arm)", "lows": "\(lows)"]
    }
    let result = try #require(analysis.comparisons[0].harms.first)
    #expect(result.newlyHarmed.map(\.id) == ["p4"])
    #expect(result.newlyHarmed[0].difference == 73_050)
    #expect(
      StudyText(analysis).lines.joined(separator: " ").contains(
        "HARM  1 of 10 patients newly 2 more in lows below 54 mg/dL, 0 spared"))
  }

  @Test("Who dies early is not spared the events of the time that is missing")
  func countsEventsUntilDeath() throws {
    // Patients 1, 2 and 3 die after half a day under the treatment, patients 4 and 5 under control.
    let control = [1, 5, 0, 3, 0, 5, 5, 0, 1, 1]
    let treatment = [1, 0, 5, 2, 5, 0, 0, 5, 1, 1]
    let analysis = try analysis(Fixture.arms + Self.rate) { patient, arm in
      let dies = arm == 1 ? 1...3 : 4...5
      let lows = (arm == 0 ? control : treatment)[patient]
      let row = ["range": "\(60 + patient + arm)", "lows": "\(lows)"]
      guard dies.contains(patient) else { return row }
      return row.merging(["status": "lethal", "days": "0.5"]) { $1 }
    }
    let result = try #require(analysis.comparisons[0].harms.first)
    #expect(result.newlyHarmed.map(\.id) == ["p2", "p7"])
    #expect(result.patients.filter { $0.harmed == .spared }.map(\.id) == ["p5", "p6"])
    // The rates go by the time that each run has: five lows in half a day are ten a day.
    #expect(result.patients[2].treatment == 365_250)
  }

  /// Ten lows of each patient under control, and one or two under the treatment; one of the arms is
  /// deadly, after half a day.
  @Test("No goal is met by having fewer events for want of time", arguments: ["", "per: 'week',"])
  func deathsMeetNoGoal(per: String) throws {
    let study = """
      study: { control: 'plain', primary: [{ id: 'lows', metric: 'lows(54,15m)', \(per)
        better: 'lower', superior: true }] }
      """
    func result(deadly: Int) throws -> (EndPointResult, String) {
      let analysis = try analysis(Fixture.arms + study) { patient, arm in
        let lows = arm == 0 ? 10 : 1 + patient % 2
        let end = arm == deadly ? ["status": "lethal", "days": "0.5"] : [:]
        return end.merging(["lows": "\(lows)"]) { $1 }
      }
      let result = try #require(analysis.comparisons.first?.results.first)
      return (result, StudyText(analysis).lines.joined(separator: " "))
    }
    let (early, text) = try result(deadly: 1)
    #expect(try #require(early.interval?.upper) < 0)
    #expect(early.verdict == .notMet && early.isMetByDeaths)
    #expect(early.isDecidedByDeaths && early.equalSentence == nil)
    #expect(text.contains("Note  lows: the interval alone would meet the goal, but not where"))
    // Who lives twice as long as under control, with fewer lows all the same, is spared them.
    let (late, words) = try result(deadly: 0)
    #expect(late.verdict == .met && !late.isMetByDeaths && !late.isDecidedByDeaths)
    #expect(!words.contains("the interval alone"))
  }

  @Test("The part of chance in a rate is told in the unit of the rate")
  func scalesReplicates() throws {
    let study = Fixture.arms + "random: { replicates: 2 }, " + Self.rate
    let analysis = try analysis(study) { patient, arm in
      ["range": "\(60 + patient)", "lows": arm == 0 ? "0" : "\(patient.isMultiple(of: 2) ? 1 : 0)"]
    }
    let result = try #require(analysis.comparisons[0].results.last)
    // Half of the patients have 36,525 lows more in 100 years, in each replicate.
    #expect(result.patients[0].replicates == [36_525, 36_525])
    #expect(agree(result.variance?.mean, 36_525 / 2))
    #expect(result.variance?.chanceError == 0)
  }

  @Test("How wide the interval became stands beside what a pilot was to bring about")
  func tellsPrecision() throws {
    var study = try Fixture.study(Fixture.scenario(patients: 6, Fixture.arms + Self.one))
    var plan = study.plan
    plan.pilot = StudyPlan.Pilot(patients: 30, deviation: 2, halfWidth: 1.5, rowsDigest: "")
    study = try #require(
      StudyProtocol(plan, digest: StudyPlan.digest(of: plan.bytes), problems: ProblemList()))
    func text(_ treatment: [Double]) throws -> String {
      let control = Array(repeating: 50.0, count: 6)
      let cases = Fixture.cases(study, control: control, treatment: treatment)
      return StudyText(try Fixture.analysis(study, cases)).lines.joined(separator: " ")
    }
    #expect(
      try text([51, 51, 51, 51, 51, 51]).contains(
        "Precision        the interval of range reaches 0.000 to each side, within the 1.5 wished "
          + "for by a pilot of 30 patients"))
    #expect(try text([41, 45, 49, 53, 57, 61]).contains("more than the 1.5 wished for"))
  }

  private static let seen = """
    study: { control: 'plain',
      primary: [{ id: 'range', metric: 'tir(70,180)@cgm', better: 'higher', superior: true }] }
    """

  @Test("Where the sensors of two arms did not show readings for as long, that is said")
  func tellsWear() throws {
    func text(_ study: String, _ wear: [Double]) throws -> String {
      let analysis = try analysis(Fixture.arms + study) { patient, arm in
        ["range": "\(60 + patient + arm)", "wear": "\(wear[arm])"]
      }
      return StudyText(analysis).lines.joined(separator: " ")
    }
    #expect(
      try text(Self.seen, [100, 79.25]).contains(
        "Note  the sensor showed readings for 100.0 % of the time under plain and 79.3 % under high"
      ))
    #expect(try !text(Self.seen, [100, 98]).contains("the sensor showed"))
    // True glucose is there whatever the sensor shows.
    #expect(try !text(Self.one, [100, 79.25]).contains("the sensor showed"))
  }

  @Test("An interval without width says of whom it speaks, and how many others may differ")
  func tellsEqual() throws {
    func text(_ study: String, _ change: Int) throws -> String {
      let analysis = try analysis(Fixture.arms + study) { patient, arm in
        ["range": "\(60 + patient + (patient == 3 ? arm * change : 0))", "wear": "100"]
      }
      return StudyText(analysis).lines.joined(separator: " ")
    }
    // 1 - 0.025^(1/10) = 0.3085: Clopper and Pearson's bound with none of ten.
    let words =
      "Note  range: none of 10 patients differs, so that the interval has no width: of all "
      + "patients up to 31 % may differ, and the study does not say by how much."
    #expect(try text(Self.one, 0).contains(words))
    #expect(try !text(Self.one, 2).contains("has no width"))
    let near = Self.one.replacing("superior: true", with: "noninferior: 1")
    #expect(try text(near, 0).contains(words))
  }

  @Test("Where every run failed nothing is said to be equal")
  func allFailed() throws {
    let analysis = try analysis(Fixture.arms + Self.one) { _, _ in Self.failed }
    #expect(
      StudySentence(analysis).text
        == "Whether high meets its goal cannot be told; no patient has a difference; 20 of 20 runs "
        + "failed.")
    #expect(analysis.comparisons[0].runs.areEqual == false)
    // Of nobody nothing is known: that is not that nobody was harmed.
    let judged = try self.analysis(Fixture.arms + Self.twoRules) { _, arm in
      arm == 1 ? Self.failed : ["range": "60", "low": "0", "acid": "0"]
    }
    #expect(
      StudySentence(judged).text
        == "Whether high meets its goal cannot be told; whom it harmed is not known; no patient "
        + "has a difference; 10 of 20 runs failed.")
    #expect(
      StudyText(judged).lines.contains(
        "Harm  not known: no patient has a value of time below 54 mg/dL under both arms"))
  }

  @Test("Arms that are equal where they did not fail are not called equal in every run")
  func someFailed() throws {
    let analysis = try analysis(Fixture.arms + Self.one) { patient, arm in
      patient == 3 && arm == 1 ? Self.failed : ["range": "\(60 + patient)"]
    }
    #expect(
      StudySentence(analysis).text
        == "high and plain are equal in every run that did not fail; 1 of 20 runs failed.")
    #expect(
      StudyText(analysis).lines.joined(separator: " ").contains(
        "Note  range: 9 of 10 patients are compared"))
  }

  @Test("Runs that differ are not called equal where their end points are")
  func equalEndPoints() throws {
    let analysis = try analysis(Fixture.arms + Self.one) { patient, arm in
      ["range": "100", "digest": "\(10 * patient + arm)"]
    }
    #expect(
      StudySentence(analysis).text
        == "high was not shown to be better than plain in time in 70 to 180 mg/dL; time in 70 to "
        + "180 mg/dL changed by 0.00 points [0.00, 0.00].")
  }

  /// Patients 0 and 1 are harmed by the first rule, 1, 2 and 3 by the second: four in all.
  ///
  /// Patient 9 is spared by the second.
  @Test("The sentence counts the harmed of every rule, each patient once")
  func severalRules() throws {
    let analysis = try analysis(Fixture.arms + Self.twoRules) { patient, arm in
      [
        "range": "\(60 + patient + arm * (patient % 3))", "digest": "\(10 * patient + arm)",
        "low": arm == 1 && patient < 2 ? "3" : "0",
        "acid": arm == 1 && (1...3).contains(patient) || arm == 0 && patient == 9 ? "5" : "1",
      ]
    }
    let harmed = try #require(analysis.comparisons[0].harmed)
    #expect(harmed.newly == 4 && harmed.spared == 1 && harmed.count == 10 && harmed.rules == 2)
    #expect(
      StudySentence(analysis).text.contains(
        "; it newly harmed 4 of 10 patients by at least one of 2 rules and spared 1; "))
  }

  @Test("Of several comparisons the sentence says where most are harmed, and which are the control")
  func severalComparisons() throws {
    let analysis = try analysis(Self.three + Self.twoRules) { patient, arm in
      [
        "range": "\(60 + patient)", "digest": "\(arm == 2 ? 100 + patient : patient)",
        "low": arm == 2 && patient < 3 ? "2" : "0", "acid": "0",
      ]
    }
    #expect(
      StudySentence(analysis).text
        == "0 of 2 comparisons meet every primary goal against plain, at 97.5 % confidence each. "
        + "Patients are newly harmed in 1 of 2 comparisons, most with low: 3 of 10. Equal to plain "
        + "in every run: high.")
    let lines = StudyText(analysis).lines
    #expect(lines.contains("Note  high and plain are equal in every run."))
    // The interval of the goal is wider than those of the rest, and the head of the column says so.
    #expect(lines.count { $0.contains("difference [95 %, goals 97.5 %]") } == 2)
  }

  @Test("Where several comparisons harm as many patients, none alone is said to harm most")
  func severalMost() throws {
    let analysis = try analysis(Self.three + Self.twoRules) { patient, arm in
      [
        "range": "\(60 + patient)", "digest": "\(100 * arm + patient)",
        "low": arm > 0 && patient < 3 ? "2" : "0", "acid": "0",
      ]
    }
    #expect(
      StudySentence(analysis).text.contains(
        "Patients are newly harmed in 2 of 2 comparisons, most with high, low: 3 of 10 each."))
  }

  @Test("Nobody is said to be harmed where nobody is, and failed runs are counted")
  func nobodyHarmed() throws {
    let analysis = try analysis(Self.three + Self.twoRules) { patient, arm in
      patient == 0 && arm == 1
        ? Self.failed
        : [
          "range": "\(60 + patient)", "low": "0", "acid": "0", "digest": "\(10 * patient + arm)",
        ]
    }
    #expect(
      StudySentence(analysis).text.hasSuffix("Nobody is newly harmed. 1 of 30 runs failed."))
  }

  @Test("Where no rule finds anybody newly harmed, the sentence says so of all rules")
  func nobodyByAnyRule() throws {
    let analysis = try analysis(Fixture.arms + Self.twoRules) { patient, arm in
      ["range": "\(60 + patient + arm)", "low": "0", "acid": "0", "digest": "\(arm)"]
    }
    #expect(
      StudySentence(analysis).text.contains(
        "; it newly harmed 0 of 10 patients by any of 2 rules and spared 0; "))
    let partly = try self.analysis(Fixture.arms + Self.twoRules) { patient, arm in
      ["range": "\(arm)", "low": "0", "digest": "\(arm)", patient < 3 ? "reason" : "acid": "0"]
    }
    let words = " and spared 0 (not every rule can judge 3 of the patients); "
    #expect(StudySentence(partly).text.contains(words))
  }

  @Test("Nobody is said to be unharmed of whom nothing is known")
  func harmOfFailedArm() throws {
    func sentence(_ failing: Int) throws -> String {
      let analysis = try analysis(Self.three + Self.rate) { patient, arm in
        arm >= failing
          ? Self.failed
          : ["range": "\(60 + patient + arm)", "lows": "1", "digest": "\(3 * patient + arm)"]
      }
      return StudySentence(analysis).text
    }
    #expect(try sentence(3).hasSuffix(" Nobody is newly harmed."))
    #expect(
      try sentence(2).contains(
        " Nobody is newly harmed in 1 of 2 comparisons; of the others nothing is known. "))
    #expect(try !sentence(1).contains("harmed"))
  }

  @Test("Deaths are told where the treatment has no more of them, and of several comparisons")
  func deaths() throws {
    func made(_ patient: Int, _ arm: Int) -> [String: String] {
      let isLethal = patient == 0 && arm < 2 || patient == 1 && arm == 0
      return [
        "range": "\(60 + patient + arm)", "status": isLethal ? "lethal" : "ok",
        "digest": "\(10 * patient + arm)",
      ]
    }
    #expect(
      StudySentence(try analysis(Fixture.arms + Self.one, made)).text.hasSuffix(
        "; 2 runs ended in death with plain, 1 with high."))
    #expect(
      StudySentence(try analysis(Self.three + Self.one, made)).text
        == "2 of 2 comparisons meet every primary goal against plain, at 97.5 % confidence each. "
        + "3 of 30 runs ended in death.")
  }

  @Test("Of many comparisons each line has its point and its deaths")
  func manyComparisons() throws {
    let points = Fixture.arms + "sweep: { 'therapy.maxBolus': [1, 2, 3, 4, 5] }, " + Self.one
    func lines(_ isLethal: Bool) throws -> [String] {
      let study = try Fixture.study(Fixture.scenario(patients: 10, points))
      let deadly = isLethal ? try #require(study.cases(ofUnit: 3).last).number : -1
      let header = CaseRow.header(study.design)
      let rows = try (0..<study.plan.units).flatMap { study.cases(ofUnit: $0) }.map { item in
        let known = [
          "case": "\(item.number)", "unit": "\(item.unit)",
          "patient": study.patient(item.patient).id, "replicate": "\(item.replicate)",
          "point": "\(item.point)", "arm": study.plan.arms[item.arm], "days": "1", "seed": "7",
          "digest": "\(item.number)", "range": "\(60 + item.patient)",
          "status": item.number == deadly ? "lethal" : "ok",
        ]
        return try #require(CaseRow(header.map { known[$0] ?? "" }))
      }
      return StudyText(
        try Fixture.analysis(study, CaseRow.table(rows, header: header, withHeader: true))
      ).lines
    }
    let lethal = try lines(true)
    #expect(lethal.contains { $0.hasPrefix("point ") && $0.contains("lethal") })
    #expect(lethal.contains { $0.hasPrefix("high at 5 ") && $0.contains("1 against 0") })
    #expect(lethal.contains { $0.hasPrefix("high at 1 ") && $0.contains("0 against 0") })
    #expect(try !lines(false).contains { $0.hasPrefix("point ") && $0.contains("lethal") })
  }

  /// Patients 2 and 4 have a pump that stands, patient 4 in both arms.
  @Test("Pumps that gave nothing are told, with the longest time")
  func stoppedPumps() throws {
    let analysis = try analysis(Fixture.arms + Self.one) { patient, arm in
      var columns = ["range": "\(60 + patient + arm)", "digest": "\(10 * patient + arm)"]
      if patient == 4 { columns["suspendedMinutes"] = arm == 0 ? "60" : "1500" }
      if patient == 2, arm == 0 { columns["suspendedMinutes"] = "30" }
      return columns
    }
    let stopped = try #require(analysis.flow.stoppedPumps)
    #expect(
      stopped.words
        == "In 3 runs of 2 patients the pump was suspended, empty or broken, for at most 25.0 h "
        + "(p4, high, case 9): 2 of 10 with plain, 1 of 10 with high; they stay in")
    let summary = StudySummary(analysis, casesDigest: "0").json
    #expect(summary["flow"]?["stopped_pumps"]?["longest_minutes"] == .number(1_500))
    let digest = StudyDigest(plan: "a", cases: "b", summary: "c")
    #expect(StudyChecklist(analysis, digest: digest).text.contains("* \(stopped.words)."))
    #expect(StudyText(analysis).lines.contains { $0.hasPrefix("Pumps stopped    In 3 runs") })
  }

  @Test("Where every pump gave insulin all the time nothing is told of it")
  func noStoppedPump() throws {
    let analysis = try analysis(Fixture.arms + Self.one) { patient, arm in
      ["range": "\(60 + patient + arm)", "suspendedMinutes": "0"]
    }
    #expect(analysis.flow.stoppedPumps == nil)
    #expect(StudySummary(analysis, casesDigest: "0").json["flow"]?["stopped_pumps"] == nil)
  }
}
