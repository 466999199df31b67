internal import Quantities
internal import StructuredText

/// Lays the rows of a table out as a simulation object of Tidepool's newer JSON form.
struct TidepoolTableLayout {
  let table: TidepoolTable
  let mode: ImportMode
  let problems: ProblemList

  /// The simulation object, every value with the place of its cell.
  func simulation(named name: String) -> JSONNode? {
    report()
    let start = list("time_to_calculate_at").first
    guard let start else {
      problems.add(
        .error, .key, at: table.top, "The row \"time_to_calculate_at\" is missing; it is the start."
      )
      return nil
    }
    let sensor = object([("glucose_history", glucose("glucose_values"))])
    let pump = object([
      ("metabolism_settings", metabolism(values: Self.programmed)),
      ("target_range", targets()), ("carb_entries", carbs("carb_values")),
      ("bolus_entries", boluses("dose_values")),
    ])
    let body = object([
      ("metabolism_settings", metabolism(values: Self.actual)),
      ("glucose_history", glucose("actual_blood_glucose")), ("carb_entries", carbs("actual_carbs")),
      ("bolus_entries", boluses("actual_doses")),
    ])
    return object([
      ("sim_id", node(.string(name))), ("time_to_calculate_at", start),
      ("duration_hours", node(.number(8))),
      ("offset_applied_to_dates", list("offset_applied_to_dates").first ?? node(.number(0))),
      ("patient", object([("sensor", sensor), ("pump", pump), ("patient_model", body)])),
      ("controller", object([("id", node(.string("pyloopkit"))), ("settings", settings())])),
    ])
  }

  private static let programmed = [
    "basal_rate_values", "carb_ratio_values", "sensitivity_ratio_values",
  ]
  private static let actual = [
    "actual_basal_rates", "actual_carb_ratios", "actual_sensitivity_ratios",
  ]

  /// The settings rows that the dosing program of the tables uses.
  private static let settings = [
    "model", "momentum_data_interval", "suspend_threshold", "dynamic_carb_absorption_enabled",
    "retrospective_correction_integration_interval",
    "retrospective_correction_grouping_interval", "recency_interval", "rate_rounder",
    "insulin_delay", "carb_delay", "default_absorption_times", "max_basal_rate", "max_bolus",
    "retrospective_correction_enabled",
  ]

  private static let lists = [
    "offset_applied_to_dates", "time_to_calculate_at", "basal_rate_start_times",
    "basal_rate_minutes", "basal_rate_values", "actual_basal_rates", "basal_rate_units",
    "carb_dates", "carb_values", "actual_carbs", "carb_absorption_times", "carb_value_units",
    "carb_ratio_start_times", "carb_ratio_values", "actual_carb_ratios", "carb_ratio_value_units",
    "dose_types", "dose_start_times", "dose_end_times", "dose_values", "actual_doses",
    "dose_value_units", "sensitivity_ratio_start_times", "sensitivity_ratio_end_times",
    "sensitivity_ratio_values", "actual_sensitivity_ratios", "sensitivity_ratio_value_units",
    "target_range_start_times", "target_range_end_times", "target_range_minimum_values",
    "target_range_maximum_values", "target_range_value_units", "glucose_dates", "glucose_values",
    "actual_blood_glucose", "glucose_units", "glucose_sensitivity_factor_start_times",
    "actual_glucose_sensitivity_factor", "basal_blood_glucose_start_times",
    "actual_basal_blood_glucose", "insulin_production_rate_start_times",
    "actual_insulin_production_rate",
  ]

  private func report() {
    let known = Self.settings + Self.lists
    for row in table.rows where !known.contains(row.name) {
      problems.add(
        .warning, .lost, at: row.position,
        "No row of these tables is called \"\(row.name)\"; it is left out."
          + NearestName.suggestion(for: row.name, among: known))
    }
    for (kind, cell) in zip(list("dose_types"), table.row("dose_types")?.cells ?? [])
    where kind.string != "DoseType.bolus" {
      problems.add(
        .warning, .ignored, at: cell.position,
        "The original program takes this \(kind.quoted) for a bolus, and so does the import.")
    }
    reportMisplaced()
    reportUnits()
    reportUnread()
    let dates = column("carb_dates")
    for (place, time) in column("carb_absorption_times").sorted(by: { $0.key < $1.key })
    where dates[place] == nil {
      problems.add(
        .warning, .lost, at: time.position,
        "This absorption time is that of no entry, for \"carb_dates\" has no time in its column; "
          + "it is left out.")
    }
  }

