import ClosedLoop
import Devices
import Quantities
import ScenarioLanguage
import StructuredText

/// Warns of what pump and app will refuse when the time comes, and of days that never come.
struct RefusalRules {
  let root: Field

  func check() {
    let maximumBolus = root.largestMaximumBolus.units
    for event in root["events"].listed {
      checkDaily(event["at"])
      guard !isMeant else { continue }
      checkEntries(of: event)
      checkTempBasal(event["basal"]["duration"])
      checkRemote(event["remote"], maximumBolus)
    }
    if !isMeant {
      for dose in root["history"]["doses"].listed { checkTempBasal(dose["duration"]) }
    }
    for fault in root["faults"].listed { checkDaily(fault["at"]) }
    for meal in root["behaviour"]["meals"].listed { checkMeal(meal) }
  }

  /// Whether the scenario expects a refusal.
  var isMeant: Bool { root.expects(anyOf: ["warning"]) }

  private func refused(_ field: Field, _ sentence: String) {
    field.warning(code: PlanWarnings.refused, sentence)
  }

  // MARK: - Days

  private func checkDays(_ field: Field) {
    let context = root.context
    let last = context.wallClock.civilTime(at: context.end).dayNumber - context.firstDay
    for item in field.listed {
      guard let day = item.node?.integer, day > last else { continue }
      item.warnOfNoEffect("Day \(day) never comes: the run has the days 0 to \(last).")
    }
    if field.node?.items?.isEmpty == true {
      field.warnOfNoEffect("This never comes: no day is named. Remove \"days\" for all.")
    }
  }

  /// A time of day that lies in the run on no day that is named, such as one in the evening of a
  /// run that ends at noon.
  private func checkDaily(_ field: Field) {
    if field.node?.items?.isEmpty == true {
      field.warnOfNoEffect("This never comes: no time is named.")
    }
    checkDays(field["days"])
    guard field.node?.members != nil,
      let daily = DailyTime.form.read(field.reporting(to: ProblemList()))
    else { return }
    noteChangesOfClock(field["daily"], daily)
    notePreRoll(field["daily"], daily)
    let days = daily.days(in: root.context)
    guard comes(daily.time, on: days, early: daily.jitter, late: daily.jitter) == false
    else { return }
    warnOfNever(field["daily"], "\"\(field["daily"].node?.string ?? "")\"", "it lies")
  }

  /// Days on which the clock skips a daily time, or shows it twice.
  private func noteChangesOfClock(_ field: Field, _ daily: DailyTime) {
    let context = root.context
    let clock = context.wallClock
    guard clock.transitions.contains(where: { $0.instant > context.start }) else { return }
    for day in context.allDays where daily.days?.contains(day) ?? true {
      let civil = CivilTime(dayNumber: context.firstDay + Int64(day), timeOfDay: daily.time)
      let shown = "\(civil.dateText) \(civil.timeOfDay.hoursAndMinutes)"
      let reading = clock.reading(of: civil)
      guard reading.instant >= context.start, reading.instant <= context.end else { continue }
      switch reading {
      case .once: break
      case .skipped(let instant):
        let used = clock.timeOfDay(at: instant).hoursAndMinutes
        field.note("The clock skips \(shown); the first instant after the gap is used (\(used)).")
      case .twice: field.note("The clock shows \(shown) twice; the first is used.")
      }
    }
  }

  /// A daily time that lies in the pre-roll as well, and does not come there.
  private func notePreRoll(_ field: Field, _ daily: DailyTime) {
    let context = root.context
    let beginning = context.start - context.preRoll
    guard daily.days == nil, beginning < context.start else { return }
    let eve = context.wallClock.civilTime(at: beginning).dayNumber
    let count = (eve...context.firstDay).count { day in
      let civil = CivilTime(dayNumber: day, timeOfDay: daily.time)
      return (beginning..<context.start).contains(context.wallClock.reading(of: civil).instant)
    }
    guard count > 0 else { return }
    field.note(
      "\"\(field.node?.string ?? "")\" lies in the pre-roll (clock.preRoll) "
        + "\(WordList.counted(count, "time")), and does not come there: what comes daily begins "
        + "with the start.")
  }

  /// A meal that the run has no time for.
  private func checkMeal(_ field: Field) {
    checkDays(field["days"])
    guard let meal = BehaviourBlock.meal.read(field.reporting(to: ProblemList())),
      comes(meal.from, on: meal.days(in: root.context), late: meal.span) == false
    else { return }
    warnOfNever(field["window"], "This meal", "its window lies")
  }

