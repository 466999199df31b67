package import Quantities

extension TimeText {
  /// An instant as a person would write it: `d1 07:15` where that means just this instant, and
  /// otherwise the span from the start.
  package static func text(of instant: Instant, in context: ReadingContext) -> String {
    let civil = context.wallClock.civilTime(at: instant)
    let day = civil.dayNumber - context.firstDay
    let time = civil.timeOfDay
    let isWholeMinute = time.milliseconds % 60_000 == 0
    let text = "d\(day) \(isWholeMinute ? time.hoursAndMinutes : time.description)"
    if let read = TimeText(text) {
      let resolution = read.resolved(
        from: context.anchor, start: context.start, on: context.wallClock)
      if resolution.instant == instant, resolution.note == nil { return text }
    }
    return offset(instant - context.start)
  }

  /// A span with its sign, as an offset from another time.
  package static func offset(_ span: TimeSpan) -> String { span < .zero ? "\(span)" : "+\(span)" }
}
