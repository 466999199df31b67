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
  /// How many runs each arm has in all; of a sweep each point of an arm.
  let runsOfEach: Int
  /// The arms with such runs, in their order; empty where a sweep is sampled.
  let arms: [Arm]

  /// An arm, at a point of the sweep where there is one, and its runs in which the pump gave
  /// nothing for a while.
  struct Arm: Hashable, Sendable {
    let name: String
    let runs: Int
  }

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
    let cells = stopped.map { $0.row.number % study.plan.runsPerUnit }
    let worst = most.row.number % study.plan.runsPerUnit
    longest = "\(most.row.patient), \(study.name(ofCell: worst))"
    runsOfEach = study.plan.units
    arms =
      study.design.sampled != nil
      ? []
      : Set(cells).sorted().map { cell in
        Arm(name: study.name(ofCell: cell), runs: cells.count { $0 == cell })
      }
  }

  /// The most arms that are named.
  private static let mostNamed = 4

  /// What is told of them, without a full stop.
  public var words: String {
    let named = WordList.text(
      arms.map { "\($0.runs) of \(runsOfEach) with \($0.name)" }, atMost: Self.mostNamed)
    return "In \(WordList.counted(runs, "run")) of \(WordList.counted(patients, "patient")) the "
      + "pump was suspended, empty or broken, for at most "
      + "\(StudyNumber.fixed(longestMinutes / 60, 1)) h "
      + "(\(longest), case \(longestCase))\(named.isEmpty ? "" : ": \(named)"); they stay in"
  }
}
