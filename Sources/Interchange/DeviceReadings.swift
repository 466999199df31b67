internal import Quantities
internal import StructuredText

/// The readings of sensors that become samples of one source, by the device that made them.
struct DeviceReadings {
  private var readings: [String: [String: [(time: Int64, position: TextPosition)]]] = [:]

  /// The most pairs of devices that are named.
  private static let mostPairs = 3

  /// Notes a reading of a device that is of a source.
  mutating func add(
    of device: String, in source: String, at instant: Instant, _ position: TextPosition
  ) {
    readings[source, default: [:]][device, default: []]
      .append((instant.millisecondsSince1970, position))
  }

  /// Remarks on the readings of two devices in the same time, of which nobody tells them apart.
  func remark(in report: inout ImportReport) {
    for source in readings.keys.sorted() {
      let own = readings[source] ?? [:]
      let pairs = DevicePair.all(among: own.mapValues { $0.map(\.time) })
      for pair in pairs.prefix(Self.mostPairs) {
        let both = [pair.names.0, pair.names.1].flatMap { own[$0] ?? [] }
          .filter { pair.span.contains($0.time) }
          .sorted {
            ($0.position.file, $0.position.line, $0.position.column)
              < ($1.position.file, $1.position.line, $1.position.column)
          }
        for reading in both {
          report.remark(
            "readings of \(pair.names.0) and \(pair.names.1) in the same time, which are taken as "
              + "of one source", at: reading.position)
        }
      }
    }
  }
}
