import Physiology
import Quantities
import Simulation
import Testing

/// A body whose glucose falls by a constant slope, whatever it is given.
private struct FallingBody: Patient {
  var now: Instant
  let start: Instant
  let first: Double
  let perMinute: Double

  var glucose: GlucoseConcentration {
    .mgdL(first - perMinute * (now - start).minutes)
  }
  var computedGlucose: GlucoseConcentration { glucose }
  var modelRange: ModelRange { .compartments }
  var sensedGlucose: GlucoseConcentration { glucose }
  var insulinOnBoard: Double? { 0 }
  mutating func advance(to instant: Instant) { now = max(now, instant) }
  mutating func receive(_ insulin: InsulinInput) {}
  mutating func eat(_ meal: MealInput) {}
  mutating func apply(_ condition: BodyCondition) -> Bool { false }
}

@Suite("A glucose that nobody survives")
struct SurvivalTests {
  /// A body that loses so many mg/dL a minute, and dies below 10.
  private static func setup(
    from first: Double = 100, perMinute: Double = 1, floor: Double? = 10, preRoll: TimeSpan = .zero
  ) throws -> Setup {
    var fixture = Fixture()
    fixture.events = [
      ScenarioEvent(at: .at(0, 30), id: "bolus", .bolus(BolusRequest(.units(2)))),
      ScenarioEvent(at: .at(3), id: "late", .remark("Nobody is there.")),
    ]
    var setup = try fixture.setup()
    setup.patient = FallingBody(
      now: setup.start, start: setup.start, first: first, perMinute: perMinute)
    setup.start = setup.start + preRoll
    setup.preRoll = preRoll
    setup.lethalGlucose = floor.map { .mgdL($0) }
    return setup
  }

  private static func result(_ setup: Setup) -> RunResult {
    var run = Run(setup)
    while run.step() {}
    return run.finish()
  }

  @Test(
    "The run ends at the first whole minute below the floor",
    arguments: [(1.0, 91), (0.9, 101), (3.0, 31), (0.75, 121), (45.0, 3)])
  func instant(slope: Double, minute: Int64) throws {
    let result = Self.result(try Self.setup(perMinute: slope))
    let end = try #require(result.lethalEnd)
    #expect(end.instant == .at(0, minute))
    #expect(result.end == end.instant)
    #expect(abs(end.glucose.mgdL - (100 - slope * Double(minute))) < 1e-9)
    #expect(end.floor == .mgdL(10))
  }

  @Test("A glucose that stays at the floor is survived, and without a floor every one is")
  func survives() throws {
    // 100 - 480 / 480 * 90 at the end of eight hours is 10 itself.
    #expect(Self.result(try Self.setup(perMinute: 90.0 / 480)).lethalEnd == nil)
    let free = Self.result(try Self.setup(floor: nil))
    #expect(free.lethalEnd == nil)
    #expect(free.end == .at(8))
    #expect(free.trace.rows.last?.trueGlucose == .mgdL(-380))
  }

  @Test("The records are complete up to the end, and nothing comes after it")
  func records() throws {
    let result = Self.result(try Self.setup())
    #expect(result.trace.rows.map(\.instant).max() == .at(1, 31))
    #expect(result.trace.rows.count == 20)
    #expect(result.trace.happenings.last?.kind == .lethal)
    #expect(result.trace.happenings.allSatisfy { $0.instant <= .at(1, 31) })
    #expect(!result.trace.happenings.contains { $0.name == "late" })
    #expect(result.violations.isEmpty)
    #expect(result.agreement.answer == .yes, "\(result.agreement.differences.map(\.text))")
    #expect(result.basalSamples.allSatisfy { $0.end <= .at(1, 31) })
    // 91 minutes at 0.4 U/h are 0.6067 U: twelve pulses of 0.05 U.
    #expect(result.pulses.filter { $0.channel == .basal }.count == 12)
    #expect(result.pulses.filter { $0.channel == .userBolus }.count == 40)
  }

  @Test("Up to its end a run is the one without a floor")
  func sameUntilThen() throws {
    let ended = Self.result(try Self.setup())
    let free = Self.result(try Self.setup(floor: nil))
    let rows = ended.trace.rows.dropLast()
    #expect(rows.elementsEqual(free.trace.rows.prefix(rows.count)))
    #expect(
      ended.trace.happenings.dropLast().elementsEqual(
        free.trace.happenings.prefix(ended.trace.happenings.count - 1)))
    #expect(Self.result(try Self.setup()).digest == ended.digest)
  }

  @Test("Only the part that counts is looked at: a body that is low before it ends at the start")
  func preRoll() throws {
    let result = Self.result(try Self.setup(preRoll: .hours(2)))
    #expect(result.lethalEnd?.instant == .at(2))
    #expect(result.trace.rows.map(\.instant) == [.at(2)])
    #expect(result.start == result.end)
  }

  @Test("A run that is looked at after its end stands where it ended")
  func advance() throws {
    var run = Run(try Self.setup())
    run.advance(through: .at(0, 44))
    #expect(run.snapshot.lethalEnd == nil)
    run.advance(through: .at(4))
    #expect(run.now == .at(1, 31))
    #expect(run.lastInstant == .at(1, 31))
    #expect(run.finish().digest == Self.result(try Self.setup()).digest)
  }

  @Test("A glucose just below the floor is told as exactly as it takes to be below it")
  func decimals() throws {
    let end = try #require(Self.result(try Self.setup()).lethalEnd)
    func decimals(_ glucose: Double, _ floor: Double, _ unit: Double) -> Int {
      var told = end
      told.glucose = GlucoseConcentration(mgdL: glucose)
      told.floor = GlucoseConcentration(mgdL: floor)
      return told.decimals(inUnitOf: unit)
    }
    #expect(decimals(9.5, 10, 1) == 2)
    #expect(decimals(9.998, 10, 1) == 3)
    #expect(decimals(35.98, 36, 18) == 3)
    #expect(decimals(10 - 1e-9, 10, 1) == 6)
  }

  @Test(
    "A floor is told as it was stated, and not rounded to above the glucose",
    arguments: [
      (GlucoseUnit.milligramsPerDecilitre, 60.4, "60.4 mg/dL"),
      (GlucoseUnit.milligramsPerDecilitre, 10, "10 mg/dL"),
      (GlucoseUnit.millimolesPerLitre, 3.14, "3.14 mmol/L"),
    ])
  func floor(unit: GlucoseUnit, floor: Double, words: String) throws {
    var setup = try Self.setup(floor: floor * unit.mgdL)
    setup.glucoseUnit = unit
    let result = Self.result(setup)
    #expect(
      result.troubles.first?.text == "The body did not survive: glucose fell below \(words).")
    #expect(
      result.trace.happenings.last?.text
        == "Glucose is below \(words), which nobody survives. The run ends here.")
  }
}