  /// Reports cells that stand where the row's kind has none.
  private func reportMisplaced() {
    for row in table.rows {
      if Self.settings.contains(row.name), let cell = row.cells.first {
        problems.add(
          .warning, .lost, at: cell.position,
          "\"\(row.name)\" has its setting in the second column; what stands after it is left out."
        )
      }
      if Self.lists.contains(row.name), let cell = row.setting {
        problems.add(
          .warning, .lost, at: cell.position,
          "\"\(row.name)\" is a list, which begins in the third column; what stands in the second "
            + "is left out.")
      }
    }
  }

  /// The units in which the numbers of the tables are read.
  private static let units: [(row: String, unit: String, others: [String])] = [
    ("basal_rate_units", "U/h", ["u/hr"]), ("carb_value_units", "g", ["grams"]),
    ("carb_ratio_value_units", "g/U", []), ("dose_value_units", "U", ["u or u/hr", "u or u/h"]),
    ("sensitivity_ratio_value_units", "mg/dL/U", []), ("target_range_value_units", "mg/dL", []),
  ]

  /// Reports units in which the numbers are not read; those of glucose are converted.
  private func reportUnits() {
    for (name, expected, others) in Self.units {
      for cell in table.row(name)?.cells ?? [] {
        let unit = TidepoolTable.trimmed(cell.text)
        guard !([expected.lowercased()] + others).contains(unit.lowercased()) else { continue }
        problems.add(
          mode == .literal ? .warning : .error, mode == .literal ? .ignored : .value,
          at: cell.position,
          "\"\(name)\" is \"\(unit)\", and the numbers are read in \(expected), as the original "
            + "program does.")
      }
    }
  }

  // MARK: - Parts

  private func metabolism(values names: [String]) -> JSONNode {
    var parts: [(String, JSONNode)] = [
      ("basal_rate", schedule("basal_rate_start_times", names[0])),
      ("carb_insulin_ratio", schedule("carb_ratio_start_times", names[1])),
      ("insulin_sensitivity_factor", schedule("sensitivity_ratio_start_times", names[2])),
    ]
    for key in ["glucose_sensitivity_factor", "basal_blood_glucose", "insulin_production_rate"]
    where table.row("actual_\(key)") != nil && names == Self.actual {
      parts.append((key, schedule("\(key)_start_times", "actual_\(key)")))
    }
    return object(parts)
  }

  private func schedule(_ times: String, _ values: String) -> JSONNode {
    reportParts(times: times, values: values)
    return object([("start_times", array(list(times))), ("values", array(list(values)))])
  }

  /// Reports parts of a schedule whose start stands in another column than their value; where
  /// their numbers differ, the reader of both forms says it.
  private func reportParts(times: String, values: String) {
    let (moments, amounts) = (column(times), column(values))
    guard moments.count == amounts.count else { return }
    reportPlaces(times: times, values: values, moments, amounts)
  }

  private func targets() -> JSONNode {
    for values in ["target_range_minimum_values", "target_range_maximum_values"] {
      reportParts(times: "target_range_start_times", values: values)
    }
    return object([
      ("start_times", array(list("target_range_start_times"))),
      ("lower_values", array(list("target_range_minimum_values"))),
      ("upper_values", array(list("target_range_maximum_values"))),
    ])
  }

  private func glucose(_ values: String) -> JSONNode {
    let first = list("glucose_units").first ?? node(.string("mg/dL"))
    // The original program keeps one unit.
    let units = mode == .literal ? [:] : column("glucose_units")
    return entries(times: "glucose_dates", values: values) { time, value, place in
      [("datetime", time), ("value", value), ("units", units[place] ?? first)]
    }
  }

  private func carbs(_ values: String) -> JSONNode {
    let absorption = column("carb_absorption_times")
    return entries(times: "carb_dates", values: values) { time, value, place in
      let known: [(String, JSONNode)] = [("start_time", time), ("value", value)]
      return known + (absorption[place].map { [("duration", $0)] } ?? [])
    }
  }

