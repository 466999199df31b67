internal import ClosedLoop
internal import Quantities

/// Looks when the preset that a person started is over, of which nothing else tells.
struct PresetWatch: Sendable {
  /// The preset that holds, by the phone's clock; `nil` where none does.
  private var running: TherapyOverride?
  /// Up to when that has been looked at.
  private var looked = Instant(secondsSince1970: 0)
  /// How far the phone's clock was ahead then.
  private var error = TimeSpan.zero

  /// What held when, by true time, earliest first.
  private(set) var held: [RunObservation.PresetInForce] = []

  /// Whether a person has ever started a preset, which may hold.
  private(set) var hasPresets = false

  /// Notes that from an instant on another preset holds, or none.
  private mutating func hold(_ preset: TherapyOverride?, from instant: Instant) {
    if let last = held.indices.last, held[last].end == nil {
      held[last].end = max(held[last].start, instant)
      if held[last].start == held[last].end { held.removeLast() }
    }
    guard let preset else { return }
    held.append(.init(name: preset.name, targets: preset.targets, start: instant))
  }

  /// A person starts a preset.
  mutating func start(_ preset: TherapyOverride?, at now: Instant) {
    hasPresets = true
    running = preset
    looked = now
    hold(preset, from: now)
  }

  /// A person ends the preset.
  mutating func end(at now: Instant) {
    running = nil
    hold(nil, from: now)
  }

  /// The app starts again without what it had not saved: the beginning of a preset, or its end.
  ///
  /// - Parameters:
  ///   - phone: The phone with the app as it starts again.
  ///   - isLater: Whether that was done after the app had stopped.
  ///   - now: When it starts again.
  ///   - trace: Where it is told.
  mutating func restart(
    _ phone: Phone, whileStopped isLater: Bool, at now: Instant, noting trace: inout Trace
  ) {
    let holds = phone.preset(at: now)
    guard holds?.start != running?.start else { return }
    defer { start(holds, at: now) }
    if let running {
      trace.note(
        .warning, running.name,
        isLater
          ? "The preset \(running.name) was started while the app was stopped, and was lost when "
            + "it started again."
          : "The preset \(running.name) was not saved when the app stopped, and ends.", at: now)
    }
    if let holds {
      trace.note(
        .warning, holds.name,
        "The preset \(holds.name) holds again: \(running == nil ? "that it was ended" : "another") "
          + (isLater
            ? "while the app was stopped was lost when it started again."
            : "was not saved when the app stopped."),
        at: now)
    }
  }

  /// Notes a preset that has come to its end since the last look, without a person who ended it,
  /// and one that holds again because the phone's clock was set.
  mutating func look(at phone: Phone, until now: Instant, noting trace: inout Trace) {
    defer { (looked, error) = (now, phone.clockError) }
    let holds = phone.preset(at: now)
    guard holds?.start != running?.start else { return }
    let shown = phone.shownTime(at: now)
    if let running { noteEnd(of: running, in: phone, showing: shown, at: now, noting: &trace) }
    running = holds
    guard let holds else { return }
    // A clock that was set shows a time within it at that moment; one that was set back before may
    // have come to it by itself.
    let cause = phone.clockError > error ? "set to a time within it" : "set back"
    let start = max(looked, now - (shown - holds.start))
    hold(holds, from: start)
    trace.note(
      .preset, holds.name, "The preset \(holds.name) holds again: the phone's clock was \(cause).",
      at: start)
  }

  private mutating func noteEnd(
    of preset: TherapyOverride, in phone: Phone, showing shown: Instant, at now: Instant,
    noting trace: inout Trace
  ) {
    let isBefore = shown < preset.start
    // A clock that goes on by a week makes the app forget the preset.
    let over = preset.end.flatMap { $0 <= shown ? $0 : nil }
    let ended = phone.preset(startedAt: preset.start, at: now)?.end ?? over
    // A clock that was set goes over the end at that moment.
    let end = ended.map { max(looked, min(now, now - (shown - $0))) }
    let cause =
      if isBefore {
        ": the phone's clock was set to a time before it"
      } else if ended != nil, ended == preset.end {
        ": its time is over"
      } else if ended != nil, preset.isPreMeal {
        ": carbohydrates are entered"
      } else {
        ""
      }
    let instant = isBefore ? looked : end ?? looked
    hold(nil, from: instant)
    trace.note(.preset, "end", "The preset \(preset.name) ends\(cause).", at: instant)
  }
}
