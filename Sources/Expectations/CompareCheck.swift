public import Outcomes
internal import Quantities
public import ScenarioLanguage
internal import Simulation

/// A metric or a series of one run against that of another.
public struct CompareCheck: Sendable {
  /// What is compared.
  public enum Subject: Sendable {
    /// A figure of each run.
    case metric(Metric)
    /// A series of each run, row by row.
    case series(SeriesExpression)
  }

  /// What it is compared with.
  public enum Other: Sendable {
    /// The run of another variant with the same point of the sweep, patient and replicate.
    case variant(String)
    /// A timeline that an earlier run left, by the path of its CSV file.
    case file(String)
    /// The glucose that was really measured: the path of its table, and how times in it are read.
    case observed(String, ReadingContext)
  }

  /// What is compared.
  public var subject: Subject
  /// With what it is compared.
  public var other: Other
  /// Bounds of this run's value less the other's.
  public var difference: Expectation.Bounds?
  /// Bounds of this run's value divided by the other's.
  public var ratio: Expectation.Bounds?

  /// What one run has to say: a value, or a value at each instant.
  enum Reading: Sendable {
    case value(Double?)
    case series([Point])
  }

  /// A value of a series.
  struct Point: Hashable, Sendable {
    var instant: Instant
    var value: Double
  }

  /// The name of the subject, as a message begins.
  var name: String {
    switch subject {
    case .metric(let metric): "\(metric)"
    case .series: "the series"
    }
  }

  /// Whether the values that another run has by its own reading of this are of the same unit.
  func isInUnit(of other: Self) -> Bool {
    switch (subject, other.subject) {
    case (.metric(let own), .metric(let others)): own.unitName == others.unitName
    case (.series(let own), .series(let others)): own.isMolar == others.isMolar
    case (.metric, .series), (.series, .metric): false
    }
  }

  /// A run as the subject reads it.
  func source(of run: RunResult) -> SeriesSource {
    guard case .series(let expression) = subject else { return .none }
    return SeriesSource(run, for: expression)
  }

  /// What a run has to say within a scope.
  func reading(
    _ source: SeriesSource, _ measurements: RunMeasurements, in scope: Expectation.Scope
  ) -> Reading {
    switch subject {
    case .metric(let metric):
      return .value(
        metric.value(
          of: scope.isNarrowed
            ? measurements.restricted(from: scope.from, to: scope.through) : measurements))
    case .series(let expression):
      let values = expression.values(source)
      return .series(
        zip(source.instants, values).compactMap { instant, value in
          guard scope.contains(instant) else { return nil }
          return value.map { Point(instant: instant, value: $0) }
        })
    }
  }

  /// What came of a comparison: the compared value, where there is one, and what is wrong.
  struct Outcome: Sendable {
    var value: Double?
    /// The ratio, where both a difference and a ratio are asked for.
    var ratio: Double?
    var complaint: Complaint?
    /// The moments at which one side alone has something.
    var unshared = UnsharedMoments()
  }

  /// Holds one reading against another.
  ///
  /// - Parameters:
  ///   - this: What this run has to say.
  ///   - other: What the other one has.
  ///   - otherName: What the other one is called in a message.
  ///   - time: How an instant is written.
  /// - Returns: The compared value, where there is one, and what is wrong.
  func outcome(
    _ this: Reading, _ other: Reading, otherName: String, time: (Instant) -> String
  ) -> Outcome {
    switch (this, other) {
    case (.value(let this?), .value(let other?)):
      let quotient = Self.ratio(this, other)
      let compared = difference != nil ? Self.difference(this, other) : quotient
      return Outcome(
        value: compared, ratio: difference != nil && ratio != nil ? quotient : nil,
        complaint: complaint(this, other, otherName).map {
          Complaint("\(name) \($0)")
        })
    case (.series(let this), .series(let other)):
      return outcome(this, other, otherName, time)
    case (.value(nil), _):
      return Outcome(complaint: Complaint("\(name) has no value in this run"))
    default: return Outcome(complaint: Complaint("\(name) has no value in \(otherName)"))
    }
  }

  /// What is wrong with a pair of values.
  private func complaint(_ this: Double, _ other: Double, _ otherName: String) -> String? {
    func sentence(_ sign: String, _ result: Double, _ bounds: Expectation.Bounds?) -> String? {
      bounds?.complaint(result).map {
        "\(shortened(this)) \(sign) \(shortened(other)) (\(otherName)) is \($0)"
      }
    }
    if let sentence = sentence("−", Self.difference(this, other), difference) {
      return differenceUnit.map { $0.isEmpty ? sentence : "\(sentence) \($0)" } ?? sentence
    }
    guard ratio != nil else { return nil }
    guard let quotient = Self.ratio(this, other) else {
      return "is to be divided by 0 (\(otherName))"
    }
    return sentence("÷", quotient, ratio)
  }

  /// This value less the other's.
  private static func difference(_ this: Double, _ other: Double) -> Double {
    DecimalNumbers.rounded(this - other)
  }

  /// This value divided by the other's; `nil` where that is 0.
  private static func ratio(_ this: Double, _ other: Double) -> Double? {
    other == 0 ? nil : DecimalNumbers.rounded(this / other)
  }

  /// What comes of two series, which are compared at the instants that both have.
  ///
  /// The other side may have several values at an instant, each of which is compared.
  private func outcome(
    _ this: [Point], _ other: [Point], _ otherName: String, _ time: (Instant) -> String
  ) -> Outcome {
    var i = 0
    var pairs = 0
    var unshared = UnsharedMoments()
    var broken: (sentence: String, instant: Instant)?
    var count = 0
    var isPaired = false
    func goOn() {
      if !isPaired { unshared.this += 1 }
      (i, isPaired) = (i + 1, false)
    }
    for point in other {
      while i < this.count, this[i].instant < point.instant { goOn() }
      guard i < this.count, this[i].instant == point.instant else {
        unshared.other += 1
        continue
      }
      isPaired = true
      pairs += 1
      if let sentence = complaint(this[i].value, point.value, otherName) {
        count += 1
        if broken == nil { broken = (sentence, point.instant) }
      }
    }
    while i < this.count { goOn() }
    guard pairs > 0 else {
      return Outcome(
        complaint: Complaint("\(name) and that of \(otherName) have no moment in common"))
    }
    // What was observed comes when it comes, and no row of the run waits for it.
    if case .observed = self.other { unshared.this = 0 }
    guard let broken else { return Outcome(unshared: unshared) }
    let more = count > 1 ? " (first of \(count))" : ""
    return Outcome(
      complaint: Complaint(
        "\(name) \(broken.sentence) at \(time(broken.instant))\(more)", at: broken.instant),
      unshared: unshared)
  }

  /// The bounds of the value that runs are combined by.
  var bounds: Expectation.Bounds? { difference ?? ratio }

  /// The unit of a difference, such as `mg/dL`; `nil` or empty where it has none.
  private var differenceUnit: String? {
    switch subject {
    case .metric(let metric): metric.unitName
    case .series(let expression): expression.unitName
    }
  }

  /// The unit of that value; `nil` for a ratio.
  var unit: String? { difference == nil ? nil : differenceUnit }
}
