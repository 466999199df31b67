internal import ClosedLoop
internal import Quantities

/// Looks when the preset that a person started is over, of which nothing else tells.
struct PresetWatch: Sendable {
  /// The preset that holds, by the phone's clock; `nil` where none does.
  private var running: TherapyOverride?
  /// Up to when that has been looked at.
  private var looked = Instant(secondsSince1970: 0)

  /// Whether a preset holds that a person started.
  var isRunning: Bool { running != nil }

  /// A person starts a preset.
  mutating func start(_ preset: TherapyOverride?, at now: Instant) {
    running = preset
    looked = now
  }

  /// A person ends the preset.
  mutating func end() { running = nil }

  /// The app starts again without what it had not saved: the beginning of a preset, or its end.
  mutating func restart(_ phone: Phone, at now: Instant, noting trace: inout Trace) {
    let holds = phone.preset(at: now)
    guard holds?.start != running?.start else { return }
    defer { start(holds, at: now) }
    if let running {
      trace.note(
        .warning, running.name,
        "The preset \(running.name) was not saved when the app stopped, and ends.", at: now)
    }
    if let holds {
      trace.note(
        .warning, holds.name,
        "The preset \(holds.name) holds again: \(running == nil ? "that it was ended" : "another") "
          + "was not saved when the app stopped.", at: now)
    }
  }

  /// Notes a preset that has come to its end since the last look, without a person who ended it.
  mutating func look(at phone: Phone, until now: Instant, noting trace: inout Trace) {
    defer { looked = now }
    guard let preset = running, !phone.hasPreset(at: now) else { return }
    running = nil
    let shown = phone.shownTime(at: now)
    let ended = phone.preset(startedAt: preset.start, at: now)?.end
    // A clock that was set goes over the end at that moment.
    let end = ended.map { max(looked, min(now, now - (shown - $0))) } ?? looked
    let cause =
      if ended != nil, ended == preset.end {
        ": its time is over"
      } else if ended != nil, preset.isPreMeal {
        ": carbohydrates are entered"
      } else {
        ""
      }
    trace.note(.preset, "end", "The preset \(preset.name) ends\(cause).", at: end)
  }
}
