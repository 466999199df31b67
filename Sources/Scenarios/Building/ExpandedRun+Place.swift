public import Expectations
public import RunPlans

extension ExpandedRun {
  /// Where the run stands among those of its scenario.
  public var place: RunPlace {
    RunPlace(
      id: id, scenario: scenario, variant: variant, point: point, patient: patient,
      replicate: replicate)
  }
}
