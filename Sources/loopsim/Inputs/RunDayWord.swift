import Arguments

/// A day of a run, or all of them, on the command line.
enum RunDayWord: ArgumentValue {
  /// A day by its number, from 1.
  case number(Int)
  /// A day by its date, such as `2026-01-15`.
  case date(String)
  case all

  init?(argument: String) {
    if argument == "all" {
      self = .all
    } else if let number = Int(argument) {
      self = .number(number)
    } else if argument.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil {
      self = .date(argument)
    } else {
      return nil
    }
  }

  var word: String {
    switch self {
    case .number(let number): "\(number)"
    case .date(let date): date
    case .all: "all"
    }
  }

  /// The place of the day among the dates of a run; `nil` for all.
  ///
  /// - Throws: ``Failure`` for a day that the run does not have.
  func place(in dates: [String]) throws -> Int? {
    let place: Int?
    switch self {
    case .all: return nil
    case .number(let number): place = dates.indices.first { $0 + 1 == number }
    case .date(let date): place = dates.firstIndex(of: date)
    }
    guard let place else {
      let (first, last) = (dates.first ?? "", dates.last ?? "")
      throw Failure(
        .usage,
        "The run has no day \(word). It has "
          + (dates.count == 1
            ? "day 1, \(first)." : "the days 1 to \(dates.count), \(first) to \(last).")
      )
    }
    return place
  }
}
