internal import Outcomes
internal import RunPlans
internal import Studies

/// What the page of a study calls its end points.
struct EndPointNames {
  private let endPoints: [StudyEndPoint]

  /// Takes all end points, as two may have the same words.
  init(of study: StudyProtocol) { endPoints = study.design.endPoints }

  /// What an end point is called; where two are called alike, with what they are measured on.
  func name(of endPoint: StudyEndPoint) -> String {
    let name = EndPointWords(endPoint).name
    let alike = endPoints.count { EndPointWords($0).name == name }
    guard alike > 1 else { return name }
    return "\(name), \(endPoint.metric.source == .truth ? "true glucose" : "CGM")"
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
