internal import Interchange
internal import Quantities
public import ScenarioLanguage
internal import StructuredText

/// Reads the testing scenarios of the Loop app (`TestingScenario` of github.com/LoopKit/LoopKit).
///
/// Such a file holds glucose, temp basals, boluses and carbs around a reference time that becomes
/// the start. It has no therapy and no body: both come from the scenario that is extended. Its
/// readings are used unchanged. What the format cannot say with effect is kept under `x-loop`, from
/// where an export takes it back.
public struct LoopScenarioImporter: Sendable {
  private let start: CivilTime
  private let base: String?
  private let replaysGlucose: Bool
  private let files: any ScenarioFiles
  private let path: String

  /// Creates an importer; nothing when the start is no local time such as `2026-01-05T12:00:00`.
  ///
  /// The base is the file with body and therapy, as seen from the imported one. Readings after the
  /// start are shown again unchanged, as Loop's own simulated CGM does; without that the body makes
  /// its own glucose, and they are kept under `x-loop`.
  ///
  /// What is imported is checked as if it stood at `path` among `files`; a base that is not there
  /// cannot be part of the check.
  public init?(
    start: String, base: String? = nil, replaysGlucose: Bool = true,
    files: any ScenarioFiles = MemoryFiles([:]), path: String = "imported.json5"
  ) {
    guard case .civil(let civil, isSecond: false)? = TimeText(start) else { return nil }
    self.start = civil
    self.base = base
    self.replaysGlucose = replaysGlucose
    self.files = files
    self.path = path
  }

  /// Imports one file; whatever its bytes, the outcome says what could not be carried and where.
  public func importing(_ bytes: [UInt8], file: String) -> ImportOutcome {
    let problems = ProblemList(limit: 200)
    let id = ImportText.slug(ImportText.stem(of: file))
    let journal = ImportJournal()
    let scenario = scenario(bytes, file: file, id: id, journal, problems)
    return ImportOutcome(
      scenario: scenario, id: id, runs: scenario == nil ? 0 : 1, lostRuns: scenario == nil ? 1 : 0,
      problems: problems.sorted.map { $0.filed(under: .value) },
      account: scenario == nil ? ImportAccount() : journal.account)
  }

  private func scenario(
    _ bytes: [UInt8], file: String, id: String, _ journal: ImportJournal, _ problems: ProblemList
  ) -> JSONValue? {
    guard let root = OtherJSON.read(bytes, file: file, problems) else { return nil }
    guard root.members != nil else {
      problems.add(
        .error, .value, at: root.position,
        "A scenario must be an object, not \(root.kind)." + OtherJSON.remedy(for: root))
      return nil
    }
    let remedy = OtherJSON.remedy(for: root)
    if root["glucoseValues"] == nil, !remedy.isEmpty {
      problems.add(
        .error, .key, at: root.position,
        "\"glucoseValues\" is missing; a testing scenario of Loop has them." + remedy)
      return nil
    }
    guard let read = LoopScenarioData(JSONField(root, problems: problems)) else { return nil }
    let data = read.fitted(journal, problems)
    report(data, root, problems)
    let scenario = document(id: id, data)
    journal.account.makeTotals(
      ofEvents: scenario["events"]?.items ?? [],
      doses: scenario["history"]?["doses"]?.items ?? [],
      carbs: scenario["history"]?["carbs"]?.items ?? [])
    let obstacles = obstacles(scenario, at: root.position, problems)
    for obstacle in obstacles {
      problems.add(
        .error, .refused, at: root.position, "The scenario cannot be run here: \(obstacle)")
    }
    guard obstacles.isEmpty else { return nil as JSONValue? }
    return scenario
  }

