internal import Quantities
internal import StructuredText

/// A glucose value before the start of a simulation.
struct TidepoolGlucosePoint: Hashable {
  /// The time from the start; negative before it.
  var offset: TimeSpan
  /// The value; `nil` where the sensor gave none, as while it warms up.
  var mgdL: Double?
}

/// The three forms in which Tidepool's files write a history of glucose.
enum TidepoolGlucose {
  /// A table with the columns `datetime`, `value` and `units` as a list of objects with places.
  static func node(csv bytes: [UInt8], file: String, problems: ProblemList) -> JSONNode? {
    guard let table = CSVTable(bytes, file: file, problems: problems) else { return nil }
    let top = TextPosition(file: file, line: 1, column: 1)
    guard let time = table.index(of: "datetime"), let value = table.index(of: "value") else {
      problems.add(
        .error, .value, at: top, "A glucose table needs the columns \"datetime\" and \"value\".")
      return nil
    }
    let units = table.index(of: "units") ?? table.index(of: "unit")
    let rows = table.rows.map { row in
      var members = [
        member("datetime", JSONNode(.string(row[time].text), at: row[time].position)),
        member("value", number(row[value])),
      ]
      if let units {
        members.append(member("units", JSONNode(.string(row[units].text), at: row[units].position)))
      }
      return JSONNode(.object(members), at: row[time].position)
    }
    return problems.hasErrors ? nil : JSONNode(.array(rows), at: top)
  }

  /// The points of a history relative to the start, earliest first; those of parts are read once.
  static func points(_ field: JSONField, start: CivilTime, parts: ReusableParts?)
    -> [TidepoolGlucosePoint]?
  {
    guard let parts, let position = field.node?.position, position.file.hasPrefix("reusable/")
    else { return points(field, start: start) }
    let key = ReusableParts.GlucoseKey(position: position, start: start)
    if let known = parts.histories[key] { return known }
    let points = points(field, start: start)
    parts.histories[key] = points
    return points
  }

  private static func points(_ field: JSONField, start: CivilTime) -> [TidepoolGlucosePoint]? {
    guard let node = field.node else {
      field.reportMissing(expected: "a history of glucose")
      return nil
    }
    let rows = node.items ?? rows(ofMaps: node)
    guard let rows else {
      field.reportUnusable(expected: "a list of readings, or maps of datetime and value")
      return nil
    }
    var points: [TidepoolGlucosePoint] = []
    for row in rows {
      guard let text = (row["datetime"] ?? row["time"])?.string,
        let date = TidepoolTime.date(text), let value = Value(row["value"])
      else {
        field.problems.add(
          .error, .value, at: row.position,
          "A reading needs a time such as 8/15/2019 12:00:00 and a number, or null for a gap.")
        return nil
      }
      guard let isMolar = isMolar(row["units"] ?? row["unit"], field) else { return nil }
      points.append(
        TidepoolGlucosePoint(
          offset: TidepoolTime.span(from: start, to: date),
          mgdL: value.number.map { isMolar ? GlucoseConcentration.mmolL($0).mgdL : $0 }))
    }
    guard points.contains(where: { $0.mgdL != nil }) else {
      field.reportUnusable(expected: "a history with at least one reading")
      return nil
    }
    return points.sorted { $0.offset < $1.offset }
  }

  /// Whether a unit is mmol/L; nothing, and an error, for one that is not mg/dL either.
  private static func isMolar(_ node: JSONNode?, _ field: JSONField) -> Bool? {
    guard let node, !node.isNull, node.string != "" else { return false }
    let unit = node.string?.lowercased() ?? ""
    if unit.hasPrefix("mg") { return false }
    if unit.hasPrefix("mmol") { return true }
    field.problems.add(
      .error, .value, at: node.position, "A reading is in mg/dL or mmol/L, not \(node.quoted).")
    return nil
  }

  /// The value of a reading, which may be missing.
  private struct Value {
    var number: Double?

    /// Fails where a value stands that is neither a number nor a sign of none.
    init?(_ node: JSONNode?) {
      switch node?.value {
      case nil, .null?: number = nil
      case .string(let text)? where ["", "null", "nan", "none"].contains(text.lowercased()):
        number = nil
      default:
        guard let value = node?.double else { return nil }
        number = value
      }
    }
  }

  /// Rows out of `{datetime: {"0": …}, value: {"0": …}}`; nothing for other objects.
  private static func rows(ofMaps node: JSONNode) -> [JSONNode]? {
    guard let times = (node["datetime"] ?? node["time"])?.members,
      let values = node["value"]?.members
    else { return nil }
    let units = node["units"] ?? node["unit"]
    return times.enumerated().map { index, time in
      // The maps usually have the same keys in the same order.
      let same = index < values.count && values[index].key == time.key
      let value = same ? values[index].value : node["value"]?[time.key]
      var members = [member("datetime", time.value)]
      if let value { members.append(member("value", value)) }
      if let unit = units?.members == nil ? units : units?[time.key] {
        members.append(member("units", unit))
      }
      return JSONNode(.object(members), at: time.keyPosition)
    }
  }

  private static func member(_ key: String, _ value: JSONNode) -> JSONMember {
    JSONMember(key: key, keyPosition: value.position, value: value)
  }

  private static func number(_ field: CSVReader.Field) -> JSONNode {
    guard let number = Double(decimal: field.text) else {
      return JSONNode(.string(field.text), at: field.position)
    }
    return JSONNode(.number(number), at: field.position)
  }
}
