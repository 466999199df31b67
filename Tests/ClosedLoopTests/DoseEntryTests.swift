import HealthStore
import Quantities
import Testing

@testable import ClosedLoop

@Suite("Dose entry")
struct DoseEntryTests {
  @Test("A rate without known delivery counts to the nearest 0.05 U, halves away from zero (D80)")
  func roundsARateToTheNearestStep() {
    var dose = temp(0.85, at(10), at(10, 30))
    #expect(dose.programmedUnits == 0.425)
    #expect(dose.deliverableUnits == 0.45)
    dose.deliveredUnits = 0.4
    #expect(dose.deliverableUnits == 0.4)
  }

  @Test("H54: no delivery for 30 min against 0.5 U/h is a quarter of a unit less than scheduled")
  func countsWhatASuspensionWithholds() {
    var dose = temp(0, at(7, 15), at(7, 45))
    dose.scheduledBasalRate = 0.5
    #expect(dose.netBasalUnits == -0.25)
  }

  @Test("H53: scheduled basal adds nothing to the schedule")
  func scheduledBasalIsNeutral() {
    let dose = DoseEntry(.basal, from: at(0), to: at(6), .unitsPerHour(0.4), deliveredUnits: 2.4)
    #expect(dose.netBasalUnits == 0)
  }

  @Test("A volume given in no time has no rate")
  func momentaryVolumeHasNoRate() {
    #expect(DoseEntry(.bolus, from: at(1), to: at(1), .units(2)).unitsPerHour == 0)
    #expect(DoseEntry(.bolus, from: at(1), to: at(2), .units(2)).unitsPerHour == 2)
  }

  @Test("A part of a dose has its share of the insulin and keeps the rate")
  func sharesOutInProportionToTime() {
    let bolus = DoseEntry(
      .bolus, from: at(1), to: at(2), .units(2), deliveredUnits: 1, syncIdentifier: "whole")
    let half = bolus.trimmed(from: at(1, 30))
    #expect(half.deliveredUnits == 0.5)
    #expect(half.amount == .units(0.5))
    #expect(half.syncIdentifier == nil)
    let cut = temp(1, at(1), at(2)).trimmed(to: at(1, 15), syncIdentifier: "part")
    #expect(cut.amount == .unitsPerHour(1))
    #expect(cut.deliveredUnits == nil)
    #expect(cut.syncIdentifier == "part")
  }

  @Test("A part outside the dose is empty and does not end before it starts")
  func trimsToNothing() {
    let part = temp(1, at(1), at(2)).trimmed(from: at(3), to: at(0))
    #expect(part.duration == .zero)
  }

  @Test("Delivery is filled in once a dose is final, and never before")
  func resolvesFinalDosesOnly() {
    #expect(temp(0.85, at(10), at(10, 30)).resolvingDelivery.deliveredUnits == 0.45)
    #expect(temp(1, at(1), at(2), isMutable: true).resolvingDelivery.deliveredUnits == nil)
    let basal = DoseEntry(.basal, from: at(0), to: at(0, 5), .unitsPerHour(0.33))
    #expect(basal.resolvingDelivery.deliveredUnits == 0.33 * (5.0 / 60))
  }
}
