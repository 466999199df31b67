import Arguments
import HealthStore
import HealthStoreSQLite
import Quantities
import Scenarios
import StructuredText

/// Shows the timeline of reported basal insulin.
struct StoreTimelineCommand: Command {
  static let name = "timeline"
  static let abstract = "Show the reported basal segments beside what their rates amount to."
  static let discussion = """
    Each line is one reported segment: the rate in force, the insulin that the rate amounts to \
    over the segment, the whole pulses and the insulin that were reported, and the difference. \
    Fractions of a pulse are carried over or discarded, so a difference below one pulse is no \
    fault; a larger one is marked.

    FILE is the store's file or a run's folder of results; beside the store of a run, pulses.csv \
    says how many pulses the pump really gave. Samples that were deleted are listed with the time \
    of their deletion.
    """

  var file = ""
  var from: InstantWord?
  var end: InstantWord?
  var source: String?
  var pulse = 0.05
  var zone = ZoneWord.utc
  var format = StoreFormat.text

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.option(
      "from", \.from, valueName: "time",
      help: "Only segments that overlap this time or later, \(InstantWord.form).")
    it.option("to", \.end, valueName: "time", help: "Only segments that start before this time.")
    it.option("source", \.source, help: "Only segments of the source with this name or bundle.")
    it.option("pulse", \.pulse, valueName: "units", help: "The pump's smallest amount, in U.")
    it.option("zone", \.zone, help: "The time zone of the times that are printed.")
    it.option("format", \.format, help: "How to print.")
  }

  func validate() throws {
    guard pulse > 0 else { throw Failure(.usage, "A pulse must be more than 0 U.") }
  }

  func run(to console: any Console) async throws {
    let path = StoreFile.inFolder(file)
    let store = try StoreFile.reading(path)
    let predicate = try StoreSelection.predicate(from, end, source, in: store)
    let pulses = try PulseTable(beside: path)
    var columns = ["start", "end", "event", "rate U/h", "programmed U", "pulses", "reported U"]
    columns += ["difference U", "total U", "written"]
    columns += pulses == nil ? [] : ["real pulses", "real U"]
    var table = StoreTable(columns: columns + ["remark"])
    var written: [SampleUUID: Instant] = [:]
    try store.backend.visit(
      .time(
        .insulinDelivery, from: Instant(millisecondsSince1970: 0),
        to: Instant(secondsSince1970: 32_000_000_000))
    ) { stored in
      written[stored.sample.uuid] = stored.created
      return true
    }
    var total = 0.0
    var previous: Instant?
    for sample in try store.samples(of: .insulinDelivery, matching: predicate, as: .user)
    where sample.metadata.insulinDeliveryReason == .basal {
      let segment = BasalLine(sample, pulse: pulse)
      total += segment.reported
      var cells = segment.cells(total: total, gap: gap(previous, sample.start), on: zone.clock)
      let remark = cells.removeLast()
      cells.append(StoreCell(written[sample.uuid].map(zone.clock.iso8601)))
      if let pulses {
        let given = pulses.basal(after: sample.start, through: sample.end)
        cells += [.integer(given.count), BasalLine.units(given.units)]
      }
      table.rows.append(cells + [remark])
      previous = sample.end
    }
    for stone in try store.backend.tombstones(of: .insulinDelivery, after: 0) {
      var cells: [StoreCell] = [
        .text(zone.clock.iso8601(stone.start)), .text(zone.clock.iso8601(stone.end)),
        .text("deleted"),
      ]
      cells += [StoreCell](repeating: .nothing, count: table.columns.count - 4)
      cells.append(.text("deleted at \(zone.clock.iso8601(stone.deleted))"))
      table.rows.append(cells)
    }
    table.print(as: format, to: console)
  }

  private func gap(_ previous: Instant?, _ start: Instant) -> String? {
    guard let previous, previous != start else { return nil }
    return previous < start ? "gap of \(start - previous)" : "overlap of \(previous - start)"
  }
}

/// One reported basal segment and what its rate amounts to.
struct BasalLine {
  let sample: Sample
  let pulse: Double
  let event: String
  let rate: Double?
  let reported: Double

  init(_ sample: Sample, pulse: Double) {
    self.sample = sample
    self.pulse = pulse
    let metadata = sample.metadata
    reported = sample.storedValue ?? 0
    if metadata.isSuspend == true {
      (event, rate) = ("suspend", 0)
    } else if let temp = metadata.programmedTempBasalRate {
      (event, rate) = ("temp basal", temp.unitsPerHour)
    } else {
      (event, rate) = ("scheduled basal", metadata.scheduledBasalRate?.unitsPerHour)
    }
  }

  var programmed: Double? { rate.map { $0 * sample.duration.hours } }

  /// Whether more or less than the fraction of a pulse is missing.
  var isOff: Bool {
    programmed.map { (reported - $0).magnitude >= pulse + 1e-9 } ?? false
  }

  /// An amount with its decimals under one another.
  static func units(_ value: Double) -> StoreCell {
    // What a difference of sums leaves behind is no amount.
    let exact = (value * 1e9).rounded() / 1e9
    return .shown(FixedDecimal.text(exact, decimals: 3), exact == 0 ? 0 : exact)
  }

  func cells(total: Double, gap: String?, on clock: WallClock) -> [StoreCell] {
    let pulses = reported / pulse
    let isWhole = (pulses - pulses.rounded()).magnitude < 1e-6
    var remarks = [gap].compactMap { $0 }
    if !isWhole { remarks.append("no whole pulses") }
    if isOff { remarks.append("off by a pulse or more") }
    return [
      .text(clock.iso8601(sample.start)), .text(clock.iso8601(sample.end)), .text(event),
      rate.map(Self.units) ?? .nothing, programmed.map(Self.units) ?? .nothing,
      .number(isWhole ? pulses.rounded() : pulses), Self.units(reported),
      programmed.map { Self.units(reported - $0) } ?? .nothing, Self.units(total),
      StoreCell(remarks.isEmpty ? nil : remarks.joined(separator: ", ")),
    ]
  }
}
