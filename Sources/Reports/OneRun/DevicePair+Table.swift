internal import Interchange
internal import Quantities
internal import StructuredText

extension DevicePair {
  /// What is to be said of the pairs among the rows of one person: of the longest by their names,
  /// and how many more there are.
  static func sentences(on rows: [(row: RecordTable.Row, instant: Instant)]) -> [String] {
    let pairs = all(in: rows)
    let more = pairs.count - mostNamed
    let rest =
      "So \(WordList.verb("has", of: more)) \(WordList.counted(more, "more pair")) of devices."
    return pairs.prefix(mostNamed).map(\.sentence) + (more > 0 ? [rest] : [])
  }

  /// The pairs among the rows of one person, the longest first.
  private static func all(
    in rows: [(row: RecordTable.Row, instant: Instant)]
  ) -> [DevicePair] {
    var times: [String: [Int64]] = [:]
    for (row, instant) in rows where row.isOfSensor {
      guard let device = row.device else { continue }
      times[device, default: []].append(instant.millisecondsSince1970)
    }
    return all(among: times)
  }

  /// What is to be said of it.
  private var sentence: String {
    "Both \(names.0) and \(names.1) have readings in the same \(length): they are measured as one "
      + "series."
  }
}

extension RecordTable.Row {
  /// Whether it is glucose of a sensor.
  var isOfSensor: Bool { if case .glucose = value { true } else { false } }
  /// Whether it is glucose of a meter.
  var isOfMeter: Bool { if case .meter = value { true } else { false } }
}
