internal import Outcomes
internal import RunPlans
internal import Studies

/// What the page of a study calls its end points.
struct EndPointNames {
  private let endPoints: [StudyEndPoint]

  /// Takes all end points, as two may have the same words.
  init(of study: StudyProtocol) { endPoints = study.design.endPoints }

  /// What an end point is called; where two are called alike, with what they are measured on, and
  /// with its `id` where that is the same too.
  func name(of endPoint: StudyEndPoint) -> String {
    let name = EndPointWords(endPoint).name
    let others = endPoints.filter { $0.id != endPoint.id && EndPointWords($0).name == name }
    guard !others.isEmpty else { return name }
    let source = endPoint.metric.source
    return others.contains { $0.metric.source == source }
      ? "\(name) (\(endPoint.id))" : "\(name), \(source == .truth ? "true glucose" : "CGM")"
  }

  /// What an end point is called, with its unit after a comma.
  func nameAndUnit(of endPoint: StudyEndPoint) -> String {
    name(of: endPoint) + endPoint.unitAfterComma
  }
}

extension StudyEndPoint {
  /// The unit after a comma; nothing for a count.
  var unitAfterComma: String { unit.isEmpty ? "" : ", \(unit)" }

  /// The head of a column of differences.
  var differenceHead: String {
    let unit = EndPointWords(self).differenceUnit
    return unit.isEmpty ? "Difference" : "Difference, \(unit)"
  }
}