  /// What keeps the scenario from being run, as far as that can be told without its base.
  private func obstacles(
    _ scenario: JSONValue, at position: TextPosition, _ problems: ProblemList
  ) -> [String] {
    guard let base else { return ImportCheck.obstacles(Self.standingOnNothing(scenario)) }
    let place = FilePath.joined(FilePath.folder(of: path), base)
    if (try? files.bytes(of: place)) != nil {
      return ImportCheck.obstacles(scenario, at: path, files: files)
    }
    problems.add(
      .warning, .pointer, at: position,
      "\"\(base)\" is not there yet, so that the scenario is checked without it.")
    return ImportCheck.obstacles(Self.standingOnNothing(scenario))
  }

  /// The scenario with a body and a therapy that stand in for those of the missing base.
  private static func standingOnNothing(_ scenario: JSONValue) -> JSONValue {
    guard case .object(var members) = scenario else { return scenario }
    members.removeAll { $0.key == "extends" }
    let glucose = scenario["patient"]?["initialGlucose"]
    members.removeAll { $0.key == "patient" }
    let needs: JSONValue = [
      "basal": [["00:00", 1]], "sensitivity": [["00:00", 50]], "carbRatio": [["00:00", 10]],
    ]
    members.append(
      .init(
        "patient",
        ImportText.object([
          ("model", "tidepool-simple"), ("initialGlucose", glucose ?? 110), ("needs", needs),
        ])))
    return .object(members)
  }

  private func report(_ data: LoopScenarioData, _ root: JSONNode, _ problems: ProblemList) {
    let future = data.glucose.count { $0.offset > .zero }
    if future > 0 {
      let past = data.glucose.count - future
      problems.add(
        replaysGlucose ? .note : .warning, replaysGlucose ? .decided : .lost,
        at: root["glucoseValues"]?.position ?? root.position,
        replaysGlucose
          ? "\(WordList.counted(past, "reading", "is")) the past; "
            + "\(future) after the start \(WordList.verb("is", of: future)) shown again."
          : "\(WordList.counted(future, "reading")) after the start "
            + "\(future == 1 ? "is a remark" : "are remarks"); the body makes its own glucose."
      )
    }
    let idle = hasStartInPast(data) ? 0 : data.glucose.count { $0.offset == .zero }
    if idle > 0 {
      problems.add(
        .note, .decided, at: root["glucoseValues"]?.position ?? root.position,
        "\(WordList.counted(idle, "reading", "lies")) at the start, where the body begins and the "
          + "sensor shows its own, and \(idle == 1 ? "is a remark" : "are remarks").")
    }
    let boluses = data.boluses.count { $0.offset > .zero }
    let doses = boluses + data.basals.count { $0.offset > .zero }
    if doses > 0 {
      problems.add(
        .note, .decided, at: root.position,
        "\(WordList.counted(doses, "dose")) after the start "
          + (doses == 1 ? "becomes an event; Loop leaves it" : "become events; Loop leaves them")
          + " out until time is stepped."
          + (boluses > 0 ? " A bolus is given on the pump, as it is there." : ""))
    }
    let hidden = data.carbs.count { ($0.enteredAt ?? $0.offset) > .zero }
    if hidden > 0 {
      problems.add(
        .note, .decided, at: root["carbEntries"]?.position ?? root.position,
        hidden == 1
          ? "1 carb entry is made after the start; Loop hides it until then."
          : "\(hidden) carb entries are made after the start; Loop hides them until then.")
    }
    for key in ["deviceActions", "reloadManager"] {
      guard let node = root[key], !node.isNull, node.items?.isEmpty != true else { continue }
      problems.add(
        .warning, .lost, at: node.position,
        "\"\(key)\" speaks to Loop's own simulated devices and is kept as a remark.")
    }
    reportUsed(data, root, problems)
    if base == nil {
      problems.add(
        .warning, .decided, at: root.position,
        "The file has neither body nor therapy. Name a scenario that has with --extends.")
    }
  }

