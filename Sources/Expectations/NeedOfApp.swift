internal import Outcomes

extension Expectation.Check {
  /// What of it needs an app, as the subject of a sentence; `nil` for what body, pump and sensor
  /// tell.
  var needOfApp: String? {
    switch self {
    case .metric(let metric, _): metric.name.needOfApp
    case .series(let expression, _): expression.needOfApp
    case .timeline: "The table of the health store's basal"
    case .events(let events):
      events.place == .timeline ? nil : "The record \(events.place.rawValue)"
    case .invariant(let invariant): invariant.needOfApp
    case .compare(let compare):
      switch compare.subject {
      case .metric(let metric): metric.name.needOfApp
      case .series(let expression): expression.needOfApp
      }
    case .golden: nil
    }
  }
}

extension Invariant {
  /// What of it needs an app: every law about what the app does, and about what it records.
  var needOfApp: String? {
    switch self {
    case .insulinConservation, .wholePulses, .monotoneTime, .noNegativeInsulin,
      .noDoseWhileSuspended, .shortTempBasals:
      nil
    case .noOverlappingBasal, .noGapsInBasal, .storeEqualsPump, .recordsAgree, .recordsExplained,
      .limitsRespected, .noDuplicates:
      "The invariant \(rawValue)"
    }
  }
}

extension SeriesExpression {
  /// What of it needs an app, as the subject of a sentence; `nil` where nothing does.
  var needOfApp: String? {
    switch self {
    case .number: nil
    case .series(let name), .molar(let name): name.needOfApp
    case .magnitude(let inner), .slope(let inner), .delayed(let inner, _): inner.needOfApp
    case .sum(let left, let right), .difference(let left, let right):
      left.needOfApp ?? right.needOfApp
    }
  }
}

extension SeriesExpression.Name {
  /// What of it needs an app, as the subject of a sentence; `nil` where nothing does.
  public var needOfApp: String? {
    switch self {
    case .carbsEntered, .iobApp, .iobAppTotal, .cobApp: "The series \(rawValue)"
    case .glucoseTrue, .glucoseCGM, .scheduledRate, .programmedRate, .basal, .bolus, .carbsEaten,
      .iobTrue, .iobTrueTotal, .bodyInsulin:
      nil
    }
  }
}
