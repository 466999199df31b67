import Devices
import Dosing
import HealthStore
import Quantities
import Testing

@testable import ClosedLoop

@Suite("Doses as samples of the health store")
struct DoseSampleTests {
  static let uuid = SampleUUID(high: 3, low: 4)

  static func tempBasal() -> DoseEntry {
    var dose = temp(0.85, at(10), at(10, 30), id: "t")
    dose.deliveredUnits = 0.4
    dose.scheduledBasalRate = 0.5
    dose.insulinType = .fiasp
    dose.isAutomatic = true
    return dose
  }

  @Test("H57, H61: a temp basal comes back as it was written")
  func readsBackATempBasal() throws {
    let dose = Self.tempBasal()
    let sample = try #require(dose.sample(uuid: Self.uuid))
    #expect(sample.storedValue == 0.4)
    #expect(sample.metadata.insulinDeliveryReason == .basal)
    #expect(sample.metadata.programmedTempBasalRate == rate(850))
    #expect(sample.metadata.scheduledBasalRate == rate(500))
    #expect(sample.metadata.isSuspend == false)
    #expect(sample.metadata.isAutomaticallyIssued == true)
    #expect(DoseEntry(sample) == dose)
  }

  @Test("H56: a bolus has reason bolus, version 1, Loop's origin, and no scheduled rate")
  func writesABolus() throws {
    var dose = DoseEntry(.bolus, from: at(1), to: at(1, 1), .units(2), syncIdentifier: "b")
    dose.scheduledBasalRate = 0.5
    let sample = try #require(dose.sample(uuid: Self.uuid))
    #expect(sample.quantity == HealthQuantity(2, .internationalUnit))
    #expect(sample.metadata.insulinDeliveryReason == .bolus)
    #expect(sample.metadata.syncIdentifier == "b")
    #expect(sample.metadata.syncVersion == 1)
    #expect(sample.metadata.hasLoopKitOrigin)
    #expect(sample.metadata.scheduledBasalRate == nil)
    #expect(sample.metadata.isAutomaticallyIssued == nil)
  }

  @Test(
    "H58, D92: an empty bolus, a resume, basal of no duration and a nameless dose have no sample")
  func leavesOut() {
    let none = [
      DoseEntry(.bolus, from: at(1), to: at(1), .units(0), syncIdentifier: "x"),
      mark(.resume, at(1), id: "x"), temp(1, at(1), at(1), id: "x"), temp(1, at(1), at(2)),
      DoseEntry(.basal, from: at(1), to: at(1), .unitsPerHour(1), syncIdentifier: "x"),
    ]
    #expect(none.allSatisfy { $0.sample(uuid: Self.uuid) == nil })
    let zero = temp(0, at(1), at(1, 30), id: "x").sample(uuid: Self.uuid)
    #expect(zero?.storedValue == 0)
  }

  @Test("A suspension is read back as one")
  func readsBackASuspension() throws {
    var dose = DoseEntry(
      .suspend, from: at(1), to: at(2), .units(0), deliveredUnits: 0, syncIdentifier: "s")
    dose.scheduledBasalRate = 0.5
    let sample = try #require(dose.sample(uuid: Self.uuid))
    #expect(sample.metadata.isSuspend == true)
    #expect(DoseEntry(sample)?.kind == .suspend)
    #expect(DoseEntry(sample)?.scheduledBasalRate == 0.5)
  }

  @Test("H59, H60: foreign basal and samples without a reason are ignored, a foreign bolus counts")
  func readsForeignSamples() {
    let basal = InsulinOnBoardTests.foreign(20, .basal, at: at(1))
    #expect(DoseEntry(basal) == nil)
    let bolus = InsulinOnBoardTests.foreign(2, .bolus, at: at(1))
    #expect(DoseEntry(bolus)?.programmedUnits == 2)
    #expect(DoseEntry(bolus)?.syncIdentifier == SyncIdentifier(bolus.uuid))
    let bare = Sample(
      restoring: Self.uuid, type: .insulinDelivery, start: at(1), end: at(1),
      value: .quantity(HealthQuantity(2, .internationalUnit)))
    #expect(DoseEntry(bare) == nil)
  }

  @Test(
    "Every insulin has the name LoopKit writes, and is found by it", arguments: InsulinType.allCases
  )
  func namesInsulins(insulin: InsulinType) {
    #expect(insulin.sampleName.lowercased() == insulin.rawValue)
    #expect(InsulinType(sampleName: insulin.sampleName) == insulin)
    #expect(InsulinType(sampleName: "NPH") == nil)
  }

  @Test("H53: scheduled basal that is read from a sample adds nothing, whatever its pulses were")
  func readsScheduledBasal() throws {
    let dose = DoseEntry(
      .basal, from: at(1), to: at(2, 15), .unitsPerHour(0.5), deliveredUnits: 0.6,
      syncIdentifier: "x", scheduledBasalRate: 0.5)
    let sample = try #require(dose.sample(uuid: Self.uuid))
    let read = try #require(DoseEntry(sample))
    #expect(read.deliverableUnits == 0.6)
    let app = AppInsulin(therapy(basal: try dailyRates([(0, 500)])))
    #expect(read.algorithmDose(app).volume == 0.625)
    #expect(dose.algorithmDose(app).volume == 0.625)
  }

  @Test("A pulse record counts what lies in a half-open window, also after forgetting")
  func countsPulses() {
    var record = PulseLog()
    for minute in 1...1_000 as ClosedRange<Int64> {
      record.append(.milliunits(50), at: midnight + .minutes(minute))
    }
    #expect(record.amount(after: at(1), through: at(2)) == .milliunits(3_000))
    #expect(record.amount(after: at(2), through: at(1)) == .zero)
    #expect(record.amount(after: at(0, 1), through: at(0, 2)) == .milliunits(50))
    record.forget(through: at(10))
    #expect(record.amount(after: at(10), through: at(11)) == .milliunits(3_000))
    #expect(record.total == .milliunits(50_000))
  }
}
