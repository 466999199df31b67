public import Quantities
import StructuredText

extension Field {
  /// A span of time, such as `'90s'`, `'5m'` or `'1h30m'`; bare numbers are refused.
  public func duration(in range: ClosedRange<TimeSpan> = .zero...(.days(36_525))) -> TimeSpan? {
    if let text = node?.string, let milliseconds = SpanText.milliseconds(of: text),
      range.contains(TimeSpan(milliseconds: milliseconds))
    {
      return TimeSpan(milliseconds: milliseconds)
    }
    if let number = node?.double, !problems.hasError(at: position) {
      let text = JSONField.shortText(number)
      error(
        "A span of time needs its unit, such as '\(text)m' or '\(text)h', not \(text) alone.")
    } else {
      reportUnusable(expected: Self.spanExpectation(range))
    }
    return nil
  }

  /// A span of time, or two between which it is drawn: `'20m'` or `['10m', '45m']`.
  public func durationRange() -> ClosedRange<TimeSpan>? {
    let any = TimeSpan.zero...(.days(36_525))
    guard let bounds = node?.items else { return duration(in: any).map { $0...$0 } }
    let spans = bounds.indices.compactMap { self[$0].duration(in: any) }
    if bounds.count == 2, spans.count == 2, spans[0] <= spans[1] { return spans[0]...spans[1] }
    // What is no span of time is told where it stands.
    if bounds.count != 2 || spans.count == 2 {
      reportUnusable(expected: "a span of time, or two in ascending order")
    }
    return nil
  }

  /// A span of time gained for each day, such as `'2s/day'`, in milliseconds per day.
  public func durationPerDay(in range: ClosedRange<TimeSpan>) -> TimeSpan? {
    guard let text = node?.string, text.hasSuffix("/day"),
      let milliseconds = SpanText.milliseconds(of: String(text.dropLast(4))),
      range.contains(TimeSpan(milliseconds: milliseconds))
    else {
      reportUnusable(
        expected: "a span of time for each day, such as '2s/day', from '\(range.lowerBound)/day' "
          + "to '\(range.upperBound)/day'")
      return nil
    }
    return TimeSpan(milliseconds: milliseconds)
  }

  static func spanExpectation(_ range: ClosedRange<TimeSpan>) -> String {
    let example = "a span of time such as '90s', '5m' or '1h30m'"
    if range.upperBound >= .days(36_525) {
      return range.lowerBound <= .zero ? example : "\(example), at least '\(range.lowerBound)'"
    }
    return "\(example), from '\(range.lowerBound)' to '\(range.upperBound)'"
  }

  /// A time of day without a date, such as `'07:15'`.
  public func timeOfDay() -> TimeOfDay? {
    guard let text = node?.string, let time = TimeOfDay(text) else {
      reportUnusable(expected: "a time of day such as '07:15'")
      return nil
    }
    return time
  }

  /// A time, in any of the forms of ``TimeText``, counted from the context's anchor.
  ///
  /// A time that the wall clock skips or shows twice gives a note.
  public func time() -> Instant? {
    guard let text = node?.string, let time = TimeText(text) else {
      reportUnusable(expected: TimeText.forms)
      return nil
    }
    let resolution = time.resolved(
      from: context.anchor, start: context.start, on: context.wallClock)
    tell(of: resolution)
    return resolution.instant
  }

  /// Tells what the author of a time may want to know about it, or has to.
  func tell(of resolution: TimeText.Resolution) {
    if let note = resolution.note { self.note(note) }
    if resolution.lacksSecond { error(TimeText.Resolution.lackOfSecond) }
  }

  /// A time that must lie within the run, its pre-roll included.
  public func timeInRun() -> Instant? {
    guard let instant = time() else { return nil }
    let first = context.start - context.preRoll
    guard first <= instant, instant <= context.end else {
      let clock = context.wallClock
      error(
        """
        \(node?.quoted ?? "This time") is \(clock.iso8601(instant)), outside the run from \
        \(clock.iso8601(first)) to \(clock.iso8601(context.end)).
        """)
      return nil
    }
    return instant
  }

  /// A stretch of time `[from, to]`.
  ///
  /// The second bound is a time at or after the first: a time of day is the next one, and a span
  /// counts from the anchor, or from the first bound where it would otherwise lie before it.
  public func window() -> Range<Instant>? { window(spansCountFromFirst: false) }

  /// A stretch of time in one text, `'20:00..+6h'`, or as a list of two times.
  ///
  /// In the text a span after a time says for how long, as that time is what stands before it; two
  /// spans, `'+1h..+6h'`, both count from the anchor.
  public func writtenWindow() -> Range<Instant>? {
    guard let node, let parts = node.string?.split(separator: ".."), parts.count == 2 else {
      return window()
    }
    let bounds = parts.map { JSONNode(.string(String($0)), at: node.position) }
    let list = JSONField(
      node: JSONNode(.array(bounds), at: node.position), path: path, problems: problems,
      isRequired: true, position: position)
    let isSpan = if case .offset? = TimeText(String(parts[0])) { true } else { false }
    return Field(list, in: context).window(spansCountFromFirst: !isSpan)
  }

  /// A stretch of time `[from, how long]` or `[from, to]`; a span counts from the first bound.
  public func during() -> Range<Instant>? { window(spansCountFromFirst: true) }

  private func window(spansCountFromFirst: Bool) -> Range<Instant>? {
    guard let bounds = node?.items, bounds.count == 2 else {
      reportUnusable(expected: "a list of two times, such as ['23:00', '+3h']")
      return nil
    }
    guard let first = self[0].time() else {
      // What is wrong with the second bound, wherever the first may lie, is told as well.
      let isSpan = bounds[1].string.flatMap { SpanText.milliseconds(of: $0) } != nil
      if !isSpan, bounds[1].string.flatMap({ TimeText($0) }) == nil { _ = self[1].time() }
      return nil
    }
    let second: Instant?
    if let text = bounds[1].string, let span = SpanText.milliseconds(of: text), spansCountFromFirst
    {
      second = first + TimeSpan(milliseconds: span)
    } else if case .offset(let span)? = bounds[1].string.flatMap({ TimeText($0) }) {
      let counted = context.anchor + span
      second = counted > first ? counted : first + span
    } else {
      second = self[1].anchored(at: first).time()
    }
    guard let second else { return nil }
    guard first < second else {
      error("The stretch of time must end after it begins.")
      return nil
    }
    return first..<second
  }
}
