import Foundation
import HealthStore
import HealthStoreSQLite
import Quantities
import Testing

@testable import loopsim

@Suite("Samples of which nobody knows yet when they end")
struct OpenSampleTests {
  /// A temp basal of 2 U/h from 08:00 on, of which 1 U was given so far.
  private static let identity = SampleUUID(high: 4, low: 1)

  private func fixture() throws -> StoreFixture {
    let fixture = try StoreFixture()
    var store = try SQLiteHealthStore(path: fixture.path)
    let loop = try store.register(
      HealthClient(bundleIdentifier: "com.loopkit.Loop", name: "Loop"), granting: .full)
    var metadata = Metadata()
    metadata.hasLoopKitOrigin = true
    metadata.scheduledBasalRate = InsulinRate(milliunitsPerHour: 500)
    metadata.programmedTempBasalRate = InsulinRate(milliunitsPerHour: 2_000)
    let sample = Sample.insulinDelivery(
      InsulinAmount(milliunits: 1_000), reason: .basal, start: fixture.midnight + .hours(8),
      end: Sample.undeterminedEnd, uuid: Self.identity, metadata: metadata)
    try store.save([sample], as: loop, at: fixture.midnight + .hours(9))
    return fixture
  }

  @Test("An audit leaves them out, says so, and judges the time that is recorded")
  func audit() async throws {
    let fixture = try fixture()
    let audit = await program(["audit", fixture.path, "--zone", "UTC", "--format", "json"])
    #expect(audit.code == 0, "\(audit.error)")
    let told =
      "1 sample has no end yet (HealthKit's undetermined duration) and is left out, the first 1 U, "
      + "2026-01-01T08:00:00Z, without an end."
    #expect(audit.error.contains(told), "\(audit.error)")
    #expect(audit.output.contains(told))
    #expect(audit.output.contains("\"to\": \"2026-01-01T08:00:00Z\""))
    let page = fixture.folder + "/page.html"
    #expect(await program(["report", fixture.path, "--zone", "UTC", "-o", page]).code == 0)
    let text = try String(contentsOfFile: page, encoding: .utf8)
    #expect(text.contains("is left out, the first 1 U, 2026-01-01T08:00:00Z, without an end."))
  }

  @Test("They are held against no rate, and a deletion counts what they gave so far")
  func store() async throws {
    let fixture = try fixture()
    let timeline = await fixture.run("timeline", fixture.path, "--format", "csv")
    let line = try #require(timeline.output.split(separator: "\n").last)
    #expect(line.contains(",temp basal,2,,20,1,,") && line.hasSuffix(",has no end yet"), "\(line)")
    let verified = await fixture.run("verify", fixture.path)
    #expect(
      verified.output.contains("Open: InsulinDelivery from 2026-01-01T08:00:00Z has no end yet."))
    #expect(!verified.output.contains("Conservation: the segment at 2026-01-01T08:00:00Z"))
    // The time of deletion is that of its start.
    let deleted = await fixture.run("delete", fixture.path, "\(Self.identity)")
    #expect(deleted.error.contains("nsulin on board at 2026-01-01T08:00:00Z"), "\(deleted.error)")
  }
}
