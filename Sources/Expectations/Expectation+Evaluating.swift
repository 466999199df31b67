public import Outcomes
internal import Quantities
internal import ScenarioLanguage
internal import StructuredText
public import Simulation

extension Expectation {
  /// Holds the expectation against a finished run.
  ///
  /// One that looks at several runs is asked for its contribution instead.
  public func evaluate(
    _ run: RunResult, measurements: RunMeasurements, file: String,
    in surroundings: GoldenFiles
  ) -> ExpectationResult {
    let scope = wholeScope(in: run)
    let outcome = outcome(of: run, measurements, in: scope, surroundings, file: file)
    let complaint = outcome.complaint
    var result = ExpectationResult(
      complaint == nil ? .passed : .failed, expectation: id, run: run.id, file: file,
      isWarning: isWarning,
      message: complaint?.message ?? "", body: complaint?.body ?? "",
      measure: measure(outcome.value),
      moment: complaint.map {
        .init(run: run.id, time: run.clock.iso8601($0.instant ?? min(scope.through, run.end)))
      }
    ).standing(at: position)
    result.ratio = ratioMeasure(outcome.ratio)
    result.remark = remark(
      on: [earlyEnd(of: run, named: run.id)].compactMap(\.self), [outcome.unshared])
    return result
  }

  /// What a run contributes to an expectation that looks at several runs.
  public func contribution(
    of run: RunResult, measurements: RunMeasurements, place: RunPlace, file: String,
    in surroundings: GoldenFiles
  ) -> Contribution {
    var scoped = self
    scoped.scope = wholeScope(in: run)
    let scope = scoped.scope
    var content: Contribution.Content
    if case .compare(let compare) = check, case .variant = compare.other {
      content = .reading(
        scope.from > scope.through
          ? .value(nil) : compare.reading(compare.source(of: run), measurements, in: scope))
    } else {
      let outcome = outcome(of: run, measurements, in: scope, surroundings, file: file)
      content = .verdict(outcome)
    }
    return Contribution(
      expectation: scoped, place: place, clock: run.clock, content: content,
      earlyEnd: earlyEnd(of: run, named: place.id))
  }

  /// What is told beside the verdict on runs; empty where there is nothing.
  func remark(on ends: [EarlyEnd], _ unshared: [UnsharedMoments]) -> String {
    var other = ""
    if case .compare(let compare) = check { other = compare.other.name }
    return [EarlyEnd.remark(on: ends), UnsharedMoments.remark(on: unshared, otherName: other)]
      .filter { !$0.isEmpty }.joined(separator: "; ")
  }

  /// Where a run ended before the end of what is looked at; `nil` where it did not, where the end
  /// itself is looked for, and where the whole run is looked at alone, whose end the run tells.
  private func earlyEnd(of run: RunResult, named name: String) -> EarlyEnd? {
    guard let end = run.lethalEnd?.instant, scope.from <= end, scope.through > end,
      !expectsLethalEnd
    else { return nil }
    if case .compare = check {} else if !scope.isNarrowed { return nil }
    return EarlyEnd(run: name, time: run.clock.iso8601(end))
  }

  /// The scope with the time of the faults that are left out.
  func wholeScope(in run: RunResult) -> Scope {
    var scope = scope
    for window in run.faultWindows
    where scope.outsideFaults.contains(where: { OccurrenceName.isMeant(window.id, by: $0) }) {
      let span = window.toldSpan
      // Of a fault that holds to the end no instant after it is there to be looked at.
      scope.outside.append(
        span.upperBound < run.end ? span : span.lowerBound..<(run.end + .milliseconds(1)))
    }
    scope.through = min(scope.through, run.end)
    // What is measured begins with the run: of the time before it the pulses alone are known.
    if check.isMeasured { scope.from = max(scope.from, run.start) }
    return scope
  }

