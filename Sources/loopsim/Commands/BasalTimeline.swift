import HealthStore
import Quantities
import Reports
import StructuredText

/// The table of reported basal with every pulse of the pump in one of its lines.
struct BasalTimeline {
  private(set) var table: StoreTable
  /// Until when segments reach, as far as they are added.
  private(set) var reached: Instant?
  /// From when on pulses are told; `nil` for the first.
  var from: Instant?
  /// When the run began; `nil` where that is not known.
  var runStart: Instant?
  private let pulses: PulseTable?
  private let pulse: Double
  private let clock: WallClock
  private var sum = Sum()

  /// What the lines add up to.
  private struct Sum {
    var programmed = 0.0
    var pulses = 0.0
    var reported = 0.0
    var difference = 0.0
    var pumpPulses = 0
    var pumpUnits = 0.0
    /// How many segments state a rate, and how many do not.
    var withRate = 0
    var withoutRate = 0
  }

  /// Begins a table.
  ///
  /// - Parameters:
  ///   - pulses: What the pump gave; `nil` where that is not known.
  ///   - pulse: The pump's smallest amount, in U.
  ///   - clock: The clock whose times are printed.
  init(pulses: PulseTable?, pulse: Double, clock: WallClock) {
    self.pulses = pulses
    self.pulse = pulse
    self.clock = clock
    let names = OutputGuide.storeTimeline.map(\.name)
    table = StoreTable(
      columns: names.filter { pulses != nil || !OutputGuide.storeTimelineOfPump.contains($0) })
  }

  /// Adds a segment, and before it the stretch that none covers.
  mutating func add(_ sample: Sample, written: Instant?) {
    let line = BasalLine(sample, pulse: pulse)
    var remarks = line.remarks
    if let reached, reached > sample.start {
      let overlap = min(reached, sample.end) - sample.start
      if overlap > .zero { remarks.insert("overlap of \(overlap)", at: 0) }
    } else {
      addEmpty(through: sample.start)
    }
    let given = pulses?.basal(
      after: max(reached ?? sample.start, sample.start), through: sample.end, pulse: pulse)
    let difference = line.programmed.map { line.reported - $0 }
    if line.rate == nil { sum.withoutRate += 1 } else { sum.withRate += 1 }
    sum.programmed += line.programmed ?? 0
    sum.pulses += line.pulses ?? 0
    sum.reported += line.reported
    sum.difference += difference ?? 0
    append(
      from: sample.start, to: sample.end, line.event,
      [
        line.rate.map(BasalLine.units) ?? .nothing,
        line.programmed.map(BasalLine.units) ?? .nothing,
        line.pulses.map { .number($0) } ?? .nothing,
        BasalLine.units(line.reported), difference.map(BasalLine.units) ?? .nothing,
        BasalLine.units(sum.reported), StoreCell(written.map(clock.iso8601)),
      ], given, reported: line.reported, remarks)
    reached = max(reached ?? sample.end, sample.end)
  }

  /// Tells of the time from an instant on, before which the last segment ended.
  mutating func begin(at instant: Instant) { reached = instant }

  /// Adds what stands after the last segment; without any, from the first pulse on.
  ///
  /// - Parameters:
  ///   - end: Until when is told; `nil` for the end of what there is.
  ///   - dataEnd: The end of what else the store holds; `nil` where there is nothing later.
  mutating func finish(at end: Instant?, dataEnd: Instant?) {
    let known = [pulses?.lastBasal, dataEnd].compactMap(\.self).max()
    if let last = [known, end].compactMap(\.self).min() { addEmpty(through: last) }
  }

  /// Adds the stretch from where segments reach to an instant; before the first segment, where
  /// the pump gave something.
  private mutating func addEmpty(through end: Instant) {
    let isFirst = reached == nil
    let first = pulses?.firstBasal.map { pulse in
      let start = min(pulse - .milliseconds(1), runStart ?? pulse)
      return max(start, from ?? start)
    }
    guard let start = reached ?? first, start < end else { return }
    let given = pulses?.basal(after: start, through: end, pulse: pulse)
    if isFirst, given?.count == 0 { return }
    append(
      from: start, to: end, "no segment",
      [
        .nothing, .nothing, .number(0), BasalLine.units(0), .nothing, BasalLine.units(sum.reported),
        .nothing,
      ], given, reported: 0, ["no basal for \(end - start)"])
  }

  private mutating func append(
    from start: Instant, to end: Instant, _ event: String, _ cells: [StoreCell],
    _ given: (count: Int, units: Double)?, reported: Double, _ remarks: [String]
  ) {
    var row: [StoreCell] = [
      .text(clock.iso8601(start)), .text(clock.iso8601(end)), .text(event),
    ]
    row += cells
    if let given {
      sum.pumpPulses += given.count
      sum.pumpUnits += given.units
      row += [
        .integer(given.count), BasalLine.units(given.units),
        BasalLine.units(reported - given.units),
      ]
    }
    row.append(StoreCell(remarks.isEmpty ? nil : remarks.joined(separator: ", ")))
    assert(row.count == table.columns.count, "Each cell has a column.")
    table.rows.append(row)
  }

  /// Adds a sample that was deleted, a segment or a bolus; it counts nothing.
  mutating func addDeleted(_ stone: Tombstone) {
    var row: [StoreCell] = [
      .text(clock.iso8601(stone.start)), .text(clock.iso8601(stone.end)), .text("deleted"),
    ]
    row += [StoreCell](repeating: .nothing, count: table.columns.count - 4)
    row.append(
      .text(
        "deleted at \(clock.iso8601(stone.deleted)); basal or a bolus of which the store keeps no "
          + "amount"))
    table.rows.append(row)
  }

  /// Adds what the lines come to.
  mutating func addTotal() {
    // Of segments without a rate it is not known what was programmed, which is not nothing.
    let isKnown = sum.withRate > 0 || sum.withoutRate == 0
    var row: [StoreCell] = [
      .text("total"), .nothing, .nothing, .nothing,
      isKnown ? BasalLine.units(sum.programmed) : .nothing, .number(sum.pulses),
      BasalLine.units(sum.reported), isKnown ? BasalLine.units(sum.difference) : .nothing,
      BasalLine.units(sum.reported), .nothing,
    ]
    if pulses != nil {
      row += [
        .integer(sum.pumpPulses), BasalLine.units(sum.pumpUnits),
        BasalLine.units(sum.reported - sum.pumpUnits),
      ]
    }
    let unknown =
      sum.withoutRate == 0 || sum.withRate == 0
      ? nil
      : "\(WordList.counted(sum.withoutRate, "segment", "states")) no rate: programmed is without "
        + "\(sum.withoutRate == 1 ? "it" : "them")"
    table.rows.append(row + [StoreCell(unknown)])
  }
}
