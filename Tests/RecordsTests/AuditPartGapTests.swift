import HealthStore
import Quantities
import Testing

@testable import Records

@Suite("The audit of a part of a gap")
struct AuditPartGapTests {
  private func time(_ span: TimeSpan) -> Instant { RecordMaker.midnight + span }

  private func part(_ from: TimeSpan, _ to: TimeSpan) -> Audit.Options {
    .init(from: time(from), to: time(to))
  }

  /// The only finding of a kind.
  private func finding(_ audit: Audit, _ kind: AuditFinding.Kind) throws -> AuditFinding {
    let found = audit.findings.filter { $0.kind == kind }
    #expect(found.count == 1, "\(audit.findings.map(\.kind))")
    return try #require(found.first)
  }

  /// Half hours of 0.3 U by a source, from one hour to another.
  private func halves(_ maker: inout RecordMaker, _ from: Int64, _ to: Int64, by name: String) {
    for half in from * 2..<to * 2 {
      maker.basal(0.3, .minutes(30) * half, .minutes(30) * (half + 1), by: name)
    }
  }

  @Test("What is missing between two sources is missing in a part of it, and no end or beginning")
  func betweenSources() throws {
    // Nothing from 12:00, when one ends, to 18:00, when the other begins.
    var maker = RecordMaker()
    halves(&maker, 0, 12, by: "Loop")
    halves(&maker, 18, 24, by: "Trio")
    maker.bolus(1, .hours(15), by: "Trio")
    for step in 0..<288 as Range<Int64> { maker.glucose(100, .minutes(5) * step) }
    for (options, from, to) in [
      (.init(), 12, 18), (.init(from: time(.hours(14))), 14, 18),
      (.init(to: time(.hours(16))), 12, 16), (part(.hours(14), .hours(16)), 14, 16),
    ] as [(Audit.Options, Int64, Int64)] {
      let audit = Audit(maker.samples, options)
      let found = try finding(audit, .gap)
      #expect(found.severity == .fault && Set(found.sources) == ["Loop", "Trio"])
      #expect(found.start == time(.hours(from)) && found.end == time(.hours(to)))
      #expect(abs(found.amount + Double(to - from) * 0.6) < 1e-9)
      for kind in [.basalBegins, .basalEnds, .basalAbsent] as [AuditFinding.Kind] {
        #expect(!audit.contains(kind))
      }
    }
  }

  @Test("Between single pulses a gap is one also where only a part without any is judged")
  func pulses() throws {
    var maker = RecordMaker()
    for hour in 0..<24 as Range<Int64> where !(10..<16).contains(hour) {
      maker.basal(0.6, .hours(hour), .hours(hour) + .seconds(2), scheduled: nil)
    }
    maker.bolus(1, .hours(10))
    let audit = Audit(maker.samples, part(.minutes(570), .minutes(660)))
    let found = try finding(audit, .gap)
    #expect(found.start == time(.minutes(570)) && found.end == time(.minutes(660)))
    let within = Audit(maker.samples, part(.minutes(570), .minutes(930)))
    #expect(try finding(within, .gap).end == time(.minutes(930)))
    #expect(!within.contains(.basalAbsent))
    // Half an hour of a gap of six hours, though an hour between pulses is usual.
    let late = try finding(Audit(maker.samples, part(.minutes(930), .hours(24))), .gap)
    #expect(late.start == time(.minutes(930)) && late.end == time(.hours(16)))
    let early = try finding(Audit(maker.samples, part(.zero, .minutes(570))), .gap)
    #expect(early.start == time(.hours(9) + .seconds(2)) && early.end == time(.minutes(570)))
  }

  @Test("What is not written between temp basals is missing in a part that begins or ends there")
  func tempsAlone() throws {
    // Temp basals for half an hour from 08:00, 11:00 and 14:00, and 0.6 U/h of the schedule.
    var maker = RecordMaker()
    for hour in [8, 11, 14] as [Int64] {
      maker.basal(0.5, .hours(hour), .hours(hour) + .minutes(30), temp: 1)
    }
    maker.bolus(1, .minutes(750))
    for (from, to, units) in [(540, 780, 1.2 + 0.9), (720, 780, 0.6)] as [(Int64, Int64, Double)] {
      let audit = Audit(maker.samples, part(.minutes(from), .minutes(to)))
      let found = try finding(audit, .scheduleMissing)
      #expect(found.start == time(.minutes(from)) && found.end == time(.minutes(to)))
      #expect(abs(found.amount + units) < 1e-9)
      #expect(!audit.contains(.basalAbsent))
    }
  }

  @Test("A gap of a source with another's basal in the middle is told once")
  func othersWithin() throws {
    // One source until 08:00 and from 20:00 on, another from 09:00 to 13:00.
    var maker = RecordMaker()
    halves(&maker, 0, 8, by: "Loop")
    halves(&maker, 20, 24, by: "Loop")
    halves(&maker, 9, 13, by: "Trio")
    for step in 0..<288 as Range<Int64> { maker.glucose(100, .minutes(5) * step) }
    for (from, units) in [(8, 0.6 + 1.8), (10, 1.8)] as [(Int64, Double)] {
      let audit = Audit(maker.samples, part(.hours(from), .hours(16)))
      #expect(abs(try finding(audit, .gap).amount + units) < 1e-9)
      #expect(!audit.contains(.basalBegins) && !audit.contains(.basalEnds))
    }
    // Where the other has some at the end of a part, too.
    let early = Audit(maker.samples, .init(to: time(.hours(11))))
    #expect(abs(try finding(early, .gap).amount + 0.6) < 1e-9)
  }

  @Test("Whose basal goes on after a gap doses in it")
  func dosing() {
    var maker = RecordMaker()
    halves(&maker, 0, 10, by: "Trio")
    halves(&maker, 13, 24, by: "Trio")
    maker.bolus(1, .minutes(690), by: "Trio")
    let audit = Audit(maker.samples, part(.minutes(630), .minutes(750)))
    #expect(audit.sources.map(\.role) == [.dosing])
    #expect(!audit.contains(.foreignInsulin))
    #expect(!audit.notJudged.contains { $0.hasPrefix("Basal: ") })
    // After the last basal of a record nothing tells who doses.
    maker.bolus(1, .hours(26), by: "Trio")
    let after = Audit(maker.samples, .init(from: time(.hours(25))))
    #expect(
      after.notJudged.contains(
        "Basal: no source has basal segments in the time that is asked for."))
  }
}
