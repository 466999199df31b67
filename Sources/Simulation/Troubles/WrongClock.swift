public import Quantities

/// A stretch of time in which a clock was wrong.
public struct WrongClock: Hashable, Sendable {
  /// Whose clock it was.
  public enum Owner: String, Hashable, Sendable, CaseIterable {
    /// By it the app dates what it does, and knows what is past.
    case phone
    /// By it the pump runs its schedule, and some pumps date their history.
    case pump
  }

  /// Whose clock it was.
  public var owner: Owner
  /// From when on it was wrong.
  public var start: Instant
  /// When it was right, or otherwise wrong, or the run ended.
  public var end: Instant
  /// How far it was ahead of true time; of a clock that drifts, where it was furthest off.
  public var error: TimeSpan
  /// Whether the error grew or shrank.
  public var isDrifting = false

  /// What was so, as a clause; `dates` says whether the pump dates its history by its clock.
  func clause(dates: Bool) -> String {
    let whole = error.roundedToSecond
    let most = isDrifting ? "up to " : ""
    let amount = "\(most)\(whole.magnitude) \(whole < .zero ? "behind" : "ahead")"
    return switch owner {
    case .phone: "the phone's clock was \(amount)"
    case .pump:
      "the pump's clock, by which it \(dates ? "dates its history and " : "")runs its schedule, "
        + "was \(amount)"
    }
  }
}

extension [WrongClock] {
  /// The true times at which the phone's clock showed one, or may have: one that was set back shows
  /// a time twice.
  func instants(shownAs shown: Instant) -> [Instant] {
    let phones = filter { $0.owner == .phone }
    return [shown]
      + phones.filter { ($0.start...$0.end).contains(shown - $0.error) }.map { shown - $0.error }
  }

  /// Which clock was wrong, as a clause; `nil` if all were right.
  var words: String? {
    let owners = WrongClock.Owner.allCases.filter { owner in contains { $0.owner == owner } }
    return switch owners {
    case []: nil
    case [.phone]: "the phone's clock was wrong"
    case [.pump]: "the pump's clock was wrong"
    default: "the clocks of the pump and of the phone were wrong"
    }
  }
}

/// Follows the clocks of phone and pump through a run.
struct ClockWatch: Sendable {
  /// The stretches that are over.
  private var past: [WrongClock] = []
  /// The clocks that are wrong, or drift; their ends are not known.
  private var open: [WrongClock] = []

  /// Notes what a clock is like from now on.
  ///
  /// - Parameters:
  ///   - owner: Whose clock it is.
  ///   - error: How far it is ahead from now on.
  ///   - reached: How far it was ahead until now; nothing where it does not drift.
  ///   - isDrifting: Whether the error changes by itself from now on.
  ///   - now: When that is.
  mutating func note(
    _ owner: WrongClock.Owner, error: TimeSpan, reached: TimeSpan? = nil, isDrifting: Bool = false,
    at now: Instant
  ) {
    if let place = open.firstIndex(where: { $0.owner == owner }) {
      let former = open[place]
      if !former.isDrifting, !isDrifting, former.error == error { return }
      if former.isDrifting, isDrifting, reached == error {
        // It drifts on from where it was, perhaps faster or slower.
        if error.magnitude > former.error.magnitude { open[place].error = error }
        return
      }
      open.remove(at: place)
      past.append(former.ended(at: now, reached: reached))
    }
    guard error != .zero || isDrifting else { return }
    if !isDrifting, let place = past.lastIndex(where: { $0.owner == owner }),
      past[place].end == now, past[place].error == error, !past[place].isDrifting
    {
      // It was set to one that is as wrong.
      return open.append(past.remove(at: place))
    }
    open.append(
      WrongClock(owner: owner, start: now, end: now, error: error, isDrifting: isDrifting))
  }

  /// The stretches up to the end of the run, by start; `pumpError` is how far the pump's clock is
  /// ahead then.
  func stretches(end: Instant, pumpError: TimeSpan) -> [WrongClock] {
    let all = past + open.map { $0.ended(at: end, reached: $0.owner == .pump ? pumpError : nil) }
    return all.filter { $0.error != .zero && $0.end > $0.start }
      .enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
      .map(\.element)
  }
}

extension WrongClock {
  /// The stretch with its end, and with the error that it had there where that was larger.
  fileprivate func ended(at end: Instant, reached: TimeSpan?) -> Self {
    assert(start <= end, "A stretch begins before it ends.")
    var ended = self
    ended.end = end
    if isDrifting, let reached, reached.magnitude > error.magnitude { ended.error = reached }
    return ended
  }
}
