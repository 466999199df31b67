internal import Interchange
internal import Quantities

/// Two devices of one person that both have readings of a sensor in the same time, as two sensors
/// worn at once, or a phone and a reader that both keep what one sensor measured.
struct DevicePair {
  let names: (String, String)
  /// How long both go on.
  let length: TimeSpan

  /// What is less than this within the time of both is a change of devices.
  private static let fewest = 10

  /// The pairs among the rows of one person, the longest first.
  static func all(in rows: [RecordTable.Row]) -> [DevicePair] {
    var times: [String: [Int64]] = [:]
    for row in rows where row.isOfSensor {
      guard let device = row.device else { continue }
      let offset = row.offset?.milliseconds ?? 0
      times[device, default: []].append(row.time.millisecondsSince1970 - offset)
    }
    let names = times.keys.sorted()
    var pairs: [DevicePair] = []
    for (place, one) in names.enumerated() {
      for other in names[(place + 1)...] {
        guard let first = times[one], let second = times[other],
          let start = [first.min(), second.min()].compactMap(\.self).max(),
          let end = [first.max(), second.max()].compactMap(\.self).min(), start < end
        else { continue }
        let counts = [first, second].map { $0.count { (start...end).contains($0) } }
        guard counts.allSatisfy({ $0 >= fewest }) else { continue }
        pairs.append(
          DevicePair(names: (one, other), length: TimeSpan(milliseconds: end - start)))
      }
    }
    return pairs.sorted { $0.length > $1.length }
  }

  /// What is to be said of it.
  var sentence: String {
    "Both \(names.0) and \(names.1) have readings in the same \(length): they are measured as one "
      + "series."
  }
}

extension RecordTable.Row {
  /// Whether it is glucose of a sensor.
  var isOfSensor: Bool { if case .glucose = value { true } else { false } }
}