  /// Reports what is used otherwise than Loop would.
  private func reportUsed(
    _ data: LoopScenarioData, _ root: JSONNode, _ problems: ProblemList
  ) {
    if replaysGlucose, !data.glucose.isEmpty, !data.glucose.contains(where: { $0.offset <= .zero })
    {
      problems.add(
        .note, .ignored, at: root["glucoseValues"]?.position ?? root.position,
        "Loop shows no reading at all where none is at or before the reference date; here they are "
          + "shown.")
    }
    let lasting = data.boluses.count { $0.amount > 0 && $0.duration > .zero }
    if lasting > 0 {
      problems.add(
        .note, .decided, at: root["bolusDoses"]?.position ?? root.position,
        "\(WordList.counted(lasting, "bolus", "states")) how long delivery takes; the pump takes "
          + "its own time, and what is stated is kept as a remark.")
    }
    let early = data.carbs.count { $0.offset > .zero && ($0.enteredAt ?? .zero) < .zero }
    if early > 0 {
      problems.add(
        .note, .decided, at: root["carbEntries"]?.position ?? root.position,
        "\(WordList.counted(early, "carb entry", "is")) made before the start for a later meal; "
          + "the app is told of \(early == 1 ? "it" : "them") at the start.")
    }
  }

  // MARK: - Writing

  private func document(id: String, _ data: LoopScenarioData) -> JSONValue {
    let past = data.glucose.filter { $0.offset <= .zero }
    let initial = past.max { $0.offset < $1.offset }
    return ImportText.object([
      ("format", "loopsim/1"), ("id", .string(id)), ("tags", ["loop-scenario"]),
      ("extends", base.map { .array([.string($0)]) }),
      (
        "clock",
        ImportText.object([
          ("start", .string(start.description)), ("timeZone", "UTC"),
          ("duration", .string(ImportText.duration(data.duration))),
        ])
      ),
      (
        "patient",
        base == nil
          ? nil
          : initial.map { ImportText.object([("initialGlucose", ImportText.number($0.mgdL))]) }
      ),
      ("cgm", recorded(data)), ("history", history(data)), ("events", .array(events(data))),
      ("x-loop", remarks(data)),
    ])
  }

  /// The readings after the start for a sensor that shows them again.
  private func recorded(_ data: LoopScenarioData) -> JSONValue? {
    guard isReplayed(data) else { return nil }
    let future = data.glucose.filter { $0.offset > .zero }.map(reading)
    return ImportText.object([("model", "trace"), ("trace", .array(future))])
  }

  /// Whether a sensor shows the readings again, that at the start with them.
  private func isReplayed(_ data: LoopScenarioData) -> Bool {
    replaysGlucose && data.glucose.contains { $0.offset > .zero }
  }

  /// Whether a reading at the start is of the past: a sensor that shows readings again shows it,
  /// and without a base nothing else says where the body begins.
  private func hasStartInPast(_ data: LoopScenarioData) -> Bool { base == nil || isReplayed(data) }

  private func reading(_ point: LoopScenarioData.Glucose) -> JSONValue {
    .array([.string(ImportText.relative(point.offset)), ImportText.number(point.mgdL)])
  }

  private func history(_ data: LoopScenarioData) -> JSONValue {
    let hasStart = hasStartInPast(data)
    let glucose = data.glucose.filter { $0.offset < .zero || hasStart && $0.offset == .zero }
      .map(reading)
    var doses: [(offset: TimeSpan, value: JSONValue)] = []
    for basal in data.basals where basal.offset <= .zero {
      let value = ImportText.object([
        ("at", .string(ImportText.relative(basal.offset))),
        ("basal", ImportText.number(basal.amount)),
        ("duration", .string(ImportText.duration(basal.duration))),
      ])
      doses.append((basal.offset, value))
    }
    for bolus in data.boluses where bolus.offset <= .zero {
      let value = ImportText.object([
        ("at", .string(ImportText.relative(bolus.offset))),
        ("bolus", ImportText.number(bolus.amount)),
        ("x-duration", .string(ImportText.duration(bolus.duration))),
      ])
      doses.append((bolus.offset, value))
    }
    let carbs = data.carbs.filter { $0.offset <= .zero && ($0.enteredAt ?? .zero) <= .zero }
      .map { entry in
        ImportText.object([
          ("at", .string(ImportText.relative(entry.offset))),
          ("grams", ImportText.number(entry.grams)),
          ("absorption", .string(ImportText.duration(entry.absorption))),
          ("x-entered", entry.enteredAt.map { .string(ImportText.relative($0)) }),
        ])
      }
    return ImportText.object([
      ("glucose", glucose.isEmpty ? nil : .array(glucose)),
      ("doses", doses.isEmpty ? nil : .array(doses.map(\.value))),
      ("carbs", carbs.isEmpty ? nil : .array(carbs)),
    ])
  }

