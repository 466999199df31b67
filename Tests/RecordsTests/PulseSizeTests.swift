import HealthStore
import Quantities
import Testing

@testable import Records

@Suite("The pulse of a record")
struct PulseSizeTests {
  /// The audit of boluses at whole hours and of five-minute segments of basal.
  private func audit(
    boluses: [Double], segments: [Double], rate: Double? = nil, gap: Bool = false
  ) -> Audit {
    var maker = RecordMaker()
    for (hour, units) in boluses.enumerated() { maker.bolus(units, .hours(Int64(hour))) }
    for (place, units) in segments.enumerated() {
      let start = TimeSpan.minutes(gap ? 10 : 5) * Int64(place)
      maker.basal(units, start, start + .minutes(5), scheduled: nil, temp: rate)
    }
    return Audit(maker.samples, Audit.Options())
  }

  @Test("Boluses in steps of 0.1 U do not make a pulse of 0.1 U where the basal has halves of it")
  func halves() {
    // Five even and five odd numbers of pulses of 0.05 U.
    let segments = [0.05, 0.1, 0.15, 0.2, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3]
    let result = audit(boluses: [5.4, 3.2, 1.5, 0.8, 2], segments: segments)
    #expect(result.pulse == 0.05)
    #expect(!result.findings.contains { $0.kind == .offPulse })
    // Nothing of the basal says that the pulse is finer where all of it is even.
    let even = audit(boluses: [5.4, 3.2, 1.5, 0.8, 2], segments: segments.map { $0 * 2 })
    #expect(even.pulse == 0.1)
  }

  @Test("A pulse that was stated is not said to be inferred, and nor is one that is not known")
  func stated() {
    var maker = RecordMaker()
    for hour in 0..<12 as Range<Int64> { maker.bolus(0.25, .hours(hour)) }
    let stated = Audit(maker.samples, Audit.Options(pulse: 0.05))
    #expect(stated.pulse == 0.05)
    #expect(!stated.isPulseInferred)
    #expect(AuditText.lines(stated, file: "a.json").contains("Pulse: 0.05 U."))
    let empty = Audit(RecordMaker().samples, Audit.Options())
    #expect(empty.pulse == nil)
    #expect(!empty.isPulseInferred)
  }

  @Test("Pulses of 0.025, 0.01 and 0.001 U are found behind coarser boluses, and written in full")
  func fine() {
    let boluses = [5.4, 3.2, 1.5, 0.8, 2.05]
    for (pulse, text) in [(0.025, "0.025 U"), (0.01, "0.01 U"), (0.001, "0.001 U")] {
      let result = audit(boluses: boluses, segments: (1...20).map { Double($0) * pulse })
      #expect(result.pulse == pulse)
      #expect(!result.findings.contains { $0.kind == .offPulse })
      let lines = AuditText.lines(result, file: "a.json")
      #expect(lines.contains("Pulse: \(text), inferred from the amounts."))
    }
  }

  @Test("Calculated amounts make no finer pulse, and are named")
  func calculated() throws {
    // Ten segments that the pump counted, ten that are a rate times five minutes.
    let counted = [0.05, 0.1, 0.15, 0.2, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3]
    let reckoned = (1...10).map { Double($0) * 0.7 / 12 }
    let result = audit(boluses: [5.45, 3.2, 1.5, 0.8, 2], segments: counted + reckoned)
    #expect(result.pulse == 0.05)
    let off = try #require(result.findings.first { $0.kind == .offPulse })
    // Six times 0.7 / 12 is 0.35, a whole number of pulses.
    #expect(off.occurrences.count == 9)
  }

  @Test("Boluses that a person entered say nothing of the pump")
  func byHand() {
    var maker = RecordMaker()
    for hour in 0..<6 as Range<Int64> {
      maker.bolus(Double(hour + 1), .hours(hour), by: "Pen", isByHand: true)
    }
    maker.basal(0.3, .zero, .minutes(30))
    #expect(Audit(maker.samples, Audit.Options()).pulse == nil)
  }

  @Test("A pump that gives basal every few minutes is short in one segment, and over in the next")
  func lumps() {
    // At 1 U/h five minutes are 0.0833 U; a lump of four minutes is 0.0667 U.
    let segments = [0.07, 0.13, 0.03, 0.1, 0.06, 0.11, 0.08, 0.07, 0.09, 0.08, 0.12, 0.04]
    let boluses = [5.4, 3.2, 1.5, 0.8, 2.05]
    let result = audit(boluses: boluses, segments: segments, rate: 1)
    #expect(result.pulse == 0.01)
    #expect(!result.findings.contains { $0.kind == .rateMismatch })
    // Where nothing stands before a segment, a lump of what ran before may be in it.
    let apart = audit(boluses: boluses, segments: segments + [0.2], rate: 1, gap: true)
    #expect(!apart.findings.contains { $0.kind == .rateMismatch })
    // 0.25 U is more than a lump and a pulse over what the rate amounts to.
    let wrong = audit(boluses: boluses, segments: segments + [0.25], rate: 1)
    #expect(wrong.findings.contains { $0.kind == .rateMismatch })
  }

  @Test("What was due when a pump was suspended may come when it goes on, and no more")
  func suspended() {
    func isOff(after units: Double) -> Bool {
      var maker = RecordMaker()
      for (hour, units) in [5.4, 3.2, 1.5, 0.8, 2.05].enumerated() {
        maker.bolus(units, .hours(Int64(hour)))
      }
      let segments = [0.07, 0.13, 0.03, 0.1, 0.06, 0.11, 0.08, 0.07, 0.09, 0.08, 0.12, 0.04]
      for (place, units) in segments.enumerated() {
        let start = TimeSpan.minutes(5) * Int64(place)
        maker.basal(units, start, start + .minutes(5), scheduled: nil, temp: 1)
      }
      // Written in two parts, as over midnight.
      maker.basal(0, .minutes(60), .minutes(75), scheduled: nil, temp: 0)
      maker.basal(0, .minutes(75), .minutes(90), scheduled: nil, temp: 0)
      maker.basal(units, .minutes(90), .minutes(95), scheduled: nil, temp: 1)
      let audit = Audit(maker.samples, Audit.Options())
      #expect(audit.pulse == 0.01)
      return audit.findings.contains { $0.kind == .rateMismatch }
    }
    // Five minutes at 1 U/h are 0.0833 U, and so much may have been due before.
    #expect(!isOff(after: 0.16))
    #expect(isOff(after: 0.25))
  }
}
