import HealthStore
import Quantities
import Testing

@testable import Records

@Suite("Audit: basal that one source after another writes")
struct AuditSourcesTests {
  private func audit(_ maker: RecordMaker) -> Audit { Audit(maker.samples, Audit.Options()) }

  /// Half hours of 0.3 U by a source.
  private func write(
    _ halves: Range<Int64>, by name: String, into maker: inout RecordMaker
  ) {
    for half in halves { maker.basal(0.3, .minutes(30 * half), .minutes(30 * half + 30), by: name) }
  }

  @Test("Where another source has basal, none is missing")
  func covered() {
    var maker = RecordMaker()
    write(0..<8, by: "one", into: &maker)
    write(8..<16, by: "two", into: &maker)
    write(16..<24, by: "one", into: &maker)
    #expect(!audit(maker).findings.contains { $0.kind == .gap })
  }

  @Test("What no source covers within a gap of one is missing alone")
  func partly() throws {
    var maker = RecordMaker()
    write(0..<8, by: "one", into: &maker)
    write(10..<16, by: "two", into: &maker)
    write(16..<24, by: "one", into: &maker)
    let gaps = audit(maker).findings.filter { $0.kind == .gap }
    let gap = try #require(gaps.first)
    #expect(gaps.count == 1)
    #expect(gap.occurrences.map(\.start) == [RecordMaker.midnight + .hours(4)])
    #expect(gap.occurrences.map(\.end) == [RecordMaker.midnight + .hours(5)])
    #expect(abs(gap.amount + 0.6) < 1e-9)
  }

  @Test("Between the last of one source and the first of the next basal is missing")
  func between() throws {
    var maker = RecordMaker()
    write(0..<8, by: "one", into: &maker)
    write(12..<24, by: "two", into: &maker)
    let gaps = audit(maker).findings.filter { $0.kind == .gap }
    let gap = try #require(gaps.first)
    #expect(gaps.count == 1)
    #expect(gap.severity == .fault)
    #expect(Set(gap.sources) == ["one", "two"])
    #expect(abs(gap.amount + 1.2) < 1e-9)
    #expect(AuditText.headline(audit(maker)) == "The record lacks 1.2 U of basal")
  }

  @Test("Of boluses without any basal it is not said that no pump gave them")
  func unknownPump() throws {
    var maker = RecordMaker()
    maker.bolus(2, .hours(8), by: "CareLink")
    maker.bolus(3, .hours(12), by: "Pen", isByHand: true)
    let found = audit(maker).findings.filter { $0.kind == .foreignInsulin }
    let pump = try #require(found.first { $0.sources == ["CareLink"] })
    let pen = try #require(found.first { $0.sources == ["Pen"] })
    #expect(found.count == 2)
    #expect(!pump.title.contains("elsewhere than the pump"))
    #expect(pen.title.contains("elsewhere than the pump"))
  }

  @Test("Boluses of the pump that another app has as well are no insulin from elsewhere")
  func copied() throws {
    var maker = RecordMaker()
    maker.day()
    maker.bolus(4, .hours(8))
    maker.bolus(6, .hours(18))
    maker.bolus(4, .hours(8) + .seconds(30), by: "Copier")
    maker.bolus(6, .hours(18) + .seconds(30), by: "Copier")
    let result = audit(maker)
    let day = try #require(result.days.first)
    #expect(day.foreign == 0)
    #expect(day.manualBolus + day.automaticBolus + day.otherBolus == 20)
    #expect(abs(day.plain - 34.4) < 1e-9 && abs(day.twice - 10) < 1e-9)
    #expect(result.sources.map(\.role.rawValue).contains("copies of another source"))
    #expect(!result.findings.contains { $0.kind == .foreignInsulin })
    // What the app has beside them is.
    maker.bolus(1.5, .hours(20), by: "Copier")
    let more = audit(maker)
    #expect(more.days.first?.foreign == 1.5)
    let found = try #require(more.findings.first { $0.kind == .foreignInsulin })
    #expect(found.amount == 1.5 && found.cause == "1 sample of Copier.")
  }

  @Test("Of a part of a record the sources hold what the days do")
  func part() {
    var maker = RecordMaker()
    write(0..<24, by: "one", into: &maker)
    maker.bolus(1.2, .minutes(80), by: "one", lasting: .minutes(20))
    // A half of the bolus, one segment, and a half of the next.
    let from = RecordMaker.midnight + .minutes(90)
    let to = RecordMaker.midnight + .hours(2) + .minutes(15)
    let result = Audit(maker.samples, Audit.Options(from: from, to: to))
    #expect(abs(result.sources[0].basal - (0.3 + 0.15)) < 1e-9)
    #expect(abs(result.sources[0].bolus - 0.6) < 1e-9)
    #expect(abs(result.days[0].plain - (0.45 + 0.6)) < 1e-9)
  }