  private func events(_ data: LoopScenarioData) -> [JSONValue] {
    var events: [(offset: TimeSpan, value: JSONValue)] = []
    for entry in data.carbs where entry.offset > .zero || (entry.enteredAt ?? .zero) > .zero {
      events.append(meal(entry))
    }
    for bolus in data.boluses where bolus.offset > .zero {
      let value = ImportText.object([
        ("at", ImportText.moment(bolus.offset, after: start)),
        // What the pump has given is no matter of the app's limits.
        (
          "bolus",
          ImportText.object([("units", ImportText.number(bolus.amount)), ("by", "pump")])
        ),
        ("x-duration", .string(ImportText.duration(bolus.duration))),
      ])
      events.append((bolus.offset, value))
    }
    for basal in data.basals where basal.offset > .zero {
      let program = ImportText.object([
        ("rate", ImportText.number(basal.amount)),
        ("duration", .string(ImportText.duration(basal.duration))),
      ])
      let value = ImportText.object([
        ("at", ImportText.moment(basal.offset, after: start)), ("basal", program),
      ])
      events.append((basal.offset, value))
    }
    return events.sorted { $0.offset < $1.offset }.map(\.value)
  }

  /// Food after the start, or food that is entered only after it.
  private func meal(_ entry: LoopScenarioData.Carbs) -> (offset: TimeSpan, value: JSONValue) {
    let meal = ImportText.object([
      ("grams", ImportText.number(entry.grams)),
      ("absorption", .string(ImportText.duration(entry.absorption))),
    ])
    let entered = entry.enteredAt
    if entry.offset <= .zero, let entered {
      // Eaten before the run: only the entry can still happen, with that time in it.
      let told = ImportText.object([
        ("grams", ImportText.number(entry.grams)),
        ("absorption", .string(ImportText.duration(entry.absorption))),
        ("eatenAt", .string(ImportText.relative(entry.offset - entered))),
      ])
      let value = ImportText.object([
        ("at", ImportText.moment(entered, after: start)), ("entry", told),
      ])
      return (entered, value)
    }
    // The app cannot be told before the run begins; what the file says stands in the remark.
    let told = entered.map { max(.zero, $0) - entry.offset }
    let value = ImportText.object([
      ("at", ImportText.moment(entry.offset, after: start)), ("meal", meal),
      ("entry", told.map { ImportText.object([("at", .string(ImportText.relative($0)))]) }),
      ("x-entered", entered.map { .string(ImportText.relative($0)) }),
    ])
    return (entry.offset, value)
  }

  private func remarks(_ data: LoopScenarioData) -> JSONValue? {
    // At the start a sensor that measures shows its own.
    let hasStart = hasStartInPast(data)
    let future =
      isReplayed(data)
      ? []
      : data.glucose.filter { $0.offset > .zero || !hasStart && $0.offset == .zero }.map(reading)
    let members = (future.isEmpty ? [] : [JSONValue.Member("futureGlucose", .array(future))])
    let all = members + data.carried
    return all.isEmpty ? nil : .object(all)
  }
}
