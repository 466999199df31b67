import Testing

@testable import Pages

@Suite("Amounts of insulin on pages")
struct RecordAmountsTests {
  @Test("What is no amount of thousandths is rounded once, and never to a thousandth before")
  func roundedOnce() {
    // By way of thousandths these would be 0.07, 0.20, 10.29 and −0.07.
    #expect(RecordLanes.units(0.0648) == "0.06")
    #expect(RecordLanes.units(0.1947) == "0.19")
    #expect(RecordLanes.units(10.2847) == "10.28")
    #expect(RecordLanes.units(-0.0648) == "−0.06")
  }

  @Test("Sums of pulses are told to the thousandth where they have one, whatever their last bits")
  func thousandths() {
    let pulses = (0..<19).reduce(0.0) { sum, _ in sum + 0.025 }
    #expect(RecordLanes.units(pulses) == "0.475")
    #expect(RecordLanes.units(0.1 + 0.2) == "0.30")
    #expect(RecordLanes.units(-0.0001) == "0.00")
  }
}
