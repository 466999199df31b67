import Arguments
import HealthStore
import HealthStoreSQLite
import Quantities
import StructuredText

/// Shows the timeline of reported basal insulin.
struct StoreTimelineCommand: Command {
  static let name = "timeline"
  static let abstract = "Show the reported basal segments beside what their rates amount to."
  static let discussion = """
    Each line is one reported segment: the rate in force, the insulin that the rate amounts to \
    over the segment, the whole pulses and the insulin that were reported, and what was reported \
    less what was programmed. Fractions of a pulse are carried over or discarded, so a difference \
    below one pulse is no fault; a larger one is marked. Basal of a pen, which is given at once \
    and at no rate, has no pulses. A stretch that no segment covers has a line of its own.

    FILE is the store's file or a run's folder of results; beside the store of a run, pulses.csv \
    says how many basal pulses the pump really gave, and settings.json what a pulse is, and in \
    which zone the run was. Each pulse stands in one line, so that the lines \
    add up to the total of the text. Samples that were deleted are listed with the time of their \
    deletion, boluses among them: the store does not keep which they were.
    """

  var file = ""
  var from: InstantWord?
  var end: InstantWord?
  var source: String?
  var pulse: Double?
  var zone: ZoneWord?
  var format = StoreFormat.text

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.option(
      "from", \.from, valueName: "time",
      help: "Only segments that overlap this time or later, \(InstantWord.formBesideZone).")
    it.option("to", \.end, valueName: "time", help: "Only segments that start before this time.")
    it.option("source", \.source, help: "Only segments of the source with this name or bundle.")
    it.option(
      "pulse", \.pulse, valueName: "units",
      help: "The pump's smallest amount, in U; else that of the run, or 0.05.")
    it.option(
      "zone", \.zone,
      help: "The time zone of the times that are printed; else that of the run, or UTC.")
    it.option("format", \.format, help: "How to print.")
  }

  func validate() throws { try BasalLine.check(pulse: pulse) }

  func run(to console: any Console) async throws {
    let path = StoreFile.inFolder(file)
    let store = try StoreFile.reading(path)
    let pulses = try PulseTable(beside: path)
    let run = try RunSettings(beside: path)
    let clock = (zone ?? run.zone ?? .utc).clock
    console.note([from, end], on: clock)
    let predicate = try StoreSelection.predicate(from, end, source, in: store, on: clock)
    var written: [SampleUUID: Instant] = [:]
    try store.backend.visit(
      .time(.insulinDelivery, from: Instant(millisecondsSince1970: 0), to: Self.never)
    ) { stored in
      written[stored.sample.uuid] = stored.created
      return true
    }
    var lines = BasalTimeline(
      pulses: pulses, pulse: pulse ?? run.pulse ?? BasalLine.usualPulse,
      clock: clock)
    let (from, end) = (from?.instant(on: clock), end?.instant(on: clock))
    lines.from = from
    lines.runStart = run.start
    let samples = try basal(in: store, matching: predicate)
    if let from, samples.first.map({ $0.start > from }) ?? true,
      try hasBasal(in: store, before: from)
    {
      lines.begin(at: from)
    }
    for sample in samples { lines.add(sample, written: written[sample.uuid]) }
    try lines.finish(
      at: end, dataEnd: dataEnd(in: store, after: lines.reached ?? pulses?.firstBasal))
    for stone in try store.backend.tombstones(of: .insulinDelivery, after: 0)
    where isChosen(stone, from, end, in: store) {
      lines.addDeleted(stone)
    }
    if format == .text { lines.addTotal() }
    lines.table.print(as: format, to: console)
  }

  private func basal(
    in store: SQLiteHealthStore, matching predicate: SamplePredicate
  ) throws -> [Sample] {
    try store.samples(of: .insulinDelivery, matching: predicate, as: .user)
      .filter { $0.metadata.insulinDeliveryReason == .basal }
  }

  /// Whether a segment begins before an instant, at which then a stretch without any may begin.
  private func hasBasal(in store: SQLiteHealthStore, before instant: Instant) throws -> Bool {
    let earlier = try StoreSelection.predicate(nil, nil, source, in: store)
    let chosen = SamplePredicate.and([earlier, .samples(end: instant)])
    return try !basal(in: store, matching: chosen).isEmpty
  }

  /// Whether a deleted sample is of the time and the source that are asked for.
  private func isChosen(
    _ stone: Tombstone, _ from: Instant?, _ end: Instant?, in store: SQLiteHealthStore
  ) -> Bool {
    if let from, stone.start < from, stone.end <= from { return false }
    if let end, stone.start >= end { return false }
    let known = store.registry.sources[Int(stone.source)]
    return source.map { $0 == known.name || $0 == known.bundleIdentifier } ?? true
  }

  private static let never = Instant(secondsSince1970: 32_000_000_000)

  /// The end of what the store holds after an instant; `nil` without any.
  private func dataEnd(in store: SQLiteHealthStore, after instant: Instant?) throws -> Instant? {
    guard let instant else { return nil }
    var end: Instant?
    for type in [ObjectType.bloodGlucose, .dietaryCarbohydrates, .insulinDelivery] {
      try store.backend.visit(.time(type, from: instant, to: Self.never)) { stored in
        end = max(end ?? stored.sample.end, stored.sample.end)
        return true
      }
    }
    return end
  }
}
