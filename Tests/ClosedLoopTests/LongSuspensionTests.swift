import Devices
import HealthStore
import Quantities
import Testing

@testable import ClosedLoop

@Suite("A suspension that lasts for days")
struct LongSuspensionTests {
  /// Nothing is reported since 08:00, when the pump was suspended; entries begin at 0, 6 and 8.
  private func openPieces(
    from earliest: Instant, at now: Instant
  ) throws -> (visited: [OpenStretch], listed: [DoseEntry]) {
    let reporter = BasalReporter(policy: ReportingPolicy(), from: at(8))
    var suspension = DoseEntry(
      .suspend, from: at(8), to: now, .units(0), syncIdentifier: "suspend")
    suspension.isMutable = true
    let delivery = BasalReporter.Delivery(
      programs: [suspension], basal: try tableSchedule(), pulses: PulseLog())
    var visited: [OpenStretch] = []
    reporter.visitOpen(from: earliest, at: now, delivery) { visited.append($0) }
    return (visited, reporter.open(from: earliest, at: now, delivery))
  }

  @Test("Only its pieces of a window are listed, cut where the whole is", arguments: 0...200)
  func piecesOfAWindow(hours: Int64) throws {
    let now = at(9) + .hours(hours)
    let earliest = now - .hours(16) - .minutes(10)
    // All pieces, one after another: to 24:00, to 06:00, to 08:00, and so on.
    var pieces: [(start: Instant, end: Instant)] = []
    var start = at(8)
    while start < now {
      let hour = (start - midnight).milliseconds / 3_600_000
      let next: Int64 = [6, 8, 24].first { $0 > hour % 24 } ?? 24
      let end = min(now, start + .hours(next - hour % 24))
      if end >= earliest { pieces.append((start, end)) }
      start = end
    }
    let (visited, listed) = try openPieces(from: earliest, at: now)
    #expect(visited.map(\.start) == pieces.map(\.start))
    #expect(visited.map(\.end) == pieces.map(\.end))
    #expect(listed.map(\.start) == pieces.map(\.start))
    #expect(listed.map(\.end) == pieces.map(\.end))
    #expect(visited.allSatisfy { $0.kind == .suspend && $0.units == .zero })
    #expect(visited.count <= 5)
  }

  @Test("A temp basal that nobody has heard to be over ends all the same, and the schedule goes on")
  func tempBasal() throws {
    // Reported up to its start, or to ten minutes before.
    for reported in [at(8), at(7, 50)] {
      let reporter = BasalReporter(policy: ReportingPolicy(), from: reported)
      let delivery = BasalReporter.Delivery(
        programs: [temp(2, at(8), at(8, 30), id: "temp", isMutable: true)],
        basal: try tableSchedule(), pulses: PulseLog())
      for (earliest, now) in [(at(0), at(8, 20)), (at(0), at(8, 30)), (at(0), at(12))] {
        var visited: [OpenStretch] = []
        reporter.visitOpen(from: earliest, at: now, delivery) { visited.append($0) }
        let before: [(DoseEntry.Kind, Instant, Instant)] =
          reported < at(8) ? [(.basal, reported, at(8))] : []
        let after: [(DoseEntry.Kind, Instant, Instant)] =
          now > at(8, 30) ? [(.basal, at(8, 30), now)] : []
        let pieces = before + [(.tempBasal, at(8), min(now, at(8, 30)))] + after
        #expect(visited.map(\.kind) == pieces.map(\.0))
        #expect(visited.map(\.start) == pieces.map(\.1))
        #expect(visited.map(\.end) == pieces.map(\.2))
        let listed = reporter.open(from: earliest, at: now, delivery)
        #expect(listed.map(\.kind) == pieces.map(\.0))
        #expect(listed.map(\.start) == pieces.map(\.1))
        #expect(listed.map(\.end) == pieces.map(\.2))
      }
    }
  }

  @Test("A whole day that is not reported yet is one piece, however long a sample may be")
  func wholeDay() throws {
    let reporter = BasalReporter(policy: ReportingPolicy(), from: at(8))
    var suspension = DoseEntry(
      .suspend, from: at(8), to: at(60), .units(0), syncIdentifier: "suspend")
    suspension.isMutable = true
    for programs in [[suspension], []] {
      let delivery = BasalReporter.Delivery(
        programs: programs, basal: try history([(0, 400)]), pulses: PulseLog())
      let listed = reporter.open(from: at(8), at: at(60), delivery)
      #expect(listed.map(\.start) == [at(8), at(24), at(48)])
      #expect(listed.map(\.end) == [at(24), at(48), at(60)])
    }
  }
}
