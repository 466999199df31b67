internal import ClosedLoop
internal import Quantities

/// What a fault of the app does to the world when it begins and ends, beside what follows from its
/// being in force.
extension AppFault {
  /// The fault takes hold; `changesApp` says whether it sets something else than the app has.
  func begin(id: String, changesApp: Bool, in world: inout World) {
    switch self {
    case .skipLoops, .doubleRun: break
    case .crash(let loss): if loss.contains(.unsaved) { world.noteCrash() }
    case .disturbed(let disturbance): world.phone.begin(disturbance, id: id, at: world.now)
    case .clockJump: world.notePhoneClock()
    case .wrongSetting(_, from: .sync):
      world.note(
        .settings, id,
        changesApp
          ? "Another setting comes into the app from a service; the pump is not told."
          : "A setting comes into the app from a service; it is the one that the app has.")
    case .wrongSetting(let change, from: .import):
      world.phone.importSettings(change)
      world.applyConditions()
      world.note(
        .settings, id, "Another setting is imported into the app; the pump is not told.")
    }
  }

  /// The fault is over.
  func end(id: String, in world: inout World) {
    switch self {
    case .skipLoops, .doubleRun, .wrongSetting(_, from: .import): break
    case .crash(let loss): Self.restart(losing: loss, in: &world)
    case .disturbed: world.phone.endDisturbance(id: id)
    case .clockJump: world.notePhoneClock()
    case .wrongSetting(let change, from: .sync):
      let (app, programmed) = (world.phone.therapy, world.phone.saved.programmed)
      world.note(
        .settings, id,
        change.named(of: app) == change.named(of: programmed)
          ? "The service puts the setting right."
          : "The service takes its setting back; the app has another than was programmed.")
    }
  }

  private static func restart(losing loss: CrashLoss, in world: inout World) {
    defer { if !world.faults.stopsApp { world.actsAtCrash = nil } }
    let former = PeoplesActs(in: world.phone, at: world.now)
    if loss.contains(.unsaved) {
      world.appRecord.noteLastSchedules(of: world.phone, at: world.now)
    }
    guard world.phone.restart(losing: loss, under: world.faults, at: world.now) else { return }
    world.followZone()
    world.miscountedCarbs.noteRestart()
    world.noteUnsaved(of: former)
  }
}