  @Test("A schedule that nobody writes is missing after the last temp basal, and before the first")
  func scheduleAtTheEnds() throws {
    var maker = RecordMaker()
    maker.bolus(1, .hours(1))
    maker.basal(0.5, .hours(3), .hours(4), temp: 0.5)
    maker.glucose(120, .hours(9))
    let found = try #require(audit(maker).findings.first { $0.kind == .scheduleMissing })
    #expect(found.occurrences.map(\.start) == [1, 4].map { RecordMaker.midnight + .hours($0) })
    #expect(found.occurrences.map(\.end) == [3, 9].map { RecordMaker.midnight + .hours($0) })
    #expect(abs(found.amount + 7 * 0.6) < 1e-9)
    #expect(AuditText.headline(audit(maker)).hasSuffix("without scheduled basal"))
  }

  @Test("Sources of one name are told apart by the file or the identifier that they came with")
  func namesakes() throws {
    var maker = RecordMaker()
    maker.bolus(2, .hours(8))
    maker.glucose(120, .hours(8))
    var other = RecordMaker()
    other.bolus(2, .hours(8) + .seconds(20))
    let copy = try #require(other.samples.first)
    let source = Source(name: "Loop", bundleIdentifier: "import.nightscout.loop")
    let sample = Sample(
      restoring: SampleUUID(high: 8, low: 1), type: copy.sample.type, start: copy.sample.start,
      end: copy.sample.end, value: copy.sample.value, metadata: copy.sample.metadata,
      sourceRevision: SourceRevision(source: source))
    maker.samples.append(RestoredSample(sample, created: copy.created))
    let audit = audit(maker)
    let found = try #require(audit.findings.first { $0.kind == .duplicateAcross })
    #expect(found.sources == ["Loop (test.Loop)", "Loop (nightscout)"])
    #expect(audit.sources.map(\.name) == ["Loop (test.Loop)", "CGM", "Loop (nightscout)"])
  }

  @Test("Food is of another app only beside doses of an app that the record names")
  func namelessPump() throws {
    // An oref history does not say which app wrote it, and Trio's food says so.
    for (pump, isNamed) in [("nightscout pump", false), ("iAPS", true)] {
      var maker = RecordMaker()
      maker.day(by: pump)
      maker.food(20, .hours(8), by: "Trio")
      let part = isNamed ? pump.lowercased() : "pump"
      let samples = maker.samples.map { restored in
        restored.sample.source?.name == pump ? Self.inNightscout(restored, as: part) : restored
      }
      let audit = Audit(samples)
      #expect(audit.sources.first { $0.role == .dosing }?.name == (isNamed ? "iAPS" : "nightscout"))
      #expect(audit.findings.contains { $0.kind == .foreignCarbs } == isNamed)
      #expect(audit.notJudged.contains { $0.hasPrefix("Food of other apps: ") } == !isNamed)
    }
  }

  /// A sample as one that Nightscout holds of an app or a part.
  private static func inNightscout(_ restored: RestoredSample, as part: String) -> RestoredSample {
    let sample = restored.sample
    let source = Source(
      name: sample.source?.name ?? "", bundleIdentifier: "import.nightscout.\(part)")
    return RestoredSample(
      Sample(
        restoring: sample.uuid, type: sample.type, start: sample.start, end: sample.end,
        value: sample.value, metadata: sample.metadata,
        sourceRevision: SourceRevision(source: source)), created: restored.created)
  }

  @Test("Food of which a file names no app may be of the one that doses, which it names elsewhere")
  func namelessFood() throws {
    var maker = RecordMaker()
    maker.day(by: "Trio")
    for (name, hour) in [("food", 8), ("meals", 9)] as [(String, Int64)] {
      maker.food(20, .hours(hour), by: name)
    }
    let samples = maker.samples.map {
      Self.inNightscout($0, as: ($0.sample.source?.name ?? "").lowercased())
    }
    let audit = Audit(samples)
    let found = audit.findings.filter { $0.kind == .foreignCarbs }
    #expect(found.map(\.sources) == [["meals"]] && found.first?.amount == 20)
    #expect(
      audit.notJudged.contains(
        "Food of other apps: the record does not name the app of some food, which may be the one "
          + "that doses."))
  }
}
