internal import HealthStore
internal import Quantities
internal import StructuredText

/// A temp basal as Nightscout has it; one without duration cancels the one before it.
struct NightscoutTemp: TimedBasal {
  var start: Instant
  var end: Instant
  /// Units an hour.
  var rate: Double?
  /// How far the rate is above or below the schedule.
  var percent: Double?
  var isSuspend: Bool
  /// Whether it is told of a suspension that the pump went on at its end.
  var isResumed = false
  /// Whether a rate was programmed until the end: of a suspension, 0 until the pump went on.
  var isProgrammed: Bool { !isSuspend || isResumed }
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
    /// Whether the rate was programmed until the end.
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

  /// For longer than this no schedule is taken to have run before the first temp basal, after the
  /// last, or between those of two apps: a dump may hold the treatments of some days and the
  /// readings of many.
  static let longestEnd = TimeSpan.hours(6)

  /// Of how many apps at most it is looked at under whose temp basals no schedule runs.
  private static let mostApps = 50

  /// The temp basals of one app in the order of time, and what was made of them.
  private struct Part {
    var temps: [NightscoutTemp]
    var pieces: [Piece] = []
    var changes: [Change] = []
    /// The times of the temp basals and of what was rebuilt between them.
    var covered: [Stretch] = []
    /// Where the last of them ends.
    var reached = Instant(secondsSince1970: 0)
  }

  private struct Stretch {
    var start: Instant
    var end: Instant
    /// The temp basal that runs, or before which the schedule does.
    var temp: NightscoutTemp
  }

  /// The temp basals, cut where the next begins, with scheduled basal between them, and before and
  /// after them as far as the span of the record reaches, and no pump stopped without going on.
  static func made(
    _ temps: [NightscoutTemp], _ profiles: [NightscoutProfile],
    within span: ClosedRange<Instant>? = nil, stopped: Instant? = nil
  ) -> (pieces: [Piece], changes: [Change]) {
    var all = madeByAll(temps, profiles, within: span, stopped: stopped)
    // Of two apps that both write a temp basal the schedule may begin at one time: two samples.
    var seen: Set<SampleUUID> = []
    for place in all.pieces.indices where !seen.insert(all.pieces[place].uuid).inserted {
      let piece = all.pieces[place]
      all.pieces[place].uuid = SampleUUID(
        named: ["\(piece.uuid)", piece.author?.identifier ?? ""])
    }
    return all
  }

  private static func madeByAll(
    _ temps: [NightscoutTemp], _ profiles: [NightscoutProfile],
    within span: ClosedRange<Instant>?, stopped: Instant?
  ) -> (pieces: [Piece], changes: [Change]) {
    let profiles = profiles.sorted { $0.start < $1.start }
    // Temp basals of another app do not end this one's, but the schedule does not run under them.
    let authors = Dictionary(grouping: temps) { $0.author?.identifier ?? "" }
    let lists = authors.sorted { $0.key < $1.key }.map { author in
      author.value.sorted(by: NightscoutTemp.precedes)
    }
    let runs = lists.map(running)
    let parts = lists.indices.map { index in
      // So many names are no apps at one pump.
      let others = lists.count > mostApps ? [] : runs.indices.filter { $0 != index }
      return madeByOne(lists[index], beside: others.flatMap { runs[$0] }, profiles)
    }
    var all = (pieces: parts.flatMap(\.pieces), changes: parts.flatMap(\.changes))
    for hole in holes(between: parts) {
      let until = stopped.map { hole.start <= $0 ? min($0, hole.end) : hole.end } ?? hole.end
      rebuild(from: hole.start, to: until, beside: hole.temp, profiles, into: &all)
    }
    guard let span else { return all }
    // What one app began or ended goes on in another's temp basals, where there are any.
    if let part = parts.min(by: { $0.temps[0].start < $1.temps[0].start }) {
      let first = part.temps[0]
      rebuildEnd(from: span.lowerBound, to: first.start, beside: first, profiles, into: &all)
    }
    if let part = parts.max(by: { $0.reached < $1.reached }), let last = part.temps.last,
      last.isProgrammed
    {
      let end = stopped.map { min($0, span.upperBound) } ?? span.upperBound
      rebuildEnd(from: part.reached, to: end, beside: last, profiles, into: &all)
    }
    return all
  }

  /// When the temp basals of one app run.
  private static func running(_ temps: [NightscoutTemp]) -> [Stretch] {
    temps.enumerated().map { index, temp in
      let next = index + 1 < temps.count ? temps[index + 1].start : temp.end
      return Stretch(start: temp.start, end: min(temp.end, next), temp: temp)
    }
  }

