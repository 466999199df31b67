internal import RunPlans
internal import Studies
internal import Typesetting

/// The axis of the differences of patients in one end point: worse at the left, better at the
/// right.
struct PatientAxis {
  private let sign: Double
  /// How far the axis reaches from its middle.
  private let reach: Double

  /// Makes room for all patients of an end point.
  init(of result: EndPointResult) {
    sign = result.endPoint.better == .lower ? -1 : 1
    let ends = result.patients.flatMap { $0.replicates + [$0.difference] }
    reach = max(1e-9, ends.map(\.magnitude).max() ?? 1) * 1.05
  }

  /// The difference of a patient, with a line from the lowest to the highest repetition.
  func drawing(of patient: PatientResult) -> Drawing {
    func x(_ value: Double) -> Double { 0.5 + sign * value / reach / 2 }
    var drawing = Drawing(
      height: 18, label: "\(patient.id): \(PageNumber.text(patient.difference, 2, signed: true))")
    drawing.draw(.zero) { $0.upright(at: 0.5, from: 0, to: 1) }
    let ends = patient.replicates.map(x)
    if let low = ends.min(), let high = ends.max(), high - low > 0.001 {
      drawing.draw(.interval) { $0.level(at: 0.5, from: low, to: high) }
    }
    let style: ChartStyle =
      patient.benefit > 0 ? .treatmentDot : patient.benefit < 0 ? .worseDot : .controlDot
    drawing.draw(style) { $0.dot(at: x(patient.difference), 0.5) }
    return drawing
  }
}
