internal import Quantities
internal import StructuredText

/// What one run contributes to an expectation that looks at several runs of a scenario.
public struct Contribution: Sendable {
  /// What the run has to say.
  enum Content: Sendable {
    /// What came of the expectation in the run itself.
    case verdict(CompareCheck.Outcome)
    /// What it has to be compared with another run's.
    case reading(CompareCheck.Reading)
  }

  let expectation: Expectation
  let place: RunPlace
  let clock: WallClock
  let content: Content
  /// Where the run ended before the end of what is looked at.
  let earlyEnd: EarlyEnd?
}

/// The expectations of one scenario that look at several of its runs.
///
/// Of each run only what these expectations need is kept. Contributions come in the order of the
/// plan, so that sums and messages do not depend on how many runs go on at a time.
public struct JointExpectations: Sendable {
  private let file: String
  /// The contributions to each expectation, in the order in which expectations first came up.
  private var groups: [(id: String, members: [Contribution])] = []
  /// The runs that came to no result.
  private var missing: [RunPlace] = []

  /// Begins with nothing; `file` is the scenario's.
  public init(file: String) { self.file = file }

  /// Takes what a run contributes.
  public mutating func take(_ contributions: [Contribution]) {
    for contribution in contributions {
      let id = contribution.expectation.id
      if let index = groups.firstIndex(where: { $0.id == id }) {
        groups[index].members.append(contribution)
      } else {
        groups.append((id, [contribution]))
      }
    }
  }

  /// Takes note of a run without a result.
  public mutating func miss(_ place: RunPlace) { missing.append(place) }

  /// What came of the expectations, in the order in which they first came up.
  public func results() -> [ExpectationResult] {
    groups.flatMap { group -> [ExpectationResult] in
      var others: [String: Contribution] = [:]
      for member in group.members where member.expectation.isReference {
        others[member.place.partner] = member
      }
      let subjects = group.members.filter { !$0.expectation.isReference }
      let verdicts = subjects.map { subject in
        let other = others[subject.place.partner]
        return Verdict(
          subject, outcome(of: subject, other),
          [subject.earlyEnd, other?.earlyEnd].compactMap(\.self))
      }
      var places: Set<String> = []
      return verdicts.compactMap { verdict in
        // A variant may have bounds of its own, and another way to look at its runs.
        let (place, expectation) = (verdict.subject.place.group, verdict.subject.expectation)
        if expectation.across == .each { return result(verdict) }
        guard places.insert(place).inserted else { return nil }
        let own = verdicts.filter { $0.subject.place.group == place }
        var result = result(own, of: place, expectation)
        result.remark = expectation.remark(on: own.flatMap(\.earlyEnds), own.map(\.unshared))
        return result
      }
    }
  }

  /// What came of an expectation in one run.
  private struct Verdict {
    let subject: Contribution
    let value: Double?
    let ratio: Double?
    let complaint: Complaint?
    let unshared: UnsharedMoments
    let earlyEnds: [EarlyEnd]

    init(
      _ subject: Contribution, _ outcome: CompareCheck.Outcome, _ earlyEnds: [EarlyEnd]
    ) {
      self.subject = subject
      self.earlyEnds = earlyEnds
      value = outcome.value
      ratio = outcome.ratio
      complaint = outcome.complaint
      unshared = outcome.unshared
    }

    /// Where the run is best looked at.
    var moment: ExpectationResult.Moment {
      let instant = complaint?.instant ?? subject.expectation.scope.through
      return .init(run: subject.place.id, time: subject.clock.iso8601(instant))
    }
  }

  private func outcome(of subject: Contribution, _ other: Contribution?) -> CompareCheck.Outcome {
    switch subject.content {
    case .verdict(let outcome): return outcome
    case .reading(let reading):
      guard case .compare(let compare) = subject.expectation.check else {
        return CompareCheck.Outcome()
      }
      guard let other, case .reading(let otherReading) = other.content else {
        let absent = missing.first {
          $0.variant == compare.other.name && $0.partner == subject.place.partner
        }
        if let absent {
          return CompareCheck.Outcome(
            complaint: Complaint("the run \(absent.id) to compare with came to no result"))
        }
        return CompareCheck.Outcome(
          complaint: Complaint(
            "there is no result of the variant \(compare.other.name) to compare with; an "
              + "expectation that compares variants stands in the file, not in a variant"))
      }
      if case .compare(let others) = other.expectation.check, !compare.isInUnit(of: others) {
        return CompareCheck.Outcome(
          complaint: Complaint(
            "the glucose of this run and that of \(other.place.id) are in two units; give their "
              + "variants one glucoseUnit"))
      }
      return compare.outcome(
        reading, otherReading, otherName: other.place.id, time: subject.clock.iso8601)
    }
  }

