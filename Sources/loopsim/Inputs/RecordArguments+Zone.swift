import HealthStore
import Quantities
import StructuredText

/// By which clock a record is read.
extension RecordArguments {
  /// A time zone by whose clock a record is read, and what says so.
  struct Zone {
    enum Origin: String {
      case arguments
      case samples
      case files = "record"
      case therapy
      case nothing = "assumed"
    }

    var word: ZoneWord?
    var origin: Origin
    /// The zones that the record names less often.
    var others: [String] = []

    var name: String { word?.word ?? "UTC" }
    var clock: WallClock { word?.clock ?? .utc }

    /// What to say where nobody named it, such as "days begin at midnight" of it; else `nil`.
    func sentence(_ effect: String) -> String? {
      let named =
        switch origin {
        case .arguments, .nothing: ""
        case .samples: "most samples name"
        case .files: "the record names"
        case .therapy: "the therapy names"
        }
      switch origin {
      case .arguments: return nil
      case .nothing: return "No time zone is given: \(effect) UTC. Name one with --zone."
      case .samples, .files, .therapy:
        let rest = others.isEmpty ? "" : "; parts of it have \(others.joined(separator: ", "))"
        return "No time zone is given: \(effect) \(name), which \(named)\(rest). "
          + "Name another with --zone."
      }
    }
  }

  /// The zone that was asked for, else that which most samples name, else that which the files name
  /// most often beside their samples, else that of the therapy, else UTC.
  ///
  /// - Parameters:
  ///   - samples: The samples of the record.
  ///   - zones: How often files name zones; an offset from UTC counts where no file names a zone.
  ///   - therapy: The zone that a therapy names.
  /// - Returns: The zone, with what says so.
  func zone(
    of samples: [RestoredSample], named zones: [String: Int], therapy: String? = nil
  ) -> Zone {
    if let zone { return Zone(word: zone, origin: .arguments) }
    var counts: [String: Int] = [:]
    for restored in samples {
      guard case .text(let name)? = restored.sample.metadata[.timeZone] else { continue }
      counts[name, default: 0] += 1
    }
    let offsets = zones.filter { $0.key.hasPrefix("+") || $0.key.hasPrefix("-") }
    let names = zones.filter { offsets[$0.key] == nil }
    for (counts, origin) in [(counts, Zone.Origin.samples), (names, .files), (offsets, .files)] {
      let known = counts.compactMap { name, count in
        ZoneWord(inFile: name).map { (word: $0, name: name, count: count) }
      }.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
      guard let most = known.first else { continue }
      return Zone(
        word: most.word, origin: origin,
        others: origin == .files ? known.dropFirst().map(\.word.word) : [])
    }
    if let word = therapy.flatMap({ ZoneWord(inFile: $0) }) {
      return Zone(word: word, origin: .therapy)
    }
    return Zone(word: nil, origin: .nothing)
  }
}
