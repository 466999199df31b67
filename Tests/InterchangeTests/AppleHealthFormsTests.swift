import HealthStore
import Quantities
import Testing

@testable import Interchange

@Suite("Apple Health: names of sources, numbers, and statistics of workouts")
struct AppleHealthFormsTests {
  private typealias Exports = AppleHealthTests

  private static let date = "2026-02-03 07:00:00 +0000"

  @Test("Apps whose names have as many letters of another alphabet are two sources")
  func sources() throws {
    let read = try Exports.read(
      Exports.export(
        Exports.record("BloodGlucose", "mg/dL", "110", at: Self.date, source: "步数"),
        Exports.record("BloodGlucose", "mg/dL", "111", at: Self.date, source: "血糖"),
        Exports.record("BloodGlucose", "mg/dL", "112", at: Self.date, source: "Dexcom G7")))
    let sources = read.samples.compactMap(\.sample.source)
    #expect(sources.map(\.name) == ["步数", "血糖", "Dexcom G7"])
    #expect(
      sources.map(\.bundleIdentifier) == ["import.步数", "import.血糖", "import.dexcom-g7"])
  }

  @Test("Records whose dates are of another form are one reason, however many dates there are")
  func datesOfAnotherForm() throws {
    let records = (0..<100).map { index in
      Exports.record(
        "InsulinDelivery", "IU", "0.5",
        at: "2026-02-03 7:\(index / 10)\(index % 10):00 AM +0000")
    }
    let report = try Exports.read(Exports.export(records.joined(separator: "\n"))).reader.report
    #expect(
      report.omissions.map(\.reason) == [
        "the startDate is no date such as 2026-02-03 07:00:00 +0100"
      ])
    #expect(report.omissions.map(\.count) == [100])
    #expect(report.account.changes.map(\.count) == [100])
    #expect(report.account.changes.map(\.amount.value) == [-50])
    #expect(report.account.unexplained(of: .bolus) == .zero)
  }

  @Test("H165: a record like a member of a correlation is another where the export says so")
  func recordLikeMember() throws {
    var store = InMemoryHealthStore()
    let app = try store.register(
      HealthClient(bundleIdentifier: "com.food", name: "Food"), granting: .full)
    // The meal alone, the one with the same carbohydrates inside, and again one alone.
    let uuids = (1...4).map { SampleUUID(high: 0x8000, low: 0x8000_0000_0000_0000 + $0) }
    let start = ExportFixture.start
    let carbs = uuids.prefix(3).map { uuid in
      Sample.dietaryCarbohydrates(CarbohydrateMass(grams: 46), at: start, uuid: uuid)
    }
    let food = try Sample(.food, members: [carbs[1]], start: start, uuid: uuids[3])
    try store.save([carbs[0], food, carbs[2]], as: app, at: start)
    let text = String(decoding: try ExportFixture.export(store), as: UTF8.self)
    let read = try Exports.read(text)
    let (alone, meals) = (
      read.samples.filter { $0.sample.type == .dietaryCarbohydrates },
      read.samples.filter { $0.sample.type == .food }
    )
    #expect(alone.map(\.sample.uuid) == [uuids[0], uuids[2]])
    #expect(meals.flatMap(\.sample.members).map(\.uuid) == [uuids[1]])
    #expect(read.reader.report.types.map(\.copies).reduce(0, +) == 1)
  }

  @Test("A record is the same in an export that was made in another time zone")
  func otherZone() throws {
    let identities = try ["2026-02-03 07:00:00 +0100", "2026-02-03 00:00:00 -0600"].map { date in
      try Exports.read(
        Exports.export(
          Exports.record("BloodGlucose", "mg/dL", "112", at: date),
          Exports.record("BloodGlucose", "mg/dL", "112", at: date),
          Exports.record("DietaryCarbohydrates", "g", "30", at: date))
      ).samples.map(\.sample.uuid)
    }
    #expect(Set(identities[0]).count == 3)
    #expect(identities[0] == identities[1])
    // A second later it is another.
    let later = try Exports.read(
      Exports.export(
        Exports.record("BloodGlucose", "mg/dL", "112", at: "2026-02-03 07:00:01 +0100"))
    ).samples.map(\.sample.uuid)
    #expect(!identities[0].contains(later[0]))
  }

  @Test("No clock is more than eighteen hours from UTC")
  func offsets() throws {
    let dates = ["+1800", "-1800", "+1801", "+2500"].map { "2026-02-03 07:00:00 \($0)" }
    let read = try Exports.read(
      Exports.export(
        dates.map { Exports.record("InsulinDelivery", "IU", "0.5", at: $0) }
          .joined(separator: "\n")))
    #expect(read.samples.count == 2)
    #expect(
      read.reader.report.omissions.map(\.reason) == [
        "the startDate is no date such as 2026-02-03 07:00:00 +0100"
      ])
    #expect(read.reader.report.omissions.map(\.count) == [2])
  }

  @Test("An account names sixty reasons, and sums up what has others, but for rebuilt basal")
  func reasonsOfAccount() {
    var account = ImportAccount()
    for index in 0..<100 {
      account.state(.bolus, 1)
      account.change(.bolus, by: -1, because: "reason \(index)")
    }
    account.change(.basal, by: 2.0, because: ImportAccount.rebuiltBasal)
    var twice = ImportAccount()
    twice.add(account)
    twice.add(account)
    for (account, times) in [(account, 1), (twice, 2)] {
      #expect(account.changes.count == 62)
      #expect(account.changes.first { $0.reason == "for other reasons" }?.count == 40 * times)
      #expect(account.rebuilt?.amount.value == Double(2 * times))
      #expect(account.unexplained(of: .bolus) == .zero)
    }
  }

  @Test("A hexadecimal number is none", arguments: ["0x70", "0X70"])
  func hexadecimal(text: String) throws {
    let read = try Exports.read(
      Exports.export(
        Exports.record("BloodGlucose", "mg/dL", text, at: Self.date),
        Exports.record("BloodGlucose", "mg/dL", "112", at: Self.date)))
    #expect(read.samples.map(\.sample.storedValue) == [112])
    #expect(
      read.reader.report.omissions.map(\.reason) == ["the value is no number such as 5.5"])
    #expect(
      AppleHealthMetadata.metadata(of: [("com.loopkit.AbsorptionTime", text)])[.absorptionTime]
        == .text(text))
    let (samples, _) = try ProgramFileTests.read(
      nightscout: """
        [{"eventType":"Correction Bolus","created_at":"2026-02-03T06:00:00Z","insulin":"\(text)"},
         {"eventType":"Correction Bolus","created_at":"2026-02-03T07:00:00Z","insulin":"1.5"}]
        """)
    #expect(samples.map(\.storedValue) == [1.5])
  }

  @Test("Energy and distance of a workout stand in its statistics since iOS 16")
  func statistics() throws {
    func workout(_ attributes: String, _ energy: String) -> String {
      """
      <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" \
      durationUnit="min" sourceName="Watch" creationDate="\(Self.date)" \
      startDate="\(Self.date)" endDate="2026-02-03 07:30:00 +0000" \(attributes)>
       <WorkoutStatistics type="HKQuantityTypeIdentifierBasalEnergyBurned" sum="40" unit="Cal"/>
       <WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" \
      startDate="\(Self.date)" endDate="\(Self.date)" sum="\(energy)" unit="Cal"/>
       <WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" average="140" unit="count/min"/>
       <WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" sum="5" unit="km"/>
      </Workout>
      """
    }
    let read = try Exports.read(
      Exports.export(
        workout("", "300"),
        workout("totalEnergyBurned=\"250\" totalEnergyBurnedUnit=\"Cal\"", "300")))
    let workouts = read.samples.compactMap(\.sample.workout)
    #expect(workouts.map(\.kilocalories) == [300, 250])
    #expect(workouts.map(\.metres) == [5_000, 5_000])
    #expect(workouts.map(\.duration) == [.minutes(30), .minutes(30)])
  }
}
