internal import Outcomes
public import RunPlans
internal import StructuredText

/// What a study keeps of a run: one row of figures.
public struct CaseRow: Hashable, Sendable {
  /// What became of the run.
  public enum Status: String, CaseIterable, Hashable, Sendable {
    /// It came to its end.
    case ok
    /// The patient did not survive: an outcome.
    case lethal
    /// The run could not be carried out, or a law of the simulation was broken: a defect.
    case failed
  }

  /// The number of the case.
  public var number: Int
  /// The number of the unit: a patient and a replicate.
  public var unit: Int
  /// The id of the patient.
  public var patient: String
  /// The patient's group.
  public var group: String
  /// The number of the replicate, from 0.
  public var replicate: Int
  /// The point of the sweep.
  public var point: Int
  /// The name of the arm.
  public var arm: String
  /// What became of the run.
  public var status: Status
  /// Why the run failed; empty where it did not.
  public var reason: String
  /// When the run ended, on the patient's clock.
  public var ended: String
  /// How many days were lived and measured.
  public var days: Double
  /// The seed of the run.
  public var seed: UInt64
  /// The digest of the run's own records.
  public var digest: String
  /// The figures, by the columns of the table; `nil` where the run does not give one.
  public var values: [Double?]
  /// What each hour of the day was like; empty where the run failed.
  public var hours = HourlyFigures()

  /// The columns before the figures.
  public static let identity = StudyColumns.identity.map(\.name)

  /// The first line of a table of cases: identity, end points, and the figures of every study.
  ///
  /// An end point that is named like a column of every study has its name, and that column another.
  /// The figures of every study are in mg/dL; an end point in mmol/L has the unit in its name.
  public static func header(_ design: StudyDesign) -> [String] {
    let taken = identity + HourlyFigures.header
    let points = design.endPoints.map { $0.column(beside: taken) }
    let figures = StandardFigure.all.map(\.name).map { points.contains($0) ? "run_\($0)" : $0 }
    return identity + points + figures + HourlyFigures.header
  }

  /// The row as text.
  public var fields: [String] {
    [
      "\(number)", "\(unit)", patient, group, "\(replicate)", "\(point)", arm, status.rawValue,
      reason, ended, days.description, "\(seed)", digest,
    ] + values.map { $0.map(Self.text) ?? "" } + hours.fields
  }

  /// The shortest number that reads back to the same one, whole numbers without a fraction.
  static func text(_ value: Double) -> String {
    if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return "\(whole)" }
    return value.description
  }

  /// Reads a figure; `nil` where it is none that a run has, whose powers can still be summed.
  private static func figure(_ text: String) -> Double? {
    Double(decimal: text).flatMap { $0.magnitude < 1e15 ? $0 : nil }
  }

  /// The bytes of rows, with the header where it is asked for.
  public static func table(_ rows: [CaseRow], header: [String], withHeader: Bool) -> [UInt8] {
    var writer = CSVWriter(header: header)
    let start = writer.bytes.count
    for row in rows { writer.append(row: row.fields) }
    return withHeader ? writer.bytes : Array(writer.bytes[start...])
  }

  /// Reads a row; `nil` where it is none.
  public init?(_ fields: [String]) {
    let columns = Self.identity.count
    let last = HourlyFigures.header.count
    guard fields.count >= columns + last, let number = Int(fields[0]), let unit = Int(fields[1]),
      let replicate = Int(fields[4]), let point = Int(fields[5]),
      let status = Status(rawValue: fields[7]), let days = Self.figure(fields[10]),
      let seed = UInt64(fields[11]), let hours = HourlyFigures(Array(fields.suffix(last)))
    else { return nil }
    self.number = number
    self.unit = unit
    patient = fields[2]
    group = fields[3]
    self.replicate = replicate
    self.point = point
    arm = fields[6]
    self.status = status
    reason = fields[8]
    ended = fields[9]
    self.days = days
    self.seed = seed
    digest = fields[12]
    var values: [Double?] = []
    for text in fields[columns...].dropLast(last) {
      if text.isEmpty {
        values.append(nil)
      } else if let value = Self.figure(text) {
        values.append(value)
      } else {
        return nil
      }
    }
    self.values = values
    self.hours = hours
  }

  init(
    _ item: StudyProtocol.Case, of study: StudyProtocol, run: ExpandedRun, seed: UInt64
  ) {
    let patient = study.patient(item.patient)
    number = item.number
    unit = item.unit
    self.patient = patient.id
    group = patient.group ?? ""
    replicate = item.replicate
    point = item.point
    arm = study.plan.arms[item.arm]
    status = .failed
    reason = ""
    ended = ""
    days = 0
    self.seed = seed
    digest = ""
    values = (study.design.endPoints.map { _ in nil }) + StandardFigure.all.map { _ in nil }
  }
}

extension StudyEndPoint {
  /// The name of the column with its values beside others, of which none is called alike.
  func column(beside taken: [String]) -> String {
    taken.contains(column) ? "endpoint_\(column)" : column
  }

  /// The name of the column with its values: its id, with the unit where glucose is in mmol/L.
  private var column: String {
    guard metric.isMolar else { return id }
    switch metric.unit {
    case .glucose: return "\(id)_mmolL"
    case .glucosePerHour: return "\(id)_mmolL_per_h"
    default: return id
    }
  }
}
