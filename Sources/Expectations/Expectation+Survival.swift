internal import Quantities
public import Simulation
internal import StructuredText

extension Expectation {
  /// The name of what every run is held to: that its body survives.
  static let survival = "survival"

  /// Whether the scenario reckons with a lethal end, so that one is no failure by itself.
  var expectsLethalEnd: Bool {
    if case .events(let events) = check {
      events.kind == Happening.Kind.lethal.rawValue
    } else {
      false
    }
  }

  /// Whether it counts the lethal end of a run: it may look for one of another time or name.
  private func countsLethalEnd(of run: RunResult) -> Bool {
    guard expectsLethalEnd, case .events(let events) = check else { return false }
    return events.finds(in: run, wholeScope(in: run))
  }

  /// The failure of a run that ended as lethal although no expectation speaks of such an end.
  ///
  /// - Parameters:
  ///   - run: The finished run.
  ///   - expectations: What the scenario expects of it.
  ///   - file: The scenario file.
  /// - Returns: The failure; nothing where the body survived, or its end is counted by an
  ///   expectation of an event of the kind `lethal`, which one of another time does not.
  public static func survival(
    of run: RunResult, _ expectations: [Expectation], file: String
  ) -> ExpectationResult? {
    guard let end = run.lethalEnd, !expectations.contains(where: { $0.countsLethalEnd(of: run) })
    else { return nil }
    return ExpectationResult(
      .failed, expectation: survival, run: run.id, file: file, message: sentence(on: end, run),
      moment: .init(run: run.id, time: run.clock.iso8601(end.instant)))
  }

  /// A glucose in the run's unit, to a hundredth, or as exactly as the floor is told from it.
  private static func number(
    _ glucose: GlucoseConcentration, _ end: LethalEnd, _ run: RunResult
  ) -> String {
    let unit = run.glucoseUnit.mgdL
    let decimals = end.decimals(inUnitOf: unit)
    guard decimals > 2 else { return shortened((glucose.mgdL / unit * 100).rounded() / 100) }
    return FixedDecimal.text(glucose.mgdL / unit, decimals: decimals)
  }

  /// What became of the body, as a message says it.
  static func sentence(on end: LethalEnd, _ run: RunResult) -> String {
    """
    the run ended as lethal at \(run.clock.iso8601(end.instant)): glucose \
    \(number(end.glucose, end, run)) < \(number(end.floor, end, run)) \(run.glucoseUnit.rawValue)
    """
  }
}