  private func outcome(
    of run: RunResult, _ measurements: RunMeasurements, in scope: Scope,
    _ surroundings: GoldenFiles, file: String
  ) -> CompareCheck.Outcome {
    if let end = run.lethalEnd, scope.from > end.instant {
      return CompareCheck.Outcome(
        complaint: Complaint(
          "nothing is left to look at: \(Self.sentence(on: end, run))", at: end.instant))
    }
    if check.reachesBack, scope.isEmpty {
      return CompareCheck.Outcome(complaint: Complaint("nothing is left to look at in this run"))
    }
    let complaint: Complaint?
    switch check {
    case .metric(let metric, let bounds): return outcome(metric, bounds, measurements, scope)
    case .compare(let compare):
      return compare.outcome(of: run, measurements, in: scope, surroundings.files)
    case .series(let expression, let law): return outcome(expression, law, run, scope)
    case .timeline(let timeline): complaint = timeline.complaint(about: run, in: scope)
    case .events(let events): complaint = events.complaint(about: run, in: scope)
    case .golden(let golden):
      complaint = golden.complaint(about: run, in: scope, surroundings, scenario: file)
    case .invariant(let invariant):
      complaint = invariant.complaint(about: run).map { instant, sentence in
        Complaint(
          "\(invariant.rawValue): \(sentence) at \(run.clock.iso8601(instant))", at: instant)
      }
    }
    return CompareCheck.Outcome(complaint: complaint)
  }

  private func outcome(
    _ metric: Metric, _ bounds: Bounds, _ measurements: RunMeasurements, _ scope: Scope
  ) -> CompareCheck.Outcome {
    let looked =
      scope.isNarrowed
      ? measurements.restricted(from: scope.from, to: scope.through) : measurements
    guard let value = scope.from <= scope.through ? metric.value(of: looked) : nil else {
      let part = scope.isNarrowed ? "this stretch of the run" : "this run"
      return .init(complaint: Complaint("\(metric) has no value in \(part)"))
    }
    let unit = metric.unitName.isEmpty ? "" : " \(metric.unitName)"
    let mark = metric.name.isMeasuredOnGlucose ? looked.modelMark.map { " (\($0))" } ?? "" : ""
    return .init(
      value: value,
      complaint: bounds.complaint(value).map {
        Complaint("\(metric) \($0)\(unit)\(mark)")
      })
  }

  private func outcome(
    _ expression: SeriesExpression, _ law: SeriesLaw, _ run: RunResult, _ scope: Scope
  ) -> CompareCheck.Outcome {
    let source = SeriesSource(run, for: expression)
    let values = expression.values(source)
    typealias Break = (instant: Instant, value: Double, sentence: String)
    var broken: [Break] = []
    var stretch: [Break] = []
    var nearest: (value: Double, room: Double)?
    func closeStretch() {
      if let first = stretch.first, let last = stretch.last,
        last.instant - first.instant >= law.forAtLeast
      {
        broken += stretch
      }
      stretch = []
    }
    var seen = 0
    for (instant, value) in zip(source.instants, values) {
      guard scope.contains(instant) else {
        closeStretch()
        continue
      }
      guard let value else {
        // Where nothing was known for so long nobody can say that the breach went on.
        if let last = stretch.last, instant - last.instant >= GlucoseGrid.longestBridge {
          closeStretch()
        }
        continue
      }
      seen += 1
      let room = law.room(for: value)
      if room < nearest?.room ?? .infinity { nearest = (value, room) }
      if let sentence = law.complaint(value) {
        stretch.append((instant, value, sentence))
      } else {
        closeStretch()
      }
    }
    closeStretch()
    guard seen > 0 else {
      return .init(complaint: Complaint("the series has no value in this stretch of the run"))
    }
    guard let first = broken.first else { return .init(value: nearest?.value) }
    let count = broken.count > 1 ? " (first of \(broken.count))" : ""
    let unit = expression.unitName.map { " \($0)" } ?? ""
    let body = surroundings(of: first.instant, run.timeline, values, run)
    return .init(
      value: first.value,
      complaint: Complaint(
        "\(first.sentence)\(unit) at \(run.clock.iso8601(first.instant))\(count)", body: body,
        at: first.instant))
  }

  /// The half hour before and after a moment, one row a line.
  private func surroundings(
    of instant: Instant, _ rows: [TraceRow], _ values: [Double?], _ run: RunResult
  ) -> String {
    zip(rows, values)
      .filter { ($0.0.instant - instant).magnitude <= .minutes(30) }
      .map { row, value in
        let mark = row.instant == instant ? ">" : " "
        let shown = value.map(shortened) ?? "–"
        let glucose = shortened(
          (row.trueGlucose.mgdL / run.glucoseUnit.mgdL * 10).rounded() / 10)
        return "\(mark) \(run.clock.iso8601(row.instant))  \(shown)  glucose \(glucose)"
      }
      .joined(separator: "\n")
  }
}
