import ClosedLoop
import Determinism
import Devices
import Physiology
import Quantities
import Simulation
import TestSupport
import Testing

/// Random days: whatever people, pump and loop do, no milliunit goes missing without a name.
@Suite("Conservation in random runs")
struct ConservationTests {
  private static let seeds = 0..<Extent.of(3, whole: 16) as Range<UInt64>

  private static func randomDay(_ seed: UInt64) throws -> RunResult {
    var stream = RandomStream(seed: seed, name: "test")
    var fixture = Fixture()
    fixture.seed = seed
    fixture.isClosedLoop = stream.unit() < 0.5
    fixture.strategy = stream.unit() < 0.5 ? .tempBasal : .automaticBolus
    fixture.glucose = 80 + 170 * stream.unit()
    fixture.basal = [(0, 50 * Int64(stream.integer(below: 40))), (5, 600)]
    fixture.start = .at(21) + .seconds(Int64(stream.integer(below: 1_800)))
    fixture.duration = .hours(9)
    for _ in 0..<12 {
      let instant = fixture.start + .seconds(Int64(stream.integer(below: 32_000)))
      fixture.events.append(ScenarioEvent(at: instant, randomAction(&stream)))
    }
    return try fixture.result()
  }

  private static func randomAction(_ stream: inout RandomStream) -> ScenarioEvent.Action {
    switch stream.integer(below: 7) {
    case 0:
      .tempBasal(
        InsulinRate(milliunitsPerHour: 50 * Int64(stream.integer(below: 60))),
        duration: .minutes(30))
    case 1: .bolus(BolusRequest(.units(4 * stream.unit())))
    case 2: .suspend
    case 3: .resume
    case 4: .cancelTempBasal
    case 5: .eat(MealInput(grams: 40 * stream.unit(), absorption: .hours(3)), name: "meal")
    default: .bolus(BolusRequest(.units(3), cancelAfter: .seconds(31)))
    }
  }

  @Test("Delivered is recorded is written", arguments: seeds)
  func recordsAgree(seed: UInt64) throws {
    let run = try Self.randomDay(seed)
    #expect(run.violations.isEmpty, "\(run.violations)")
    #expect(run.ledger.checkConservation() == nil)
    #expect(
      run.agreement.answer == .yes, "\(run.agreement.differences.filter { $0.severity == .fault })")
    let basalPulses = run.pulses.filter { $0.channel == .basal }
    let basal = basalPulses.reduce(InsulinAmount.zero) { $0 + $1.recorded }
    #expect(basal == run.ledger.basal.delivered)
    #expect(run.basalSamples.reduce(InsulinAmount.zero) { $0 + $1.units } == basal)
  }

  @Test("Basal samples tile the run and each holds its pulses", arguments: seeds)
  func samplesTile(seed: UInt64) throws {
    let run = try Self.randomDay(seed)
    #expect(run.basalSamples.first?.start == run.start)
    #expect(run.basalSamples.last?.end == run.end)
    for (sample, next) in zip(run.basalSamples, run.basalSamples.dropFirst()) {
      #expect(sample.end == next.start)
    }
    for sample in run.basalSamples {
      let pulses = run.pulses.filter {
        $0.channel == .basal && $0.instant > sample.start && $0.instant <= sample.end
      }
      #expect(sample.units == pulses.reduce(InsulinAmount.zero) { $0 + $1.recorded })
    }
  }
}
