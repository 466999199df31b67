import HealthStore
import Quantities
import StructuredText
import Testing

@testable import Records

@Suite("Where the basal of a record begins and ends")
struct AuditEndsTests {
  private func time(_ span: TimeSpan) -> Instant { RecordMaker.midnight + span }

  private func readings(_ maker: inout RecordMaker, _ hours: Range<Int64>) {
    for step in (hours.lowerBound * 12)..<(hours.upperBound * 12) {
      maker.glucose(120 + Double(step % 7), .minutes(5) * step)
    }
  }

  private func finding(_ audit: Audit, _ kind: AuditFinding.Kind) throws -> AuditFinding {
    try #require(audit.findings.first { $0.kind == kind }, "\(audit.findings.map(\.kind))")
  }

  @Test("Basal that ends while glucose goes on is missing, from when to when and of whom")
  func ends() throws {
    var maker = RecordMaker()
    maker.day(without: [43, 44, 45, 46, 47])
    readings(&maker, 0..<24)
    let audit = Audit(maker.samples)
    let found = try finding(audit, .basalEnds)
    #expect(found.severity == .fault)
    #expect(found.sources == ["Loop"])
    #expect(found.start == time(.hours(21) + .minutes(30)))
    #expect(found.end == time(.hours(23) + .minutes(55)))
    // Two hours and 25 minutes at 0.6 U/h.
    #expect(abs(found.amount + 1.45) < 1e-9)
    #expect(found.cause.contains("2h25m"))
    #expect(AuditText.headline(audit) == "The record lacks 1.45 U of basal")
  }

  @Test("A bolus that was being given as the file was written does not make basal end too early")
  func runningBolus() throws {
    // Basal and readings until 20:00, and two hours of a bolus from 19:30 on.
    var maker = RecordMaker()
    maker.day(without: Set(40..<48))
    readings(&maker, 0..<20)
    maker.bolus(2, .hours(19) + .minutes(30), lasting: .hours(2))
    #expect(!Audit(maker.samples).findings.contains { $0.kind == .basalEnds })
    // What is entered at 21:00 tells that the record went on: an hour at 0.6 U/h.
    maker.food(20, .hours(21))
    let found = try finding(Audit(maker.samples), .basalEnds)
    #expect(found.start == time(.hours(20)) && found.end == time(.hours(21)))
    #expect(abs(found.amount + 0.6) < 1e-9)
  }

  @Test("A bolus that was written after its end tells that the record goes on until then")
  func endedBolus() throws {
    var maker = RecordMaker()
    maker.day(without: Set(40..<48))
    let end = TimeSpan.hours(21) + .minutes(30)
    maker.bolus(2, end - .hours(2), lasting: .hours(2), written: end + .seconds(5))
    // An hour and a half at 0.6 U/h.
    let found = try finding(Audit(maker.samples), .basalEnds)
    #expect(found.severity == .fault && abs(found.amount + 0.9) < 1e-9)
    #expect(found.start == time(.hours(20)) && found.end == time(end))
  }

