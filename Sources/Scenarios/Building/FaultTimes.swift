internal import Determinism
internal import Quantities
internal import ScenarioLanguage
internal import StructuredText

/// When a fault comes and how long it lasts, chance included.
struct FaultTimes {
  /// From when a fault lasts, and until when; without an end it is open or over at once.
  typealias Span = (start: Instant, end: Instant?)

  private let context: ReadingContext
  private let seed: UInt64

  /// The times in a run with that seed, from which the streams of chance are named.
  init(in context: ReadingContext, seed: UInt64) {
    self.context = context
    self.seed = seed
  }

  /// The spans of a fault of the list; what is wrong with its times is reported.
  ///
  /// - Parameters:
  ///   - fault: Its object.
  ///   - length: How long it lasts where its time is a moment.
  ///   - id: Its name, after which its streams are called.
  /// - Returns: A span for each time that it comes, in the order of its times.
  func spans(of fault: Field, length: FaultLength, id: String) -> [Span] {
    let keys = FaultKeys.shared
    guard keys.ways.count(where: { fault[$0].exists }) == 1 else {
      FaultRules(fault: fault).checkTime()
      return []
    }
    var stream = RandomStream(seed: seed, name: "faults.\(id)")
    let probability = fault[keys.probability]
    // Beside arrivals it has a stream of its own: a longer run changes none that came before.
    var chance =
      fault[keys.every.name].exists
      ? RandomStream(seed: seed, name: "faults.\(id).probability") : stream
    func happens() -> Bool { probability >= 1 || chance.unit() < probability }
    if fault[keys.during.name].exists {
      guard let window = fault[keys.during] else { return [] }
      guard window.upperBound > context.start - context.preRoll, window.lowerBound < context.end
      else {
        fault[keys.during.name].error("The fault lies outside the run.")
        return []
      }
      return happens() ? [(window.lowerBound, window.upperBound)] : []
    }
    // Lengths have a stream of their own, so that drawing them moves no arrival.
    var lengths = RandomStream(seed: seed, name: "faults.\(id).duration")
    let times = EventTimes(in: context, seed: seed)
    let starts =
      fault[keys.at].map { times.instants(of: $0, stream: "faults.\(id).at") }
      ?? fault[keys.every].map { arrivals($0, &stream) } ?? []
    return starts.filter { _ in happens() }.map { ($0, end(of: length, $0, &lengths)) }
  }

  /// Poisson arrivals: waits with an exponential law around `mean`.
  private func arrivals(
    _ arrivals: FaultKeys.Arrivals, _ stream: inout RandomStream
  ) -> [Instant] {
    var instants: [Instant] = []
    var now = context.start
    while instants.count < arrivals.count ?? 100_000 {
      let wait = -PortableMath.log(1 - stream.unit()) * arrivals.mean.seconds
      now += TimeSpan(roundingSeconds: max(1, wait)) ?? arrivals.mean
      guard now < context.end else { break }
      instants.append(now)
    }
    return instants
  }

  private func end(
    of length: FaultLength, _ start: Instant, _ stream: inout RandomStream
  ) -> Instant? {
    switch length {
    case .open: return nil
    case .drawn(let range):
      let width = range.upperBound - range.lowerBound
      guard width > .zero else { return start + range.lowerBound }
      return start + range.lowerBound + .seconds(Int64((width.seconds * stream.unit()).rounded()))
    case .until(let field):
      guard let end = field.anchored(at: start).time() else { return nil }
      guard end > start else {
        field.error("A fault ends after it begins.")
        return nil
      }
      return end
    }
  }
}
