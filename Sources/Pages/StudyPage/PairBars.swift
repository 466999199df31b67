internal import RunPlans
internal import Studies
internal import Typesetting

/// A patient's two values on one axis with the rule of harm: control hollow, treatment filled.
struct PairBars {
  private let endPoint: StudyEndPoint
  private let low: Double
  private let high: Double

  /// Prepares the axis for the values of several patients.
  init(_ endPoint: StudyEndPoint, _ values: [Double]) {
    self.endPoint = endPoint
    let all = values + [0] + [Self.limit(of: endPoint)].compactMap(\.self)
    low = all.min() ?? 0
    let most = all.max() ?? 1
    high = most > low ? most : low + 1
  }

  /// The value from which the rule harms; `nil` for a rule about the difference.
  private static func limit(of endPoint: StudyEndPoint) -> Double? {
    switch endPoint.harm {
    case .above(let limit), .below(let limit): limit
    case .more, nil: nil
    }
  }

  func drawing(of patient: PatientResult, decimals: Int) -> Drawing {
    func x(_ value: Double) -> Double { 0.03 + 0.94 * (value - low) / (high - low) }
    let (from, to) = (x(patient.control), x(patient.treatment))
    var drawing = Drawing(
      height: 22,
      label: "\(patient.id): \(StudyNumber.fixed(patient.control, decimals)) to "
        + StudyNumber.fixed(patient.treatment, decimals))
    drawing.draw(.interval) { $0.level(at: 0.5, from: 0, to: 1) }
    if let limit = Self.limit(of: endPoint) {
      drawing.draw(.margin) { $0.upright(at: x(limit), from: 0, to: 1) }
    }
    let isHarm = patient.benefit < 0
    drawing.draw(isHarm ? .worseMove : .control) {
      $0.level(at: 0.5, from: min(from, to), to: max(from, to))
    }
    drawing.draw(.controlDot) { $0.dot(at: from, 0.5) }
    drawing.draw(.hollow) { $0.dot(at: from, 0.5) }
    drawing.draw(isHarm ? .worseDot : .treatmentDot) { $0.dot(at: to, 0.5) }
    return drawing
  }
}
