package import Quantities

extension TimeText {
  /// An instant as a person would write it: `d1 07:15` where that means just this instant, and
  /// otherwise the span from the start.
  package static func text(of instant: Instant, in context: ReadingContext) -> String {
    let civil = context.wallClock.civilTime(at: instant)
    let day = civil.dayNumber - context.firstDay
    let text = "d\(day) \(text(of: civil.timeOfDay))"
    if let read = TimeText(text) {
      let resolution = read.resolved(
        from: context.anchor, start: context.start, on: context.wallClock)
      if resolution.instant == instant, resolution.note == nil { return text }
    }
    return offset(instant - context.start)
  }

  /// A time of day as a person would write it, with seconds only where there are some.
  package static func text(of time: TimeOfDay) -> String {
    time.milliseconds % 60_000 == 0 ? time.hoursAndMinutes : time.description
  }

  /// A time in one way, however it is written: `12:30` where that means the same instant, and
  /// otherwise as ``text(of:in:)`` has it; nothing for text that is no time.
  package static func plain(_ text: String, in context: ReadingContext) -> String? {
    guard let instant = instant(of: text, in: context) else { return nil }
    let long = Self.text(of: instant, in: context)
    let short = long.split(separator: " ").last.map(String.init) ?? long
    return Self.instant(of: short, in: context) == instant ? short : long
  }

  private static func instant(of text: String, in context: ReadingContext) -> Instant? {
    TimeText(text)?
      .resolved(from: context.anchor, start: context.start, on: context.wallClock).instant
  }

  /// A span with its sign, as an offset from another time.
  package static func offset(_ span: TimeSpan) -> String { span < .zero ? "\(span)" : "+\(span)" }
}