  @Test("The last basal and the first are named by whose they are, and not by who writes all")
  func namesOwners() throws {
    // All of Pump's until 10:00, and then temp basals of App until 12:00.
    var maker = RecordMaker()
    for half in 0..<20 as Range<Int64> {
      maker.basal(0.3, .minutes(30 * half), .minutes(30 * half + 30), by: "Pump")
    }
    for half in 20..<24 as Range<Int64> {
      maker.basal(
        0.5, .minutes(30 * half), .minutes(30 * half + 30), scheduled: nil, temp: 1, by: "App")
    }
    readings(&maker, 0..<20)
    let last = try finding(Audit(maker.samples), .basalEnds)
    #expect(last.cause == "The last basal of App ends 7h55m before the record does.")
    #expect(last.sources == ["App"])
    // Temp basals of App from 02:00 to 05:00, and then all of Pump's, which gave a bolus at 00:15.
    var other = RecordMaker()
    for half in 4..<10 as Range<Int64> {
      other.basal(
        0.5, .minutes(30 * half), .minutes(30 * half + 30), scheduled: nil, temp: 1, by: "App")
    }
    for half in 10..<48 as Range<Int64> {
      other.basal(0.3, .minutes(30 * half), .minutes(30 * half + 30), by: "Pump")
    }
    other.bolus(1, .minutes(15), by: "Pump")
    let first = try finding(Audit(other.samples), .basalBegins)
    #expect(
      first.cause == "The first basal of App begins 1h45m after the first bolus of Pump.")
    #expect(first.sources == ["App", "Pump"])
  }

  @Test(
    "In a record of few samples a gap is no usual distance",
    arguments: [[0, 6, 12, 18], [0, 6, 12, 18, 24], [0, 2, 4, 6, 12]])
  func fewSamples(hours: [Int64]) throws {
    // Of the samples that touch one is left out: from the second hour to the third.
    var maker = RecordMaker()
    let bounds = Array(zip(hours, hours.dropFirst()))
    for (place, (start, end)) in bounds.enumerated() where place != 1 {
      maker.basal(Double(end - start) * 0.6, .hours(start), .hours(end))
    }
    let audit = Audit(maker.samples)
    let found = try finding(audit, .gap)
    #expect(found.severity == .fault)
    #expect(found.start == time(.hours(hours[1])) && found.end == time(.hours(hours[2])))
    #expect(AuditText.headline(audit).hasPrefix("The record lacks "), "\(audit.findings)")
  }

  @Test(
    "A gap that comes again each day is missing each day, and no usual distance",
    arguments: [[3], [3, 15], [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20]] as [[Int64]])
  func everyDay(hours: [Int64]) throws {
    var maker = RecordMaker()
    let days = 0..<14 as Range<Int64>
    for day in days {
      for (start, end) in zip([-1] + hours, hours + [24]) where start + 1 < end {
        maker.basal(
          Double(end - start - 1) * 0.6, .hours(24 * day + start + 1), .hours(24 * day + end))
      }
    }
    let audit = Audit(maker.samples)
    let found = try finding(audit, .gap)
    #expect(found.severity == .fault)
    // Before the first sample nothing tells that a pump was worn.
    let count = hours.count * days.count - (hours.first == 0 ? 1 : 0)
    #expect(found.occurrences.count == count)
    #expect(abs(found.amount + Double(count) * 0.6) < 1e-9)
    #expect(AuditText.headline(audit).hasPrefix("The record lacks "))
  }

  @Test("Pulses that are a sample each, and an injection a day, have usual distances")
  func moments() {
    var maker = RecordMaker()
    for pulse in 0..<96 as Range<Int64> {
      maker.basal(0.15, .minutes(15 * pulse), .minutes(15 * pulse) + .seconds(6), by: "Pump")
    }
    for day in 0..<9 as Range<Int64> {
      maker.basal(18, .hours(22 + 24 * day), .hours(22 + 24 * day), scheduled: nil, by: "Pen")
    }
    #expect(!Audit(maker.samples).findings.contains { $0.kind == .gap })
  }

  @Test("Two injections of a pen's basal have the distance of a day between them")
  func twoInjections() {
    var maker = RecordMaker()
    for day in [0, 1] as [Int64] {
      maker.basal(18, .hours(22 + 24 * day), .hours(22 + 24 * day), scheduled: nil, by: "Pen")
    }
    #expect(!Audit(maker.samples).findings.contains { $0.kind == .gap })
  }

  @Test("Boluses without any basal are something to check, however well they add up")
  func absent() throws {
    var maker = RecordMaker()
    readings(&maker, 0..<24)
    maker.bolus(3, .hours(8))
    maker.bolus(4, .hours(12))
    let found = try finding(Audit(maker.samples), .basalAbsent)
    #expect(found.severity == .check && found.sources == ["Loop"] && found.amount == 0)
    #expect(found.start == time(.hours(8)))
    #expect(
      AuditText.headline(Audit(maker.samples)).hasPrefix("The record has no fault and 1 thing to "))
    #expect(AuditText.headline(Audit(maker.samples)).hasSuffix("nothing twice, without any basal"))
    // A pen's basal is some.
    maker.basal(18, .hours(22), .hours(22), by: "Pen")
    #expect(!Audit(maker.samples).findings.contains { $0.kind == .basalAbsent })
  }

  @Test("A record of one instant has an amount and no length")
  func instant() {
    var maker = RecordMaker()
    maker.bolus(4, .hours(9))
    #expect(AuditText.headline(Audit(maker.samples)).contains("; 4 U from 1 source"))
  }

  @Test("What was left out of the files is told with the answer, in text and in JSON")
  func reading() {
    var maker = RecordMaker()
    maker.day()
    let sentence = "a.csv:7:1: 144 records are left out: basal rates."
    let audit = Audit(maker.samples, Audit.Options(reading: [sentence]))
    let lines = AuditText.lines(audit, file: "a.csv")
    #expect(lines.contains("Reading the files:") && lines.contains("  \(sentence)"))
    #expect(AuditText.headline(audit).hasSuffix("; see \"Reading the files\""))
    let told = audit.json(file: "a.csv")
    #expect(told["reading"] == [.string(sentence)])
    let silent = AuditText.lines(Audit(maker.samples), file: "a.csv")
    #expect(!silent.contains { $0.contains("Reading the files") })
  }

  @Test("A stretch no longer than a usual segment may be one that is not finished")
  func unfinished() throws {
    var maker = RecordMaker()
    for part in 0..<3 as Range<Int64> {
      maker.basal(3.6, .hours(6) * part, .hours(6) * (part + 1))
    }
    readings(&maker, 0..<20)
    let found = try finding(Audit(maker.samples), .basalEnds)
    #expect(found.severity == .note)
    #expect(found.amount == 0)
    #expect(found.consequence.contains("finished"))
  }

  @Test(
    "Nine in ten of two segments are both of them, and of eleven ten",
    arguments: [
      ([30, 120], 120, .note), ([30, 120], 125, .fault),
      ([30, 30, 30, 30, 30, 30, 30, 30, 30, 60, 90], 60, .note),
      ([30, 30, 30, 30, 30, 30, 30, 30, 30, 60, 90], 65, .fault),
    ] as [([Int64], Int64, AuditFinding.Severity)])
  func nineInTen(segments: [Int64], lacking: Int64, severity: AuditFinding.Severity) throws {
    var maker = RecordMaker()
    var end: Int64 = 0
    for minutes in segments {
      maker.basal(
        0.01 * Double(minutes), .minutes(end), .minutes(end + minutes), scheduled: 0.6)
      end += minutes
    }
    for step in 0...((end + lacking) / 5) {
      maker.glucose(120 + Double(step % 7), .minutes(5) * step)
    }
    let found = try finding(Audit(maker.samples), .basalEnds)
    #expect(found.end - found.start == .minutes(lacking))
    #expect(found.severity == severity)
  }

  @Test("Basal that begins after boluses is missing before; after glucose alone it is a remark")
  func begins() throws {
    var maker = RecordMaker()
    maker.day(without: Set(0..<16))
    readings(&maker, 0..<24)
    let quiet = try finding(Audit(maker.samples), .basalBegins)
    #expect(quiet.severity == .note)
    #expect(quiet.end == time(.hours(8)))
    maker.bolus(2, .hours(2))
    let loud = try finding(Audit(maker.samples), .basalBegins)
    #expect(loud.severity == .check)
    #expect(loud.start == time(.hours(2)))
    #expect(abs(loud.amount + 3.6) < 1e-9)
  }

  @Test("Where another source's basal goes on, nothing ends; nor after a suspension")
  func goesOn() {
    var maker = RecordMaker()
    maker.day(without: Set(24..<48))
    for half in 24..<48 as Range<Int64> {
      maker.basal(0.3, .minutes(30) * half, .minutes(30) * (half + 1), by: "Trio")
    }
    readings(&maker, 0..<24)
    #expect(!Audit(maker.samples).findings.contains { $0.kind == .basalEnds })
  }

  /// A suspension from 12:00 until 12:30, of which another program's file tells the end or not.
  private func suspended(isOver: Bool, _ rest: (inout RecordMaker) -> Void) -> Audit {
    var maker = RecordMaker()
    rest(&maker)
    maker.basal(0, .hours(12), .minutes(750), temp: isOver ? 0 : nil, isSuspend: true)
    readings(&maker, 0..<22)
    return Audit(maker.samples)
  }

  @Test("Basal is missing after a suspension that is told to be over, and else perhaps not")
  func suspensionAtTheEnd() throws {
    func morning(_ maker: inout RecordMaker) { maker.day(without: Set(24..<48)) }
    let open = try finding(suspended(isOver: false, morning), .basalEnds)
    #expect(open.severity == .note && open.amount == 0)
    #expect(open.consequence.contains("did not resume"))
    let over = try finding(suspended(isOver: true, morning), .basalEnds)
    #expect(over.severity == .fault)
    // From 12:30 until the last reading at 21:55, at 0.6 U/h.
    #expect(over.end - over.start == .minutes(565))
    #expect(abs(over.amount + 5.65) < 1e-9)
    #expect(!over.consequence.contains("resume"))
  }

  @Test("Basal is missing between a suspension that is told to be over and what follows")
  func suspensionBefore() throws {
    func around(_ maker: inout RecordMaker) { maker.day(without: Set(24..<40)) }
    let open = try finding(suspended(isOver: false, around), .gap)
    #expect(open.severity == .note && open.amount == 0)
    let over = try finding(suspended(isOver: true, around), .gap)
    #expect(over.severity == .fault)
    // From 12:30 until 20:00.
    #expect(abs(over.amount + 4.5) < 1e-9)
  }

  @Test("Where nobody writes the schedule it is missing after a suspension that is over")
  func suspensionAmongTemps() throws {
    func temps(_ maker: inout RecordMaker) { maker.basal(0.5, .hours(11), .hours(12), temp: 0.5) }
    #expect(!suspended(isOver: false, temps).findings.contains { $0.kind == .scheduleMissing })
    let over = try finding(suspended(isOver: true, temps), .scheduleMissing)
    #expect(abs(over.amount + 5.65) < 1e-9)
  }

  @Test("Months of glucose after the last basal are one stretch, soon told")
  func long() throws {
    var maker = RecordMaker()
    maker.day()
    for day in 0..<400 as Range<Int64> { maker.glucose(110, .days(day)) }
    let found = try finding(Audit(maker.samples), .basalEnds)
    #expect(abs(found.amount + 398 * 14.4) < 1e-6)
  }

  @Test(
    "Of months of glucose a few readings tell where basal is missing, around a pause too",
    arguments: [[0..<20], [0..<31], [0..<40], [0..<400], [0..<50, 90..<200]] as [[Range<Int64>]])
  func extent(days: [Range<Int64>]) throws {
    var maker = RecordMaker()
    maker.day()
    let insulin = maker.samples
    var extent = GlucoseExtent()
    for day in days.joined() { maker.glucose(110, .days(day)) }
    for reading in maker.samples.dropFirst(insulin.count) { extent.take(reading.sample) }
    let few = extent.samples.map { RestoredSample($0, created: $0.end) }
    #expect(few.count < 20)
    let found = try #require(Audit.ends(of: insulin + few).first { $0.kind == .basalEnds })
    #expect(found.severity == .fault)
    // From the end of the first day to each last reading, and not in the 41 days without any.
    let length = days.reduce(0) { $0 + $1.upperBound - 1 - max($1.lowerBound, 1) }
    #expect(abs(found.amount + Double(length) * 14.4) < 1e-6)
    #expect(found.occurrences.count == days.count)
  }

  @Test("Two sensors are compared in the unit in which the record tells glucose")
  func molar() throws {
    var maker = RecordMaker()
    for step in 0..<60 as Range<Int64> {
      maker.glucose(120 + Double(step % 7), .minutes(5) * step)
      maker.glucose(138.0156 + Double(step % 7), .minutes(5) * step, by: "Other")
    }
    let options = Audit.Options(glucoseUnit: .millimolesPerLitre)
    let found = try finding(Audit(maker.samples, options), .glucosePair)
    #expect(found.cause.contains("they differ by 1 mmol/L, SD 0."), "\(found.cause)")
  }
}

@Suite("Who gave the insulin of a day")
struct AuditDayTests {
  @Test("A dose by hand is one, also where the app that doses wrote it down")
  func penInTheApp() throws {
    var maker = RecordMaker()
    maker.day()
    maker.bolus(2.5, .hours(12))
    maker.bolus(1.5, .hours(22), isByHand: true)
    let day = Audit(maker.samples).days[0]
    let boluses = day.manualBolus + day.automaticBolus + day.otherBolus
    #expect(abs(boluses - 2.5) < 1e-9)
    #expect(abs(day.foreign - 1.5) < 1e-9)
  }
}
