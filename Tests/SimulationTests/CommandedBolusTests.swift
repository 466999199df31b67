import Devices
import Quantities
import Testing

@testable import Simulation

/// The pump gives from 0.05 U to 30 U in steps of 0.05 U.
@Suite("A bolus that is wanted and what the pump is told")
struct CommandedBolusTests {
  private static func bolus(_ units: Double, appMaximum: Int64? = nil) -> CommandedBolus {
    CommandedBolus(
      units: units, from: .generic50, by: .user,
      appMaximum: appMaximum.map { .milliunits($0) })
  }

  @Test("What the pump can give is given whole, and nothing is told")
  func whole() {
    let bolus = Self.bolus(2.5, appMaximum: 10_000)
    #expect(bolus.asked == .milliunits(2_500))
    #expect(bolus.amount == .milliunits(2_500))
    #expect([bolus.aboveLimit, bolus.offGrid] == [.zero, .zero])
    #expect(bolus.warning == nil)
    #expect(!bolus.isNothing)
  }

  @Test("Every part of what is asked for is booked once", arguments: [nil, 10_000, 3_020, 50_000])
  func adds(appMaximum: Int64?) {
    for units in [0, 0.0004, 0.049, 0.05, 1.234, 3.02, 9.99, 10.01, 29.999, 33.25] {
      let bolus = Self.bolus(units, appMaximum: appMaximum)
      #expect(bolus.asked == bolus.amount + bolus.aboveLimit + bolus.offGrid, "\(units) U")
      #expect(bolus.amount.milliunits.isMultiple(of: 50), "\(units) U")
      #expect(bolus.aboveLimit >= .zero, "\(units) U")
    }
  }

  @Test("The app's maximum cuts before the pump's, and each says who it was")
  func limits() {
    let byApp = Self.bolus(25, appMaximum: 10_000)
    #expect(byApp.amount == .milliunits(10_000))
    #expect(byApp.aboveLimit == .milliunits(15_000))
    #expect(
      byApp.warning
        == "The app takes no bolus above its maximum of 10.00 U: of 25.00 U asked for, 15.00 U are "
        + "not given.")
    let byPump = Self.bolus(33.25, appMaximum: 50_000)
    #expect(byPump.amount == .milliunits(30_000))
    #expect(byPump.aboveLimit == .milliunits(3_250))
    #expect(
      byPump.warning
        == "The pump gives no bolus above 30.00 U: of 33.25 U asked for, 3.25 U are not given.")
    #expect(Self.bolus(25).warning == nil)
  }

  @Test("A maximum between two steps cuts to the step below")
  func limitOffTheGrid() {
    let bolus = Self.bolus(5, appMaximum: 3_020)
    #expect(bolus.amount == .milliunits(3_000))
    #expect(bolus.aboveLimit == .milliunits(1_980))
    #expect(bolus.offGrid == .milliunits(20))
  }

  @Test("Less than a step is nothing, and booked; a maximum of nothing is told")
  func nothing() {
    let little = Self.bolus(0.04)
    #expect(little.isNothing)
    #expect(little.offGrid == .milliunits(40))
    #expect(Self.bolus(-1).isNothing)
    let forbidden = Self.bolus(1, appMaximum: 0)
    #expect(forbidden.amount == .zero)
    #expect(!forbidden.isNothing)
    #expect(forbidden.warning != nil)
  }

  @Test("The record has who asked and what was cut off")
  func record() {
    let request = BolusRequest(.units(1.234), by: .watch, name: "dose")
    let record = Self.bolus(1.234, appMaximum: 1_100).record(of: request, at: .at(1))
    #expect(record.instant == .at(1))
    #expect(record.requester == .watch)
    #expect(record.name == "dose")
    #expect(record.asked == .milliunits(1_234))
    #expect(record.aboveLimit == .milliunits(134))
    #expect(record.offGrid == .zero)
    #expect(record.commanded == .milliunits(1_100))
  }
}
