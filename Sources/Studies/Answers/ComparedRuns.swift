/// The runs of two arms that belong together: how many failed, and whether the others are the same.
public struct ComparedRuns: Hashable, Sendable {
  /// How many runs of both arms there are.
  public private(set) var count = 0
  /// How many of them failed.
  public private(set) var failed = 0
  /// How many pairs of runs have no failed one.
  public private(set) var pairs = 0
  /// How many of these pairs are twice the same run: the same records, and the same figures.
  public private(set) var equalPairs = 0

  /// Whether there are pairs, and every one of them is twice the same run.
  public var areEqual: Bool { pairs > 0 && equalPairs == pairs }

  /// Looks at the runs of two cells of a study.
  init(_ cells: ComparedCells, _ rows: [CaseRow], of study: StudyProtocol) {
    let plan = study.plan
    for base in stride(from: 0, to: rows.count, by: plan.runsPerUnit) {
      let (control, treatment) = (rows[base + cells.control], rows[base + cells.treatment])
      count += 2
      failed += [control, treatment].count { $0.status == .failed }
      guard control.status != .failed, treatment.status != .failed else { continue }
      pairs += 1
      let isSame =
        control.status == treatment.status && control.ended == treatment.ended
        && control.digest == treatment.digest && control.values == treatment.values
      if isSame { equalPairs += 1 }
    }
  }
}

/// Patients who are harmed under one arm alone, by any of the rules of harm of a study.
public struct HarmedPatients: Hashable, Sendable {
  /// How many patients have a value by which a rule can judge.
  public let count: Int
  /// How many are harmed by the treatment, by one rule or more.
  public let newly: Int
  /// How many are harmed under control alone, by one rule or more.
  public let spared: Int
  /// How many rules there are.
  public let rules: Int
  /// How many patients have no value by which some of the rules could judge.
  public let partly: Int

  /// Counts each patient once, whatever the number of rules; `nil` where there is no rule.
  init?(_ harms: [EndPointResult]) {
    guard !harms.isEmpty else { return nil }
    func ids(_ isIncluded: (PatientResult) -> Bool) -> Set<String> {
      Set(harms.flatMap { $0.patients.filter(isIncluded).map(\.id) })
    }
    count = ids { _ in true }.count
    newly = ids { $0.harmed == .newly }.count
    spared = ids { $0.harmed == .spared }.count
    rules = harms.count
    let judged = harms.map { Set($0.patients.map(\.id)) }
    partly = count - judged.dropFirst().reduce(judged[0]) { $0.intersection($1) }.count
  }
}
