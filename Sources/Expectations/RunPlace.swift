/// Where a run stands among the runs of its scenario.
public struct RunPlace: Hashable, Sendable {
  /// The run's id.
  public let id: String
  /// The scenario's name.
  public let scenario: String
  /// The variant; `nil` when the scenario has none.
  public let variant: String?
  /// The place in the sweep; `nil` when there is no sweep.
  public let point: Int?
  /// The patient of the cohort; `nil` when there is no cohort.
  public let patient: String?
  /// The number of the replicate, from 0.
  public let replicate: Int

  /// Creates a `RunPlace` from its parts; see the properties.
  package init(
    id: String, scenario: String, variant: String?, point: Int?, patient: String?, replicate: Int
  ) {
    self.id = id
    self.scenario = scenario
    self.variant = variant
    self.point = point
    self.patient = patient
    self.replicate = replicate
  }

  /// What it shares with the runs that are looked at together: the scenario and the variant.
  public var group: String { variant.map { "\(scenario)/\($0)" } ?? scenario }

  /// What it shares with the same run of another variant: point, patient and replicate.
  public var partner: String { "\(point ?? 0)/\(patient ?? "")/\(replicate)" }
}
