import Quantities
import Testing

@testable import Devices

@Suite("The accounts of a pump")
struct DeliveryLedgerTests {
  /// A ledger in which every account has something and balances: 1.05 U of basal and 2 U of bolus.
  private static func balanced() -> DeliveryLedger {
    var ledger = DeliveryLedger()
    ledger.basal.programmed = AccruedInsulin(.milliunits(1_100))
    ledger.basal.delivered = .milliunits(1_050)
    ledger.basal.discarded = AccruedInsulin(.milliunits(30))
    ledger.basal.pending = AccruedInsulin(.milliunits(20))
    ledger.boluses.asked = .milliunits(3_000)
    ledger.boluses.delivered = .milliunits(2_000)
    ledger.boluses.cancelled = .milliunits(1_000)
    ledger.reservoir.filled = .milliunits(10_000)
    ledger.reservoir.remaining = .milliunits(6_950)
    ledger.body.recorded = PhysicalInsulin(.milliunits(3_050))
    ledger.body.absorbed = PhysicalInsulin(.milliunits(3_050))
    return ledger
  }

  @Test("Accounts that balance are no violation")
  func balances() { #expect(Self.balanced().checkConservation() == nil) }

  @Test("The least amount missing from an account is named with that account")
  func namesTheAccount() {
    var basal = Self.balanced()
    basal.basal.pending = AccruedInsulin(
      milliunitMillisecondsPerHour: basal.basal.pending.milliunitMillisecondsPerHour - 1)
    #expect(
      basal.checkConservation()
        == .basal(difference: AccruedInsulin(milliunitMillisecondsPerHour: 1)))
    var bolus = Self.balanced()
    bolus.boluses.cancelled = .milliunits(999)
    #expect(bolus.checkConservation() == .bolus(difference: .milliunits(1)))
    var reservoir = Self.balanced()
    reservoir.reservoir.remaining = .milliunits(6_949)
    #expect(reservoir.checkConservation() == .reservoir(difference: .milliunits(1)))
    var record = Self.balanced()
    record.body.recorded = PhysicalInsulin(microunits: 3_049_999)
    #expect(record.checkConservation() == .record(difference: PhysicalInsulin(microunits: 1)))
    var body = Self.balanced()
    body.body.absorbed = PhysicalInsulin(microunits: 3_049_999)
    #expect(body.checkConservation() == .body(difference: PhysicalInsulin(microunits: 1)))
  }
}
