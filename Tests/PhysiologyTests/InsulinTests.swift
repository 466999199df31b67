import Quantities
import Testing

@testable import Physiology

@Suite("Insulins")
struct InsulinTests {
  @Test("D88, D89 Long-acting and intermediate insulins do not count as insulin on board")
  func onBoard() {
    let quiet = InsulinFormulation.catalogue.filter { !$0.countsAsInsulinOnBoard }.map(\.id)
    #expect(
      quiet == ["nph", "glargine", "basaglar", "glargineU300", "detemir", "degludec"])
  }

  /// Onset, start and end of the plateau, and end, in minutes: the insulin profiles of xDrip.
  static let published: [(insulin: InsulinFormulation, corners: [Int64])] = [
    (.nph, [60, 120, 720, 1_440]), (.glargine, [60, 420, 1_200, 2_160]),
    (.basaglar, [60, 480, 1_140, 1_440]), (.glargineU300, [180, 480, 480, 2_160]),
    (.detemir, [60, 180, 840, 1_500]), (.degludec, [90, 120, 2_460, 2_520]),
  ]

  @Test("Intermediate and long-acting insulin is released along its published trapezoid")
  func trapezoids() {
    let slow = InsulinFormulation.catalogue.filter {
      [.intermediate, .longActing].contains($0.kind)
    }
    #expect(slow == Self.published.map(\.insulin))
    for (insulin, corners) in Self.published {
      guard case .depot(let release) = insulin.absorption else {
        Issue.record("\(insulin.id) has no depot.")
        continue
      }
      #expect(release.corners == corners.map { .minutes($0) }, "\(insulin.id)")
    }
  }

  @Test("What is taken back of a dose is what its depot never releases")
  func takenBack() throws {
    guard case .depot(let release) = InsulinFormulation.nph.absorption else {
      Issue.record("NPH has no depot.")
      return
    }
    let start = Instant(secondsSince1970: 0)
    var depot = InsulinDepot()
    depot.add(2, release, at: start)
    depot.add(-1.5, release, at: start + .seconds(5))
    #expect(depot.units(at: start + .seconds(5)) == 0.5)
    #expect(depot.released(from: start, to: start + .days(1)).underSkin == 0.5)
  }

  @Test("What is taken back of a dose of which some is gone comes off what is left of it")
  func takenBackLater() throws {
    guard case .depot(let release) = InsulinFormulation.regular.absorption else {
      Issue.record("Regular insulin has no depot.")
      return
    }
    // A fifteenth of 30 U is gone after a quarter of an hour: 15 min of the 450 of the trapezoid.
    let (start, later) = (Instant(secondsSince1970: 0), Instant(secondsSince1970: 900))
    var depot = InsulinDepot()
    depot.add(30, release, at: start)
    let gone = depot.released(from: start, to: later).underSkin
    #expect((gone - 2).magnitude < 1e-9)
    depot.add(-7.5, release, at: later)
    #expect((depot.units(at: later) - 20.5).magnitude < 1e-9)
    let rest = depot.released(from: later, to: start + .days(1)).underSkin
    #expect((gone + rest - 22.5).magnitude < 1e-9)
  }

  @Test("A superposed dose gives back its own effect, whatever has flowed since")
  func superposedBeside() throws {
    // The basal of five minutes meets the need and has no effect of its own to give back.
    let person = SuperpositionParameters(
      identifier: "fed", basalRate: DailySchedule(always: 6),
      insulinSensitivity: DailySchedule(always: 50), carbRatio: DailySchedule(always: 10))
    let start = Instant(secondsSince1970: 0)
    var glucose: [Double] = []
    for (whole, back) in [(7.75, 0.25), (7.5, 0)] {
      var patient = try SuperpositionPatient(
        person, at: start, glucose: .mgdL(500), initialRate: 6)
      patient.receive(.pulse(units: whole))
      patient.advance(to: start + .minutes(5))
      if back > 0 { patient.receive(.pulse(units: -back)) }
      patient.advance(to: start + .hours(9))
      glucose.append(patient.glucose.mgdL)
    }
    #expect((glucose[0] - glucose[1]).magnitude < 1e-9, "\(glucose)")
  }

  @Test("A whole dose of which a part is taken back acts as what is left, also past midnight")
  func superposedBack() throws {
    // A unit lowers by 10 mg/dL from midnight on, and by 50 when the doses are given.
    let midnight = Instant(secondsSince1970: 1_768_435_200)
    let factors = try DailySchedule([
      DailySchedule<Double>.Entry(start: TimeOfDay(milliseconds: 0), value: 10),
      .init(start: TimeOfDay(milliseconds: 12 * 3_600_000), value: 50),
    ])
    let person = SuperpositionParameters(
      identifier: "two", basalRate: DailySchedule(always: 0), insulinSensitivity: factors,
      carbRatio: DailySchedule(always: 10))
    var glucose: [Double] = []
    for (whole, back) in [(10.0, 5.0), (5, 0)] {
      var patient = try SuperpositionPatient(
        person, at: midnight - .minutes(10), glucose: .mgdL(300), initialRate: 0)
      patient.advance(to: midnight - .seconds(5))
      patient.receive(.pulse(units: whole))
      patient.advance(to: midnight)
      if back > 0 { patient.receive(.pulse(units: -back)) }
      patient.advance(to: midnight + .hours(9))
      glucose.append(patient.glucose.mgdL)
    }
    #expect((glucose[0] - glucose[1]).magnitude < 1e-9)
    // 5 U at 50 mg/dL a unit, but for the 0.46 % that the curve drops.
    #expect((glucose[1] - 51.15).magnitude < 0.1, "\(glucose)")
  }

  @Test("A release is the area of its trapezoid so far")
  func areas() {
    // NPH: of height 2 / (600 + 1380) per minute, half of it on the way up and on the way down.
    guard case .depot(let release) = InsulinFormulation.nph.absorption else {
      Issue.record("NPH has no depot.")
      return
    }
    let height = 2.0 / 1_980
    for (minutes, share) in [
      (0.0, 0.0), (60, 0), (90, height * 15 / 2), (120, height * 30), (420, height * 330),
      (720, height * 630), (1_080, 1 - height * 90), (1_440, 1), (2_000, 1),
    ] {
      #expect(abs(release.share(after: minutes) - share) < 1e-12, "minute \(minutes)")
    }
  }
}
