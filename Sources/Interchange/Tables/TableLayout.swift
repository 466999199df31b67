internal import Quantities
internal import StructuredText

/// Which column of a table holds what.
struct TableLayout {
  /// A column of amounts.
  struct Column {
    enum Kind { case sensor, meter, glucose, bolus, longActing, carbohydrates }

    var index: Int
    var kind: Kind
    /// Whether the header says mmol/L; `nil` where it says no unit.
    var isMolar: Bool?
    /// Whether it is the true glucose of a body that is simulated.
    var isSimulated = false
    /// Whether the table has the true glucose of a body that is simulated, which may fall to 0.
    var mayBeZero = false
    /// Whether it is insulin that was given over a time.
    var isExtended = false
    /// The columns that say from when and until when it was given, where there are any.
    var span: (start: Int, end: Int)?
    var position: TextPosition
  }

  var program: String
  /// The columns of date and time: one, or two that belong together.
  var time: [Int]
  var columns: [Column]
  /// The column that says which kind of row it is, and the kinds that are glucose of a sensor.
  var kind: (index: Int, sensor: Set<String>, meter: Set<String>)?
  /// The column that says of insulin whether it acts for long.
  var action: Int?
  /// Columns of what is not read, and why rows with nothing else are left out.
  var unread: [(columns: [Int], reason: String)] = []
  /// The column by which a row is the sum of others, the word there, and what such rows are.
  var sums: (column: Int, word: String, reason: String)?
  /// The column of what a person marked, such as `Meal: 60,00grams` and `Insulin: 6,00`.
  var marker: Int?
  /// The column that says over which time a bolus was given.
  var bolusTime: Int?
  /// Columns whose sum is the bolus of a row where the column of boluses is empty.
  var bolusParts: [Int] = []
  /// Those of them that change what others propose, and may be below 0.
  var bolusChanges: Set<Int> = []
  /// The columns of basal that a pump gave: its kind, minutes, rate in U/h, and units.
  var basal: (kind: Int, minutes: Int, rate: Int, units: Int)?
  /// The least that a sensor's column has as glucose, in mg/dL; a whole number below it marks an
  /// error.
  var leastReading: Double?
  /// The column that names the unit of the row's glucose.
  var unit: Int?
  var person: Int?
  /// The columns of any table that are not read.
  var others: [Int] = []
  /// The columns that together name the device of a row.
  var device: [Int] = []
  /// How many fields a row must have; shorter rows are no rows of the table.
  var minimumFields: Int
  /// Whether rows without a time are no mistake.
  var allowsBareRows = false
  /// Whether a row may begin another section, with columns of its own.
  var hasSections = false

  /// The names of the columns of glucose in a header, those of meters or the others.
  func glucoseNames(_ header: [CSVReader.Field], ofMeters: Bool) -> [String] {
    columns.filter { $0.isGlucose && ($0.kind == .meter) == ofMeters }
      .map { header[$0.index].text.trimmed }
  }
}

extension TableLayout.Column {
  var isGlucose: Bool { kind == .sensor || kind == .meter || kind == .glucose }
}

extension TableLayout {
  /// The layout of a program's export whose header this is; `nil` for other rows.
  static func known(
    _ header: [CSVReader.Field], at line: Int, _ options: RecordTable.Options
  ) -> TableLayout? {
    guard options.timeColumn == nil, options.glucoseColumn == nil else { return nil }
    return clarity(header) ?? libreView(header) ?? careLink(header) ?? xDrip(header)
      ?? tidepool(header) ?? tConnect(header) ?? glooko(header)
  }

  /// Whether a header says mg/dL or mmol/L.
  static func isMolar(_ text: String) -> Bool? {
    let text = text.lowercased()
    if text.contains("mmol") { return true }
    return text.contains("mg/dl") || text.contains("mgdl") || text.contains("mg_dl")
      ? false : nil
  }

  static func column(
    _ header: [CSVReader.Field], _ index: Int, _ kind: Column.Kind
  ) -> Column? {
    guard header.indices.contains(index) else { return nil }
    return Column(
      index: index, kind: kind, isMolar: isMolar(header[index].text),
      position: header[index].position)
  }

  /// Dexcom Clarity: the names of its columns are translated, their order is not.
  private static func clarity(_ header: [CSVReader.Field]) -> TableLayout? {
    guard header.count >= 10, header[1].text.contains("("),
      header[1].text.lowercased().contains("mm:ss)"), isMolar(header[7].text) != nil
    else { return nil }
    return TableLayout(
      program: "Dexcom Clarity", time: [1],
      columns: [
        column(header, 7, .glucose), column(header, 8, .bolus), column(header, 9, .carbohydrates),
      ].compactMap(\.self),
      kind: (
        2, ["egv", "estimated glucose value"], ["calibration", "kalibrierung", "calibración"]
      ), action: 3,
      device: [6],
      minimumFields: 8, allowsBareRows: true)
  }

