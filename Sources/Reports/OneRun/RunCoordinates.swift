public import Quantities
public import RunPlans
import ScenarioLanguage
public import StructuredText

/// Where a run lies among the runs of its file: what a table over runs needs to tell them apart.
public struct RunCoordinates: Hashable, Sendable {
  /// The scenario's file, as it was named.
  public var file: String
  /// The scenario's own name.
  public var scenario: String
  /// The name of the variant; `nil` where there is none.
  public var variant: String?
  /// The number of the sweep point; `nil` without a sweep.
  public var point: Int?
  /// The id of the patient; `nil` without a cohort.
  public var patient: String?
  /// The patient's name as the cohort's table has it; the same as ``patient`` unless that cannot be
  /// the name of a folder, and `nil` where there is no cohort.
  public var patientInTable: String?
  /// The number of the replicate, from 0.
  public var replicate: Int
  /// What the sweep and the cohort set, each with its path.
  public var assignments: [JSONValue.Member]
  /// What the sweep alone sets, each with its path: what the sweep point stands for.
  public var settings: [JSONValue.Member]
  /// The tags of the scenario.
  public var tags: [String]
  /// The time zone of the scenario.
  public var timeZone: String
  /// The unit of glucose of the scenario.
  public var glucoseUnit: GlucoseUnit

  /// The coordinates of a run.
  public init(_ run: ExpandedRun, file: String) {
    self.file = file
    scenario = run.scenario
    variant = run.variant
    point = run.point
    patient = run.patient ?? run.tree["patient"]?["name"]?.string
    patientInTable =
      if let written = run.writtenPatient { written } else { run.patient }
    replicate = run.replicate
    assignments = run.assignments.map { .init("\($0.path)", JSONValue($0.value)) }
    settings = run.settings.map { .init("\($0.path)", JSONValue($0.value)) }
    tags = run.tree["tags"]?.items?.compactMap(\.string) ?? []
    let context = ReadingContext(of: run.tree, problems: ProblemList())
    timeZone = context.timeZone
    glucoseUnit = context.glucoseUnit
  }

  /// What the sweep point stands for, in words: `therapy.maxBasal 2, events[tea].meal.grams 20`.
  var settingWords: String {
    settings.map { "\($0.key) \(Self.words($0.value))" }.joined(separator: ", ")
  }

  /// The most characters of a value that are told.
  private static let longestValue = 60

  /// A value of a sweep in a few characters.
  package static func words(_ value: JSONValue) -> String {
    let text =
      if case .string(let text) = value { text } else {
        JSONWriter(style: .json5).line(value)
      }
    let whole = InertText.line(text)
    return whole.count > longestValue ? whole.prefix(longestValue - 1) + "…" : whole
  }

  /// The coordinates as a JSON tree; the name in the table only where it is another.
  public var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("file", .string(file)), .init("scenario", .string(scenario)),
      .init("variant", variant.map { .string($0) } ?? .null),
      .init("sweep_point", point.map { .integer(Int64($0)) } ?? .null),
      .init("set", .object(assignments)),
      .init("patient", patient.map { .string($0) } ?? .null),
      .init("replicate", .integer(Int64(replicate))),
      .init("tags", .array(tags.map { .string($0) })),
      .init("time_zone", .string(timeZone)),
      .init("glucose_unit", .string(glucoseUnit.rawValue)),
    ]
    if let patientInTable, patientInTable != patient {
      members.append(.init("patient_in_table", .string(patientInTable)))
    }
    return .object(members)
  }
}
