import Quantities

/// What lies in front of an eater, and how it goes down: minute by minute from the first bite.
///
/// The grams of a minute flow evenly over it. At a pace in grams per minute the last minute holds
/// what is left; over a stated time the last piece is shortened to end with it. A meal that comes
/// while another is eaten is put on the same plate, and eaten after what lies there; each is
/// absorbed in its own time.
struct Plate: Hashable, Sendable {
  /// One minute of eating, or the shorter last piece of it.
  struct Bite: Hashable, Sendable {
    var grams: Double
    var end: Instant
    /// Grams per minute.
    var rate: Double
    /// Whether nothing was eaten immediately before.
    var startsEpisode: Bool
    /// The grams still on the plate after this bite.
    var gramsLeft: Double
    /// What the grams are of, in the order in which it was put on the plate.
    var portions: [Portion]
  }

  /// What is absorbed in one time.
  struct Portion: Hashable, Sendable {
    var grams: Double
    /// The absorption time stated with the meal.
    var absorption: TimeSpan?
  }

  private(set) var grams = 0.0
  private(set) var bite: Bite?
  private var gramsPerMinute = 5.0
  private var timeLeft: TimeSpan?
  private var isEating = false
  /// What lies on the plate, what is eaten first in front.
  private var portions: [Portion] = []

  /// Puts a meal on the plate.
  mutating func add(_ meal: MealInput) {
    guard meal.grams > 0, meal.grams.isFinite else { return }
    grams += meal.grams
    if let last = portions.indices.last, portions[last].absorption == meal.absorption {
      portions[last].grams += meal.grams
    } else {
      portions.append(Portion(grams: meal.grams, absorption: meal.absorption))
    }
    switch meal.pace {
    case .gramsPerMinute(let pace):
      gramsPerMinute = pace > 0 ? pace : 5
      timeLeft = nil
    case .over(let span):
      timeLeft = max(span, .milliseconds(1))
    }
  }

  /// Takes the next bite at an instant at which none is under way.
  mutating func nextBite(at now: Instant) -> Bite? {
    if let bite, now < bite.end { return nil }
    bite = nil
    guard grams > 0 else {
      isEating = false
      return nil
    }
    let next: Bite
    if let left = timeLeft {
      let span = min(left, .minutes(1))
      let share = left <= .minutes(1) ? grams : grams * span.minutes / left.minutes
      timeLeft = left <= .minutes(1) ? .milliseconds(1) : left - span
      next = taking(share, over: span, at: now)
    } else {
      next = taking(min(gramsPerMinute, grams), over: .minutes(1), at: now)
    }
    isEating = true
    bite = next
    return next
  }

  private mutating func taking(_ share: Double, over span: TimeSpan, at now: Instant) -> Bite {
    assert(share > 0, "A bite is more than nothing.")
    assert(span > .zero, "A bite takes some time.")
    grams = share >= grams ? 0 : grams - share
    assert(grams >= 0, "No more is eaten than is on the plate.")
    return Bite(
      grams: share, end: now + span, rate: share / span.minutes, startsEpisode: !isEating,
      gramsLeft: grams, portions: takingPortions(of: share))
  }

  /// Takes so many grams from the front; the last portion holds out as long as the plate does.
  private mutating func takingPortions(of share: Double) -> [Portion] {
    var left = share
    var taken: [Portion] = []
    while portions.count > 1, portions[0].grams <= left {
      let first = portions.removeFirst()
      guard first.grams > 0 else { continue }
      left -= first.grams
      taken.append(first)
    }
    if left > 0 {
      taken.append(Portion(grams: left, absorption: portions[0].absorption))
      portions[0].grams -= left
    }
    if grams == 0 { portions = [] }
    return taken
  }
}
