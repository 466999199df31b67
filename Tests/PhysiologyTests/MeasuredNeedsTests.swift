import Determinism
import Physiology
import Quantities
import TestSupport
import Testing

@Suite("What a body needs")
struct MeasuredNeedsTests {
  /// Bodies of every model with compartments.
  private static let bodies: [PatientDescription] = {
    var stream = RandomStream(seed: 3, name: "cohort", member: 4)
    let drawn = HovorkaCohort.logNormal.draw(from: &stream, identifier: "drawn")
    let all =
      PatientDescription.catalogue
      + [drawn].compactMap { $0.map { PatientDescription(.hovorka($0)) } }
    return Extent.some(of: all, every: 6)
  }()

  @Test("The needs keep a body where it is, before a meal and six hours after", arguments: bodies)
  func areNeeds(body: PatientDescription) throws {
    let glucose = body.usualGlucose
    let needs = try #require(body.measuredNeeds(at: glucose))
    let start = Instant(millisecondsSince1970: 0)
    var fasting = try body.patient(at: start, glucose: glucose)
    fasting.receive(.rate(unitsPerHour: needs.basalRate))
    var fed = fasting
    fasting.advance(to: start + .hours(12))
    #expect((fasting.glucose.mgdL - glucose.mgdL).magnitude < 0.01)

    fed.receive(.pulse(units: 50 / needs.carbRatio))
    fed.eat(MealInput(grams: 50))
    fed.advance(to: start + .hours(6))
    #expect((fed.glucose.mgdL - glucose.mgdL).magnitude < 0.01)
  }

  @Test("The sensitivity is how far a small dose lowers glucose, for each unit", arguments: bodies)
  func sensitivity(body: PatientDescription) throws {
    let needs = try #require(body.measuredNeeds(at: body.usualGlucose))
    let start = Instant(millisecondsSince1970: 0)
    var dosed = try body.patient(at: start, glucose: body.usualGlucose)
    dosed.receive(.rate(unitsPerHour: needs.basalRate))
    let dose = needs.basalRate / 5
    dosed.receive(.pulse(units: dose))
    var lowest = dosed.glucose.mgdL
    for minute in 1...360 {
      dosed.advance(to: start + .minutes(Int64(minute)))
      lowest = min(lowest, dosed.glucose.mgdL)
    }
    let fall = (body.usualGlucose.mgdL - lowest) / dose
    // A dose of another size: bodies are not linear, but nearly so for so little.
    #expect(fall / needs.sensitivity > 0.9 && fall / needs.sensitivity < 1.1)
  }

  @Test("A glucose that no basal rate holds has no needs")
  func infeasible() {
    #expect(Self.bodies[0].measuredNeeds(at: .mgdL(590)) == nil)
  }
}
