import Quantities
import Testing

@testable import Outcomes

@Suite("Figures over glucose that is no physiology")
struct ModelMarkTests {
  private static func measured(_ outside: [Range<Instant>]) -> RunMeasurements {
    var run = RunMeasurements(
      from: monday, to: monday + .days(1), trueGlucose: series(Array(repeating: 100, count: 288)),
      cgm: series([]))
    run.outsideModel = outside
    return run
  }

  @Test("Within the model's range nothing is marked")
  func inside() {
    let run = Self.measured([])
    #expect(run.modelMark == nil)
    #expect(run.timeOutsideModel == .zero)
  }

  @Test("The mark and the metric say for how long")
  func outside() {
    let run = Self.measured([
      monday + .hours(2)..<monday + .hours(3), monday + .hours(20)..<monday + .hours(22),
    ])
    #expect(run.modelMark == "over 3h outside the model's range")
    #expect(Metric(name: .outsideModelHours, arguments: [], source: .truth).value(of: run) == 3)
  }

  @Test("A run that ends as glucose leaves the range is marked, and not with a time of nothing")
  func leftAtTheEnd() {
    let run = Self.measured([monday + .days(1)..<monday + .days(1)])
    #expect(run.modelMark == "at last outside the model's range")
  }

  @Test("A part of the run has its own share")
  func part() {
    let run = Self.measured([monday + .hours(2)..<monday + .hours(4)])
    let part = run.restricted(from: monday + .hours(3), to: monday + .hours(12))
    #expect(part.timeOutsideModel == .hours(1))
    #expect(run.restricted(from: monday + .hours(5), to: monday + .hours(6)).modelMark == nil)
  }
}
