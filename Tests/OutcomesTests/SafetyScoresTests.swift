import Quantities
import Testing

@testable import Outcomes

@Suite("Safety scores")
struct SafetyScoresTests {
  @Test("The scores change at their published limits")
  func knowsItsLimits() {
    #expect(
      [0, 0.001, 2.5, 2.51, 5.1, 10.1].map(SafetyScores.lowBloodGlucoseScore) == [0, 1, 1, 2, 3, 4])
    #expect([1.9, 2, 8, 14, 21].map(SafetyScores.ketoacidosisScore) == [0, 1, 2, 3, 4])
  }

  @Test("Four hours at 40 mg/dL escalate, three and a missing reading do not")
  func escalates() throws {
    #expect(try #require(SafetyScores(trueGlucose: series(run(40, 48)))).lowBloodGlucoseScore == 5)
    #expect(try #require(SafetyScores(trueGlucose: series(run(40, 47)))).lowBloodGlucoseScore == 4)
    let broken = (0..<50).filter { $0 != 25 }.map {
      GlucoseSeries.Point(monday + .minutes(5 * Int64($0)), mgdL: 40)
    }
    #expect(
      try #require(SafetyScores(trueGlucose: GlucoseSeries(broken))).lowBloodGlucoseScore == 4)
    #expect(
      try #require(SafetyScores(trueGlucose: series([100, -5] + run(20, 20)))).lowBloodGlucoseScore
        == 5)
  }

  /// A timeline may have a row each second, or, of one every seven minutes, one at its half.
  @Test(
    "Four hours at 40 mg/dL are four hours, however far apart the values lie",
    arguments: [(1, 14_400), (10, 1_440), (60, 240), (210, 69), (600, 24), (900, 16)])
  func escalatesByTime(seconds: Int64, count: Int) throws {
    func score(_ count: Int) throws -> Int {
      let points = (0..<count).map {
        GlucoseSeries.Point(monday + .seconds(seconds) * Int64($0), mgdL: 40)
      }
      let series = GlucoseSeries(points, interval: .seconds(seconds))
      return try #require(SafetyScores(trueGlucose: series)).lowBloodGlucoseScore
    }
    #expect(try score(count) == 5)
    #expect(try score(count - 1) == 4)
  }

  @Test("One of a few readings a day is no four hours")
  func needsReadings() throws {
    let points = [90, 38, 95, 60, 50, 55].enumerated().map {
      GlucoseSeries.Point(monday + .hours(4) * Int64($0.offset), mgdL: $0.element)
    }
    #expect(
      try #require(SafetyScores(trueGlucose: GlucoseSeries(points))).lowBloodGlucoseScore == 4)
  }

  @Test("A missing reading of a sensor of 15 minutes ends the hours at 40 mg/dL")
  func endsWithAGap() throws {
    let points = (0..<18).filter { $0 != 8 }.map {
      GlucoseSeries.Point(monday + .minutes(15 * Int64($0)), mgdL: 40)
    }
    #expect(
      try #require(SafetyScores(trueGlucose: GlucoseSeries(points))).lowBloodGlucoseScore == 4)
  }

  @Test("Hours below half of the steady insulin on board are counted, strictly")
  func countsHours() {
    let limit = 0.5 * 2.111517
    let samples = [limit, 0.9, 0.5, 1.2].enumerated().map {
      LoopActivity.InsulinOnBoard(at: monday + .minutes(5 * Int64($0.offset)), units: $0.element)
    }
    #expect(agree(SafetyScores.ketoacidosisHours(samples, steadyInsulin: 2.111517), 2 / 12.0))
    #expect(SafetyScores.ketoacidosisHours([], steadyInsulin: 1) == nil)
  }

  @Test("Two hours without insulin are two hours, with the row at which they end too")
  func endsWithTheRun() throws {
    let samples = (0...24).map {
      LoopActivity.InsulinOnBoard(at: monday + .minutes(5 * Int64($0)), units: 0)
    }
    let glucose = series(run(113, 25))
    let whole = RunMeasurements(
      from: monday, to: monday + .hours(2), trueGlucose: glucose, cgm: glucose,
      absoluteInsulinOnBoard: samples, basalNeed: 1)
    #expect(agree(whole.safetyScores?.ketoacidosisHours, 2))
    for (start, end) in [(0, 1), (1, 2)] as [(Int64, Int64)] {
      let part = whole.restricted(from: monday + .hours(start), to: monday + .hours(end))
      #expect(agree(part.safetyScores?.ketoacidosisHours, 1))
    }
  }

  @Test("No stretch has more such hours than it has, whatever lies between two rows")
  func isNoLonger() throws {
    // The 412 rows of a day that are 3.5 minutes apart are 1,442 minutes with the next one.
    let samples = (0..<412).map {
      LoopActivity.InsulinOnBoard(at: monday + .seconds(210 * Int64($0)), units: 0)
    }
    let glucose = series(run(113, 288))
    let day = RunMeasurements(
      from: monday, to: monday + .hours(24), trueGlucose: glucose, cgm: glucose,
      absoluteInsulinOnBoard: samples, basalNeed: 1)
    #expect(agree(day.safetyScores?.ketoacidosisHours, 24))
    let part = day.restricted(from: monday, to: monday + .minutes(58))
    #expect(agree(part.safetyScores?.ketoacidosisHours, 58 / 60.0))
  }

  @Test("Harm is named after the worse score")
  func namesHarm() throws {
    #expect(try #require(SafetyScores(trueGlucose: series(run(113, 20)))).harm == .none)
    #expect(try #require(SafetyScores(trueGlucose: series(run(190, 20)))).harm == .hyperglycemia)
    #expect(try #require(SafetyScores(trueGlucose: series(run(45, 20)))).harm == .hypoglycemia)
    let starved = (0..<300).map {
      LoopActivity.InsulinOnBoard(at: monday + .minutes(5 * Int64($0)), units: 0)
    }
    let scores = try #require(
      SafetyScores(
        trueGlucose: series(run(300, 20)), absoluteInsulinOnBoard: starved, steadyInsulin: 2))
    #expect(scores.ketoacidosisScore == 4)
    #expect(scores.harm == .ketoacidosis)
  }
}
