import Devices
import Physiology
import Quantities
import Simulation
import Testing

@Suite("Where a model no longer stands for a body")
struct ModelRangeTests {
  private static func run(
    _ glucose: Double, injecting units: Double, hours: Int64 = 12
  ) throws -> RunResult {
    var fixture = Fixture()
    fixture.glucose = glucose
    fixture.duration = .hours(hours)
    fixture.events = [
      ScenarioEvent(
        at: .at(1), id: "pen", .inject(units: units, formulation: .humalog, name: "humalog"))
    ]
    return try fixture.result()
  }

  @Test("Leaving the range is an event and a stretch of the result, and the trace goes on")
  func leaves() throws {
    // 6 U lower 110 mg/dL by 300 in the end.
    let run = try Self.run(110, injecting: 6)
    let excursion = try #require(run.modelExcursions.first)
    #expect(run.modelExcursions.count == 1)
    let inside = run.trace.rows.filter { $0.instant < excursion.start }
    #expect(inside.allSatisfy { $0.trueGlucose.mgdL >= 20 })
    let outside = run.trace.rows.filter { $0.instant >= excursion.start }
    #expect(outside.allSatisfy { $0.trueGlucose.mgdL < 20 })
    #expect(excursion.end == run.end)
    #expect(excursion.lowest.mgdL < -150)
    #expect(!excursion.isClipped)
    let told = run.trace.happenings.filter { $0.kind == .model }
    #expect(told.map(\.name) == ["left"])
    #expect(told.first?.instant == excursion.start)
    #expect(told.first?.text.contains("20 to 600 mg/dL") == true)
  }

  @Test("Coming back ends the stretch")
  func comesBack() throws {
    var fixture = Fixture()
    fixture.glucose = 110
    fixture.duration = .hours(12)
    fixture.events = [
      ScenarioEvent(
        at: .at(1), id: "pen", .inject(units: 2.2, formulation: .humalog, name: "humalog")),
      ScenarioEvent(
        at: .at(5), id: "meal", .eat(MealInput(grams: 30, absorption: .hours(2)), name: "meal")),
    ]
    let run = try fixture.result()
    let excursion = try #require(run.modelExcursions.first)
    #expect(run.modelExcursions.count == 1)
    #expect(excursion.end < run.end)
    #expect(run.trace.happenings.filter { $0.kind == .model }.map(\.name) == ["left", "back"])
  }

  @Test("Two stretches are not told as one that lasts as long as both")
  func twoStretches() throws {
    var fixture = Fixture()
    fixture.glucose = 110
    fixture.duration = .hours(24)
    // Down by 110 mg/dL, up by 150 and down by 150.
    fixture.events = [
      ScenarioEvent(
        at: .at(1), id: "pen", .inject(units: 2.2, formulation: .humalog, name: "humalog")),
      ScenarioEvent(
        at: .at(5), id: "meal", .eat(MealInput(grams: 30, absorption: .hours(2)), name: "meal")),
      ScenarioEvent(
        at: .at(12), id: "pen two", .inject(units: 3, formulation: .humalog, name: "humalog")),
    ]
    let run = try fixture.result()
    try #require(run.modelExcursions.count == 2)
    let span = run.modelExcursions[0].duration + run.modelExcursions[1].duration
    let told = try #require(run.troubles.first { $0.kind == .outsideModel }).text
    #expect(told.contains(" model for \(span) in 2 stretches from "), "\(told)")
  }

  @Test("A run that ends as glucose leaves the range is not said to have been outside for 0s")
  func leavesAtTheEnd() throws {
    var run = try Self.run(110, injecting: 3)
    try #require(run.modelExcursions.count == 1)
    run.modelExcursions[0].end = run.modelExcursions[0].start
    let told = try #require(run.troubles.first { $0.kind == .outsideModel }).text
    #expect(told.hasPrefix("Glucose left the range of the patient model at 0"), "\(told)")
  }

  @Test("A run within the range has no stretch and no event")
  func stays() throws {
    let run = try Self.run(110, injecting: 1)
    #expect(run.modelExcursions.isEmpty)
    #expect(run.trace.happenings.allSatisfy { $0.kind != .model })
  }

  @Test("No glucose of UVA/Padova is shown as zero without a word")
  func clipped() throws {
    let parameters = try PatientDescription.named("adult#001")
    var setup = try Fixture().setup()
    setup.patient = try parameters.patient(at: setup.start, glucose: .mgdL(100))
    setup.end = setup.start + .hours(12)
    setup.events = [
      ScenarioEvent(at: .at(1), .inject(units: 120, formulation: .humalog, name: "humalog"))
    ]
    var run = Run(setup)
    while run.step() {}
    let result = run.finish()
    let shownAsZero = result.trace.rows.filter { $0.trueGlucose.mgdL == 0 }
    let clipped = result.modelExcursions.filter(\.isClipped)
    for row in shownAsZero {
      #expect(clipped.contains { $0.start <= row.instant && row.instant <= $0.end })
    }
    #expect(!result.modelExcursions.isEmpty)
  }

  @Test("A value at a bound is within, one beyond and none at all are not")
  func bounds() {
    let range = ModelRange.compartments
    #expect(range.contains(.mgdL(20)) && range.contains(.mgdL(600)))
    #expect(!range.contains(.mgdL(19.999)) && !range.contains(.mgdL(600.001)))
    #expect(!range.contains(.mgdL(.nan)))
  }
}
