public import HealthStore
internal import Quantities
public import StructuredText

/// What the settings, the health store and the answers of programs in a result hold, as tables that
/// are compared.
extension RecordedRun {
  /// Takes the therapies of a `settings.json`, a row each; where they were written is left out.
  public mutating func read(settings tree: JSONValue, named name: String) {
    let therapies = tree["therapy"]?.items ?? []
    var columns: [String] = []
    for case .object(let members) in therapies {
      for member in members where !columns.contains(member.key) { columns.append(member.key) }
    }
    // A file without a therapy has no row, and a table needs a column.
    if columns.isEmpty { columns = ["from"] }
    // What a pulse is holds for all of them.
    let pulse = tree[Self.pulse].map { [Self.text($0)] } ?? []
    var writer = CSVWriter(
      header: columns.map { $0 == "from" ? "time" : $0 } + pulse.map { _ in Self.pulse })
    for therapy in therapies {
      writer.append(row: columns.map { therapy[$0].map(Self.text) ?? "" } + pulse)
    }
    take(writer, named: name)
  }

  private static let pulse = "pulse_U"

  /// Takes what a program answered, a row for each question, and which program it was.
  ///
  /// What was asked is left out: it follows from the other tables, and stands there as a digest
  /// that no tolerance can be put to.
  ///
  /// - Parameters:
  ///   - lines: The lines of the record.
  ///   - name: The name of its file.
  public mutating func read(transcript lines: [JSONValue], named name: String) {
    if let program = lines.first?["program"] {
      let words = ["name", "version", "seat"].compactMap { program[$0].map(Self.text) }
      statements.append(
        "\(name): the program is \(words.filter { !$0.isEmpty }.joined(separator: " "))")
    }
    let answers = lines.compactMap { line in
      line["answer"].map { (time: line["at"].map(Self.text) ?? "", cells: Self.cells(of: $0)) }
    }
    var columns: [String] = []
    var known: Set<String> = []
    for cell in answers.flatMap(\.cells) where known.insert(cell.column).inserted {
      columns.append(cell.column)
    }
    var writer = CSVWriter(header: ["time"] + columns)
    for answer in answers {
      let cells = Dictionary(answer.cells.map { ($0.column, $0.text) }) { first, _ in first }
      writer.append(row: [answer.time] + columns.map { cells[$0] ?? "" })
    }
    take(writer, named: name)
  }

  /// The members of an answer by their paths, such as `tempBasal.rate`.
  private static func cells(
    of value: JSONValue, below path: String = "answer"
  ) -> [(column: String, text: String)] {
    guard case .object(let members) = value else { return [(path, text(value))] }
    return members.flatMap { member in
      cells(of: member.value, below: path == "answer" ? member.key : "\(path).\(member.key)")
    }
  }

  /// Takes what a health store holds: a table for each type, with a row for each sample.
  ///
  /// What only names a sample is left out: its identity and its sync identifier.
  ///
  /// - Parameters:
  ///   - samples: The samples in the order of saving.
  ///   - type: Their type.
  ///   - name: The name of the store's file.
  public mutating func read(
    samples: [RestoredSample], of type: ObjectType, named name: String
  ) {
    let value = Self.columns[type]
    guard !samples.isEmpty || value != nil else { return }
    let ordered = samples.sorted { $0.sample.start < $1.sample.start }
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

  mutating func take(_ writer: CSVWriter, named name: String, isOfEnd: Bool = false) {
    guard let rows = CSVTable(writer.bytes, file: name, problems: ProblemList()) else { return }
    var table = Table(name, rows)
    table.isOfEnd = isOfEnd
    tables.append(table)
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
