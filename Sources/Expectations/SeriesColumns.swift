extension SeriesExpression.Name {
  /// The name of its column in the timeline of a run, with its unit.
  public var column: String {
    switch self {
    case .glucoseTrue: "glucose_true_mgdL"
    case .glucoseCGM: "glucose_cgm_mgdL"
    case .scheduledRate: "scheduled_rate_U_per_h"
    case .programmedRate: "programmed_rate_U_per_h"
    case .basal: "basal_delivered_U"
    case .bolus: "bolus_delivered_U"
    case .carbsEaten: "carbs_eaten_g"
    case .carbsEntered: "carbs_entered_g"
    case .iobApp: "iob_U"
    case .iobAppTotal: "iob_total_U"
    case .iobTrue: "iob_true_U"
    case .iobTrueTotal: "iob_true_total_U"
    case .bodyInsulin: "insulin_in_body_U"
    case .cobApp: "cob_g"
    }
  }
}

extension SeriesExpression {
  /// The series that it is made of.
  var names: Set<Name> {
    switch self {
    case .number: []
    case .series(let name), .molar(let name): [name]
    case .magnitude(let inner), .slope(let inner), .delayed(let inner, _): inner.names
    case .sum(let left, let right), .difference(let left, let right): left.names.union(right.names)
    }
  }
}
