import Simulation
import Testing

/// What keeps an app from what others wrote, to the end of a run.
@Suite("Samples of other apps that had not arrived at the end")
struct UndeliveredSampleTests {
  private func told(_ rest: String) throws -> [String] {
    try RecordCauseTests.run(rest).agreement.differences.filter { $0.origin == .elsewhere }
      .map(\.text)
  }

  private static let pen = "events: [{ at: '+150m', injection: { units: 2 }, entry: {} }], "

  @Test("A fault that holds back what a pen wrote is why no record has the dose")
  func heldBack() throws {
    let fault = "{ id: 'late', during: ['+2h', '10h'], healthStore: { lateSync: {} } }"
    #expect(
      try told(Self.pen + "faults: [\(fault)]") == [
        "2.00 U injected at 02:30:00 are in no record: what Pen wrote has not reached the health "
          + "store, because of the fault late."
      ])
  }

  @Test("A phone that is off is why no record has a dose that a pen wrote")
  func phoneOff() throws {
    let fault = "{ during: ['+2h', '10h'], phone: { off: {} } }"
    #expect(
      try told(Self.pen + "faults: [\(fault)]") == [
        "2.00 U injected at 02:30:00 are in no record: what Pen wrote has not reached the phone, "
          + "which was off."
      ])
  }

  @Test("A dose that nobody logged has no such cause, and one that arrived is told as before")
  func others() throws {
    let silent = "events: [{ at: '+150m', injection: { units: 2 }, entry: false }], "
    let late = "healthStore: { lateSync: {} }"
    #expect(
      try told(silent + "faults: [{ during: ['+2h', '10h'], \(late) }]") == [
        "2.00 U injected at 02:30:00 are in no record."
      ])
    #expect(
      try told(Self.pen + "faults: [{ during: ['+2h', '1h'], \(late) }]") == [
        "2.00 U at 02:30:00 come from Pen, not from the pump; they count in IOB."
      ])
  }

  @Test("A phone that saves power does so since that began, whatever fault comes later")
  func savesPower() throws {
    let saving = "{ during: ['+61m', '10h'], phone: { lowPower: {} } }"
    let told = try told(
      Self.pen + "faults: [\(saving), { during: ['+3h', '10h'], cgm: { bias: { offset: 5 } } }]")
    #expect(
      told == [
        "2.00 U at 02:30:00 come from Pen, not from the pump; they do not count in IOB: the phone "
          + "saves power, and the app has not looked at the health store since 01:01:00."
      ])
  }

  @Test("Of two times of saving power that overlap, the first tells since when")
  func savesPowerTwice() throws {
    let faults =
      "{ during: ['+61m', '2h'], phone: { lowPower: {} } }, "
      + "{ during: ['+2h', '10h'], phone: { lowPower: {} } }"
    let told = try told(Self.pen + "faults: [\(faults)]")
    #expect(told.count == 1)
    #expect(told.first?.hasSuffix(" looked at the health store since 01:01:00.") == true, "\(told)")
  }
}
