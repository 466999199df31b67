import HealthStore
import Quantities
import StructuredText
import Testing

@testable import Interchange

@Suite("Nightscout's files of one record")
struct NightscoutRecordTests {
  static let entries = """
    [{"type":"sgv","dateString":"2026-02-03T00:00:00Z","sgv":110},
     {"type":"sgv","dateString":"2026-02-03T02:00:00Z","sgv":120}]
    """
  /// A temp basal of half an hour that is cancelled after ten minutes.
  static let treatments = """
    [{"eventType":"Temp Basal","created_at":"2026-02-03T01:00:00Z","absolute":1.2,"duration":30,
      "enteredBy":"loop://Loop"},
     {"eventType":"Temp Basal","created_at":"2026-02-03T01:10:00Z","absolute":0,"duration":0,
      "enteredBy":"loop://Loop"}]
    """

  static func profile(_ zone: String? = nil) -> String {
    let named = zone.map { "\"timezone\":\"\($0)\"," } ?? ""
    return """
      [{"defaultProfile":"d","startDate":"2026-01-01T00:00:00Z","store":{"d":{\(named)
       "basal":[{"time":"00:00","value":0.6},{"time":"12:00","value":1.8}]}}}]
      """
  }

  static func basal(
    _ files: String..., whole: Bool = true
  ) throws -> (units: Double, spans: [String], reader: NightscoutReader) {
    let problems = ProblemList()
    let roots = try files.map { try #require(JSONReader.read(Array($0.utf8), file: "f.json").root) }
    var reader = NightscoutReader(file: "f.json", isWholeRecord: whole) {
      $0 == "Asia/Tokyo" ? WallClock(initialOffset: .hours(9)) : nil
    }
    let read = reader.samples(of: roots, problems: problems)
    let samples = try #require(read).map(\.sample)
    let basal = samples.filter { $0.metadata.insulinDeliveryReason == .basal }
    return (
      basal.reduce(0) { $0 + ($1.storedValue ?? 0) },
      basal.map { "\($0.start) \($0.end)" }, reader
    )
  }

  @Test("Entries, treatments and profile in three files are what they are in one")
  func threeFiles() throws {
    let three = try Self.basal(Self.entries, Self.treatments, Self.profile())
    let one = try Self.basal(
      """
      {"entries":\(Self.entries),"treatments":\(Self.treatments),"profile":\(Self.profile())}
      """)
    #expect(three.spans == one.spans)
    // An hour of 0.6 U/h, ten minutes of 1.2 U/h, fifty minutes of 0.6 U/h.
    #expect(abs(three.units - (0.6 + 0.2 + 0.5)) < 1e-9)
    #expect(three.reader.report.account.unexplained(of: .basal) == .zero)
    let order = try Self.basal(Self.profile(), Self.treatments, Self.entries)
    #expect(order.spans == three.spans)
  }

  private static func treatments(and more: String) -> String {
    "\(treatments.dropLast()),\(more.dropFirst())"
  }

  /// A switch as AndroidAPS writes it: the profile as it stands, as a text.
  private static func switched(
    at time: String, _ beside: String = "", basal: String = "[{'time':'00:00','value':2}]"
  ) -> String {
    let text = "{'units':'mg/dl','timezone':'UTC','basal':\(basal)}"
      .replacing("'", with: "\\\"")
    return """
      [{"eventType":"Profile Switch","created_at":"2026-02-03T\(time):00Z","profile":"d (50%)",
        "profileJson":"\(text)"\(beside)}]
      """
  }

  @Test("A switch of the profile is what is rebuilt from then on, whatever is stored later")
  func profileSwitch() throws {
    let later = Self.profile().replacing("2026-01-01", with: "2026-02-03")
      .replacing("T00:00:00Z", with: "T00:45:00Z")
    let read = try Self.basal(
      Self.entries, Self.treatments, Self.profile(), later, Self.switched(at: "00:30"))
    // Half an hour of 0.6 U/h and one of 2 U/h, ten minutes of 1.2 U/h, fifty minutes of 2 U/h.
    #expect(abs(read.units - (0.3 + 1 + 0.2 + 2 * 5.0 / 6)) < 1e-9)
    #expect(read.reader.report.account.unexplained(of: .basal) == .zero)
    #expect(read.reader.report.omissions.isEmpty)
  }

  @Test(
    "A switch to a part, for a while, gives way to what held before",
    arguments: ["\"originalDuration\":5400000", "\"duration\":90"])
  func profileSwitchForAWhile(span: String) throws {
    let read = try Self.basal(
      Self.entries, Self.treatments, Self.profile(),
      Self.switched(at: "00:00", ",\"percentage\":50,\(span)"))
    // An hour of 1 U/h, ten minutes of 1.2 U/h, twenty of 1 U/h, half an hour of 0.6 U/h.
    #expect(abs(read.units - (1 + 0.2 + 1.0 / 3 + 0.3)) < 1e-9)
  }

  @Test(
    "A shift in time moves the entries later, in milliseconds or in the hours of old versions",
    arguments: [
      ("\"timeshift\":5400000", 1.5, 1.0), ("\"timeshift\":1", 1.5, 1),
      ("\"timeShift\":-3600000", 3, 1.5), ("\"timeshift\":\"0\"", 1, 3),
    ])
  func profileSwitchShifted(shift: String, first: Double, second: Double) throws {
    let basal =
      "[{'time':'00:00','value':1},{'time':'01:00','value':3},{'time':'02:00','value':1.5}]"
    let read = try Self.basal(
      Self.entries, Self.treatments, Self.switched(at: "00:00", ",\(shift)", basal: basal))
    #expect(read.spans.first == "2026-02-03T00:00:00Z 2026-02-03T01:00:00Z")
    // An hour at the first rate, ten minutes of 1.2 U/h, fifty minutes at the second rate.
    #expect(abs(read.units - (first + 0.2 + second * 5 / 6)) < 1e-9)
  }

  @Test("A switch whose profile cannot be read is named, and one without a profile left out")
  func profileSwitchUnread() throws {
    let damaged = Self.switched(at: "00:00").replacing("basal", with: "basl")
    let read = try Self.basal(Self.entries, Self.treatments(and: damaged), Self.profile())
    #expect(read.reader.report.omissions.map(\.reason).contains { $0.contains("cannot be read") })
    let none = Self.switched(at: "00:00").replacing("profileJson", with: "other")
    let left = try Self.basal(Self.entries, Self.treatments(and: none), Self.profile())
    #expect(
      left.reader.report.omissions.map(\.reason) == [
        "the profile that it switches to is stored nowhere"
      ])
    let unnamed = try Self.basal(
      Self.entries, Self.treatments(and: none.replacing("\"profile\"", with: "\"p\"")),
      Self.profile())
    #expect(
      unnamed.reader.report.omissions.map(\.reason) == ["events 'Profile Switch' are not read"])
    #expect(left.units == read.units)
  }

  /// Profiles by name and rate, stored at a time of the day of the record, or before it.
  private static func store(_ rates: [String: Double], from time: String? = nil) -> String {
    let profiles = rates.sorted { $0.key < $1.key }.map {
      "\"\($0.key)\":{\"timezone\":\"UTC\",\"basal\":[{\"time\":\"00:00\",\"value\":\($0.value)}]}"
    }
    let start = time.map { "2026-02-03T\($0):00Z" } ?? "2026-01-01T00:00:00Z"
    return """
      [{"defaultProfile":"d","startDate":"\(start)","store":{\(profiles.joined(separator: ","))}}]
      """
  }

  @Test(
    "A stored profile holds from its date, also one with a blank or without a time of day",
    arguments: [
      ("2026-02-03 00:00:00Z", 5.7, []), ("2026-02-03", 5.7, []),
      // One that nobody can read is named, and does not become the oldest of all.
      (
        "yesterday", 1.3,
        ["it cannot be read: \"startDate\" must be a time such as 2026-02-03T06:15:00Z"]
      ),
    ] as [(String, Double, [String])])
  func startOfProfile(date: String, units: Double, omissions: [String]) throws {
    let later = Self.store(["d": 3], from: "00:00").replacing("2026-02-03T00:00:00Z", with: date)
    // An hour of the schedule, ten minutes of 1.2 U/h, fifty minutes of the schedule.
    let known = Self.store(["d": 0.6])
    for (one, two) in [(known, later), (later, known)] {
      let read = try Self.basal(
        Self.entries, Self.treatments, "\(one.dropLast()),\(two.dropFirst())")
      #expect(abs(read.units - units) < 1e-9)
      #expect(read.reader.report.omissions.map(\.reason) == omissions)
    }
  }

  private static func named(_ name: String, at time: String, _ beside: String = "") -> String {
    """
    [{"eventType":"Profile Switch","created_at":"2026-02-03T\(time):00Z",
      "profile":"\(name)"\(beside)}]
    """
  }

  @Test("A switch that a person enters is to the profile of its name, as it is stored then")
  func namedSwitch() throws {
    let store = Self.store(["d": 0.6, "night": 3])
    func units(_ files: String...) throws -> Double {
      let all = files.reduce(Self.treatments) { "\($0.dropLast()),\($1.dropFirst())" }
      let read = try Self.basal(
        Self.entries, all, store, Self.store(["d": 0.6, "night": 6], from: "01:30"))
      #expect(read.reader.report.omissions.isEmpty)
      // Without the ten minutes of 1.2 U/h.
      return read.units - 0.2
    }
    func isNear(_ first: Double, _ second: Double) -> Bool { (first - second).magnitude < 1e-9 }
    // Half an hour of 0.6 U/h; then 3 U/h, until half an hour of 6 U/h from where it is edited.
    let switched = Self.named("night", at: "00:30")
    #expect(try isNear(units(switched), 0.3 + 1.5 + 1 + 3))
    // A switch for 15 minutes, at half the rate, after which the first profile holds again.
    let brief = Self.named("night", at: "00:30", ",\"duration\":15,\"percentage\":50")
    #expect(try isNear(units(brief), 0.3 + 0.375 + 0.15 + 0.5))
    // Who switches back is not back on an edited one.
    #expect(try isNear(units(switched, Self.named("d", at: "01:20")), 0.3 + 1.5 + 0.5 + 0.4))
    // Who switches for a while is: five minutes of 3 U/h, the while of 0.6 U/h, the rest of 6 U/h.
    for (minutes, rest) in [(15, 0.15 + 3), (30, 0.3 + 1.5)] {
      let away = Self.named("d", at: "01:15", ",\"duration\":\(minutes)")
      #expect(try isNear(units(switched, away), 0.3 + 1.5 + 0.25 + rest))
    }
  }

  @Test(
    "The name of a zone that can be one alone is known",
    arguments: [
      ("EST", -5, "Etc/GMT+5"), ("MST", -7, "Etc/GMT+7"), ("GMT-5", -5, "-05:00"),
      ("GMT+05:30", 5.5, "+05:30"), ("GMT-0330", -3.5, "-03:30"), ("UTC+2", 2, "+02:00"),
      ("JST", nil, ""), ("IST", nil, ""), ("GMT-15", nil, ""), ("GMT+1:5", nil, ""),
      ("CET", 9, "Europe/Brussels"), ("GMT5", nil, ""), ("GMT-", nil, ""), ("GMT--5", nil, ""),
    ] as [(String, Double?, String)])
  func zone(name: String, hours: Double?, known: String) {
    let zone = NightscoutZone(name) {
      $0 == "Europe/Brussels" ? WallClock(initialOffset: .hours(9)) : nil
    }
    let clock = hours.map { WallClock(initialOffset: .minutes(Int64($0 * 60))) }
    #expect(zone?.clock == clock)
    #expect(zone?.name ?? "" == known)
  }

  @Test("A dump that is added to others keeps to its temp basals")
  func onePart() throws {
    let part = try Self.basal(Self.entries, Self.treatments, Self.profile(), whole: false)
    #expect(part.spans == ["2026-02-03T01:00:00Z 2026-02-03T01:10:00Z"])
  }

  @Test("Treatments in two files are one series, and nothing is rebuilt over the second")
  func divided() throws {
    let later = """
      [{"eventType":"Temp Basal","created_at":"2026-02-03T01:30:00Z","absolute":3,"duration":30,
        "enteredBy":"loop://Loop"}]
      """
    let both = try Self.basal(Self.entries, Self.treatments, later, Self.profile())
    #expect(both.spans.count == 4)
    #expect(abs(both.units - (0.6 + 0.2 + 0.2 + 1.5)) < 1e-9)
  }

  @Test("Nothing is rebuilt after a suspension, nor for longer than six hours, nor by no profile")
  func unknown() throws {
    let suspended = Self.treatments.replacing(
      "\"absolute\":0,\"duration\":0", with: "\"absolute\":0,\"duration\":5,\"reason\":\"suspend\"")
    #expect(abs(try Self.basal(Self.entries, suspended, Self.profile()).units - 0.8) < 1e-9)
    let long = Self.entries.replacing("T02:00:00Z", with: "T07:10:01Z")
    #expect(abs(try Self.basal(long, Self.treatments, Self.profile()).units - 0.8) < 1e-9)
    let six = Self.entries.replacing("T02:00:00Z", with: "T07:10:00Z")
    #expect(abs(try Self.basal(six, Self.treatments, Self.profile()).units - 4.4) < 1e-9)
    #expect(abs(try Self.basal(Self.entries, Self.treatments).units - 0.2) < 1e-9)
  }

  @Test("A pump that stopped and did not go on within the history runs no schedule")
  func stopped() throws {
    let history = """
      [{"_type":"TempBasal","timestamp":"2026-02-03T01:00:00Z","rate":1.2,"temp":"absolute"},
       {"_type":"TempBasalDuration","timestamp":"2026-02-03T01:00:00Z","duration (min)":30},
       {"_type":"PumpSuspend","timestamp":"2026-02-03T01:40:00Z"}]
      """
    // An hour of 0.6 U/h, half an hour of 1.2 U/h, and ten minutes until the pump stopped.
    let units = try Self.basal(Self.entries, history, Self.profile()).units
    #expect(abs(units - (0.6 + 0.6 + 0.1)) < 1e-9)
  }

  @Test("A profile without a zone holds, and one of a zone by its clock")
  func zones() throws {
    let empty = try Self.basal(Self.entries, Self.treatments, Self.profile(""))
    #expect(abs(empty.units - 1.3) < 1e-9)
    #expect(empty.reader.report.timeZones.isEmpty)
    // 01:00 UTC is 10:00 in Tokyo; noon comes an hour after the record ends.
    let tokyo = try Self.basal(Self.entries, Self.treatments, Self.profile("Asia/Tokyo"))
    #expect(abs(tokyo.units - 1.3) < 1e-9)
    let west = try Self.basal(Self.entries, Self.treatments, Self.profile("ETC/GMT-12"))
    // 00:00 UTC is noon there.
    #expect(abs(west.units - (1.8 + 0.2 + 1.5)) < 1e-9)
    #expect(west.reader.report.timeZones == ["ETC/GMT-12": 1])
  }

  @Test("A file of which nothing can be read is an error beside others")
  func unreadable() throws {
    let problems = ProblemList()
    let roots = try [Self.entries, "[{\"eventType\":\"Temp Basal\",\"created_at\":\"now\"}]"].map {
      try #require(JSONReader.read(Array($0.utf8), file: "f.json").root)
    }
    var reader = NightscoutReader(file: "f.json", isWholeRecord: true)
    #expect(reader.samples(of: roots, problems: problems) == nil)
    #expect(problems.hasErrors)
  }

  /// The boluses of a document, with their lengths in minutes, and what came of it.
  private static func boluses(
    _ document: String
  ) throws -> (doses: [String], report: ImportReport) {
    let problems = ProblemList()
    var reader = NightscoutReader(file: "f.json")
    let other = """
      {"eventType":"Bolus","created_at":"2026-02-03T09:00:00Z","insulin":7}
      """
    let root = try #require(
      JSONReader.read(Array("[\(document),\(other)]".utf8), file: "f.json").root)
    let read = reader.samples(of: root, problems: problems)
    let samples = try #require(read)
    let doses = samples.map(\.sample).filter { $0.storedValue != 7 }
    return (
      doses.map { "\($0.storedValue ?? 0) U in \(Int(($0.end - $0.start).minutes)) min" }.sorted(),
      reader.report
    )
  }

  @Test(
    "Both parts of a combined bolus are taken over, each in its time",
    arguments: [
      // Nightscout's form: the part at once is in "insulin", and the numbers are texts.
      (
        """
        "enteredinsulin":"4","insulin":1,"splitNow":"25","splitExt":"75","duration":120
        """, ["1.0 U in 0 min", "3.0 U in 120 min"], 11.0
      ),
      // AndroidAPS: an extended bolus, without "insulin".
      (
        """
        "enteredinsulin":1.5,"splitNow":0,"splitExt":100,"duration":30,"relative":3
        """, ["1.5 U in 30 min"], 8.5
      ),
      (
        """
        "insulin":2,"duration":30
        """, ["2.0 U in 30 min"], 9.0
      ),
      // The whole follows from a part and its share, or from the rate of the rest.
      (
        """
        "insulin":2,"splitNow":40,"splitExt":60,"duration":60
        """, ["2.0 U in 0 min", "3.0 U in 60 min"], 12.0
      ),
      (
        """
        "insulin":2,"relative":6,"duration":30
        """, ["2.0 U in 0 min", "3.0 U in 30 min"], 12.0
      ),
    ])
  func combinedBolus(parts: String, doses: [String], total: Double) throws {
    let read = try Self.boluses(
      """
      {"eventType":"Combo Bolus","created_at":"2026-02-03T08:00:00Z",\(parts)}
      """)
    #expect(read.doses == doses)
    let bolus = try #require(read.report.account.totals.first { $0.quantity == .bolus })
    #expect(bolus.amountIn.value == total && bolus.amountOut.value == total)
    #expect(read.report.omissions.isEmpty)
  }

  @Test("Insulin without the name of an event is a bolus, and is in the account")
  func insulinAlone() throws {
    let read = try Self.boluses("{\"created_at\":\"2026-02-03T08:00:00Z\",\"insulin\":3}")
    #expect(read.doses == ["3.0 U in 0 min"])
    #expect(read.report.account.totals.first?.amountIn.value == 10)
  }

  @Test(
    "What is left out is left out for its own reason",
    arguments: [
      (
        """
        {"type":"sgv","date":1770076800,"sgv":110}
        """, "it cannot be read: \"date\" must be a time in milliseconds since 1970"
      ),
      (
        """
        {"type":"sgv","date":1770076800000,"sgv":5.6}
        """,
        "a value below 39 with a fraction is in mmol/L, and Nightscout's are in mg/dL"
      ),
      (
        """
        {"type":"sgv","date":1770076800000,"sgv":9}
        """, "a value below 39 is an error code of the sensor"
      ),
      (
        """
        {"eventType":"Temp Basal","created_at":"2026-02-03T08:00:00Z","absolute":0,"duration":0,
         "amount":0.35}
        """, "the temp basal lasts no time"
      ),
      (
        """
        {"eventType":"Combo Bolus","created_at":"2026-02-03T08:00:00Z","enteredinsulin":"4,5",
         "insulin":2,"duration":60}
        """, "it cannot be read: \"enteredinsulin\" must be a number from 0 to 100 (U)"
      ),
    ])
  func reasons(document: String, reason: String) throws {
    let read = try Self.boluses(document)
    #expect(read.doses.isEmpty)
    #expect(read.report.omissions.map(\.reason) == [reason])
    #expect(read.report.account.unexplained(of: .basal) == .zero)
  }
}
