internal import Expectations
public import RunPlans
public import ScenarioLanguage
public import StructuredText

extension RunPlan {
  /// Works out the runs of a scenario; what is wrong with its sweep, cohort or budget is reported.
  ///
  /// Returns nothing when the runs cannot be told.
  public init?(
    _ document: ScenarioDocument, reader: ScenarioReader, problems: ProblemList
  ) {
    self.init(
      document, reader: reader, insulinEvents: InsulinEvents.kinds.map(\.name),
      insulinKeys: document.tree["sweep"] == nil ? [] : Self.insulinKeys, problems: problems)
  }

  /// The keys of the format that hold insulin, which takes the whole reference to tell.
  private static let insulinKeys = Set(SchemaTable().rows.filter(\.isInsulin).map(\.path))

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
