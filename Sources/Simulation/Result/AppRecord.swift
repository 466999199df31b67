internal import ClosedLoop
internal import Dosing
internal import Quantities

/// What the app did and was allowed to do in a run, as it is written down.
struct AppRecord: Sendable {
  private(set) var cycles = RunResult.Cycles()
  /// The cycles, with the reason of each that came to no decision.
  private(set) var outcomes: [CycleOutcome] = []
  /// The glucose of other apps on which cycles decided.
  private(set) var glucoseOfOthers: [GlucoseOfOthers] = []
  /// The cycles that predicted without momentum, as their readings were of two sources,
  /// by the phone's clock.
  private(set) var cyclesOfTwoSources: [Instant] = []
  /// When a cycle was due and the app did not run.
  private(set) var missedCycles: [Instant] = []
  /// What people and the loop asked for as boluses.
  private(set) var bolusRequests: [BolusRequestRecord] = []
  /// What the app warned of, each once, with how long it was refused the same.
  private(set) var warnings: [AppWarningRecord] = []
  /// What the app had warned of when that was last looked at.
  private var knownWarnings = AppWarnings()
  /// When automatic dosing was switched, from the beginning on; empty without an app.
  private(set) var dosingSwitches: [DosingSwitch] = []
  /// The limits of the therapy in the app, each from its instant on.
  private(set) var limits: [LimitRecord] = []
  /// The therapy at the beginning, and from each change of it on.
  private(set) var settings: [RunObservation.SettingsInForce]
  /// The last change of the therapy that is noted, as the app numbers and dates it.
  private var lastSettingsChange: (number: Int64, date: Instant)?
  /// The basal schedules of the app as far as they are noted.
  private(set) var schedules: ScheduleRecord
  private let start: Instant
  private let end: Instant

  init(beginning setup: Setup) {
    start = setup.start
    end = setup.end
    settings = [.init(start: setup.beginning, therapy: setup.app.configuration.therapy)]
    schedules = ScheduleRecord(beginning: setup.beginning, start: setup.start)
    guard setup.hasApp else { return }
    knownWarnings = setup.app.warned
    dosingSwitches = [DosingSwitch(instant: setup.beginning, isOn: setup.app.isClosedLoop)]
  }

  /// Notes why a cycle predicted without momentum, by the phone's clock.
  mutating func note(_ absence: MomentumAbsence?, at instant: Instant) {
    if absence == .sources { cyclesOfTwoSources.append(instant) }
  }

  /// Notes what the app warned of since this was last done.
  ///
  /// An app that lost what it had not saved has lost how many times it warned too.
  mutating func note(_ given: AppWarnings, at now: Instant) {
    guard given.times != knownWarnings.times else { return }
    for (place, each) in given.list.enumerated() {
      let known = place < knownWarnings.list.count ? knownWarnings.list[place].times : 0
      if each.times > known { note(each.warning, at: now) }
    }
    knownWarnings = given
  }

  private mutating func note(_ warning: AppWarning, at now: Instant) {
    let text = warning.description
    if let place = warnings.firstIndex(where: { $0.text == text }) {
      warnings[place].repeated(at: now)
    } else {
      warnings.append(AppWarningRecord(warning, at: now))
    }
  }

  /// Notes what came of a cycle.
  ///
  /// - Returns: Whether the cycle failed for another reason than the one before it.
  mutating func note(_ outcome: CycleOutcome) -> Bool {
    assert(
      outcomes.last.map { $0.instant <= outcome.instant } ?? true,
      "Cycles come in the order of time.")
    let isNews = outcome.failure != nil && outcomes.last?.failure != outcome.failure
    cycles.due += 1
    if outcome.failure == nil { cycles.completed += 1 }
    outcomes.append(outcome.sharing(outcomes.last))
    assert(cycles.completed <= cycles.due, "Only a cycle that was due completes.")
    return isNews
  }

  mutating func note(_ glucose: GlucoseOfOthers) { glucoseOfOthers.append(glucose) }

  /// Whether a cycle at an instant lies in the part that counts, in which one at the end does not.
  func countsCycle(at now: Instant) -> Bool { now >= start && now < end }

  /// Notes that a cycle was due and the app did not run; outside the part that counts it is not
  /// counted.
  mutating func noteMissedCycle(at now: Instant) {
    guard countsCycle(at: now) else { return }
    cycles.due += 1
    missedCycles.append(now)
  }

  /// Notes that a cycle's commands went to the pump; outside the part that counts it is not
  /// counted.
  mutating func noteEnacted(at now: Instant) { cycles.enacted += countsCycle(at: now) ? 1 : 0 }

  mutating func note(_ request: BolusRequestRecord) { bolusRequests.append(request) }

  mutating func note(_ change: DosingSwitch) { dosingSwitches.append(change) }

  /// Notes whether the app doses by itself, where something else than a person may have changed it.
  mutating func noteDosing(isOn: Bool, at now: Instant) {
    guard dosingSwitches.last?.isOn != isOn else { return }
    note(DosingSwitch(instant: now, isOn: isOn))
  }

  /// Notes the therapy that a phone's app doses by, where it is another than before.
  ///
  /// The app's own list has the phone's time, forgets what is older than a week, and is empty in an
  /// app that is installed anew.
  mutating func noteSettings(of phone: borrowing Phone, at now: Instant) {
    let change = phone.lastSettingsChange
    if let lastSettingsChange, lastSettingsChange == change { return }
    lastSettingsChange = change
    let therapy = phone.therapy
    guard let last = settings.last, last.therapy != therapy else { return }
    assert(last.start <= now, "Changes come in the order of time.")
    if last.start == now { settings.removeLast() }
    settings.append(.init(start: now, therapy: therapy))
  }

  /// Notes the limits that the app has now, where they are others than before.
  ///
  /// They are noted in true time: the app's own list of settings has the phone's, which may be
  /// wrong. Without a neutral rate the last one holds on.
  mutating func note(
    _ most: (bolus: InsulinAmount, basal: InsulinRate), neutralRate: InsulinRate? = nil,
    at now: Instant
  ) {
    let last = limits.last
    assert(last.map { $0.instant <= now } ?? true, "Limits come in the order of time.")
    let neutral = neutralRate ?? last?.neutralBasalRate ?? .zero
    if let last, last.maximumBasalRate == most.basal, last.maximumBolus == most.bolus,
      last.neutralBasalRate == neutral
    {
      return
    }
    limits.append(
      LimitRecord(
        instant: now, maximumBasalRate: most.basal, maximumBolus: most.bolus,
        neutralBasalRate: neutral))
  }

  /// Notes the schedules of a phone before its app forgets them; only now and then unless `always`.
  mutating func noteSchedules(of phone: Phone, at now: Instant, always: Bool = false) {
    if always || schedules.isDue(at: now) { schedules.note(phone, through: now) }
  }

  /// Notes the schedules of a phone whose app gives way to another, installed anew or as it was
  /// saved.
  mutating func noteLastSchedules(of phone: Phone, at now: Instant) {
    schedules.noteLast(phone, through: now)
  }
}
