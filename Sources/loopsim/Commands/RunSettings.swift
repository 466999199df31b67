import FoundationEssentials
import Quantities
import Scenarios
import StructuredText

/// What a run's results say of its pump and its time zone, beside its health store.
struct RunSettings {
  /// What one pulse of the pump is, in U.
  var pulse: Double?
  /// The zone of the run.
  var zone: ZoneWord?
  /// When the run began, with its first therapy.
  var start: Instant?

  /// Reads `settings.json` beside a store's file; nothing is known where there is none of a run.
  ///
  /// - Throws: ``Failure`` or ``FileProblem`` where it is there and cannot be read: the pulse and
  ///   the zone of the run would be others.
  init(beside store: String) throws {
    let path = URL(fileURLWithPath: store).deletingLastPathComponent()
      .appendingPathComponent(OutputSelection.File.settings.fileName).path
    guard FileManager.default.fileExists(atPath: path) else { return }
    let reading = JSONReader.read(try Files.read(path), file: path)
    guard let root = reading.root else { throw Failure(reading.problems) }
    take(root)
  }

  private mutating func take(_ root: JSONNode) {
    if let units = root["pulse_U"]?.double, units > 0 { pulse = units }
    if let name = root["time_zone"]?.string { zone = ZoneWord(inFile: name) }
    let first = root["therapy"]?.items?.first
    start = first?["from"]?.string.flatMap { Instant(iso8601: $0) }
  }
}
