internal import RunPlans

/// What became of the runs of a study, as the flow diagram of a trial tells it.
public struct StudyFlow: Sendable {
  /// How many runs the plan has.
  public let planned: Int
  /// How many runs came to their end.
  public private(set) var ok = 0
  /// How many runs ended with the death of the body.
  public private(set) var lethal = 0
  /// How many runs could not be carried out.
  public private(set) var failed = 0
  /// Why runs failed, with how many, the most frequent first.
  public let reasons: [(reason: String, count: Int)]
  /// Patients whose control is outside what the models were made for.
  public let implausible: [String]
  /// Patients whose glucose is outside what the models were made for under a treatment alone.
  public let implausibleTreated: [String]

  /// The runs in which the pump gave nothing for a while; `nil` where there is none.
  public let stoppedPumps: StoppedPumps?

  /// Counts what became of the rows of a whole study.
  init(_ rows: [CaseRow], of study: StudyProtocol) {
    planned = rows.count
    stoppedPumps = StoppedPumps(rows, of: study)
    (implausible, implausibleTreated) = Self.implausible(rows, study)
    var counts: [String: Int] = [:]
    for row in rows where row.status == .failed { counts[row.reason, default: 0] += 1 }
    reasons = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    for row in rows {
      switch row.status {
      case .ok: ok += 1
      case .lethal: lethal += 1
      case .failed: failed += 1
      }
    }
  }

  /// The patients who are outside what the models were made for, in their order, each once.
  private static func implausible(
    _ rows: [CaseRow], _ study: StudyProtocol
  ) -> (control: [String], treated: [String]) {
    let first = study.design.endPoints.count
    func column(_ name: String) -> Int {
      first + (StandardFigure.all.firstIndex { $0.name == name } ?? 0)
    }
    let (most, least, range) = (column("max_true"), column("min_true"), column("tir"))
    // Of a sampled sweep any point may be the one at which a patient is beyond the model.
    let controls =
      study.design.sampled == nil
      ? Set(ComparedCells.all(of: study).map(\.control)) : Set(0..<study.plan.runsPerUnit)
    var found: [String] = []
    var treated: [String] = []
    for row in rows {
      let isControl = controls.contains(row.number % study.plan.runsPerUnit)
      guard (isControl ? found : treated).last != row.patient else { continue }
      let isOutside =
        (row.values[most] ?? 0) > 600 || (row.values[least] ?? 100) < 20
        // Of a death the time that was not lived counts as out of range, whatever the body was. A
        // treatment that keeps nobody in range is a result.
        || (isControl && row.status != .lethal && (row.values[range] ?? 100) < 20)
      guard isOutside else { continue }
      if isControl { found.append(row.patient) } else { treated.append(row.patient) }
    }
    let known = Set(found)
    return (found, treated.filter { !known.contains($0) })
  }
}
