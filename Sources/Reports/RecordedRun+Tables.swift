public import HealthStore
internal import Quantities
public import StructuredText

/// What the settings and the health store of a result hold, as tables that are compared.
extension RecordedRun {
  /// Takes the therapies of a `settings.json`, a row each; where they were written is left out.
  public mutating func read(settings tree: JSONValue, named name: String) {
    let therapies = tree["therapy"]?.items ?? []
    var columns: [String] = []
    for case .object(let members) in therapies {
      for member in members where !columns.contains(member.key) { columns.append(member.key) }
    }
    var writer = CSVWriter(header: columns.map { $0 == "from" ? "time" : $0 })
    for therapy in therapies {
      writer.append(row: columns.map { therapy[$0].map(Self.text) ?? "" })
    }
    take(writer, named: name)
  }

  /// Takes what a health store holds: a table for each type, with a row for each sample.
  ///
  /// What only names a sample is left out: its identity and its sync identifier.
  ///
  /// - Parameters:
  ///   - samples: The samples in the order of saving.
  ///   - type: Their type.
  ///   - deleted: How many samples of the type were deleted.
  ///   - name: The name of the store's file.
  public mutating func read(
    samples: [RestoredSample], of type: ObjectType, deleted: Int, named name: String
  ) {
    if deleted > 0 { statements.append("\(name): \(deleted) deleted of \(type.name)") }
    let value = Self.columns[type]
    guard !samples.isEmpty || value != nil else { return }
    let ordered = samples.enumerated().sorted {
      ($0.element.sample.start, $0.offset) < ($1.element.sample.start, $1.offset)
    }.map(\.element)
    var writer = CSVWriter(header: [
      "time", "time_end", value ?? "value", "source", "time_written", "metadata",
    ])
    for restored in ordered {
      let sample = restored.sample
      writer.append(row: [
        sample.start.description, sample.end.description, Self.value(of: sample),
        sample.source?.name ?? "", restored.created.description, Self.metadata(of: sample),
      ])
    }
    take(writer, named: "\(name) \(type.name)")
  }

  /// The columns of those types that every store of a run is compared in.
  private static let columns: [ObjectType: String] = [
    .bloodGlucose: "glucose_mgdL", .insulinDelivery: "insulin_U", .dietaryCarbohydrates: "carbs_g",
  ]

  private mutating func take(_ writer: CSVWriter, named name: String) {
    let table = CSVTable(writer.bytes, file: name, problems: ProblemList())
    if let table { tables.append(Table(name, table)) }
  }

  /// A setting in one cell: a schedule as `00:00 1.25, 06:00 0.95`.
  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: ""
    case .bool(let bool): "\(bool)"
    case .integer(let integer): "\(integer)"
    case .number(let number): "\(number)"
    case .string(let text): text
    case .array(let items):
      items.map(text).joined(separator: items.first?.items == nil ? " " : ", ")
    case .object(let members):
      members.map { "\($0.key) \(text($0.value))" }.joined(separator: ", ")
    }
  }

  private static func value(of sample: Sample) -> String {
    if let value = sample.storedValue { return "\(value)" }
    if case .correlation(let members) = sample.value {
      return members.map { "\($0.type.name) \(value(of: $0))" }.joined(separator: ", ")
    }
    return "\(sample.value)"
  }

  private static func metadata(of sample: Sample) -> String {
    sample.metadata.entries.filter { $0.key != .syncIdentifier }
      .map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
  }
}
