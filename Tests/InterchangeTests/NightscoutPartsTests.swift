import HealthStore
import Quantities
import StructuredText
import Testing

@testable import Interchange

@Suite("Nightscout: treatments of which a part cannot be read")
struct NightscoutPartsTests {
  @Test(
    "Where insulin or food of a treatment cannot be read, the other stays, and it is said",
    arguments: [
      (#""insulin":2,"carbs":-4"#, 2, 0, #"carbohydrates that cannot be read: "carbs" must be"#),
      (
        #""insulin":2,"carbs":"40 g""#, 2, 0,
        #"carbohydrates that cannot be read: "carbs" must be"#
      ),
      (
        #""insulin":2,"carbs":2000"#, 2, 0, #"carbohydrates that cannot be read: "carbs" must be"#
      ),
      (
        #""insulin":2,"carbs":40,"absorptionTime":-5"#, 2, 0,
        #"carbohydrates that cannot be read: "absorptionTime" must be"#
      ),
      (
        #""insulin":"two","carbs":40"#, 0, 40, #"insulin that cannot be read: "insulin" must be"#
      ),
      (
        #""insulin":200,"carbs":40"#, 0, 40, #"insulin that cannot be read: "insulin" must be"#
      ),
      (
        #""insulin":2,"carbs":40,"duration":"abc""#, 0, 40,
        #"insulin that cannot be read: "duration" must be"#
      ),
    ] as [(String, Double, Double, String)])
  func oneBadPart(beside: String, insulin: Double, grams: Double, words: String) throws {
    let treatment = """
      {"eventType":"Meal Bolus","created_at":"2026-02-03T06:05:00Z",\(beside)}
      """
    let (samples, report) = try ProgramFileTests.read(
      nightscout: "[\(treatment),\(treatment)]")
    let boluses = samples.filter { $0.metadata.insulinDeliveryReason == .bolus }
    #expect(boluses.reduce(0) { $0 + ($1.storedValue ?? 0) } == insulin)
    let food = samples.filter { $0.type == .dietaryCarbohydrates }
    #expect(food.reduce(0) { $0 + ($1.storedValue ?? 0) } == grams)
    #expect(report.omissions.map(\.reason) == ["the same document is there twice"])
    #expect(report.remarks.count == 1)
    #expect(report.remarks.first?.reason.hasPrefix(words) == true, "\(report.remarks)")
    #expect(report.remarks.first?.first?.line == 1)
    for total in report.account.totals {
      #expect(report.account.unexplained(of: total.quantity) == .zero, "\(report.account.lines)")
    }
  }

  @Test(
    "A time with which nobody can count is none, and the other documents stay",
    arguments: ["9223372036854775807", "9000000000000000000", "253402300800000"])
  func impossibleTimes(date: String) throws {
    let (samples, report) = try ProgramFileTests.read(
      nightscout: """
        [{"type":"sgv","date":1770098400000,"sgv":112},
         {"type":"sgv","date":\(date),"sgv":113}]
        """)
    #expect(samples.map(\.storedValue) == [112])
    #expect(report.omissions.map(\.first?.line) == [2])
  }

  @Test("A time in milliseconds may have a fraction, which counts where no text states the time")
  func fractions() throws {
    let (samples, report) = try ProgramFileTests.read(
      nightscout: """
        [{"type":"sgv","date":1770098400000.75,"sgv":112},
         {"type":"sgv","date":1770098700123.75,"dateString":"2026-02-03T06:05:00.123Z","sgv":113},
         {"type":"sgv","date":1e300,"sgv":114}]
        """)
    #expect(
      samples.map(\.start.millisecondsSince1970) == [1_770_098_400_000, 1_770_098_700_123])
    #expect(report.omissions.map(\.first?.line) == [3])
  }

  @Test("Insulin and food of a treatment with which delivery goes on are taken over")
  func resumption() throws {
    let (samples, report) = try ProgramFileTests.read(
      nightscout: """
        [{"eventType":"Resume Pump","created_at":"2026-02-03T12:00:00Z","insulin":2,"carbs":20}]
        """)
    #expect(
      samples.map(\.type) == [.insulinDelivery, .dietaryCarbohydrates]
        || samples.map(\.type) == [.dietaryCarbohydrates, .insulinDelivery])
    #expect(Set(samples.compactMap(\.storedValue)) == [2, 20])
    for total in report.account.totals {
      #expect(report.account.unexplained(of: total.quantity) == .zero, "\(report.account.lines)")
    }
  }

  // AndroidAPS, CarbsExtension.kt: `"duration"` of carbohydrates is in milliseconds, and what they
  // come to is divided among quarters of an hour.
  @Test("Food that was entered as eaten over a time is taken as eaten at once, and it is said")
  func extendedFood() throws {
    func food(_ event: String, _ more: String) -> String {
      "{\"eventType\":\"\(event)\",\"created_at\":\"2026-02-03T06:00:00Z\",\(more)}"
    }
    for (document, isSaid) in [
      (food("Meal Bolus", #""carbs":40,"duration":14400000"#), true),
      (food("Carb Correction", #""carbs":8,"duration":"60""#), true),
      (food("Carb Correction", #""carbs":8,"duration":0"#), false),
      (food("Carb Correction", #""carbs":8,"absorptionTime":180"#), false),
      (food("Meal Bolus", #""carbs":40,"insulin":4,"duration":5"#), false),
      (food("Exercise", #""carbs":15,"duration":30"#), false),
    ] {
      let (samples, report) = try ProgramFileTests.read(nightscout: "[\(document)]")
      #expect(samples.count { $0.type == .dietaryCarbohydrates } == 1, "\(document)")
      let said = report.remarks.map(\.reason)
      #expect(
        said
          == (isSaid
            ? ["carbohydrates that were entered as eaten over a time: taken as eaten at once"]
            : []),
        "\(document)")
    }
  }
}
