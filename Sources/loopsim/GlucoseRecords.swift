import Arguments
import HealthStore
import Interchange
import Outcomes
import Quantities
import StructuredText

/// The glucose of a health store's file, or of an export of records, each source alone.
struct GlucoseRecords {
  /// The glucose of one source.
  struct Source {
    var name: String
    var series: GlucoseSeries
  }

  /// The sources by name.
  var sources: [Source]
  /// What is worth knowing of the records.
  var notes: [String]

  /// Reads a file for which ``areIn(_:)`` holds.
  ///
  /// - Throws: ``Failure`` or ``FileProblem`` where it cannot be read.
  init(_ file: String, zone: ZoneWord?) throws {
    let record = RecordArguments(zone: zone)
    let (samples, notes) = try record.samples(of: [file])
    let glucose = samples.filter { $0.sample.type == .bloodGlucose }
    let used = zone ?? RecordArguments.usualZone(of: glucose)
    self.notes =
      notes + [record.sentence(about: used, "days and times are those of")].compactMap(\.self)
    var points: [String: [GlucoseSeries.Point]] = [:]
    for restored in glucose {
      guard let mgdL = restored.sample.storedValue else { continue }
      points[restored.sample.source?.name ?? "an unknown source", default: []].append(
        GlucoseSeries.Point(restored.sample.start, mgdL: mgdL))
    }
    let clock = used?.clock ?? .utc
    sources = points.sorted { $0.key < $1.key }.map { name, points in
      Source(name: name, series: GlucoseSeries(points, clock: clock))
    }
  }

  /// Whether a file holds records, and no table: a health store, XML or JSON.
  static func areIn(_ file: String) -> Bool {
    // What comes by standard input is read once.
    guard file != "-" else { return false }
    if StoreFile.path(of: file) != nil { return true }
    guard let first = try? Files.parts(of: file)().first(where: { $0 > 0x20 }) else { return false }
    return [UInt8(ascii: "<"), UInt8(ascii: "{"), UInt8(ascii: "[")].contains(first)
  }
}
