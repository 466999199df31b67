internal import StructuredText

/// Where a run stands among the runs of its scenario.
public struct RunPlace: Hashable, Sendable {
  /// The run's id.
  public let id: String
  /// What it shares with the runs that are looked at together: the scenario and the variant.
  public let group: String
  /// What it shares with the same run of another variant: point, patient and replicate.
  public let partner: String
}

extension ExpandedRun {
  /// Where the run stands among those of its scenario.
  public var place: RunPlace {
    RunPlace(
      id: id, group: variant.map { "\(scenario)/\($0)" } ?? scenario,
      partner: "\(point ?? 0)/\(patient ?? "")/\(replicate)")
  }
}

extension RunPlan {
  /// Whether an expectation looks at several runs of the scenario.
  ///
  /// Such a scenario is not divided among shards.
  public var joinsRuns: Bool {
    variants.contains { variant in
      (variant.tree["expect"]?.items ?? []).contains { item in
        if let across = item["across"]?.string, across != "each" { return true }
        return (item["compare"]?["other"]?.string).map(CompareCheck.Other.isVariant) ?? false
      }
    }
  }
}
