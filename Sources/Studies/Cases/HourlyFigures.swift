public import Outcomes
internal import StructuredText

/// What each hour of the day was like in a run, as the row of a case has it.
///
/// A study holds the rows of all its cases at once, so that this stays text until it is drawn.
public struct HourlyFigures: Hashable, Sendable {
  /// The columns: 24 numbers each, from midnight, with a space between two; a dash for an hour
  /// without a value.
  static let header = StudyColumns.hours.map(\.name)

  /// The text of each column; empty where there is no value at all.
  let fields: [String]

  /// Nothing, as of a run that failed.
  public init() { fields = Self.header.map { _ in "" } }

  /// Writes a pattern down: glucose in whole mg/dL, insulin in hundredths of a unit.
  init(_ pattern: DailyPattern) {
    func text(_ values: [Double?], _ decimals: Int) -> String {
      if values.allSatisfy({ $0 == nil }) { return "" }
      return values.map { $0.map { FixedDecimal.text($0, decimals: decimals) } ?? "-" }
        .joined(separator: " ")
    }
    fields = [text(pattern.glucose, 0), text(pattern.basal, 2), text(pattern.bolus, 2)]
  }

  /// Takes the columns of a row; `nil` where one is neither empty nor 24 numbers.
  init?(_ fields: [String]) {
    guard fields.count == Self.header.count,
      fields.allSatisfy({ $0.isEmpty || Self.numbers($0) != nil })
    else { return nil }
    self.fields = fields
  }

  /// The pattern; `nil` where there is no value at all.
  public var pattern: DailyPattern? {
    guard fields.contains(where: { !$0.isEmpty }) else { return nil }
    let lists = fields.map { Self.numbers($0) ?? [Double?](repeating: nil, count: 24) }
    return DailyPattern(glucose: lists[0], basal: lists[1], bolus: lists[2])
  }

  private static func numbers(_ text: String) -> [Double?]? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 24 else { return nil }
    var numbers: [Double?] = []
    for part in parts {
      if part == "-" {
        numbers.append(nil)
      } else if let number = Double(part), number.isFinite, number >= 0 {
        numbers.append(number)
      } else {
        return nil
      }
    }
    return numbers
  }
}
