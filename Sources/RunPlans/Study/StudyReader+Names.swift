internal import Outcomes

extension StudyReader {
  /// A name made from a metric: `below-54-true`, `tir-70-180-cgm`, `tdd`.
  static func slug(_ metric: Metric, daily: Bool) -> String {
    var text = ""
    for character in metric.description.lowercased() {
      if character.isLetter && character.isASCII || character.isNumber {
        text.append(character)
      } else if text.last != "-" {
        text.append("-")
      }
    }
    while text.last == "-" { text.removeLast() }
    return daily ? "\(text)-daily" : text
  }
}
