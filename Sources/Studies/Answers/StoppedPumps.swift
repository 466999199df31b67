internal import RunPlans
internal import StructuredText

/// Runs of a study in which the pump gave nothing for a while: it was suspended, empty or broken.
public struct StoppedPumps: Hashable, Sendable {
  /// How many runs there are.
  public let runs: Int
  /// How many patients they belong to.
  public let patients: Int
  /// The longest time in one run, in minutes.
  public let longestMinutes: Double
  /// The number of that run's case.
  public let longestCase: Int
  /// The patient of that run, and its arm.
  public let longest: String

  /// Counts the runs among the rows of a whole study; `nil` where there is none.
  init?(_ rows: [CaseRow], of study: StudyProtocol) {
    let name = StandardFigure.suspendedMinutes
    guard let place = StandardFigure.all.firstIndex(where: { $0.name == name }) else { return nil }
    let column = study.design.endPoints.count + place
    let stopped = rows.compactMap { row in
      row.values[column].flatMap { $0 > 0 ? (row: row, minutes: $0) : nil }
    }
    guard let first = stopped.first else { return nil }
    let most = stopped.dropFirst().reduce(first) { $1.minutes > $0.minutes ? $1 : $0 }
    runs = stopped.count
    patients = Set(stopped.map(\.row.patient)).count
    longestMinutes = most.minutes
    longestCase = most.row.number
    longest = "\(most.row.patient), \(most.row.arm)"
  }

  /// What is told of them, without a full stop.
  public var words: String {
    "In \(WordList.counted(runs, "run")) of \(WordList.counted(patients, "patient")) the pump was "
      + "suspended, empty or broken, for at most \(StudyNumber.fixed(longestMinutes / 60, 1)) h "
      + "(\(longest), case \(longestCase)); they stay in"
  }
}
