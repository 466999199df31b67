internal import Quantities
internal import Simulation

/// Where the differences between the records of a run are that a dose can have, by their places in
/// the list.
///
/// A search through all differences for each dose would cost the square of a long run.
struct DifferencePlaces: Sendable {
  /// Those about basal.
  private(set) var basal: [Int] = []
  /// Those about what the body did not get of what the pump counted, or got late.
  private(set) var body: [Int] = []
  /// Those about insulin that the pump gave without a command.
  private(set) var unrequested: [Int] = []
  private var byStart: [Instant: [Int]] = [:]

  init(of differences: [RecordDifference]) {
    for index in differences.indices {
      let difference = differences[index]
      if difference.origin == .basal { basal.append(index) }
      if difference.origin == nil, difference.records == [.body] { body.append(index) }
      if difference.kind == .unrequestedDelivery { unrequested.append(index) }
      byStart[difference.start, default: []].append(index)
    }
  }

  /// Those that start at an instant.
  func starting(at instant: Instant) -> [Int] { byStart[instant] ?? [] }
}
