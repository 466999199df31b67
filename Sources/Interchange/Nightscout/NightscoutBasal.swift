internal import HealthStore
internal import Quantities
internal import StructuredText

/// A temp basal as Nightscout has it; one without duration cancels the one before it.
struct NightscoutTemp {
  var start: Instant
  var end: Instant
  /// Units an hour.
  var rate: Double?
  /// How far the rate is above or below the schedule.
  var percent: Double?
  var isSuspend: Bool
  /// Whether it is told of a suspension that the pump went on at its end.
  var isResumed = false
  /// What was delivered until the end, in units.
  var amount: Double?
  var uuid: SampleUUID
  /// Who wrote it.
  var author: ImportedSource.Author?
  /// Where it stands.
  var position: TextPosition

  /// How long a treatment lasts: AndroidAPS states it in milliseconds beside cut-off minutes.
  static func duration(_ treatment: JSONField) -> TimeSpan? {
    let exact = treatment["durationInMilliseconds"]
    if exact.exists, let milliseconds = exact.looseNumber(in: 0...604_800_000, unit: "ms") {
      return .milliseconds(Int64(milliseconds.rounded()))
    }
    let minutes = treatment["duration"].looseNumber(in: 0...10_080, unit: "min")
    return minutes.map { .milliseconds(Int64(($0 * 60_000).rounded())) }
  }

  /// The units that it states: what was delivered, else what its rate amounts to.
  var stated: Double? { amount ?? rate.map { $0 * (end - start).seconds / 3_600 } }
}

/// Basal insulin put together from temp basals and profiles.
enum NightscoutBasal {
  struct Piece {
    var start: Instant
    var end: Instant
    var rate: Double
    var scheduled: Double?
    var isTemp: Bool
    var isSuspend: Bool
    /// What was delivered, in units, where that is known; else it follows from the rate.
    var delivered: Double?
    var author: ImportedSource.Author?
    var uuid: SampleUUID

    /// What the piece amounts to, in units.
    var units: Double { delivered ?? rate * (end - start).seconds / 3_600 }
  }

  /// A difference between what temp basals state and what was made of them.
  struct Change {
    var amount: ImportAccount.Amount
    var reason: String
    var position: TextPosition?
    /// Whether a temp basal is left out as a whole.
    var leavesOut = false
  }

  /// For longer than this no schedule is taken to have run before the first temp basal, or after
  /// the last: a dump may hold the treatments of some days and the readings of many.
  static let longestEnd = TimeSpan.hours(6)

  /// The temp basals, cut where the next begins, with scheduled basal between them, and before and
  /// after them as far as the span of the record reaches, and no pump stopped without going on.
  static func made(
    _ temps: [NightscoutTemp], _ profiles: [NightscoutProfile],
    within span: ClosedRange<Instant>? = nil, stopped: Instant? = nil
  ) -> (pieces: [Piece], changes: [Change]) {
    let profiles = profiles.sorted { $0.start < $1.start }
    // Temp basals of another app do not end this one's.
    let authors = Set(temps.map { $0.author?.identifier ?? "" }).sorted()
    let parts = authors.map { author in
      let own = temps.filter { ($0.author?.identifier ?? "") == author }
        .sorted { ($0.start, $0.uuid) < ($1.start, $1.uuid) }
      return (temps: own, made: madeByOne(own, profiles))
    }
    var all = (pieces: parts.flatMap(\.made.pieces), changes: parts.flatMap(\.made.changes))
    guard let span else { return all }
    // What one app began or ended goes on in another's temp basals, where there are any.
    if let part = parts.min(by: { $0.temps[0].start < $1.temps[0].start }) {
      let first = part.temps[0]
      rebuild(from: span.lowerBound, to: first.start, beside: first, profiles, into: &all)
    }
    if let part = parts.max(by: { $0.made.reached < $1.made.reached }), let last = part.temps.last,
      !last.isSuspend || last.isResumed
    {
      let end = stopped.map { min($0, span.upperBound) } ?? span.upperBound
      rebuild(from: part.made.reached, to: end, beside: last, profiles, into: &all)
    }
    return all
  }

  /// Adds scheduled basal at an end of the record, where it is short and a profile covers it.
  private static func rebuild(
    from start: Instant, to end: Instant, beside temp: NightscoutTemp,
    _ profiles: [NightscoutProfile], into all: inout (pieces: [Piece], changes: [Change])
  ) {
    guard start < end, end - start <= longestEnd else { return }
    let added = scheduled(from: start, to: end, profiles, by: temp.author)
    guard !added.isEmpty else { return }
    all.pieces += added
    all.changes.append(
      Change(
        amount: total(added), reason: "scheduled basal rebuilt from the profile",
        position: temp.position))
  }

