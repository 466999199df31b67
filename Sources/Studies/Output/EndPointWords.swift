internal import Outcomes
internal import Quantities
public import RunPlans

/// What an end point is called where people read it.
public struct EndPointWords {
  private let endPoint: StudyEndPoint

  /// Takes the words of an end point.
  public init(_ endPoint: StudyEndPoint) { self.endPoint = endPoint }

  /// The metric in words, such as "time below 54 mg/dL".
  public var name: String {
    let isMolar = endPoint.metric.isMolar
    let unit = isMolar ? GlucoseUnit.millimolesPerLitre : .milligramsPerDecilitre
    let arguments = endPoint.metric.arguments.map { argument -> String in
      // As it is written, and in tenths at least: 3.0, 4.25.
      guard isMolar else { return StudyNumber.text(argument) }
      let written = ConsensusLimit.mmolL(argument)
      return written == (written * 10).rounded() / 10
        ? StudyNumber.fixed(written, 1) : StudyNumber.text(written)
    }
    let base =
      switch endPoint.metric.name {
      case .below: "time below \(arguments.first ?? "") \(unit.rawValue)"
      case .above: "time above \(arguments.first ?? "") \(unit.rawValue)"
      case .tir: "time in \(arguments.first ?? "") to \(arguments.last ?? "") \(unit.rawValue)"
      case .mean: "mean glucose"
      case .tdd: "total daily dose"
      // What is counted is insulin: no model has ketones.
      case .dkaHours: "hours with little insulin on board"
      case .rescueGrams: "carbohydrates eaten against lows"
      case .lows: "lows below \(arguments.first ?? "") \(unit.rawValue)"
      default: endPoint.metric.description
      }
    return base + window
  }

  /// The metric as the file has it, with the part of each day and the time that it is counted per:
  /// `below(70)@cgm from 00:00 to 06:00`, `lows(54,15m)@true per 100 years`.
  public var definition: String {
    endPoint.metric.description + window + (endPoint.rate.map { " per \($0.name)" } ?? "")
  }

  /// The part of each day that is measured, such as " from 00:00 to 06:00"; empty for all of it.
  private var window: String {
    endPoint.daily.map {
      " from \($0.start.hoursAndMinutes) to \($0.end.hoursAndMinutes)"
    } ?? ""
  }

  /// How many decimals its values are printed with.
  public var decimals: Int {
    switch endPoint.metric.unit {
    // A tenth of a mmol/L is almost two mg/dL.
    case .glucose: endPoint.metric.isMolar ? 2 : 1
    case .minutes: 1
    default: 2
    }
  }

  /// The unit of differences: of shares of time it is points.
  public var differenceUnit: String { endPoint.unit == "%" ? "points" : endPoint.unit }

  /// When a patient counts as harmed, with the unit of the limit: "above 20 %", "2 mmol/L more".
  ///
  /// What is counted in a run has none, whatever time it is a rate of.
  public var harm: String {
    switch endPoint.harm {
    case .above(let limit): "above \(limited(limit))"
    case .below(let limit): "below \(limited(limit))"
    case .more(let count):
      (endPoint.rate == nil ? difference(StudyNumber.text(count)) : StudyNumber.text(count))
        + " more"
    case nil: ""
    }
  }

  /// A limit with the unit of values.
  private func limited(_ limit: Double) -> String {
    endPoint.unit.isEmpty
      ? StudyNumber.text(limit) : "\(StudyNumber.text(limit)) \(endPoint.unit)"
  }

  /// A difference, as it is printed, with its unit; the number alone where it is a count.
  public func difference(_ number: String) -> String {
    if endPoint.unit == "%", number == "1" { return "1 point" }
    return differenceUnit.isEmpty ? number : "\(number) \(differenceUnit)"
  }
}
