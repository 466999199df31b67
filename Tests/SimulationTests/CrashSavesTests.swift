import ClosedLoop
import Quantities
import Testing

@testable import Simulation

@Suite("For which crashes the app is kept as of its last cycle")
struct CrashSavesTests {
  private func crash(_ id: String, at start: Instant, losing loss: CrashLoss) -> [ScenarioEvent] {
    [
      ScenarioEvent(at: start, id: id, .beginFault(Fault(id: id, .app(.crash(loses: loss))))),
      ScenarioEvent(at: start + .minutes(5), id: id, .endFault(id: id)),
    ]
  }

  private func off(from start: Instant, to end: Instant) -> [ScenarioEvent] {
    [
      ScenarioEvent(at: start, id: "off", .beginFault(Fault(id: "off", .phone(.off)))),
      ScenarioEvent(at: end, id: "off", .endFault(id: "off")),
    ]
  }

  private func saves(_ events: [ScenarioEvent]) throws -> CrashSaves {
    var fixture = Fixture()
    fixture.duration = .hours(48)
    fixture.events = events
    return CrashSaves(of: try fixture.setup())
  }

  @Test("Without such a crash it is never kept, and with one from two cycles before through it")
  func before() throws {
    let memory = try saves(crash("c", at: .at(40), losing: .memory))
    #expect(!memory.contains(.at(39, 55)))
    let saves = try saves(crash("c", at: .at(40), losing: [.memory, .unsaved]))
    #expect(!saves.contains(.at(39, 49)))
    #expect(saves.contains(.at(39, 50)))
    #expect(saves.contains(.at(40, 5)))
    #expect(!saves.contains(.at(41)))
  }

  @Test("What stops the app before the crash moves the last cycle before that")
  func afterStop() throws {
    let far = try saves(off(from: .at(20), to: .at(30)) + crash("c", at: .at(40), losing: .unsaved))
    #expect(!far.contains(.at(19, 55)))
    let near = try saves(
      off(from: .at(20), to: .at(39, 58)) + crash("c", at: .at(40), losing: .unsaved))
    #expect(near.contains(.at(19, 55)))
    #expect(near.contains(.at(30)))
    #expect(!near.contains(.at(19, 45)))
  }

  @Test("A day of crashes, each within two cycles of the next, keeps the app from before the first")
  func manyStops() throws {
    let crashes = (0..<80).flatMap { index in
      crash("c\(index)", at: .at(20) + .minutes(12 * Int64(index)), losing: .unsaved)
    }
    let saves = try saves(off(from: .at(19), to: .at(19, 55)) + crashes)
    // The phone was off five minutes before: the last cycle that ran may be from 18:50.
    #expect(saves.contains(.at(18, 50)))
    #expect(!saves.contains(.at(18, 49)))
    #expect(saves.contains(.at(35, 50)))
    #expect(!saves.contains(.at(36, 4)))
  }

