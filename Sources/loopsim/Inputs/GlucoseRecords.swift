import Arguments
import FileSystem
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
  /// The unit in which most of it is written.
  var unit: GlucoseUnit
  /// What is worth knowing of the records.
  var notes: [String]
  /// What of that belongs to every answer: how the file was read, and what was left out.
  var reading: [String]

  /// Reads a file; `nil` if it holds no records, so that it may be a table.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - held: Its bytes, where it can be read only once; else `nil`.
  ///   - zone: The time zone that was asked for.
  ///   - unit: The unit that was asked for.
  /// - Throws: ``Failure`` or ``FileProblem`` where it cannot be read.
  init?(_ file: String, held: [UInt8]?, zone: ZoneWord?, unit: TableUnit?) throws {
    guard Self.areIn(file, held) else { return nil }
    var record = RecordArguments(zone: zone, unit: unit)
    record.held[file] = held
    let read: (samples: [RestoredSample], notes: [String], zones: [String: Int])
    do {
      read = try record.samples(of: [file], glucoseAlone: true)
    } catch HealthStoreError.notAHealthStore {
      // What to do with another program's database is said where tables are read.
      return nil
    }
    let glucose = read.samples.filter { $0.sample.type == .bloodGlucose }
    self.unit = try record.glucoseUnit(of: [file], read: glucose)
    let used = record.zone(of: glucose, named: read.zones)
    reading = RecordArguments.reading(read.notes)
    notes = read.notes + [used.sentence("days and times are those of")].compactMap(\.self)
    var points: [[String]: [GlucoseSeries.Point]] = [:]
    for restored in glucose {
      guard let mgdL = restored.sample.storedValue else { continue }
      let source = restored.sample.source
      let key = [source?.name ?? "an unknown source", source?.bundleIdentifier ?? ""]
      points[key, default: []].append(GlucoseSeries.Point(restored.sample.start, mgdL: mgdL))
    }
    let clock = used.clock
    // An app may write what a sensor and what a meter measured, and two apps may have one name.
    let names = points.keys.map { $0[0] }
    sources = points.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, points in
      let isAlone = names.count(where: { $0 == key[0] }) == 1
      return Source(
        name: isAlone ? key[0] : "\(key[0]) (\(key[1]))",
        series: GlucoseSeries(points, clock: clock))
    }
  }

  /// Whether a file seems to hold records, and no table: SQLite, XML or JSON.
  private static func areIn(_ file: String, _ held: [UInt8]?) -> Bool {
    if StoreFile.path(of: file) != nil { return true }
    guard let first = try? held ?? Files.parts(of: file)(), first.contains(where: { $0 > 0x20 })
    else { return false }
    // Of a scenario is said what it is where records are read.
    if ScenarioText.isOne(first) { return true }
    let format = try? ExchangeFormat(of: first, file: file)
    return format != nil && format != .table
  }
}
