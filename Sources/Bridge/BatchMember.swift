internal import ClosedLoop
internal import Devices
internal import HealthStore
internal import Quantities
internal import Simulation

/// One run of a batch, and what was last seen of it.
struct BatchMember: Sendable {
  // One of the two lives until it is over. Each is only ever asked to change: to read a property
  // through the optional would copy the run, which costs more than a step.
  private var scenario: Run?
  private var patient: PatientRun?
  private var cycle = TimeSpan.zero
  /// Whether its run has begun, be it over or not.
  private(set) var hasBegun = false
  private(set) var end = RunBatch.End.none
  private(set) var observation = [Double](repeating: 0, count: RunBatch.observationWidth)
  private(set) var truth = [Double](repeating: 0, count: RunBatch.truthWidth)
  /// The carbohydrate entries that were told.
  private var carbsTold: Set<SyncIdentifier> = []
  /// When the glucose is of that was last seen, by the phone's clock.
  private var newestDate: Instant?

  /// A member that has not begun.
  init() {}

  /// Begins a run in which the caller has the seat of the controller.
  init(_ run: Run) {
    cycle = run.setup.cycleInterval
    scenario = run
    hasBegun = true
    goOn()
  }

  /// Begins a run without an app.
  init(_ run: PatientRun) {
    patient = run
    hasBegun = true
    goOn()
  }

  /// Acts once, unless the run is over.
  ///
  /// - Parameters:
  ///   - rate: A temp basal in U/h; none below 0.
  ///   - bolus: A bolus in U; none at 0 or below.
  mutating func act(rate: Double, bolus: Double) {
    if patient?.act(unitsPerHour: rate, bolusUnits: bolus) == nil {
      var answer = ControllerAnswer()
      if rate >= 0 { answer.tempBasal = .start(unitsPerHour: rate, duration: .minutes(30)) }
      if bolus > 0 { answer.bolus = bolus }
      // The run stands at a question of this seat, so it takes the answer.
      guard (try? scenario?.answer(.commands(answer))) != nil else { return }
    }
    goOn()
  }

  private mutating func goOn() {
    if let stand = patient?.live() {
      see(stand.view, isOver: stand.isOver)
      if stand.isOver { finish(stand.isLethal ? .lethal : .over) }
    } else if let question = scenario?.nextQuestion() {
      see(question)
    } else if var run = scenario {
      run.advance(through: run.lastInstant)
      if let last = run.takeTruth() { see(last) }
      finish(run.snapshot.lethalEnd == nil ? .over : .lethal)
    }
  }

  private mutating func finish(_ end: RunBatch.End) {
    self.end = end
    (scenario, patient) = (nil, nil)
  }

  private mutating func see(_ view: PatientRun.View, isOver: Bool) {
    truth = [view.trueGlucose, view.sensedGlucose, view.insulinReachedBody]
    // Nobody looks at an instant that is no cycle.
    guard !isOver else { return }
    observation = [
      view.glucose, view.age, view.trend, view.insulinOnBoard, view.rate, view.scheduledRate,
      view.minuteOfDay, view.tempBasalLeft, view.bolus, view.carbsEntered,
    ]
  }

  private mutating func see(_ known: Question.Truth) {
    truth = [known.glucose.mgdL, known.sensed.mgdL, known.insulinReachedBody]
  }

  private mutating func see(_ question: Question) {
    if let known = question.truth { see(known) }
    guard case .controller(let view) = question.content else { return }
    let newest = view.glucose.last { !$0.isDisplayOnly }
    // Without a reading in the window the last one holds, and its age grows.
    let before = observation
    newestDate = newest?.date ?? newestDate
    let age = newestDate.map { (question.instant - $0).seconds / 60 }
    let schedule = view.settings.basal.value(at: view.scheduleTime).unitsPerHour
    let left = view.pump.tempBasalEnd.map { max(.zero, $0 - question.instant) }
    observation = [
      newest?.glucose.mgdL ?? before[0], age ?? before[1] + cycle.seconds / 60,
      newest.map { $0.trendRate ?? 0 } ?? before[2], view.insulinOnBoard ?? before[3],
      view.pump.rate(at: question.instant)?.unitsPerHour ?? schedule, schedule,
      Double(question.local.timeOfDay.milliseconds) / 60_000, left.map { $0.seconds / 60 } ?? 0,
      bolus(in: question.last), newCarbs(in: view, after: question.carbsFromBefore),
    ]
  }

  /// The bolus of the last answer as the pump took it, in U.
  private func bolus(in reports: [CommandReport]) -> Double {
    reports.reduce(0) { sum, report in
      guard case .startBolus(let amount, _)? = report.command.given, report.outcome == .carriedOut
      else { return sum }
      return sum + amount.units
    }
  }

  /// The carbohydrates of entries that were not told before, in g; what was entered before the run
  /// is no news.
  private mutating func newCarbs(
    in view: ControllerView, after before: Set<SyncIdentifier>
  ) -> Double {
    view.carbs.reduce(0) { sum, row in
      guard !before.contains(row.syncIdentifier),
        carbsTold.insert(row.syncIdentifier).inserted
      else { return sum }
      return sum + row.entry.mass.grams
    }
  }
}

extension ControllerView.PumpView {
  /// When the temp basal ends that the pump last said it runs.
  fileprivate var tempBasalEnd: Instant? {
    let program = status?.program
    return program?.kind == .tempBasal ? program?.end : nil
  }

  /// The basal rate as far as the app knows it; `nil` where it takes it to be that of the schedule.
  fileprivate func rate(at now: Instant) -> InsulinRate? {
    // A pump that an alarm has stopped gives nothing; one of which nothing is known its schedule.
    guard let program = status?.program, let read else { return status?.alarm.map { _ in .zero } }
    // Of a pump that is not heard from the app knows the schedule, and when its temp basal was to
    // end. What ended before the pump was read, and runs, ends by another clock than the phone's.
    if program.kind == .scheduled, read < now { return nil }
    if let end = program.end, read < end, end <= now { return nil }
    return status?.rate
  }
}
