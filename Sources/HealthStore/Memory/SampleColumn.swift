internal import Quantities
internal import WorkCounting

/// The live samples of one type in memory, in the order of their rows.
///
/// Samples mostly arrive in the order of time, and then the order of rows is also that of starts.
/// The first that does not makes a second order necessary.
struct SampleColumn: Sendable {
  private(set) var rows = PackedRows()
  private let type: ObjectType
  /// What quantities have in common, each once.
  private(set) var traits = SampleTraitsTable()
  /// The sync identifiers of the quantities that have one.
  private var identifiers: [SyncIdentifier] = []
  /// The samples that are more than a quantity with a time, and those whose metadata are shared by
  /// no others.
  private var whole: [StoredSample] = []
  /// Which positions hold a deleted sample; empty while none does.
  private var gone: [Bool] = []
  private(set) var goneCount = 0
  /// For each source a position before which no live sample of it stands.
  ///
  /// Whoever replaces or deletes its own samples mostly has few left: the others before them need
  /// not be looked at.
  private var liveFrom: [Int] = []
  /// The positions by start and row; nothing while that is the order of rows.
  private var timeOrder: [Int]?
  private var longest = TimeSpan.zero
  private var latestStart = Instant(millisecondsSince1970: .min)

  init(_ type: ObjectType) { self.type = type }

  mutating func append(_ stored: StoredSample) {
    // The sample is not taken out of what is stored: that would copy it.
    var packed = PackedSample(
      row: stored.row, uuid: stored.sample.uuid, start: stored.sample.start,
      end: stored.sample.end, created: stored.created)
    if stored.parent == 0, case .quantity(let quantity) = stored.sample.value,
      let shared = traits.index(of: stored, quantity.unit)
    {
      packed.value = quantity.value
      packed.traits = shared
      if let identifier = stored.sample.metadata.syncIdentifier {
        packed.own = Int32(identifiers.count)
        identifiers.append(identifier)
      }
    } else {
      packed.own = Int32(whole.count)
      whole.append(stored)
    }
    assert(
      whole.count < Int(Int32.max) && identifiers.count < Int(Int32.max),
      "A column holds fewer samples than can be numbered.")
    append(packed)
  }

  /// Appends a stretch of a run in which type, unit and device stay the same.
  mutating func append(_ run: SampleRun, _ stretch: Range<Int>) {
    assert(run.samples.indices.contains(stretch.lowerBound), "A stretch lies within its run.")
    let samples = run.samples.span
    guard let quantity = samples[stretch.lowerBound].quantity else { return }
    let index = traits.index(
      quantity.unit, samples[stretch.lowerBound].device, revision: run.revision,
      source: run.source)
    for position in stretch {
      append(
        PackedSample(
          row: run.firstRow + Int64(position), uuid: samples[position].uuid,
          start: samples[position].start, end: samples[position].end, created: run.created,
          value: samples[position].value.number, traits: index))
    }
  }

  private mutating func append(_ packed: PackedSample) {
    assert(
      rows.count == 0 || rows[rows.count - 1].row < packed.row, "Rows are appended in their order.")
    let duration = packed.end - packed.start
    if longest < duration { longest = duration }
    if timeOrder != nil || packed.start < latestStart {
      insertIntoTimeOrder(rows.count, start: packed.start)
    }
    if latestStart < packed.start { latestStart = packed.start }
    rows.append(packed)
    if !gone.isEmpty { gone.append(false) }
    let source = Int(source(at: rows.count - 1))
    while liveFrom.count <= source { liveFrom.append(rows.count - 1) }
  }

  /// The sample at a position as it was saved.
  subscript(position: Int) -> StoredSample {
    assert(position >= 0 && position < rows.count, "A column has the row.")
    let packed = rows[position]
    if let index = packed.whole { return whole[index] }
    let shared = traits[packed.traits]
    return StoredSample(
      row: packed.row,
      sample: Sample(
        restoring: packed.uuid, type: type, start: packed.start, end: packed.end,
        value: .quantity(HealthQuantity(packed.value, shared.unit)), device: shared.device,
        metadata: packed.identifier.map {
          shared.metadata.with(syncIdentifier: identifiers[$0])
        } ?? shared.metadata),
      revision: shared.revision, source: shared.source, created: packed.created)
  }

  /// The identifier by which the writer of the sample at a position replaces it.
  func syncIdentifier(at position: Int) -> SyncIdentifier? {
    let packed = rows[position]
    if let index = packed.whole { return whole[index].sample.metadata.syncIdentifier }
    return packed.identifier.map { identifiers[$0] }
  }

  /// The last live sample of a source with a sync identifier that stands before a position.
  func lastLive(_ identifier: SyncIdentifier, of source: Int32, before position: Int) -> Int? {
    for place in (0..<position).reversed()
    where isLive(place) && self.source(at: place) == source
      && syncIdentifier(at: place) == identifier
    {
      Work.visit(rows: position - place)
      return place
    }
    Work.visit(rows: position)
    return nil
  }

  /// The source of the sample at a position.
  func source(at position: Int) -> Int32 {
    let packed = rows[position]
    return packed.whole.map { whole[$0].source } ?? traits[packed.traits].source
  }