  private func boluses(_ values: String) -> JSONNode {
    entries(times: "dose_start_times", values: values) { time, value, _ in
      [("time", time), ("value", value)]
    }
  }

  /// The values of a row by their columns; in literal mode by their number among the filled ones.
  private func column(_ name: String) -> [Int: JSONNode] {
    let values = list(name)
    let places = mode == .literal ? Array(values.indices) : table.row(name)?.places ?? []
    return Dictionary(zip(places, values)) { first, _ in first }
  }

  /// A list of objects out of two rows, as far as both go.
  private func entries(
    times: String, values: String, _ members: (JSONNode, JSONNode, Int) -> [(String, JSONNode)]
  ) -> JSONNode {
    let moments = column(times)
    let amounts = column(values)
    if amounts.count > moments.count, let row = table.row(values) {
      problems.add(
        .error, .value, at: row.position,
        "\"\(values)\" has \(WordList.counted(amounts.count, "value")) for the "
          + "\(WordList.counted(moments.count, "time")) of \"\(times)\".")
    } else {
      reportPlaces(times: times, values: values, moments, amounts)
    }
    return array(
      amounts.sorted { $0.key < $1.key }.compactMap { place, amount in
        moments[place].map { object(members($0, amount, place), at: amount.position) }
      })
  }

  /// Reports a value without a time, and where the original program takes values for those of
  /// other times.
  private func reportPlaces(
    times: String, values: String, _ moments: [Int: JSONNode], _ amounts: [Int: JSONNode]
  ) {
    if let moved = moved(times: times, values: values) {
      problems.add(
        mode == .literal ? .warning : .note, .ignored, at: moved,
        "The original program closes up the empty cells of \"\(times)\" and of \"\(values)\", and "
          + "so takes this value for that of another time"
          + (mode == .literal ? "." : "; here it stays with the time of its column."))
    }
    if let lost = amounts.keys.sorted().first(where: { moments[$0] == nil }) {
      problems.add(
        .error, .value, at: amounts[lost]?.position ?? table.top,
        "\"\(values)\" has a value in a column in which \"\(times)\" has no time.")
    }
  }

  /// The first value that gets another time where empty cells are closed up.
  private func moved(times: String, values: String) -> TextPosition? {
    guard let moments = table.row(times), let amounts = table.row(values) else { return nil }
    let pairs = zip(zip(moments.places, amounts.places), amounts.cells)
    return pairs.first { $0.0.0 != $0.0.1 }?.1.position
  }

  /// The words that the original program takes for yes.
  static let yes: Set = ["yes", "true", "t", "1"]

  private func settings() -> JSONNode {
    object(
      Self.settings.compactMap { name in
        guard let cell = table.row(name)?.setting else { return nil }
        guard name.hasSuffix("_enabled") else { return (name, literal(cell)) }
        let word = TidepoolTable.trimmed(cell.text).lowercased()
        return (name, JSONNode(.bool(Self.yes.contains(word)), at: cell.position))
      })
  }

  // MARK: - Cells

  /// The cells of a row as values; times and names stay texts.
  private func list(_ name: String) -> [JSONNode] { (table.row(name)?.cells ?? []).map(literal) }

  /// A cell as a value: a number or list where it reads as one, else its text.
  private func literal(_ cell: CSVReader.Field) -> JSONNode {
    let text = TidepoolTable.trimmed(cell.text)
    let isText = text.contains(":") || text.hasPrefix("DoseType.")
    let read = isText ? nil : JSONReader.read(text: text, file: "")
    if let read, read.problems.isEmpty, let value = read.root?.value {
      return JSONNode(value, at: cell.position)
    }
    return JSONNode(.string(text), at: cell.position)
  }

  private func node(_ value: JSONNode.Value) -> JSONNode { JSONNode(value, at: table.top) }

  private func array(_ items: [JSONNode]) -> JSONNode {
    JSONNode(.array(items), at: items.first?.position ?? table.top)
  }

  private func object(_ members: [(String, JSONNode)], at position: TextPosition? = nil) -> JSONNode
  {
    let place = position ?? members.first?.1.position ?? table.top
    return JSONNode(
      .object(members.map { JSONMember(key: $0.0, keyPosition: $0.1.position, value: $0.1) }),
      at: place)
  }
}