  @Test("What is typed while the app is stopped is lost, and was not there when it stopped")
  func typedLater() throws {
    var fixture = Fixture()
    fixture.duration = .hours(6)
    func meal(_ name: String, at instant: Instant) -> ScenarioEvent {
      let meal = CarbEntryRequest(name: name, grams: 30, absorption: nil, eatenAt: instant)
      return ScenarioEvent(at: instant, id: name, .enterCarbs(meal))
    }
    fixture.events =
      [meal("early", at: .at(2, 1))] + crash("c", at: .at(2, 2), losing: .unsaved)
      + [meal("late", at: .at(2, 3))]
    let told = try fixture.result().trace.happenings.filter { $0.kind == .warning }
    #expect(
      told.map { "\($0.name): \($0.text)" } == [
        "early: The carb entry of 30 g was not saved when the app stopped, and was gone when it "
          + "started again.",
        "late: The carb entry of 30 g was made while the app was stopped, and was lost when it "
          + "started again.",
      ])
  }

  @Test("A phone that a person has switched off may be off until the end")
  func phone() throws {
    let saves = try saves(
      [ScenarioEvent(at: .at(10), .setPhone(.off)), ScenarioEvent(at: .at(11), .setPhone(.on))]
        + crash("c", at: .at(40), losing: .unsaved))
    #expect(saves.contains(.at(9, 55)))
    #expect(saves.contains(.at(20)))
  }

  @Test("What came in before a stop and after the last cycle is lost, however far the crash is")
  func losesTheSame() throws {
    var fixture = Fixture()
    fixture.duration = .hours(30)
    let meal = CarbEntryRequest(name: "lunch", grams: 30, absorption: nil, eatenAt: .at(2, 1))
    fixture.events =
      [ScenarioEvent(at: .at(2, 1), id: "lunch", .enterCarbs(meal))]
      + off(from: .at(2, 2), to: .at(25)) + crash("c", at: .at(25), losing: .unsaved)
    let lost = try fixture.result()
    #expect(lost.trace.happenings.contains { $0.text.contains("not saved") })
    fixture.events =
      [ScenarioEvent(at: .at(1, 58), id: "lunch", .enterCarbs(meal))]
      + off(from: .at(2, 2), to: .at(25)) + crash("c", at: .at(25), losing: .unsaved)
    let kept = try fixture.result()
    #expect(!kept.trace.happenings.contains { $0.text.contains("not saved") })
  }

  /// 30 g at 01:00 in an app that crashes from 02:02 to 02:07 and loses what it has not saved: the
  /// warnings, and what is told of entries after it.
  private func lunch(
    at entered: Instant = .at(1), writing policy: ReportingPolicy = .init(),
    _ acts: [ScenarioEvent]
  ) throws -> (warnings: [String], later: [String]) {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.reporting = policy
    let meal = CarbEntryRequest(name: "lunch", grams: 30, absorption: nil, eatenAt: .at(1))
    fixture.events =
      [ScenarioEvent(at: entered, id: "lunch", .enterCarbs(meal))] + acts
      + crash("c", at: .at(2, 2), losing: .unsaved) + [
        ScenarioEvent(
          at: .at(3), .editCarbs(entry: "lunch", grams: 20, absorption: nil, eatenAt: nil))
      ]
    let told = try fixture.result().trace.happenings
    return (
      told.filter { $0.kind == .warning }.map(\.text),
      told.filter { $0.kind == .carbEntry && $0.instant > .at(2, 7) }.map(\.text)
    )
  }

  @Test("An entry whose deletion is lost is there again: that is told, and it can be changed")
  func lostDeletion() throws {
    func delete(_ minute: Int64) -> ScenarioEvent {
      ScenarioEvent(at: .at(2, minute), .deleteCarbs(entry: "lunch"))
    }
    let before = try lunch([delete(1)])
    #expect(
      before.warnings == [
        "The deletion of the carb entry of 30 g was not saved when the app stopped. The app has it "
          + "again."
      ])
    #expect(before.later == ["The carb entry is changed to 20 g."])
    let meanwhile = try lunch([delete(3)])
    #expect(
      meanwhile.warnings == [
        "The deletion of the carb entry of 30 g was made while the app was stopped, and was lost "
          + "when it started again. The app has it again."
      ])
    #expect(meanwhile.later == ["The carb entry is changed to 20 g."])
    let saved = try lunch([
      ScenarioEvent(at: .at(1, 58), .deleteCarbs(entry: "lunch"))
    ])
    #expect(saved.warnings == ["There is no carb entry lunch to edit."])
    #expect(saved.later == [])
  }

  @Test("An entry that is lost and comes back from the health store can be changed")
  func lostAndStored() throws {
    let lost = """
      The carb entry of 30 g was not saved when the app stopped, and was gone when it started again.
      """
    var policy = ReportingPolicy()
    policy.write = .atTrigger
    let stored = try lunch(at: .at(2, 1), writing: policy, [])
    #expect(stored.warnings == [lost])
    #expect(stored.later == ["The carb entry is changed to 20 g."])
    let unstored = try lunch(at: .at(2, 1), [])
    #expect(unstored.warnings == [lost, "There is no carb entry lunch to edit."])
    #expect(unstored.later == [])
  }

  @Test("Basal that the health store has is not reported again, though its border is forgotten")
  func reportedOnce() throws {
    var fixture = Fixture()
    fixture.basal = [(0, 1_200)]
    fixture.duration = .hours(4)
    fixture.reporting.write = .atTrigger
    var change = SettingsChange()
    change.basal = DailySchedule(always: .init(milliunitsPerHour: 1_000))
    fixture.events =
      [ScenarioEvent(at: .at(2, 3), .changeSettings(change))]
      + crash("c", at: .at(2, 4), losing: .unsaved)
    let run = try fixture.result()
    // A pulse every 2.5 minutes up to 02:02:30, and every 3 minutes from 02:06 to 04:00.
    #expect(run.basalSamples.map(\.start) == [.at(0), .at(2, 3)])
    #expect(run.basalSamples.map(\.end) == [.at(2, 3), .at(4)])
    #expect(run.basalSamples.map(\.units.milliunits) == [49 * 50, 39 * 50])
    #expect(run.agreement.answer == .explained, "\(run.agreement.differences)")
  }
}