  /// The times that no app covers between the temp basals of two.
  ///
  /// They are short, or one app has temp basals on both sides. A suspension of which no end is told
  /// goes on.
  private static func holes(between parts: [Part]) -> [Stretch] {
    guard parts.count > 1 else { return [] }
    let covered = parts.flatMap(\.covered).filter { $0.start < $0.end }
      .sorted { ($0.start, $0.temp.uuid) < ($1.start, $1.temp.uuid) }
    var holes: [Stretch] = []
    var reached = covered.first
    for next in covered.dropFirst() {
      if let before = reached, before.end < next.start,
        before.temp.isProgrammed,
        next.start - before.end <= longestEnd
          || parts.contains(where: {
            $0.temps[0].start < next.start && $0.reached > next.start
          })
      {
        holes.append(Stretch(start: before.end, end: next.start, temp: next.temp))
      }
      if reached.map({ $0.end < next.end }) ?? true { reached = next }
    }
    return holes
  }

  /// Adds scheduled basal at an end of the record, where it is short.
  private static func rebuildEnd(
    from start: Instant, to end: Instant, beside temp: NightscoutTemp,
    _ profiles: [NightscoutProfile], into all: inout (pieces: [Piece], changes: [Change])
  ) {
    guard start < end, end - start <= longestEnd else { return }
    rebuild(from: start, to: end, beside: temp, profiles, into: &all)
  }

  /// Adds scheduled basal, where a profile covers the time.
  private static func rebuild(
    from start: Instant, to end: Instant, beside temp: NightscoutTemp,
    _ profiles: [NightscoutProfile], into all: inout (pieces: [Piece], changes: [Change])
  ) {
    guard start < end else { return }
    let added = scheduled(from: start, to: end, profiles, by: temp.author)
    guard !added.isEmpty else { return }
    all.pieces += added
    all.changes.append(
      Change(
        amount: total(added), reason: ImportAccount.rebuiltBasal,
        position: temp.position))
  }

  /// The basal of one app, whose temp basals are in the order of time, beside those of others.
  private static func madeByOne(
    _ temps: [NightscoutTemp], beside others: [Stretch], _ profiles: [NightscoutProfile]
  ) -> Part {
    var part = Part(temps: temps)
    let foreign = others.filter { !isCopy($0.temp, of: temps) && $0.start < $0.end }
      .sorted { $0.start < $1.start }
    var place = 0
    var occupied: Instant?
    var reached: Instant?
    for (temp, run) in zip(temps, running(temps)) {
      while place < foreign.count, foreign[place].start < temp.start {
        occupied = max(occupied ?? foreign[place].end, foreign[place].end)
        place += 1
      }
      if let before = reached, let from = [before, occupied].compactMap(\.self).max(),
        from < temp.start
      {
        let between = scheduled(from: from, to: temp.start, profiles, by: temp.author)
        part.pieces += between
        part.covered.append(Stretch(start: from, end: temp.start, temp: temp))
        part.changes.append(
          Change(
            amount: total(between), reason: ImportAccount.rebuiltBasal,
            position: temp.position))
      }
      assert(run.end <= temp.end, "A temp basal that is cut ends before it was to.")
      reached = max(run.end, reached ?? run.end)
      let own = run.end > temp.start ? split(temp, to: run.end, profiles) : []
      part.pieces += own
      part.covered.append(run)
      part.changes.append(change(of: temp, to: run.end, own))
    }
    part.reached = reached ?? part.reached
    return part
  }

  /// How far apart two uploaders may write the beginning of one temp basal.
  private static let copyWindow = TimeSpan.seconds(150)

  /// Whether a temp basal is one of another app's, which are in the order of time.
  private static func isCopy(_ temp: NightscoutTemp, of others: [NightscoutTemp]) -> Bool {
    let from = temp.start - copyWindow
    let index = others.partitioningIndex { $0.start >= from }
    return index < others.count && others[index].start <= temp.start + copyWindow
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
          start: temp.start, end: end, rate: rate, scheduled: nil, isTemp: temp.isProgrammed,
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
        let own = index + 1 == under.count ? rest : (amount * share).toBillionths
        piece.delivered = own
        left = rest - own
      }
      piece.author = temp.author
      (piece.isTemp, piece.isSuspend) = (temp.isProgrammed, temp.isSuspend)
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