  // MARK: - Results

  private func result(_ verdict: Verdict) -> ExpectationResult {
    var result = result(
      verdict.subject.expectation, run: verdict.subject.place.id,
      verdict.complaint.map { ($0.message, $0.body, verdict.moment) },
      verdict.subject.expectation.measure(verdict.value))
    result.ratio = verdict.subject.expectation.ratioMeasure(verdict.ratio)
    result.remark = verdict.subject.expectation.remark(on: verdict.earlyEnds, [verdict.unshared])
    return result
  }

  private func result(
    _ expectation: Expectation, run: String,
    _ failure: (message: String, body: String, moment: ExpectationResult.Moment)?,
    _ measure: ExpectationMeasure?
  ) -> ExpectationResult {
    ExpectationResult(
      failure == nil ? .passed : .failed, expectation: expectation.id, run: run, file: file,
      isWarning: expectation.isWarning, message: failure?.message ?? "",
      body: failure?.body ?? "", measure: measure, moment: failure?.moment
    ).standing(at: expectation.position)
  }

  /// The result of runs that are looked at together.
  private func result(
    _ verdicts: [Verdict], of place: String, _ expectation: Expectation
  ) -> ExpectationResult {
    if let absent = missing.first(where: { $0.group == place }) {
      var result = result(expectation, run: place, nil, nil)
      result.outcome = .error
      result.message = "the run \(absent.id) came to no result"
      return result
    }
    let failing = verdicts.filter { $0.complaint != nil }
    let count = verdicts.count
    var message: String?
    var measure: ExpectationMeasure?
    switch expectation.across {
    case .each: break
    case .all:
      if !failing.isEmpty {
        message =
          "\(failing.count) of \(WordList.counted(count, "run")) "
          + "\(WordList.verb("fails", of: failing.count))"
      }
    case .fraction(let share):
      assert(count > 0, "An expectation is judged over a run or more.")
      let passing = Double(count - failing.count) / Double(count)
      measure = ExpectationMeasure(passing, minimum: share)
      if passing < share {
        message =
          "\(count - failing.count) of \(WordList.counted(count, "run")) "
          + "\(WordList.verb("passes", of: count - failing.count)), a share of "
          + "\(shortened(passing)) < "
          + shortened(share)
      }
    case .mean, .quantile:
      return combined(verdicts, of: place, expectation)
    }
    return result(
      expectation, run: place,
      message.map { message in
        let first = failing.first
        let more = first.map { "; the first is \($0.subject.place.id): " } ?? ""
        let moment = first?.moment ?? verdicts[0].moment
        return (
          "\(message)\(more)\(first?.complaint?.message ?? "")", first?.complaint?.body ?? "",
          moment
        )
      }, measure)
  }

  /// The result of runs whose values become one.
  private func combined(
    _ verdicts: [Verdict], of place: String, _ expectation: Expectation
  ) -> ExpectationResult {
    if let lacking = verdicts.first(where: { $0.value == nil }) {
      let message = lacking.complaint?.message ?? "there is no value"
      return result(
        expectation, run: place, ("\(lacking.subject.place.id): \(message)", "", lacking.moment),
        expectation.measure(nil))
    }
    let name = "\(expectation.across.valueName) of \(expectation.valueName)"
    let value = expectation.across.value(of: verdicts.compactMap(\.value))
    let measure = expectation.measure(value)
    guard let value, let sentence = expectation.bounds?.joinedComplaint(value) else {
      return result(expectation, run: place, nil, measure)
    }
    let farthest = Self.farthest(of: verdicts, expectation, value)
    let unit = measure?.unit.map { " \($0)" } ?? ""
    return result(
      expectation, run: place,
      (
        "\(name) over \(WordList.counted(verdicts.count, "run")) \(sentence)\(unit)", "",
        farthest.moment
      ), measure)
  }

  /// The run whose own value lies farthest on the side on which the combined one fails; the first
  /// of several.
  private static func farthest(
    of verdicts: [Verdict], _ expectation: Expectation, _ value: Double
  ) -> Verdict {
    let bounds = expectation.bounds
    let isAbove = [bounds?.maximum, bounds?.equals].contains { $0.map { value > $0 } ?? false }
    return verdicts.dropFirst().reduce(verdicts[0]) { farthest, verdict in
      let (own, other) = (verdict.value ?? 0, farthest.value ?? 0)
      return (isAbove ? own > other : own < other) ? verdict : farthest
    }
  }
}
