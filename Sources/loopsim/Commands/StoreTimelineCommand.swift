import Arguments
import HealthStore
import Quantities

/// Shows the timeline of reported basal insulin.
struct StoreTimelineCommand: Command {
  static let name = "timeline"
  static let abstract = "Show the reported basal segments beside what their rates amount to."
  static let discussion = """
    Each line is one reported segment: the rate in force, the insulin that the rate amounts to \
    over the segment, the whole pulses and the insulin that were reported, and the difference. \
    Fractions of a pulse are carried over or discarded, so a difference below one pulse is no \
    fault; a larger one is marked.
    """

  var file = ""
  var from: InstantWord?
  var end: InstantWord?
  var source: String?
  var pulse = 0.05
  var format = StoreFormat.text

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.option(
      "from", \.from, valueName: "time", help: "Only segments that overlap this time or later.")
    it.option("to", \.end, valueName: "time", help: "Only segments that start before this time.")
    it.option("source", \.source, help: "Only segments of the source with this name or bundle.")
    it.option("pulse", \.pulse, valueName: "units", help: "The pump's smallest amount, in U.")
    it.option("format", \.format, help: "How to print.")
  }

  func validate() throws {
    guard pulse > 0 else { throw Failure(.usage, "A pulse must be more than 0 U.") }
  }

  func run(to console: any Console) async throws {
    let store = try StoreFile.reading(file)
    let predicate = try StoreSelection.predicate(from, end, source, in: store)
    var table = StoreTable(
      columns: [
        "start", "end", "event", "rate U/h", "programmed U", "pulses", "reported U",
        "difference U", "total U", "remark",
      ])
    var total = 0.0
    var previous: Instant?
    for sample in try store.samples(of: .insulinDelivery, matching: predicate, as: .user)
    where sample.metadata.insulinDeliveryReason == .basal {
      let segment = BasalLine(sample, pulse: pulse)
      total += segment.reported
      table.rows.append(segment.cells(total: total, gap: gap(previous, sample.start)))
      previous = sample.end
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

  func cells(total: Double, gap: String?) -> [StoreCell] {
    let pulses = reported / pulse
    let isWhole = (pulses - pulses.rounded()).magnitude < 1e-6
    var remarks = [gap].compactMap { $0 }
    if !isWhole { remarks.append("no whole pulses") }
    if isOff { remarks.append("off by a pulse or more") }
    return [
      .text("\(sample.start)"), .text("\(sample.end)"), .text(event), StoreCell(rate),
      StoreCell(programmed), .number(isWhole ? pulses.rounded() : pulses), .number(reported),
      StoreCell(programmed.map { reported - $0 }), .number(total),
      StoreCell(remarks.isEmpty ? nil : remarks.joined(separator: ", ")),
    ]
  }
}
