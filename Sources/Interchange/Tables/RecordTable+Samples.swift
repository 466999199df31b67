public import HealthStore
public import Quantities
internal import StructuredText

extension RecordTable {
  /// What is to be known of a time that a clock shows twice, in a table that has such times once.
  package static let shownTwice =
    "a time that the clock showed twice when it was set back, and the table has such times once: "
    + "taken as the first of the two"
  /// What is to be known of a time that no clock showed.
  package static let skipped =
    "a time that the clock skipped when it was set forward: taken as that of a clock which was not "
    + "set"

  /// The rows, the oldest first, each with when it was by a clock on the wall.
  ///
  /// A row that says what the wall clock was ahead of UTC needs none.
  ///
  /// Of an hour that the clock shows twice a row is in the second where the rows before it have
  /// gone through the first, of the same device where its rows stand together. A time that the
  /// clock skipped is that of a clock that was not set.
  package mutating func timed(on clock: WallClock) -> [(row: Row, instant: Instant)] {
    var timed: [(row: Row, instant: Instant)] = []
    var (before, last): (Instant?, Int?)
    var hours = RepeatedHours()
    for (row, stretch) in rowsInOrder {
      let isFirst = stretch != last
      let instant = instant(of: row, on: clock, after: before, ofAnotherDevice: isFirst)
      (before, last) = (instant, stretch)
      if row.offset == nil { hours.note(row, as: instant, on: clock, in: stretch) }
      timed.append((row, instant))
    }
    for position in hours.once { report.remark(Self.shownTwice, at: position) }
    return timed
  }

  /// The rows as samples, in the order of time, for a clock on the wall; see `timed(on:)`.
  ///
  /// Identities follow from the content, so that reading the table again gives the same samples.
  public mutating func samples(on clock: WallClock) -> [RestoredSample] {
    var repeats: [SampleUUID: Int] = [:]
    var samples: [RestoredSample] = []
    var readings = DeviceReadings()
    var sources = ImportedSources(program: program.lowercased().filter { $0 != " " })
    for (row, instant) in timed(on: clock) {
      if case .glucose = row.value, let device = row.device {
        readings.add(of: device, in: row.person ?? "", at: instant, row.position)
      }
      let name = SampleUUID(named: [program, row.person ?? "", "\(instant)", row.value.identity])
      let number = repeats[name, default: 0]
      repeats[name] = number + 1
      let uuid = number == 0 ? name : SampleUUID(named: ["\(name)", "\(number)"])
      var until: Instant?
      if let end = row.end {
        var ending = row
        (ending.time, ending.offset) = (end, row.endOffset)
        let stated = self.instant(of: ending, on: clock, after: instant, ofAnotherDevice: false)
        if stated < instant {
          report.remark(
            "insulin that ends before it begins: taken as given at once", at: row.position)
        }
        until = max(instant, stated)
      }
      if let duration = row.duration { until = instant + duration }
      let (sample, part) = sample(row.value, from: instant, to: until ?? instant, uuid)
      let made = sources.restored(sample, part: part)
      if let stated = made.sample.accounted { report.account.state(stated.quantity, stated.amount) }
      report.count(made.sample)
      samples.append(made)
    }
    for (places, word, mgdL) in [
      (lowPlaces, "Low", Self.belowRange), (highPlaces, "High", Self.aboveRange),
    ] {
      for position in places {
        report.remark("\"\(word)\" for glucose, which counts as \(Int(mgdL)) mg/dL", at: position)
      }
    }
    readings.remark(in: &report)
    return samples.sorted { ($0.sample.start, $0.sample.uuid) < ($1.sample.start, $1.sample.uuid) }
  }

  /// The rows, the oldest first, each with the number of its stretch: those of each device, where
  /// they stand together, else all of them.
  private var rowsInOrder: [(row: Row, stretch: Int)] {
    let all = stretchesOfDevices ?? [rows[...]]
    return all.enumerated().flatMap { number, stretch in
      let times = [stretch.first, stretch.last].compactMap { $0?.time.millisecondsSince1970 }
      let isNewestFirst = times.count == 2 && times[0] > times[1]
      return (isNewestFirst ? stretch.reversed() : Array(stretch)).map { ($0, number) }
    }
  }

  /// The rows of each device of each person; `nil` where those of others stand between them.
  private var stretchesOfDevices: [ArraySlice<Row>]? {
    var starts: [Int] = []
    var seen: Set<[String?]> = []
    for (index, row) in rows.enumerated() {
      if index > 0, rows[index - 1].device == row.device, rows[index - 1].person == row.person {
        continue
      }
      guard seen.insert([row.person, row.device]).inserted else { return nil }
      starts.append(index)
    }
    return zip(starts, starts.dropFirst() + [rows.count]).map { rows[$0..<$1] }
  }

