internal import Quantities
internal import StructuredText

/// The words that imported scenarios are written with.
enum ImportText {
  /// A name made of lower-case letters, digits and single hyphens; `fallback` when nothing is left.
  static func slug(_ text: String, fallback: String = "imported") -> String {
    var result = ""
    for scalar in text.lowercased().unicodeScalars {
      let isKept = ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
      if isKept {
        result.unicodeScalars.append(scalar)
      } else if !result.isEmpty, result.last != "-" {
        result += "-"
      }
    }
    while result.last == "-" { result.removeLast() }
    return result.isEmpty ? fallback : String(result.prefix(64))
  }

  /// The same with a number behind it where another has it already.
  static func slug(_ text: String, notAmong taken: inout Set<String>) -> String {
    let slug = slug(text)
    var (name, number) = (slug, 1)
    while !taken.insert(name).inserted {
      number += 1
      name = "\(slug)-\(number)"
    }
    return name
  }

  /// What a file is called without its folder and its endings.
  static func stem(of file: String) -> String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return String(name.prefix { $0 != "." })
  }

  /// A number as JSON: whole numbers without a fraction.
  static func number(_ value: Double) -> JSONValue {
    value == value.rounded() && value.magnitude < 1e15 ? .integer(Int64(value)) : .number(value)
  }

  /// A length of time with hours as the largest unit: `20h30m`, `90s`, `0m`.
  static func duration(_ span: TimeSpan) -> String {
    guard span != .zero else { return "0m" }
    var rest = span.magnitude.milliseconds
    var text = span < .zero ? "-" : ""
    for (size, name) in [(3_600_000, "h"), (60_000, "m"), (1_000, "s"), (1, "ms")]
      as [(Int64, String)]
    where rest >= size {
      text += "\(rest / size)\(name)"
      rest %= size
    }
    return text
  }

  /// A moment after the start: its day and time of day, such as `d1 08:30`.
  static func moment(_ offset: TimeSpan, after start: CivilTime) -> JSONValue {
    let civil = CivilTime(
      millisecondsSince1970: start.millisecondsSince1970 + offset.milliseconds)
    let day = civil.dayNumber - start.dayNumber
    guard day >= 0 else { return .string(relative(offset)) }
    let hasSeconds = civil.timeOfDay.milliseconds % 60_000 != 0
    let time = hasSeconds ? civil.timeOfDay.description : civil.timeOfDay.hoursAndMinutes
    return .string("d\(day) \(time)")
  }

  /// A moment by its distance from the start: `+1h30m`, `-5m`.
  static func relative(_ offset: TimeSpan) -> String {
    offset < .zero ? duration(offset) : "+\(duration(offset))"
  }

  /// A daily schedule as rows of time and value; neighbours with the same value become one row.
  static func schedule(_ entries: [(start: TimeOfDay, value: JSONValue)]) -> JSONValue {
    var rows: [JSONValue] = []
    var last: JSONValue?
    for entry in entries where entry.value != last {
      let hasSeconds = entry.start.milliseconds % 60_000 != 0
      let time = hasSeconds ? entry.start.description : entry.start.hoursAndMinutes
      rows.append(.array([.string(time), entry.value]))
      last = entry.value
    }
    return .array(rows)
  }

  /// A daily schedule of numbers.
  static func schedule(_ entries: [(start: TimeOfDay, value: Double)]) -> JSONValue {
    schedule(entries.map { ($0.start, number($0.value)) })
  }

  /// An object without the members that have no value.
  static func object(_ members: [(String, JSONValue?)]) -> JSONValue {
    .object(members.compactMap { key, value in value.map { JSONValue.Member(key, $0) } })
  }
}