  /// LibreView: columns in a fixed order below a line about the export.
  private static func libreView(_ header: [CSVReader.Field]) -> TableLayout? {
    guard header.count >= 15, isMolar(header[4].text) != nil, isMolar(header[5].text) != nil,
      isMolar(header[14].text) != nil
    else { return nil }
    return TableLayout(
      program: "LibreView", time: [2],
      columns: [
        column(header, 4, .sensor), column(header, 5, .sensor), column(header, 7, .bolus),
        column(header, 9, .carbohydrates), column(header, 12, .longActing),
        column(header, 14, .meter),
      ].compactMap(\.self),
      unread: [
        ([6, 11], "insulin without a number of units"), ([8], "food without a number of grams"),
        ([10], "food in servings, whose size the table does not state"),
      ],
      // What the reader's calculator proposed for a meal, for a correction, and what was changed.
      bolusParts: [16, 17, 18].filter { $0 < header.count }, bolusChanges: [17, 18],
      device: [0, 1],
      minimumFields: 6, allowsBareRows: true)
  }

  /// Medtronic CareLink: sections of pump and sensor, each with this header.
  private static func careLink(_ header: [CSVReader.Field]) -> TableLayout? {
    let names = header.map { $0.text.lowercased() }
    guard let date = names.firstIndex(of: "date"), let time = names.firstIndex(of: "time"),
      let sensor = names.firstIndex(where: { $0.hasPrefix("sensor glucose (") })
    else { return nil }
    func place(_ start: String) -> Int { names.firstIndex { $0.hasPrefix(start) } ?? -1 }
    return TableLayout(
      program: "CareLink", time: [date, time],
      columns: [
        column(header, sensor, .sensor), column(header, place("bg reading"), .meter),
        column(header, place("bolus volume delivered"), .bolus),
        column(header, place("bwz carb input (grams"), .carbohydrates),
      ].compactMap(\.self),
      unread: [
        (
          [place("basal rate"), place("temp basal amount")].filter { $0 >= 0 },
          "basal rates, which are not read: the basal insulin of the table is missing"
        ),
        (
          names.indices.filter {
            names[$0].hasPrefix("bwz carb input (") && !names[$0].hasPrefix("bwz carb input (grams")
          }, "food in exchanges, whose size the table does not state"
        ),
      ],
      sums: names.firstIndex { $0.hasPrefix("bolus source") }.map {
        (
          $0, "closed_loop_auto_insulin",
          "a day's sum of automatic insulin, which the table does not break down: automatic "
            + "insulin is missing"
        )
      },
      marker: names.firstIndex(of: "event marker"),
      bolusTime: names.firstIndex { $0.hasPrefix("bolus duration") },
      minimumFields: max(date, time, sensor) + 1, allowsBareRows: true)
  }

  /// xDrip's export in the form of SiDiary, in mg/dL.
  private static func xDrip(_ header: [CSVReader.Field]) -> TableLayout? {
    let names = header.map { $0.text.uppercased() }
    guard let day = names.firstIndex(of: "DAY"), let time = names.firstIndex(of: "TIME"),
      let sensor = names.firstIndex(of: "UDT_CGMS")
    else { return nil }
    func column(_ name: String, _ kind: Column.Kind) -> Column? {
      names.firstIndex(of: name).map {
        Column(index: $0, kind: kind, isMolar: false, position: header[$0].position)
      }
    }
    let known: Set = ["DAY", "TIME", "UDT_CGMS", "BG_LEVEL", "CH_GR", "BOLUS", "REMARK", ""]
    return TableLayout(
      program: "xDrip", time: [day, time],
      columns: [
        Column(index: sensor, kind: .sensor, isMolar: false, position: header[sensor].position),
        column("BG_LEVEL", .meter), column("CH_GR", .carbohydrates), column("BOLUS", .bolus),
        // xDrip, BgReading.java: readings are 39 at least, and 38 marks an error.
      ].compactMap(\.self), leastReading: 39,
      // SiDiary itself has more, such as the basal insulin of a pen.
      others: names.indices.filter { !known.contains(names[$0].trimmed) },
      minimumFields: max(day, time, sensor) + 1, allowsBareRows: true)
  }