  /// Takes back the last sample, which was appended just now.
  mutating func removeLast() {
    assert(rows.count > 0, "Only a row that is there is taken back.")
    let position = rows.count - 1
    if rows[position].whole != nil { whole.removeLast() }
    if rows[position].identifier != nil { identifiers.removeLast() }
    rows.removeLast()
    for source in liveFrom.indices { liveFrom[source] = min(liveFrom[source], rows.count) }
    if !gone.isEmpty { gone.removeLast() }
    if let index = timeOrder?.lastIndex(of: position) { timeOrder?.remove(at: index) }
  }

  mutating func markGone(_ position: Int) {
    assert(position >= 0 && position < rows.count, "A row that is deleted is there.")
    if gone.isEmpty { gone = Array(repeating: false, count: rows.count) }
    assert(!gone[position], "A row goes once.")
    gone[position] = true
    assert(goneCount < rows.count, "No more rows are gone than there are.")
    goneCount += 1
    let source = source(at: position)
    assert(liveFrom[Int(source)] <= position, "A live sample does not stand before the first.")
    guard liveFrom[Int(source)] == position else { return }
    var next = position + 1
    while next < rows.count, !isLive(next) || self.source(at: next) != source { next += 1 }
    Work.visit(rows: next - position)
    liveFrom[Int(source)] = next
  }

  func isLive(_ position: Int) -> Bool { gone.isEmpty || !gone[position] }

  private mutating func insertIntoTimeOrder(_ position: Int, start: Instant) {
    if timeOrder == nil { Work.visit(rows: rows.count) }
    var order = timeOrder ?? Array(0..<rows.count)
    timeOrder = nil
    let place = order.partitioningIndexNearEnd { rows[$0].start > start }
    assert(order.count == position, "Every earlier row has its place in time.")
    Work.visit(rows: order.count - place)
    order.insert(position, at: place)
    timeOrder = order
  }

  /// The column without the places of deleted samples.
  func compacted() -> SampleColumn {
    var column = SampleColumn(type)
    for position in 0..<rows.count where isLive(position) { column.append(self[position]) }
    return column
  }
}

extension SampleColumn {
  /// Visits live samples in the order of a scan; the type in the scan is not looked at.
  func visit(_ scan: StoreScan, _ body: (StoredSample) -> Bool) {
    switch scan {
    case .rows(_, let row):
      // Whoever follows the changes has nearly always seen them all.
      guard rows.count > 0, rows[rows.count - 1].row > row else { return }
      var position = firstPosition { $0.row > row }
      Work.visit(rows: rows.count - position)
      while position < rows.count {
        if isLive(position), !body(self[position]) { return }
        position += 1
      }
    case .time(_, let from, let end):
      var index = firstIndex(startingFrom: earliestStart(from))
      while index < rows.count {
        let position = timeOrder?[index] ?? index
        Work.visit(rows: 1)
        if rows[position].start >= end { return }
        if isLive(position), !body(self[position]) { return }
        index += 1
      }
    case .timeReversed(_, let from, let end):
      let earliest = earliestStart(from)
      var index = firstIndex(startingFrom: end) - 1
      while index >= 0 {
        let position = timeOrder?[index] ?? index
        Work.visit(rows: 1)
        if rows[position].start < earliest { return }
        if isLive(position), !body(self[position]) { return }
        index -= 1
      }
    }
  }

  /// Visits the live samples in the order of their rows, as they lie here.
  func visit(
    quantities: (PackedSample, SyncIdentifier?) -> Void, others: (StoredSample) -> Void
  ) {
    for position in 0..<rows.count where isLive(position) {
      let packed = rows[position]
      if let index = packed.whole {
        others(whole[index])
      } else {
        quantities(packed, packed.identifier.map { identifiers[$0] })
      }
    }
  }

  /// Visits the live samples of a source that may lie in a stretch of time, by start and row.
  func visit(
    from: Instant, to end: Instant, writtenBy source: Int32, _ body: (StoredSample) -> Void
  ) {
    guard source < liveFrom.count else { return }
    let earliest = earliestStart(from)
    let first = timeOrder == nil ? firstIndex(startingFrom: earliest) : 0
    var positions: [Int] = []
    for position in max(liveFrom[Int(source)], first)..<rows.count {
      let start = rows[position].start
      Work.visit(rows: 1)
      if timeOrder == nil, start >= end { break }
      if start >= earliest, start < end, isLive(position), self.source(at: position) == source {
        positions.append(position)
      }
    }
    if timeOrder != nil { positions.sort { (rows[$0].start, $0) < (rows[$1].start, $1) } }
    for position in positions { body(self[position]) }
  }

  /// The earliest start of a sample that can still last at an instant.
  private func earliestStart(_ from: Instant) -> Instant {
    let (start, overflow) = from.millisecondsSince1970.subtractingReportingOverflow(
      longest.milliseconds)
    return Instant(millisecondsSince1970: overflow ? .min : start)
  }

  private func firstPosition(where isLater: (PackedSample) -> Bool) -> Int {
    (0..<rows.count).partitioningIndexNearEnd { isLater(rows[$0]) }
  }

  private func firstIndex(startingFrom start: Instant) -> Int {
    (0..<rows.count).partitioningIndex { rows[timeOrder?[$0] ?? $0].start >= start }
  }
}

extension SampleValue {
  /// The number of a quantity; 0 for every other value.
  fileprivate var number: Double {
    if case .quantity(let quantity) = self { quantity.value } else { 0 }
  }
}
