import HealthStore
import Quantities
import StructuredText
import Testing

@testable import Interchange

@Suite("Workouts and categories of an export of Apple Health, and dates in milliseconds")
struct AppleHealthWorkoutTests {
  private static let date = "2026-02-03 07:00:00 +0000"

  private static func workout(_ attributes: String, _ content: String...) -> String {
    """
    <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" \
    durationUnit="min" \(attributes) sourceName="Watch" creationDate="\(date)" \
    startDate="\(date)" endDate="2026-02-03 07:30:00 +0000">
    \(content.joined(separator: "\n"))
    </Workout>
    """
  }

  private static func statistics(_ type: String, _ sum: String, _ unit: String) -> String {
    """
    <WorkoutStatistics type="HKQuantityTypeIdentifier\(type)" startDate="\(date)" \
    endDate="2026-02-03 07:30:00 +0000" sum="\(sum)" unit="\(unit)"/>
    """
  }

  @Test("Energy and distance stand in statistics where a workout has no totals")
  func readsStatistics() throws {
    let sums = [
      Self.statistics("ActiveEnergyBurned", "321", "kcal"),
      Self.statistics("BasalEnergyBurned", "40", "kcal"),
      Self.statistics("DistanceWalkingRunning", "5.5", "km"),
    ].joined()
    let read = try AppleHealthTests.read(
      AppleHealthTests.export(
        Self.workout("", sums),
        Self.workout(#"totalEnergyBurned="300" totalEnergyBurnedUnit="kcal""#, sums)))
    let workouts = read.samples.compactMap(\.sample.workout)
    #expect(workouts.map(\.kilocalories) == [321, 300])
    #expect(workouts.map(\.metres) == [5_500, 5_500])
    // The sums of a part of a workout are none of the whole.
    let parts = try AppleHealthTests.read(
      AppleHealthTests.export(
        Self.workout(
          "", "<WorkoutActivity uuid=\"a\" startDate=\"\(Self.date)\">\(sums)</WorkoutActivity>")))
    #expect(parts.samples.compactMap(\.sample.workout).map(\.kilocalories) == [nil])
  }

  @Test("An event of a kind that is not known is named, and the others stay")
  func namesUnknownEvents() throws {
    let read = try AppleHealthTests.read(
      AppleHealthTests.export(
        Self.workout(
          "", #"<WorkoutEvent type="HKWorkoutEventTypeLap" date="\#(Self.date)"/>"#,
          #"<WorkoutEvent type="HKWorkoutEventTypeJump" date="\#(Self.date)"/>"#)))
    #expect(read.samples.compactMap(\.sample.workout).map(\.events.count) == [1])
    let warning = try #require(read.reader.report.warnings.first)
    #expect(warning.sentence == "1 record has a kind of workout event that is not known.")
    #expect(warning.position.line == 4)
  }

  @Test(
    "A date in milliseconds with which nobody can count is none",
    arguments: ["9223372036854775807", "253402300800000", "-9223372036854775808"])
  func impossibleMilliseconds(text: String) throws {
    let marks = ["start", "end"].map {
      #"<MetadataEntry key="loopsim.\#($0)Ms" value="\#(text)"/>"#
    }
    let read = try AppleHealthTests.read(
      AppleHealthTests.export(
        """
        <Record type="HKQuantityTypeIdentifierBloodGlucose" sourceName="CGM" unit="mg/dL" \
        creationDate="\(Self.date)" startDate="\(Self.date)" endDate="\(Self.date)" \
        value="112">\(marks.joined())</Record>
        """))
    #expect(read.samples.isEmpty)
    #expect(
      read.reader.report.omissions.map(\.reason)
        == ["the startDate lies outside the years 0 to 9999"])
  }

  @Test("A category that may only be there needs no value, and one with values needs one of them")
  func categories() throws {
    func record(_ type: String, _ value: String) -> String {
      """
      <Record type="HKCategoryTypeIdentifier\(type)" sourceName="Watch" \
      creationDate="\(Self.date)" startDate="\(Self.date)" endDate="\(Self.date)"\(value)/>
      """
    }
    let notApplicable = " value=\"HKCategoryValueNotApplicable\""
    let read = try AppleHealthTests.read(
      AppleHealthTests.export(
        record("MindfulSession", ""), record("SexualActivity", notApplicable),
        record("AppleStandHour", notApplicable), record("SleepAnalysis", "")))
    #expect(read.samples.map(\.sample.type) == [.mindfulSession, .sexualActivity])
    #expect(read.samples.map(\.sample.category) == [0, 0])
    #expect(
      read.reader.report.omissions.map(\.reason) == [
        "the value 'HKCategoryValueNotApplicable' is none of AppleStandHour",
        "the value '' is none of SleepAnalysis",
      ])
  }
}
