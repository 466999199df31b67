internal import Determinism
internal import Devices
internal import Dosing
internal import Physiology
internal import Quantities

/// The person, who by chance does something on seeing glucose.
///
/// Every notice has a stream of its own, named after the part and numbered within its local day:
/// one reaction more or less changes no other, and from midnight on nothing at all.
struct Person: Sendable {
  /// A person needs a moment to react: whatever is done comes after everything of this instant.
  private static let shortestReaction = TimeSpan.seconds(1)

  private let behaviour: Behaviour?
  private let seed: UInt64
  private let clock: WallClock
  private let start: Instant
  private let end: Instant
  /// The newest reading that the app can show, and whether nobody has looked at it yet.
  private var shown: GlucoseReading?
  private var isShownNew = false
  private var corrections = AttentionState()
  private var rescues = AttentionState()
  /// What the person did, or will do.
  private(set) var reactions: [Reaction] = []

  init(beginning setup: Setup) {
    behaviour = setup.behaviour
    seed = setup.seed
    clock = setup.clock
    start = setup.start
    end = setup.end
  }

  /// The person looks at what a cycle brought, and feels how the body is.
  ///
  /// - Returns: What the person will do.
  mutating func look(at now: Instant, glucose: GlucoseConcentration) -> [Reaction] {
    guard let behaviour, now >= start else { return [] }
    assert(now <= end, "A person looks while the run lasts.")
    let shown = newlyShown(at: now)
    let known = reactions.count
    if let correction = behaviour.correction, let shown, shown > correction.above {
      notice(correction, at: now)
    }
    if let rescue = behaviour.rescue {
      let seen = rescue.sense == .cgm ? shown : glucose
      if let seen, seen < rescue.below { notice(rescue, at: now) }
    }
    return Array(reactions[known...])
  }

  /// The newest reading that is shown, whatever its age; `nil` before the first.
  var shownGlucose: GlucoseConcentration? { shown?.glucose }

  /// The newest reading that is shown, where it is recent enough to be dosed on.
  func recentGlucose(at now: Instant) -> GlucoseConcentration? {
    shown.flatMap { now - $0.instant <= DataRecency.limit ? $0.glucose : nil }
  }

  /// The app, or the sensor's receiver, shows a reading, unless it shows a newer one already.
  mutating func show(_ reading: GlucoseReading) {
    if let shown, shown.instant >= reading.instant { return }
    shown = reading
    isShownNew = true
  }

  /// The glucose that the app shows for the first time; a reading that came too late is no glucose
  /// of now, and apps show dashes.
  private mutating func newlyShown(at now: Instant) -> GlucoseConcentration? {
    guard isShownNew, let shown else { return nil }
    isShownNew = false
    return now - shown.instant <= DataRecency.limit ? shown.glucose : nil
  }

  private mutating func notice(_ correction: Behaviour.Correction, at now: Instant) {
    guard now >= corrections.nextLook else { return }
    var stream = corrections.stream(of: "correction", day: dayOfRun(at: now), seed: seed)
    let reacts = stream.bernoulli(correction.probability)
    let due = due(after: correction.delay, at: now, &stream)
    assert(due > now, "A person acts after seeing glucose.")
    let name = "correction#\(corrections.count)"
    if reacts {
      act(
        Reaction(
          instant: due, name: name, action: .correction(minimumUnits: correction.minimumUnits)))
      corrections.nextLook = due + correction.lockout
    } else {
      let moment = now + Self.shortestReaction
      act(Reaction(instant: moment, name: name, action: .none("The high goes unnoticed.")))
      corrections.nextLook = moment + correction.lockout
    }
  }

  private mutating func notice(_ rescue: Behaviour.Rescue, at now: Instant) {
    guard now >= rescues.nextLook else { return }
    var stream = rescues.stream(of: "rescue", day: dayOfRun(at: now), seed: seed)
    let reacts = stream.bernoulli(rescue.probability)
    let due = due(after: rescue.delay, at: now, &stream)
    // Tenths of a gram and whole minutes: what a person could write down.
    assert(due > now, "A person eats after noticing a low.")
    let grams = (rescue.grams.draw(from: &stream) * 10).rounded() / 10
    let absorption = (rescue.absorption.draw(from: &stream) / 60_000).rounded()
    let name = "rescue#\(rescues.count)"
    if reacts {
      act(
        Reaction(
          instant: due, name: name,
          action: .rescue(
            grams: grams, absorption: .minutes(Int64(absorption)), isEntered: rescue.isEntered)))
      rescues.nextLook = due + rescue.lockout
    } else {
      let moment = now + Self.shortestReaction
      act(Reaction(instant: moment, name: name, action: .none("The low goes unnoticed.")))
      rescues.nextLook = moment + rescue.lockout
    }
  }

  /// The local day, the start's being 0.
  private func dayOfRun(at now: Instant) -> Int64 {
    clock.civilTime(at: now).dayNumber
      - clock.civilTime(at: start).dayNumber
  }

  /// The instant, a drawn delay in milliseconds from now, in whole seconds.
  private func due(
    after delay: Distribution, at now: Instant, _ stream: inout RandomStream
  ) -> Instant {
    let span = TimeSpan(roundingSeconds: (delay.draw(from: &stream) / 1_000).rounded()) ?? .zero
    return now + max(span, Self.shortestReaction)
  }

  /// Notes what is done, unless it comes after the run.
  private mutating func act(_ reaction: Reaction) {
    if reaction.instant <= end { reactions.append(reaction) }
  }
}

extension Reaction {
  /// The events that carry it out.
  var events: [ScenarioEvent] {
    switch action {
    case .correction(let minimum):
      let request = BolusRequest(
        .recommended(scale: 1, cap: nil), minimumUnits: minimum, name: name)
      return [ScenarioEvent(at: instant, id: name, .bolus(request))]
    case .rescue(let grams, let absorption, let isEntered):
      let meal = MealInput(grams: grams, absorption: absorption)
      let eaten = ScenarioEvent(at: instant, id: name, .eat(meal, name: name))
      guard isEntered else { return [eaten] }
      let entry = CarbEntryRequest(
        name: name, grams: grams, absorption: absorption, eatenAt: instant)
      return [eaten, ScenarioEvent(at: instant, id: name, .enterCarbs(entry))]
    case .none(let sentence): return [ScenarioEvent(at: instant, id: name, .remark(sentence))]
    }
  }
}

/// How often a person has taken notice of one kind of glucose, and when the next time may be.
struct AttentionState: Sendable {
  var count = 0
  var nextLook = Instant(millisecondsSince1970: .min)
  /// The latest day on which there was one, and how many there were since it began.
  private var day: Int64 = 0
  private var countOfDay: Int64 = 0

  /// The streams of a day are numbered from this times the day.
  private static let mostOfDay: Int64 = 10_000

  /// The stream of the next notice, which is one of a local day.
  mutating func stream(of part: String, day: Int64, seed: UInt64) -> RandomStream {
    count += 1
    // A day that comes a second time, as on a journey westward, goes on counting.
    if day > self.day {
      self.day = day
      countOfDay = 0
    }
    assert(countOfDay < Self.mostOfDay, "The streams of one day are numbered apart from the next.")
    assert(self.day >= 0, "Days are numbered from that of the start.")
    countOfDay += 1
    return RandomStream(
      seed: seed, name: "behaviour.\(part)",
      member: UInt64(self.day * Self.mostOfDay + countOfDay))
  }
}