  /// Tidepool's export: all types of data in one table, each row with its type and unit.
  private static func tidepool(_ header: [CSVReader.Field]) -> TableLayout? {
    let names = header.map { $0.text.lowercased().filter { $0 != " " } }
    guard let kind = names.firstIndex(of: "type"), let value = names.firstIndex(of: "value"),
      let unit = names.firstIndex(of: "units"),
      let time = names.firstIndex(of: "time") ?? names.firstIndex(of: "localtime")
        ?? names.firstIndex(of: "devicetime")
    else { return nil }
    var extended = column(header, names.firstIndex(of: "extended") ?? -1, .bolus)
    extended?.isExtended = true
    return TableLayout(
      program: "Tidepool", time: [time],
      columns: [
        column(header, value, .glucose),
        column(header, names.firstIndex(of: "normal") ?? -1, .bolus),
        extended,
        column(
          header,
          names.firstIndex(of: "carbinput") ?? names.firstIndex(of: "nutrition.carbohydrate.net")
            ?? -1, .carbohydrates),
      ].compactMap(\.self), kind: (kind, ["cbg"], ["smbg"]), unit: unit,
      minimumFields: max(time, value, kind) + 1, allowsBareRows: true)
  }

  /// Tandem's t:connect and Source: sections of readings, of a meter, of insulin on board, of basal
  /// rates and of boluses, each below names of its own and in any order.
  static func tConnect(_ header: [CSVReader.Field]) -> TableLayout? {
    guard let first = header.first.map({ plainName($0.text) }),
      first == "type" || first == "devicetype"
    else { return nil }
    let names = header.map { plainName($0.text) }
    guard
      let time = ["requestdatetime", "eventdatetime", "completiondatetime"].lazy
        .compactMap({ names.firstIndex(of: $0) }).first
    else { return nil }
    func place(_ name: String) -> Int { names.firstIndex(of: name) ?? -1 }
    var later = column(header, place("bolexinsulindelivered"), .bolus)
    later?.isExtended = true
    if names.contains("bolexstartdatetime"), names.contains("bolexcompletiondatetime") {
      later?.span = (place("bolexstartdatetime"), place("bolexcompletiondatetime"))
    }
    var now = column(header, place("insulindelivered"), .bolus)
    if names[time] != "completiondatetime", names.contains("completiondatetime") {
      now?.span = (time, place("completiondatetime"))
    }
    let amounts = [
      now, later,
      column(header, place("carbsize"), .carbohydrates),
    ]
    // The glucose beside a bolus is what its calculator was given: a reading of another row.
    let glucose = [
      column(header, place("readings"), .glucose), column(header, place("bg"), .meter),
    ]
    return TableLayout(
      program: "t:connect", time: [time],
      columns: (first == "type" ? amounts : glucose).compactMap(\.self),
      kind: names.firstIndex(of: "description").map { ($0, ["egv", "cgm"], ["bg", "bgm"]) },
      unread: [
        (
          [place("basalrate")].filter { $0 >= 0 },
          "basal rates, which are not read: the basal insulin of the table is missing"
        ), ([place("iob")].filter { $0 >= 0 }, "insulin on board that the pump computed"),
      ],
      minimumFields: time + 1, allowsBareRows: true, hasSections: true)
  }

  // MARK: - Any table

  static let timeColumns = [
    "time", "timestamp", "datetime", "date", "start", "localtime", "local_time", "device timestamp",
    "devicetimestamp", "displaytime", "date time", "date/time", "event time", "eventtime",
    "eventdatetime",
  ]
  private static let simulatedColumns: Set = ["true_mgdl", "glucose_true_mgdl"]
  static let glucoseColumns = [
    "glucose_mgdl", "glucose", "glucose_cgm_mgdl", "cgm_mgdl", "cgm", "true_mgdl",
    "glucose_true_mgdl", "sgv", "bg", "gl", "value", "glucose_mmoll", "glucosevalue",
    "glucose value", "sensor glucose", "glucose level", "glucoselevel", "libreglucose",
    "libre gl", "dexcom gl", "sensorglucose", "cgm glucose", "glucose reading", "sensor reading",
    "cgm glucose value", "readings",
  ]
  static let personColumns = [
    "id", "subject", "subject_id", "subjectid", "patient", "patient_id", "patientid", "ptid",
    "participant", "participant_id", "person", "user", "userid", "user_id", "deidentid", "pid",
    "_userid",
  ]

  private static let deviceColumns: Set = [
    "device", "device id", "deviceid", "device_id", "serial number", "serialnumber",
    "serial_number",
  ]