  /// The basal of one app, whose temp basals are in the order of time.
  private static func madeByOne(
    _ temps: [NightscoutTemp], _ profiles: [NightscoutProfile]
  ) -> (pieces: [Piece], changes: [Change], reached: Instant) {
    var pieces: [Piece] = []
    var changes: [Change] = []
    var reached: Instant?
    for (index, temp) in temps.enumerated() {
      if let reached, reached < temp.start {
        let between = scheduled(from: reached, to: temp.start, profiles, by: temp.author)
        pieces += between
        changes.append(
          Change(
            amount: total(between), reason: "scheduled basal rebuilt from the profile",
            position: temp.position))
      }
      let next = index + 1 < temps.count ? temps[index + 1].start : temp.end
      let end = min(temp.end, next)
      assert(end <= temp.end, "A temp basal that is cut ends before it was to.")
      reached = max(end, reached ?? end)
      let own = end > temp.start ? split(temp, to: end, profiles) : []
      pieces += own
      changes.append(change(of: temp, to: end, own))
    }
    return (pieces, changes, reached ?? Instant(secondsSince1970: 0))
  }

  private static func total(_ pieces: [Piece]) -> ImportAccount.Amount {
    pieces.reduce(.zero) { $0 + ImportAccount.Amount($1.units) }
  }

  private static func change(
    of temp: NightscoutTemp, to end: Instant, _ pieces: [Piece]
  ) -> Change {
    let difference = total(pieces) - ImportAccount.Amount(temp.stated ?? 0)
    let isOver = end <= temp.start
    let reason =
      if temp.end <= temp.start {
        "the temp basal lasts no time"
      } else if isOver {
        "another temp basal begins at the same time"
      } else if temp.stated == nil, pieces.isEmpty {
        "a temp basal in percent needs a profile"
      } else if end < temp.end {
        "cut where the next temp basal begins"
      } else if temp.stated == nil {
        "a percentage of the profile's rate"
      } else {
        "divided where the schedule changes"
      }
    // One without duration only ends the one before it, unless it states an amount.
    let isLost = pieces.isEmpty && (temp.end > temp.start || difference != .zero)
    return Change(
      amount: difference, reason: reason, position: temp.position, leavesOut: isLost)
  }

  /// A temp basal cut where the schedule under it changes.
  private static func split(
    _ temp: NightscoutTemp, to end: Instant, _ profiles: [NightscoutProfile]
  ) -> [Piece] {
    let under = scheduled(from: temp.start, to: end, profiles)
    // What was delivered until the end says nothing of what a later temp basal cut off.
    let amount = end == temp.end ? temp.amount : nil
    // A schedule that does not cover the whole says nothing of the rest.
    let isCovered = under.first?.start == temp.start && under.last?.end == end
    guard isCovered else {
      guard let rate = temp.rate else { return [] }
      return [
        Piece(
          start: temp.start, end: end, rate: rate, scheduled: nil, isTemp: !temp.isSuspend,
          isSuspend: temp.isSuspend, delivered: amount, author: temp.author, uuid: temp.uuid)
      ]
    }
    assert(temp.start < end, "A temp basal that counts lasts some time.")
    var left = amount
    return under.enumerated().map { index, part in
      var piece = part
      piece.scheduled = part.rate
      piece.rate = temp.rate ?? part.rate * (1 + (temp.percent ?? 0) / 100)
      if let amount, let rest = left {
        let share = (part.end - part.start).seconds / (end - temp.start).seconds
        let own = index + 1 == under.count ? rest : (amount * share * 1e9).rounded() / 1e9
        piece.delivered = own
        left = rest - own
      }
      piece.author = temp.author
      (piece.isTemp, piece.isSuspend) = (!temp.isSuspend, temp.isSuspend)
      piece.uuid = index == 0 ? temp.uuid : SampleUUID(named: ["\(temp.uuid)", "\(index)"])
      return piece
    }
  }

  /// The scheduled basal between two instants, as far as a profile is known.
  private static func scheduled(
    from start: Instant, to end: Instant, _ profiles: [NightscoutProfile],
    by author: ImportedSource.Author? = nil
  ) -> [Piece] {
    var pieces: [Piece] = []
    for (index, profile) in profiles.enumerated() {
      let from = max(start, profile.start)
      let until = index + 1 < profiles.count ? min(end, profiles[index + 1].start) : end
      guard from < until else { continue }
      for segment in profile.basal.timeline(from: from, to: until, on: profile.clock).segments {
        pieces.append(
          Piece(
            start: segment.start, end: segment.end, rate: segment.value,
            scheduled: segment.value, isTemp: false, isSuspend: false, author: author,
            uuid: SampleUUID(named: ["nightscout scheduled", "\(segment.start)"])))
      }
    }
    return pieces
  }
}
