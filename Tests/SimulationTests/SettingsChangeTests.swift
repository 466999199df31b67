import ClosedLoop
import Dosing
import Quantities
import Testing

@testable import Simulation

@Suite("A change of settings")
struct SettingsChangeTests {
  private static func therapy() -> TherapySettings {
    TherapySettings(
      basal: DailySchedule(always: .init(milliunitsPerHour: 400)),
      sensitivity: DailySchedule(always: .init(mgdLPerUnit: 50)),
      carbRatio: DailySchedule(always: .init(gramsPerUnit: 10)),
      targets: DailySchedule(always: .init(lower: .mgdL(100), upper: .mgdL(115))),
      suspendThreshold: nil, maximumBolus: .milliunits(10_000),
      maximumBasalRate: .init(milliunitsPerHour: 3_000), strategy: .tempBasal,
      isClosedLoop: true)
  }

  @Test("Every setting that is changed reaches a therapy, and is found there again")
  func everySetting() {
    var change = SettingsChange()
    change.basal = DailySchedule(always: .init(milliunitsPerHour: 500))
    change.sensitivity = DailySchedule(always: .init(mgdLPerUnit: 40))
    change.carbRatio = DailySchedule(always: .init(gramsPerUnit: 8))
    change.targets = DailySchedule(always: .init(lower: .mgdL(110), upper: .mgdL(120)))
    change.suspendThreshold = .mgdL(70)
    change.maximumBolus = .milliunits(5_000)
    change.maximumBasalRate = .init(milliunitsPerHour: 2_000)
    change.strategy = .automaticBolus
    change.applicationFactor = .glucoseBased
    change.usesMidAbsorptionISF = true
    change.usesIntegralRetrospectiveCorrection = true
    change.includesPositiveVelocityAndRC = false
    change.maximumActiveInsulin = 7
    // None is left out here that there is.
    for (name, value) in Mirror(reflecting: change).children {
      #expect("\(value)" != "nil", "\(name ?? "")")
    }
    let former = Self.therapy()
    let changed = change.applied(to: former)
    #expect(change.named(of: changed) == change)
    #expect(change.named(of: former) != change)
    // What a therapy lacks is not in what is named of it.
    #expect(change.named(of: former).suspendThreshold == nil)
    #expect(change.named(of: former).maximumActiveInsulin == nil)
    #expect(change.named(of: former).maximumBolus == .milliunits(10_000))
    #expect(changed.isClosedLoop && changed.insulinType == former.insulinType)
    // Each has a word of its own.
    #expect(Set(change.words).count == Mirror(reflecting: change).children.count)
  }

  @Test("What is saved says which settings are changed")
  func tells() throws {
    var (change, fixture) = (SettingsChange(), Fixture())
    change.targets = DailySchedule(always: .init(lower: .mgdL(110), upper: .mgdL(120)))
    change.maximumBolus = .milliunits(5_000)
    fixture.duration = .hours(1)
    fixture.events = [
      ScenarioEvent(at: .at(0, 10), .changeSettings(change)),
      ScenarioEvent(at: .at(0, 20), .changeSettings(SettingsChange())),
    ]
    var run = Run(try fixture.setup())
    while run.step() {}
    #expect(
      run.finish().trace.happenings.filter { $0.kind == .settings }.map(\.text) == [
        "Settings are saved: correction range, maximum bolus.",
        "Settings are saved as they are.",
      ])
  }

  @Test("What is not changed stays, and is not named")
  func nothing() {
    let former = Self.therapy()
    #expect(SettingsChange().applied(to: former) == former)
    #expect(SettingsChange().named(of: former) == SettingsChange())
    var change = SettingsChange()
    change.maximumActiveInsulin = 7
    var wanted = former
    wanted.maximumActiveInsulin = 7
    #expect(change.applied(to: former) == wanted)
  }
}