  /// When a row was, which comes after another by the clock on the wall.
  ///
  /// One after the last of another device need not be later than that.
  private mutating func instant(
    of row: Row, on clock: WallClock, after before: Instant?, ofAnotherDevice isOther: Bool
  ) -> Instant {
    let local = row.time.millisecondsSince1970
    if let offset = row.offset {
      return Instant(millisecondsSince1970: local - offset.milliseconds)
    }
    switch clock.reading(of: row.time) {
    case .once(let instant): return instant
    case .twice(let first, let second):
      guard let before, first < before, before - first <= .hours(2), !isOther || before <= second
      else { return first }
      return second
    case .skipped(let valid):
      report.remark(Self.skipped, at: row.position)
      let offset = clock.offset(at: valid - .milliseconds(1))
      return Instant(millisecondsSince1970: local - offset.milliseconds)
    }
  }

  /// A value as a sample, and the part of the table's program from which it comes.
  private func sample(
    _ value: Value, from instant: Instant, to end: Instant, _ uuid: SampleUUID
  ) -> (Sample, part: String) {
    func insulin(_ units: Double, _ reason: InsulinDeliveryReason) -> Sample {
      .insulinDelivery(units: units, reason: reason, start: instant, end: end, uuid: uuid)
    }
    switch value {
    case .glucose(let mgdL):
      return (.bloodGlucose(.mgdL(mgdL), at: instant, uuid: uuid), "cgm")
    case .meter(let mgdL):
      var metadata = Metadata()
      metadata[.wasUserEntered] = .flag(true)
      return (.bloodGlucose(.mgdL(mgdL), at: instant, uuid: uuid, metadata: metadata), "meter")
    case .bolus(let units): return (insulin(units, .bolus), "pump")
    case .basal(let units, let kind):
      let hours = (end - instant).seconds / 3_600
      let basal = BasalSample.make(
        rate: hours > 0 ? units / hours : 0, delivered: units, scheduled: nil,
        isTemp: kind == .temp, isSuspend: kind == .suspended, start: instant, end: end, uuid: uuid)
      return (basal, "pump")
    case .longActing(let units): return (insulin(units, .basal), "pen")
    case .carbohydrates(let grams):
      return (
        .dietaryCarbohydrates(CarbohydrateMass(grams: grams), at: instant, uuid: uuid), "food"
      )
    }
  }
}

/// What a row says, a kind of which a table has one after the other.
private enum RowKind { case glucose, insulin, carbohydrates }

extension RecordTable.Value {
  /// The value as a part of the name from which its identity follows, which never changes.
  var identity: String {
    switch self {
    case .glucose(let mgdL): "glucose(\(mgdL))"
    case .meter(let mgdL): "meter(\(mgdL))"
    case .bolus(let units): "bolus(\(units))"
    case .longActing(let units): "longActing(\(units))"
    case .basal(let units, let kind):
      "basal(\(units), kind: Interchange.RecordTable.BasalKind.\(kind.identity))"
    case .carbohydrates(let grams): "carbohydrates(\(grams))"
    }
  }

  fileprivate var kind: RowKind {
    switch self {
    case .glucose, .meter: .glucose
    case .bolus, .basal, .longActing: .insulin
    case .carbohydrates: .carbohydrates
    }
  }
}

extension RecordTable.BasalKind {
  fileprivate var identity: String {
    switch self {
    case .scheduled: "scheduled"
    case .temp: "temp"
    case .suspended: "suspended"
    }
  }
}

/// The rows in hours that a clock shows twice.
private struct RepeatedHours {
  private struct Key: Hashable {
    var day: Int64
    var kind: RowKind
    var stretch: Int
  }

  private var firsts: [Key: [TextPosition]] = [:]
  private var seconds: Set<Key> = []

  /// Notes a row, where the clock shows its time twice.
  mutating func note(
    _ row: RecordTable.Row, as instant: Instant, on clock: WallClock, in stretch: Int
  ) {
    guard case .twice(let first, _) = clock.reading(of: row.time) else { return }
    let key = Key(day: row.time.dayNumber, kind: row.value.kind, stretch: stretch)
    if instant == first {
      firsts[key, default: []].append(row.position)
    } else {
      seconds.insert(key)
    }
  }

  /// Where rows stand of hours that the table goes through once, so that either may be meant.
  var once: [TextPosition] {
    firsts.filter { !seconds.contains($0.key) }.flatMap(\.value).sorted {
      ($0.line, $0.column) < ($1.line, $1.column)
    }
  }
}
