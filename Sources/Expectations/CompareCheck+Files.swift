internal import Outcomes
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

extension CompareCheck.Other {
  /// Whether a word means a variant, and neither what was observed nor a file.
  package static func isVariant(_ word: String) -> Bool {
    word != "observed" && !word.hasSuffix(".csv")
  }

  /// What it is called in a message.
  var name: String {
    switch self {
    case .variant(let name): name
    case .observed: "observed"
    case .file(let path): path
    }
  }
}

extension CompareCheck {
  /// Holds a run against a file of results or of observed glucose.
  func outcome(
    of run: RunResult, _ measurements: RunMeasurements, in scope: Expectation.Scope,
    _ files: any ScenarioFiles
  ) -> Outcome {
    let problems = ProblemList()
    guard let (other, unshared) = fileReading(run, scope, files, problems) else {
      let sentence = problems.sorted.first?.description ?? "\(other.name) cannot be read"
      return Outcome(complaint: Complaint(sentence))
    }
    var outcome = outcome(
      reading(source(of: run), measurements, in: scope), other, otherName: self.other.name,
      time: run.clock.iso8601)
    if let unshared { outcome.unshared = unshared }
    return outcome
  }

  /// What the file has to say, and for a metric of a timeline at which moments one side alone has a
  /// row.
  private func fileReading(
    _ run: RunResult, _ scope: Expectation.Scope, _ files: any ScenarioFiles,
    _ problems: ProblemList
  ) -> (Reading, UnsharedMoments?)? {
    let path: String
    switch other {
    case .variant: return nil
    case .file(let file), .observed(let file, _): path = file
    }
    let bytes: [UInt8]
    do throws(FileTrouble) {
      bytes = try files.bytes(of: path)
    } catch {
      problems.error(at: TextPosition(file: path, line: 1, column: 1), error.description)
      return nil
    }
    if case .observed(_, let context) = other {
      return ObservedGlucose(bytes, file: path, in: context, problems: problems).map {
        (reading($0.points, of: run, in: scope, unit: context.glucoseUnit), nil)
      }
    }
    let names: Set<SeriesExpression.Name> =
      switch subject {
      case .series(let expression): expression.names
      case .metric(let metric):
        [metric.source == .cgm || metric.name == .noCGMPercent ? .glucoseCGM : .glucoseTrue]
      }
    guard let recorded = RecordedTimeline(bytes, file: path, series: names, problems: problems)
    else { return nil }
    func glucose(_ name: SeriesExpression.Name) -> GlucoseSeries {
      recorded.glucose(name, from: run.start, to: run.end, clock: run.clock)
    }
    let measured = RunMeasurements(
      from: run.start, to: run.end, trueGlucose: glucose(.glucoseTrue), cgm: glucose(.glucoseCGM))
    let kept = scope.ofKeptRows
    var unshared: UnsharedMoments?
    if case .metric = subject {
      let own = Set(run.timeline.lazy.map(\.instant).filter(scope.contains))
      let others = Set(recorded.source.instants.lazy.filter(kept.contains))
      unshared = UnsharedMoments(
        this: own.subtracting(others).count, other: others.subtracting(own).count)
    }
    return (reading(recorded.source, measured, in: kept), unshared)
  }

  /// What observed glucose has to say: for a series each value at the row of the run nearest to it,
  /// in the scenario's unit, as the run's series are.
  private func reading(
    _ points: [GlucoseSeries.Point], of run: RunResult, in scope: Expectation.Scope,
    unit: GlucoseUnit
  ) -> Reading {
    let series = GlucoseSeries(points, clock: run.clock)
    guard case .series = subject else {
      let series = series.filtered { $0.instant >= run.start && $0.instant <= run.end }
      return reading(
        .none,
        RunMeasurements(from: run.start, to: run.end, trueGlucose: series, cgm: series),
        in: scope)
    }
    let interval = run.outputInterval
    let half = TimeSpan(milliseconds: interval.milliseconds / 2)
    var nearest: [Point] = []
    for point in series.points {
      let steps = (point.instant - run.start + half).quotient(by: interval)
      let instant = run.start + interval * steps
      guard scope.contains(instant) else { continue }
      nearest.append(Point(instant: instant, value: point.mgdL / unit.mgdL))
    }
    return .series(nearest)
  }
}
