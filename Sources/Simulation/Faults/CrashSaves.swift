internal import Quantities

/// When the app must be kept as of its last cycle, for a crash that loses what came in since.
///
/// What is kept is the whole app with its past, of which the next cycle makes a copy. In a run of a
/// year that takes much longer than the cycle, so that nothing is kept while no crash can need it.
struct CrashSaves: Sendable {
  private let needed: IntervalSet

  /// The stretches before the crashes of a run and through them.
  init(of setup: Setup) {
    let losing = setup.events.filter(\.losesUnsaved)
    guard !losing.isEmpty else {
      needed = IntervalSet()
      return
    }
    // Two cycles that ran are no further apart, unless something has stopped the app between.
    let apart = (setup.cycleInterval + setup.cycleJitter) * 2
    let ends = Self.ends(of: setup.events)
    let stops = IntervalSet(
      Self.stops(in: setup, ends: ends).sorted { $0.start < $1.start }
    ).stretches
    // The latest instant at which a cycle ran before each stop, whatever stops lie before it.
    var cycles: [Instant] = []
    cycles.reserveCapacity(stops.count)
    func cycle(before instant: Instant) -> Instant {
      let start = instant - apart
      let place = stops.firstStarting(from: start) - 1
      guard place >= 0, stops[place].end >= start else { return start }
      return cycles[place]
    }
    for stop in stops { cycles.append(cycle(before: stop.start)) }
    let spans = losing.map { crash in
      (start: cycle(before: crash.instant), end: (ends[crash.id] ?? setup.end) + apart)
    }
    needed = IntervalSet(spans.sorted { $0.start < $1.start })
  }

  /// Whether there is any crash that can leave the app as it was before.
  var hasAny: Bool { !needed.stretches.isEmpty }

  /// Whether a crash may leave the app as it is at an instant.
  func contains(_ instant: Instant) -> Bool { needed.contains(instant) }

  /// When each fault is over, by name; the last time, where it comes again.
  private static func ends(of events: [ScenarioEvent]) -> [String: Instant] {
    var ends: [String: Instant] = [:]
    for event in events {
      guard case .endFault(let id) = event.action else { continue }
      ends[id] = max(ends[id] ?? event.instant, event.instant)
    }
    return ends
  }

  /// When the app may miss cycles: while a fault stops it, and after a person has done something
  /// with the phone.
  private static func stops(
    in setup: Setup, ends: [String: Instant]
  ) -> [(start: Instant, end: Instant)] {
    setup.events.compactMap { event in
      switch event.action {
      case .setPhone(let state): state == .on ? nil : (event.instant, setup.end)
      case .beginFault(let fault) where fault.effect.stopsCycles:
        (event.instant, ends[fault.id] ?? setup.end)
      default: nil
      }
    }
  }
}

extension [(start: Instant, end: Instant)] {
  /// The place of the first stretch that begins at an instant or later, of stretches by time.
  fileprivate func firstStarting(from instant: Instant) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].start < instant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Fault.Effect {
  /// Whether the app may run no cycle while it holds.
  fileprivate var stopsCycles: Bool {
    switch self {
    case .phone, .lowPower, .app(.crash): true
    case .pump, .wrongPump, .sensor, .app, .healthStore, .user: false
    }
  }
}

extension ScenarioEvent {
  /// Whether it is a crash that loses what was not saved.
  fileprivate var losesUnsaved: Bool {
    guard case .beginFault(let fault) = action, case .app(.crash(let loses)) = fault.effect
    else { return false }
    return loses.contains(.unsaved)
  }
}
