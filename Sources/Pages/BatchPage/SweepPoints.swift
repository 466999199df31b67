internal import Reports
internal import StructuredText
internal import Typesetting

/// What the points of a batch's sweeps stand for: `s0` of a run's name says no value.
struct SweepPoints {
  /// One scenario's sweep: its paths, and the values of each point that has a result.
  private struct Sweep {
    let scenario: String
    let paths: [String]
    var points: [(number: Int, settings: [JSONValue.Member])] = []
  }

  private var sweeps: [Sweep] = []

  /// The most points of a sweep that are told.
  private static let most = 60

  /// Takes the runs of the batch.
  init(of rows: [BatchRow]) {
    var seen: Set<String> = []
    var places: [String: Int] = [:]
    for coordinates in rows.map(\.coordinates) {
      guard let point = coordinates.point else { continue }
      // Variants share the points of their scenario.
      guard seen.insert("\(coordinates.scenario)/s\(point)").inserted else { continue }
      let place = places[coordinates.scenario] ?? sweeps.count
      if place == sweeps.count {
        places[coordinates.scenario] = place
        sweeps.append(
          Sweep(scenario: coordinates.scenario, paths: coordinates.settings.map(\.key)))
      }
      sweeps[place].points.append((point, coordinates.settings))
    }
  }

  /// A table for each sweep; nothing where there is none.
  var markup: Markup { sweeps.map(table).joined() }

  private func table(of sweep: Sweep) -> Markup {
    var table = PageTable(
      [.init("Point")] + sweep.paths.map { .init(PageParts.path($0), style: "any") },
      caption: "The points of the sweep of \(sweep.scenario)")
    for point in sweep.points.prefix(Self.most) {
      table.rows.append(
        ["s\(point.number)"]
          + sweep.paths.map { path in
            let value = point.settings.first { $0.key == path }?.value
            return .init("\(value.map(RunCoordinates.words) ?? "–")")
          })
    }
    return """
      <p class="small">The sweep of \(sweep.scenario) sets:</p>\(table.markup)\
      \(PageParts.more(than: Self.most, of: sweep.points.count, in: "runs.csv"))
      """
  }
}
