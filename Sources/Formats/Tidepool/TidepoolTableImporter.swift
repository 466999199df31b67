internal import Interchange
internal import Quantities
internal import StructuredText

/// Reads the tables of settings and events of Tidepool's first risk scenarios (TSV or CSV, "v1").
///
/// A row holds one setting in its second column, or a list from its third column on. The rows are
/// laid out as a simulation of the newer JSON form and read by the same reader, so that both forms
/// give the same numbers. The format is that of github.com/tidepool-org/data-science-simulator.
public struct TidepoolTableImporter {
  private let mode: ImportMode

  /// Creates an importer.
  public init(mode: ImportMode = .asIntended) { self.mode = mode }

  /// Imports one table; whatever its bytes, the outcome says what could not be carried and where.
  ///
  /// A name that ends in `csv` has commas between its columns, any other has tabs.
  public func importing(_ bytes: [UInt8], file: String) -> ImportOutcome {
    let problems = ProblemList(limit: 200)
    let name = ImportText.stem(of: file)
    let id = ImportText.slug(name)
    let table = TidepoolTable(bytes, file: file, problems: problems)
    let journal = ImportJournal()
    var scenario: JSONValue?
    if let table, !problems.hasErrors {
      let layout = TidepoolTableLayout(table: table, mode: mode, problems: problems)
      let reader = TidepoolSimulationReader(problems: problems)
      if let node = layout.simulation(named: name), !problems.hasErrors,
        let simulation = reader.simulation(node, name: name, position: node.position)
      {
        let writer = TidepoolScenarioWriter(mode: mode, problems: problems, journal: journal)
        let made = document(id: id, name: name, writer.scenario(simulation))
        for obstacle in ImportCheck.obstacles(made) {
          problems.add(
            .error, .refused, at: node.position, "The scenario cannot be run here: \(obstacle)")
        }
        scenario = made
      }
    }
    if problems.hasErrors { scenario = nil }
    return ImportOutcome(
      scenario: scenario, id: id, runs: scenario == nil ? 0 : 1, lostRuns: scenario == nil ? 1 : 0,
      problems: problems.sorted.map { $0.filed(under: .value) },
      account: scenario == nil ? ImportAccount() : journal.account)
  }

  private func document(id: String, name: String, _ scenario: JSONValue) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("format", "loopsim/1"), .init("id", .string(id)), .init("title", .string(name)),
    ]
    if case .object(let rest) = scenario { members += rest }
    return .object(members)
  }
}

/// The rows of a table by their names.
struct TidepoolTable {
  /// A row: the setting of its second column, and the filled cells from the third on.
  struct Row {
    var name: String
    var position: TextPosition
    var setting: CSVReader.Field?
    var cells: [CSVReader.Field]
    /// The places of the filled cells, from 0 for the third column on.
    var places: [Int]
  }

  let rows: [Row]
  /// Where rows begin that have cells and no name.
  let nameless: [TextPosition]
  let top: TextPosition

  init?(_ bytes: [UInt8], file: String, problems: ProblemList) {
    top = TextPosition(file: file, line: 1, column: 1)
    let isCommas = file.lowercased().hasSuffix("csv")
    var reader = CSVReader(
      bytes, file: file, separator: isCommas ? UInt8(ascii: ",") : UInt8(ascii: "\t"))
    var rows: [Row] = []
    var nameless: [TextPosition] = []
    var isHeader = true
    while let fields = reader.next() {
      defer { isHeader = false }
      guard let name = fields.first else { continue }
      if isHeader {
        guard name.text == "setting_name", fields.count > 1, fields[1].text == "settings" else {
          problems.add(
            .error, .syntax, at: name.position,
            "The first row of such a table begins with setting_name and settings.")
          return nil
        }
        continue
      }
      guard !Self.trimmed(name.text).isEmpty else {
        if fields.contains(where: { !Self.trimmed($0.text).isEmpty }) {
          nameless.append(name.position)
        }
        continue
      }
      if let first = rows.first(where: { $0.name == name.text }) {
        problems.add(
          .error, .duplicate, at: name.position,
          "The row \"\(name.text)\" is there a second time; the first is in line "
            + "\(first.position.line). Leave out one of them.")
        continue
      }
      let filled = fields.dropFirst(2).enumerated().filter {
        !TidepoolTable.trimmed($0.element.text).isEmpty
      }
      let setting = fields.count > 1 && !Self.trimmed(fields[1].text).isEmpty ? fields[1] : nil
      rows.append(
        Row(
          name: name.text, position: name.position, setting: setting, cells: filled.map(\.element),
          places: filled.map(\.offset)))
    }
    for problem in reader.problems {
      problems.add(problem.severity, .syntax, at: problem.position, problem.sentence)
    }
    if rows.isEmpty, !problems.hasErrors {
      problems.add(.error, .syntax, at: top, "The file is empty; it holds no table to import.")
    }
    self.rows = rows
    self.nameless = nameless
  }

  /// The row with a name; nothing when there is none.
  func row(_ name: String) -> Row? { rows.first { $0.name == name } }

  static func trimmed(_ text: String) -> String {
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(text[first...last])
  }
}