  /// Whether a time of day, or what is so much earlier or later, lies in the run on one of some
  /// days; `nil` where there are none, as the run has none of those that are named.
  private func comes(
    _ time: TimeOfDay, on days: [Int], early: TimeSpan = .zero, late: TimeSpan
  ) -> Bool? {
    let context = root.context
    guard !days.isEmpty else { return nil }
    let reach = (context.start - late)...(context.end + early)
    return days.contains { day in
      let civil = CivilTime(dayNumber: context.firstDay + Int64(day), timeOfDay: time)
      return reach.contains(context.wallClock.reading(of: civil).instant)
    }
  }

  private func warnOfNever(_ field: Field, _ what: String, _ lies: String) {
    let context = root.context
    let (start, end) = (context.start, context.end)
    field.warnOfNoEffect(
      "\(what) never comes: \(lies) outside the run from \(context.wallClock.iso8601(start)) to "
        + "\(context.wallClock.iso8601(end)).")
  }

  // MARK: - Carbohydrates

  private func checkEntries(of event: Field) {
    let meal = event["meal"]
    let entry = event["entry"]
    if meal.exists, entry.node?.bool == false { return }
    guard meal.exists || event["entry"].node?.members != nil, !event["injection"].exists else {
      return
    }
    checkMass(entry["grams"].exists ? entry["grams"] : meal["grams"])
    checkNothing(entry["grams"])
    checkEdits(of: entry)
    checkAbsorption(entry["absorption"].exists ? entry["absorption"] : meal["absorption"])
    for edit in entry["edits"].listed {
      checkMass(edit["grams"])
      checkNothing(edit["grams"])
      checkAbsorption(edit["absorption"])
    }
  }

  private func checkMass(_ field: Field) {
    guard let grams = field.node?.double, grams > CarbStore.largestEntry else { return }
    refused(
      field,
      "The app refuses an entry of \(JSONField.shortText(grams)) g; it takes at most "
        + "\(JSONField.shortText(CarbStore.largestEntry)) g.")
  }

  private func checkNothing(_ field: Field) {
    guard field.node?.double == 0 else { return }
    refused(field, "The app refuses an entry of 0 g.")
  }

  /// Warns of changes for which there is no entry yet, or none any more, where the times are spans.
  private func checkEdits(of entry: Field) {
    func span(_ field: Field) -> TimeSpan? {
      guard case .offset(let span)? = field.node?.string.flatMap(TimeText.init) else { return nil }
      return span
    }
    guard let typed = entry["at"].exists ? span(entry["at"]) : .zero else { return }
    let edits = entry["edits"].listed
    let deleted = edits.filter { $0["delete"].node?.bool == true }.compactMap { span($0["at"]) }
      .min()
    for edit in edits {
      guard let at = span(edit["at"]) else { continue }
      if at < typed {
        refused(edit["at"], "There is no entry to change: it is typed later.")
      } else if let deleted, at > deleted {
        refused(edit["at"], "There is no entry to change: it is deleted before.")
      }
    }
  }

  private func checkAbsorption(_ field: Field) {
    let times = CarbStore.absorptionTimes
    guard let time = field.span, !times.contains(time) else { return }
    refused(
      field,
      "The app refuses an absorption time of \(time); it takes \(times.lowerBound) to "
        + "\(times.upperBound).")
  }

  // MARK: - Insulin

  private func checkTempBasal(_ stated: Field) {
    guard let duration = stated.span, let profile = PumpChoice.profile(of: root),
      !profile.tempBasal.accepts(duration: duration)
    else { return }
    refused(
      stated,
      "The \(profile.name) refuses a temp basal of \(stated.node?.string ?? ""); it takes "
        + "\(profile.tempBasal.durations).")
  }

  private func checkRemote(_ remote: Field, _ maximumBolus: Double) {
    checkMass(remote["carbs"])
    checkNothing(remote["carbs"])
    checkAbsorption(remote["absorption"])
    if let units = remote["bolus"].node?.double, units > maximumBolus {
      refused(
        remote["bolus"],
        "The app refuses a remote bolus above maxBolus (\(JSONField.shortText(maximumBolus)) U).")
    }
    if remote["bolus"].node?.double == 0 {
      refused(remote["bolus"], "The app refuses a remote bolus of 0 U.")
    }
    let longest = RemoteRules.longestPreset
    if remote["override"].node?.string != nil, let span = remote["duration"].span, span > longest {
      refused(
        remote["duration"],
        "The app refuses a preset from afar for \(span); it takes at most \(longest).")
    }
    let presets = root["therapy"]["presets"].node?.members?.map(\.key) ?? []
    if let name = remote["override"].node?.string, !presets.contains(name) {
      refused(
        remote["override"],
        "The app refuses it: there is no preset \"\(name)\" in therapy.presets."
          + NearestName.suggestion(for: name, among: presets))
    }
  }
}
