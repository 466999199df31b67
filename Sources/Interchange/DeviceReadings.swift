internal import Quantities
internal import StructuredText

/// The readings of sensors that become samples of one source, by the device that made them.
struct DeviceReadings {
  private var readings: [String: [String: [(time: Int64, position: TextPosition)]]] = [:]

  /// Notes a reading of a device that is of a source.
  mutating func add(
    of device: String, in source: String, at instant: Instant, _ position: TextPosition
  ) {
    readings[source, default: [:]][device, default: []]
      .append((instant.millisecondsSince1970, position))
  }

  /// Remarks on the readings of two devices in the same time, of which nobody tells them apart; of
  /// many pairs the longest are named, and the others told together.
  func remark(in report: inout ImportReport) {
    for source in readings.keys.sorted() {
      let own = readings[source] ?? [:]
      let pairs = DevicePair.all(among: own.mapValues { $0.map(\.time) })
      func remark(_ devices: String, on pairs: some Sequence<DevicePair>) {
        for position in Self.places(of: pairs, among: own) {
          report.remark(
            "readings of \(devices) in the same time, which are taken as of one source",
            at: position)
        }
      }
      for pair in pairs.prefix(DevicePair.mostNamed) {
        remark("\(pair.names.0) and \(pair.names.1)", on: [pair])
      }
      let others = pairs.dropFirst(DevicePair.mostNamed)
      remark("\(WordList.counted(others.count, "more pair")) of devices", on: others)
    }
  }

  /// Where the readings of pairs of devices stand in the time of both, each once.
  private static func places(
    of pairs: some Sequence<DevicePair>,
    among readings: [String: [(time: Int64, position: TextPosition)]]
  ) -> [TextPosition] {
    var places: Set<TextPosition> = []
    for pair in pairs {
      for name in [pair.names.0, pair.names.1] {
        for reading in readings[name] ?? [] where pair.span.contains(reading.time) {
          places.insert(reading.position)
        }
      }
    }
    return places.sorted { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) }
  }
}
