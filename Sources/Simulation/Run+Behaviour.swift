internal import Determinism
internal import Devices
internal import Physiology
internal import Quantities

/// What the person does by chance on seeing glucose.
///
/// Every notice has a stream of its own, named after the part and numbered within its local day:
/// one reaction more or less changes no other, and from midnight on nothing at all.
extension Run {
  /// A person needs a moment to react: whatever is done comes after everything of this instant.
  private static let shortestReaction = TimeSpan.seconds(1)
  /// How long Loop takes a reading for the glucose of now.
  private static let longestShown = TimeSpan.minutes(15)

  /// The person looks at what a cycle brought.
  mutating func react() {
    guard let behaviour = setup.behaviour, state.now >= setup.start else { return }
    let shown = newlyShown()
    if let correction = behaviour.correction, let shown, shown > correction.above {
      notice(correction)
    }
    if let rescue = behaviour.rescue {
      let known = rescue.sense == .cgm ? shown : state.patient.glucose
      if let known, known < rescue.below { notice(rescue) }
    }
  }

  /// The app shows a reading, unless it shows a newer one already.
  mutating func show(_ reading: GlucoseReading) {
    if let shown = state.shown, shown.instant >= reading.instant { return }
    state.shown = reading
    state.isShownNew = true
  }

  /// The glucose that the app shows for the first time; a reading that came too late is no glucose
  /// of now, and apps show dashes.
  private mutating func newlyShown() -> GlucoseConcentration? {
    guard state.isShownNew, let shown = state.shown else { return nil }
    state.isShownNew = false
    return state.now - shown.instant <= Self.longestShown ? shown.glucose : nil
  }

  private mutating func notice(_ correction: Behaviour.Correction) {
    guard state.now >= state.corrections.nextLook else { return }
    var stream = state.corrections.stream(of: "correction", day: dayOfRun, seed: setup.seed)
    let reacts = stream.bernoulli(correction.probability)
    let due = due(after: correction.delay, &stream)
    let name = "correction#\(state.corrections.count)"
    if reacts {
      act(
        Reaction(
          instant: due, name: name, action: .correction(minimumUnits: correction.minimumUnits)))
      state.corrections.nextLook = due + correction.lockout
    } else {
      let moment = state.now + Self.shortestReaction
      act(Reaction(instant: moment, name: name, action: .none("The high goes unnoticed.")))
      state.corrections.nextLook = moment + correction.lockout
    }
  }

  private mutating func notice(_ rescue: Behaviour.Rescue) {
    guard state.now >= state.rescues.nextLook else { return }
    var stream = state.rescues.stream(of: "rescue", day: dayOfRun, seed: setup.seed)
    let reacts = stream.bernoulli(rescue.probability)
    let due = due(after: rescue.delay, &stream)
    // Tenths of a gram and whole minutes: what a person could write down.
    let grams = (rescue.grams.draw(from: &stream) * 10).rounded() / 10
    let absorption = (rescue.absorption.draw(from: &stream) / 60_000).rounded()
    let name = "rescue#\(state.rescues.count)"
    if reacts {
      act(
        Reaction(
          instant: due, name: name,
          action: .rescue(
            grams: grams, absorption: .minutes(Int64(absorption)), isEntered: rescue.isEntered)))
      state.rescues.nextLook = due + rescue.lockout
    } else {
      let moment = state.now + Self.shortestReaction
      act(Reaction(instant: moment, name: name, action: .none("The low goes unnoticed.")))
      state.rescues.nextLook = moment + rescue.lockout
    }
  }

  /// The local day, the start's being 0.
  private var dayOfRun: Int64 {
    setup.clock.civilTime(at: state.now).dayNumber
      - setup.clock.civilTime(at: setup.start).dayNumber
  }

  /// The instant, a drawn delay in milliseconds from now, in whole seconds.
  private func due(after delay: NumberLaw, _ stream: inout RandomStream) -> Instant {
    let span = TimeSpan(roundingSeconds: (delay.draw(from: &stream) / 1_000).rounded()) ?? .zero
    return state.now + max(span, Self.shortestReaction)
  }

  /// Puts what is done into the queue, as if the scenario had it among its events.
  private mutating func act(_ reaction: Reaction) {
    guard reaction.instant <= setup.end else { return }
    state.reactions.append(reaction)
    for event in reaction.events { state.queue.add(event, at: reaction.instant) }
  }
}

extension Reaction {
  /// The events that carry it out.
  var events: [WorldEvent] {
    switch action {
    case .correction(let minimum):
      let request = BolusRequest(
        .recommended(scale: 1, cap: nil), minimumUnits: minimum, name: name)
      return [WorldEvent(at: instant, id: name, .bolus(request))]
    case .rescue(let grams, let absorption, let isEntered):
      let meal = MealInput(grams: grams, absorption: absorption)
      let eaten = WorldEvent(at: instant, id: name, .eat(meal, name: name))
      guard isEntered else { return [eaten] }
      let entry = CarbEntryRequest(
        name: name, grams: grams, absorption: absorption, eatenAt: instant)
      return [eaten, WorldEvent(at: instant, id: name, .enterCarbs(entry))]
    case .none(let sentence): return [WorldEvent(at: instant, id: name, .remark(sentence))]
    }
  }
}

/// How often a person has taken notice of one kind of glucose, and when the next time may be.
struct Notices: Sendable {
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
    countOfDay += 1
    return RandomStream(
      seed: seed, name: "behaviour.\(part)",
      member: UInt64(self.day * Self.mostOfDay + countOfDay))
  }
}
