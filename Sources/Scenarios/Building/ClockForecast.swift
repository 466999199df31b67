internal import ClosedLoop
internal import Devices
internal import Quantities
internal import ScenarioLanguage
internal import Simulation

/// Which clocks of a run make no difference, as far as that is known before it.
struct ClockForecast {
  let root: Field
  /// The pump.
  let profile: PumpProfile
  /// What is programmed.
  let therapy: TherapySettings
  /// What happens.
  let events: [ScenarioEvent]
  /// The phone's clock, with its changes of zone.
  let clock: WallClock
  /// From when the world lives.
  let beginning: Instant
  /// Until when the run is looked at.
  let end: Instant

  /// Warns of what has no effect.
  func warn() {
    warnOfScheduleZone()
    guard !isPumpClockUsed else { return }
    let reason =
      "the basal schedule is the same all day, and the \(profile.name) dates nothing by its clock"
    root["pump"]["clockDrift"].warnOfNoEffect("\"pump.clockDrift\" has no effect: \(reason).")
    for fault in root["faults"].listed {
      for kind in ["clockError", "clockDrift"] {
        fault["pump"][kind].warnOfNoEffect("This fault changes nothing: \(reason).")
      }
    }
  }

  /// A choice of what schedules follow when the clock changes its offset.
  private func warnOfScheduleZone() {
    guard !clock.transitions.contains(where: { $0.instant > beginning && $0.instant < end })
    else { return }
    root["app"]["scheduleZone"].warnOfNoEffect(
      "\"app.scheduleZone\" has no effect: the phone's clock keeps its offset from UTC in this run."
    )
  }

  /// Whether anything goes by the pump's own clock, or somebody sets it.
  private var isPumpClockUsed: Bool {
    profile.stampsEventsWithOwnClock || !therapy.basal.isTheSameAllDay || isCalculatorUsed
      || events.contains { event in
        switch event.action {
        case .changeSettings(let change): change.basal.map { !$0.isTheSameAllDay } ?? false
        case .beginFault(let fault): fault.changesSchedule
        case .pump(.setTime): true
        default: false
        }
      }
  }

  /// Whether a bolus may be advised by the calculator in the pump, without an app or while the
  /// phone is off, by settings that are not the same all day.
  private var isCalculatorUsed: Bool {
    guard !root.hasApp || events.contains(where: \.maySwitchPhoneOff),
      events.contains(where: \.asksCalculator)
    else { return false }
    let changes = events.compactMap { event in
      if case .changeSettings(let change) = event.action { change } else { nil }
    }
    return ([therapy] + changes.map { $0.applied(to: therapy) }).contains {
      !$0.carbRatio.isTheSameAllDay || !$0.sensitivity.isTheSameAllDay
        || !$0.targets.isTheSameAllDay
    }
  }
}

extension ScenarioEvent {
  /// Whether a calculator advises the bolus.
  fileprivate var asksCalculator: Bool {
    guard case .bolus(let request) = action, case .calculated = request.amount else { return false }
    return true
  }

  /// Whether the phone may be off from then on.
  fileprivate var maySwitchPhoneOff: Bool {
    switch action {
    case .setPhone(let phone): return phone == .off
    case .beginFault(let fault):
      if case .phone(.off) = fault.effect { return true }
      return false
    default: return false
    }
  }
}

extension DailySchedule where Value: Equatable {
  fileprivate var isTheSameAllDay: Bool { entries.allSatisfy { $0.value == entries[0].value } }
}

extension Fault {
  /// Whether the pump follows a schedule through it that is not the same all day.
  fileprivate var changesSchedule: Bool {
    guard case .wrongPump(let schedule) = effect else { return false }
    return !schedule.isTheSameAllDay
  }
}
