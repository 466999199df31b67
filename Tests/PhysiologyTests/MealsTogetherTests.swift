import Quantities
import Testing

@testable import Physiology

@Suite("Meals of different absorption times at once")
struct MealsTogetherTests {
  /// What is eaten, and the glucose in mg/dL that follows.
  struct Eaten: Sendable, CustomTestStringConvertible {
    var name: String
    /// Minute, grams, and minutes of absorption.
    var meals: [(minute: Int64, grams: Double, absorption: Int64)]
    /// Of Bergman's average patient and of the first identified subject.
    var bergman: [Double]
    var kanderian: [Double]

    var testDescription: String { name }
  }

  /// The minutes at which glucose is known.
  private static let minutes: [Int64] = [70, 90, 100, 120, 180, 360]

  /// Solved apart from this code: the plate empties at 5 g/min from the front, each meal passes two
  /// compartments of its own, and fifty steps of order four make a minute.
  private static let eaten = [
    Eaten(
      name: "juice with a slow meal", meals: [(60, 60, 300), (60, 15, 30)],
      bergman: [118.183, 194.860, 220.209, 247.506, 294.828, 234.830],
      kanderian: [117.841, 168.965, 184.017, 197.248, 213.365, 159.677]),
    Eaten(
      name: "juice before a slow meal", meals: [(60, 15, 30), (60, 60, 300)],
      bergman: [149.925, 203.224, 215.343, 237.884, 289.096, 235.238],
      kanderian: [139.452, 172.731, 178.834, 189.611, 209.938, 160.202]),
    Eaten(
      name: "juice during a slow meal", meals: [(60, 60, 300), (65, 15, 30)],
      bergman: [118.183, 194.860, 220.209, 247.506, 294.828, 234.830],
      kanderian: [117.841, 168.965, 184.017, 197.248, 213.365, 159.677]),
    Eaten(
      name: "three within four minutes", meals: [(60, 7, 300), (60, 4, 30), (60, 9, 120)],
      bergman: [127.440, 152.877, 160.417, 170.316, 174.192, 141.974],
      kanderian: [124.150, 140.380, 144.590, 149.233, 146.473, 124.603]),
    Eaten(
      name: "five one after another",
      meals: [(60, 20, 600), (70, 20, 540), (80, 20, 480), (90, 20, 420), (100, 20, 20)],
      bergman: [117.321, 120.946, 125.712, 239.984, 276.028, 282.587],
      kanderian: [117.251, 119.671, 122.800, 197.852, 205.361, 187.122]),
  ]

  @Test("each is absorbed in its own time", arguments: eaten)
  func together(_ eaten: Eaten) throws {
    let cases = [("bergman#average", eaten.bergman), ("ivp#001", eaten.kanderian)]
    for (name, expected) in cases {
      let description = try PatientDescription.named(name)
      let glucose = GlucoseConcentration.mgdL(117.1014)
      let rate = try #require(description.basalRate(holding: glucose))
      var body = try description.patient(at: birth, glucose: glucose)
      body.receive(.rate(unitsPerHour: rate))
      var found: [Double] = []
      for minute in 0...360 as ClosedRange<Int64> {
        body.advance(to: birth + .minutes(minute))
        for meal in eaten.meals where meal.minute == minute {
          body.eat(MealInput(grams: meal.grams, absorption: .minutes(meal.absorption)))
        }
        if Self.minutes.contains(minute) { found.append(body.glucose.mgdL) }
      }
      for (one, other) in zip(found, expected) {
        #expect(abs(one - other) < 0.02, "\(name): \(found)")
      }
    }
  }

  /// Solved apart with a gut of its own for each meal: where the ninth took the chain that held
  /// least, what was still in it changed its speed, and glucose was 4.2 mg/dL off.
  @Test("the ninth of nine speeds within two hours changes hardly anything of the others")
  func nineSpeeds() throws {
    let subject = try #require(KanderianParameters.cohort.first)
    var body = try KanderianPatient(subject, at: birth, glucose: .mgdL(100))
    body.receive(.rate(unitsPerHour: body.steadyBasalRate))
    let absorptions: [Int64] = [348, 160, 213, 383, 363, 301, 44, 268, 157]
    let solved: [Int64: Double] = [
      60: 123.42, 120: 211.618, 140: 237.508, 145: 241.798, 180: 259.389, 240: 240.923,
      360: 161.712,
    ]
    for minute in Int64(0)...360 {
      body.advance(to: birth + .minutes(minute))
      for (meal, absorption) in absorptions.enumerated() where minute == 10 + 15 * Int64(meal) {
        body.eat(MealInput(grams: 15, absorption: .minutes(absorption)))
      }
      if let expected = solved[minute] {
        #expect(abs(body.glucose.mgdL - expected) < 0.5, "minute \(minute)")
      }
    }
    #expect(abs(body.carbohydrateInGut + body.carbohydrateAbsorbed - 135) < 1e-9)
  }

  @Test("a bite says what it is of, in the order in which it was served")
  func bite() {
    var plate = Plate()
    plate.add(MealInput(grams: 7, absorption: .hours(5)))
    plate.add(MealInput(grams: 4, absorption: .minutes(30)))
    plate.add(MealInput(grams: 1, absorption: .minutes(30)))
    var portions: [[Plate.Portion]] = []
    var now = birth
    while let bite = plate.nextBite(at: now) {
      portions.append(bite.portions)
      now = bite.end
    }
    let (slow, quick) = (TimeSpan.hours(5), TimeSpan.minutes(30))
    #expect(
      portions == [
        [.init(grams: 5, absorption: slow)],
        [.init(grams: 2, absorption: slow), .init(grams: 3, absorption: quick)],
        [.init(grams: 2, absorption: quick)],
      ])
  }
}
