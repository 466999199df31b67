internal import Outcomes
internal import Quantities
public import Scenarios

extension StudyAnalysis {
  /// The answer in one sentence: the verdict, harm, and the effect with its interval.
  public var sentence: String {
    if study.design.sampled != nil { return sensitivitySentence }
    guard comparisons.count > 1 else {
      return comparisons.first.map(sentence(of:)) ?? "The study compares nothing."
    }
    let harmed = comparisons.filter { $0.lethalRuns.treatment > $0.lethalRuns.control }
    let met = comparisons.count { comparison in
      comparison.results.contains {
        $0.endPoint.role == .primary && $0.verdict != nil
      }
        && comparison.results.allSatisfy {
          $0.endPoint.role != .primary || $0.verdict == .met
        }
    }
    let what = study.design.controlPoint == nil ? "comparisons" : "points"
    let start =
      harmed.isEmpty
      ? "" : "Harm: more runs ended in death at \(harmed.count) of \(comparisons.count) \(what). "
    return start + "\(met) of \(comparisons.count) \(what) meet every primary goal against "
      + "\(comparisons[0].control), at \(StudyNumber.fixed(goalConfidence, 1)) % confidence each."
  }

  /// The answer of one comparison.
  public func sentence(of comparison: Comparison) -> String {
    guard let first = comparison.results.first else { return "The study has no end point." }
    let deaths = comparison.lethalRuns
    if deaths.treatment > deaths.control {
      let runs = deaths.treatment == 1 ? "run" : "runs"
      return "Harm: \(deaths.treatment) \(runs) ended in death with \(comparison.treatment), "
        + "\(deaths.control) with \(comparison.control)."
    }
    if comparison.results.allSatisfy({ $0.differences?.isConstant != false })
      && comparison.results.allSatisfy({ ($0.differences?.mean ?? 0) == 0 })
    {
      return "\(comparison.treatment) and \(comparison.control) are equal in every run."
    }
    return Self.verdict(first, comparison) + "; " + Self.harm(comparison) + Self.effect(first)
      + "."
  }

  private static func verdict(_ result: EndPointResult, _ comparison: Comparison) -> String {
    let (arm, control) = (comparison.treatment, comparison.control)
    let name = EndPointWords(result.endPoint).name
    let margin = "\(StudyNumber.text(result.endPoint.goal?.margin ?? 0)) \(unit(result.endPoint))"
    guard let goal = result.endPoint.goal else { return "\(arm) against \(control)" }
    switch (goal, result.verdict) {
    case (_, .notEstimable), (_, nil): return "Whether \(arm) meets its goal cannot be told"
    case (.superior(let by), .met):
      return "\(arm) is better than \(control) in \(name)"
        + (by > 0 ? " by more than \(margin)" : "")
    case (.superior, .worse): return "\(arm) is worse than \(control) in \(name)"
    case (.superior, _): return "\(arm) was not shown to be better than \(control) in \(name)"
    case (.noninferior, .met): return "\(arm) is not worse than \(control) by \(margin) in \(name)"
    case (.noninferior, _):
      return "\(arm) was not shown to keep within \(margin) of \(control) in \(name)"
    case (.equivalent, .met):
      return "\(arm) and \(control) differ by less than \(margin) in \(name)"
    case (.equivalent, _):
      return "\(arm) was not shown to keep within \(margin) of \(control) in \(name)"
    }
  }

  static func unit(_ endPoint: StudyEndPoint) -> String {
    endPoint.unit == "%" ? "points" : endPoint.unit
  }

  private static func harm(_ comparison: Comparison) -> String {
    guard let harm = comparison.harms.first else { return "" }
    let newly = harm.patients.count { $0.harmed == .newly }
    let spared = harm.patients.count { $0.harmed == .spared }
    return "it newly harmed \(newly) of \(harm.count) patients and spared \(spared); "
  }

  private static func effect(_ result: EndPointResult) -> String {
    guard let differences = result.differences, let interval = result.toldInterval else {
      return "no patient has a difference"
    }
    let decimals = EndPointWords(result.endPoint).decimals
    let amount = StudyNumber.fixed(differences.mean.magnitude, decimals)
    let isNone = amount.allSatisfy { $0 == "0" || $0 == "." }
    let word = isNone ? "changed" : differences.mean > 0 ? "rose" : "fell"
    return "\(EndPointWords(result.endPoint).name) \(word) by \(amount) \(unit(result.endPoint)) "
      + "[\(StudyNumber.fixed(interval.lower, decimals)), "
      + "\(StudyNumber.fixed(interval.upper, decimals))]"
  }
}

/// What an end point is called where people read it.
public struct EndPointWords {
  private let endPoint: StudyEndPoint

  /// Takes the words of an end point.
  public init(_ endPoint: StudyEndPoint) { self.endPoint = endPoint }

  /// The metric in words, such as "time below 54 mg/dL".
  public var name: String {
    let isMolar = endPoint.metric.isMolar
    let unit = isMolar ? GlucoseUnit.millimolesPerLitre : .milligramsPerDecilitre
    let arguments = endPoint.metric.arguments.map { argument in
      isMolar ? StudyNumber.fixed(argument / unit.mgdL, 1) : StudyNumber.text(argument)
    }
    let base =
      switch endPoint.metric.name {
      case .below: "time below \(arguments.first ?? "") \(unit.rawValue)"
      case .above: "time above \(arguments.first ?? "") \(unit.rawValue)"
      case .tir: "time in \(arguments.first ?? "") to \(arguments.last ?? "") \(unit.rawValue)"
      case .mean: "mean glucose"
      case .tdd: "total daily dose"
      case .dkaHours: "hours of ketoacidosis"
      case .rescueGrams: "carbohydrates eaten against lows"
      case .lows: "lows below \(arguments.first ?? "") \(unit.rawValue)"
      default: endPoint.metric.description
      }
    let window = endPoint.daily.map {
      " from \($0.start.hoursAndMinutes) to \($0.end.hoursAndMinutes)"
    }
    return base + (window ?? "")
  }

  /// How many decimals its values are printed with.
  public var decimals: Int {
    switch endPoint.metric.unit {
    case .glucose, .minutes: 1
    default: 2
    }
  }
}
