public import Quantities
public import Scenarios
public import StructuredText

/// Where a run lies among the runs of its file: what a table over runs needs to tell them apart.
public struct RunCoordinates: Hashable, Sendable {
  /// The scenario's file, as it was named.
  public var file: String
  /// The scenario's own name.
  public var scenario: String
  /// The variant, the place in the sweep and the patient of the cohort; `nil` where there is none.
  public var variant: String?
  public var point: Int?
  public var patient: String?
  public var replicate: Int
  /// What the sweep and the cohort set, each with its path.
  public var assignments: [JSONValue.Member]
  public var tags: [String]
  public var timeZone: String
  public var glucoseUnit: GlucoseUnit

  /// The coordinates of a run.
  public init(_ run: ExpandedRun, file: String) {
    self.file = file
    scenario = run.scenario
    variant = run.variant
    point = run.point
    patient = run.patient ?? run.tree["patient"]?["name"]?.string
    replicate = run.replicate
    assignments = run.assignments.map { .init("\($0.path)", JSONValue($0.value)) }
    tags = run.tree["tags"]?.items?.compactMap(\.string) ?? []
    let context = ReadingContext(of: run.tree, problems: ProblemList())
    timeZone = context.timeZone
    glucoseUnit = context.glucoseUnit
  }

  /// The coordinates as a JSON tree.
  public var json: JSONValue {
    [
      "file": .string(file), "scenario": .string(scenario),
      "variant": variant.map { .string($0) } ?? .null,
      "sweep_point": point.map { .integer(Int64($0)) } ?? .null,
      "set": .object(assignments), "patient": patient.map { .string($0) } ?? .null,
      "replicate": .integer(Int64(replicate)), "tags": .array(tags.map { .string($0) }),
      "time_zone": .string(timeZone), "glucose_unit": .string(glucoseUnit.rawValue),
    ]
  }
}
