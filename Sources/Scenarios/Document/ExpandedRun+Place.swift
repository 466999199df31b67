public import Expectations
internal import StructuredText

extension ExpandedRun {
  /// Where the run stands among those of its scenario.
  public var place: RunPlace {
    RunPlace(
      id: id, scenario: scenario, variant: variant, point: point, patient: patient,
      replicate: replicate)
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