  /// Whether a row names a column of times and one of glucose.
  static func isHeader(_ row: [CSVReader.Field], _ options: RecordTable.Options) -> Bool {
    func has(_ named: String?, _ usual: [String]) -> Bool {
      row.contains { field in
        named.map { field.text.lowercased() == $0.lowercased() }
          ?? usual.contains(plainName(field.text))
      }
    }
    return has(options.timeColumn, timeColumns) && has(options.glucoseColumn, glucoseColumns)
  }

  /// The layout of a table whose columns are named, or have usual names; reports which is missing.
  static func plain(
    _ header: [CSVReader.Field], _ options: RecordTable.Options, _ problems: ProblemList
  ) -> TableLayout? {
    var seen: Set<String> = []
    for field in header where !field.text.isEmpty && !seen.insert(field.text).inserted {
      problems.error(
        at: field.position, "The column \"\(field.text)\" is there twice. Rename one of them.")
    }
    let names = header.map { Self.plainName($0.text) }
    var time = find(
      options.timeColumn, among: timeColumns, header, names, ("times", "time"), problems)
    let glucose = find(
      options.glucoseColumn, among: glucoseColumns, header, names, ("glucose", "glucose"), problems)
    guard let first = time.first, let glucose = glucose.first else { return nil }
    let isDateAlone = names[first] == "date" || names[first] == "day" || names[first] == "time"
    if options.timeColumn == nil, isDateAlone,
      let date = names.firstIndex(where: { $0 == "date" || $0 == "day" }),
      let clock = names.firstIndex(of: "time")
    {
      time = [date, clock]
    }
    let unit = names.firstIndex { ["units", "unit", "glucose unit", "glucose_unit"].contains($0) }
    let kind = names.firstIndex(of: "type")
    let person =
      options.personColumn.map { wanted in names.firstIndex(of: plainName(wanted)) }
      ?? personColumns.lazy.compactMap { names.firstIndex(of: $0) }.first
    if let wanted = options.personColumn, person == nil {
      problems.error(at: header[0].position, "There is no column \"\(wanted)\" of people.")
      return nil
    }
    let device = names.indices.filter { deviceColumns.contains(names[$0]) }
    let known = Set(time + device + [glucose] + [unit, kind, person].compactMap(\.self))
    return TableLayout(
      program: "table", time: time,
      columns: [
        Column(
          index: glucose, kind: kind == nil ? .sensor : .glucose,
          isMolar: isMolar(header[glucose].text),
          isSimulated: simulatedColumns.contains(names[glucose]),
          mayBeZero: !simulatedColumns.isDisjoint(with: names),
          position: header[glucose].position)
      ],
      kind: kind.map { ($0, ["cbg", "sgv", "egv", "cgm", "sensor"], ["smbg", "mbg", "meter"]) },
      unit: unit, person: person,
      others: names.indices.filter { !names[$0].isEmpty && !known.contains($0) },
      device: device,
      minimumFields: (header.lastIndex { !$0.text.trimmed.isEmpty } ?? -1) + 1)
  }

  /// A name in small letters, without the unit in brackets or at its end.
  private static func plainName(_ text: String) -> String {
    var name = text.lowercased()
    if let bracket = name.firstIndex(where: { $0 == "(" || $0 == "[" }) {
      name = String(name[..<bracket])
    }
    for unit in [" mg/dl", " mmol/l"] where name.trimmed.hasSuffix(unit) {
      name = String(name.trimmed.dropLast(unit.count))
      if name.hasSuffix(",") { name.removeLast() }
    }
    return name.trimmed
  }

  private static func find(
    _ named: String?, among usual: [String], _ header: [CSVReader.Field], _ names: [String],
    _ what: (meant: String, name: String), _ problems: ProblemList
  ) -> [Int] {
    let exact = header.map { $0.text.lowercased() }
    if let named {
      if let index = exact.firstIndex(of: named.lowercased()) { return [index] }
    } else if let found = usual.first(where: names.contains),
      let index = names.firstIndex(of: found)
    {
      return [index]
    }
    let position = header.first?.position ?? TextPosition(file: "", line: 1, column: 1)
    let heads = header.prefix(40).map(\.text).joined(separator: ", ")
    problems.error(
      at: position,
      named.map {
        "There is no column \"\($0)\"." + NearestName.suggestion(for: $0, among: exact)
      } ?? "No column of \(what.meant) is known among \(heads). Name it \"\(what.name)\" in the "
        + "table; loopsim outcomes has --\(what.name) for it, too.")
    return []
  }
}
