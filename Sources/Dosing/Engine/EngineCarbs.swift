import Quantities
internal import WorkCounting

/// What a ``DosingEngine`` keeps of carbohydrate between cycles: how much of each entry has been
/// absorbed, and what it does to glucose.
struct EngineCarbs: Sendable {
  /// Entries of carbohydrate whose absorption may overlap, and so is found together.
  struct Cluster: Hashable, Sendable {
    var records: Range<Int>
    var start: Double
    var end: Double
    /// Whether two entries have been active at once: then the shares depend on the end of
    /// observation.
    var isShared = false
    /// Whether the records hold anything that can be extended.
    var isStarted = false
    /// The start of the last velocity that has been credited.
    var creditedUntil = -Double.infinity
  }

  private let axis: TimeAxis
  private var entries: [AlgorithmInput.CarbEntry] = []
  private(set) var records: [CarbRecord] = []
  private var clusters: [Cluster] = []
  /// The effect from 3 hours before the last cycle on.
  private(set) var effects = Prediction.Effects()
  /// g.
  private(set) var onBoard = 0.0

  init(axis: TimeAxis) { self.axis = axis }

  /// Brings the absorption of carbohydrate up to date with entries, settings and counteraction.
  mutating func take(
    _ list: [AlgorithmInput.CarbEntry], _ settings: EngineSettings,
    observedBy glucose: EngineGlucose
  ) throws(AlgorithmError) {
    let end = glucose.velocities.last?.end
    if try !areSame(list, settings) { try replaceEntries(list, settings, observedUntil: end) }
    assert(records.count == entries.count, "Each entry has its record.")
    for index in clusters.indices { bringUpToDate(index, glucose, observedUntil: end) }
  }

  /// Whether entries and their sensitivities are those of the records.
  private func areSame(
    _ list: [AlgorithmInput.CarbEntry], _ settings: EngineSettings
  ) throws(AlgorithmError) -> Bool {
    guard list.count == entries.count else { return false }
    Work.visit(rows: list.count)
    for index in list.indices {
      guard list[index] == entries[index] else { return false }
      let value = try carbSensitivity(
        at: records[index].start, settings.sensitivity, carbRatio: settings.carbRatio, axis: axis)
      guard value == records[index].sensitivity else { return false }
    }
    return true
  }

  /// Makes the records of a new list; those of unchanged entries far from any change are kept.
  private mutating func replaceEntries(
    _ list: [AlgorithmInput.CarbEntry], _ settings: EngineSettings, observedUntil end: Double?
  ) throws(AlgorithmError) {
    let old = (entries: entries, records: records, clusters: clusters)
    records.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    clusters.removeAll(keepingCapacity: true)
    for entry in list {
      let point = CarbPoint(entry, axis)
      let value = try carbSensitivity(
        at: point.start, settings.sensitivity, carbRatio: settings.carbRatio, axis: axis)
      var record = CarbRecord(point, sensitivity: value, observedUntil: end)
      // Enough for a velocity every five minutes, and some that are split.
      let items = max(0, min(200, record.maximumTime / TimeAxis.step)) + 16
      record.reserve(items.isFinite ? Int(items) : 16)
      records.append(record)
      entries.append(entry)
    }
    findClusters()
    keepClusters(of: old.clusters, old.records, old.entries)
  }

  /// Groups the records whose times of activity overlap.
  private mutating func findClusters() {
    for index in records.indices {
      let record = records[index]
      if let last = clusters.indices.last, record.start < clusters[last].end {
        clusters[last].records = clusters[last].records.lowerBound..<(index + 1)
        clusters[last].end = max(clusters[last].end, record.maximumEnd)
      } else {
        clusters.append(
          Cluster(
            records: index..<(index + 1), start: record.start,
            end: max(record.start, record.maximumEnd)))
      }
    }
    assert(
      (clusters.last?.records.upperBound ?? 0) == records.count, "Each record lies in a cluster.")
  }

  /// Takes over what is known of clusters whose entries and sensitivities are the same as before.
  private mutating func keepClusters(
    of old: [Cluster], _ oldRecords: [CarbRecord], _ oldEntries: [AlgorithmInput.CarbEntry]
  ) {
    for index in clusters.indices {
      let cluster = clusters[index]
      guard
        let same = old.first(where: { $0.start == cluster.start && $0.end == cluster.end }),
        same.records.count == cluster.records.count,
        zip(same.records, cluster.records).allSatisfy({
          oldEntries[$0] == entries[$1] && oldRecords[$0].sensitivity == records[$1].sensitivity
        })
      else { continue }
      for (from, to) in zip(same.records, cluster.records) { records[to] = oldRecords[from] }
      clusters[index] = same
      clusters[index].records = cluster.records
    }
  }

  /// Credits new velocities to a cluster, or all of them again where one has changed or the shares
  /// of its entries depend on how long they have been observed.
  private mutating func bringUpToDate(
    _ index: Int, _ glucose: EngineGlucose, observedUntil end: Double?
  ) {
    assert(clusters.indices.contains(index), "A cluster that is brought up to date is there.")
    let cluster = clusters[index]
    let isMoved = cluster.records.contains {
      records[$0].lastDate(observedUntil: end) != records[$0].lastDate
    }
    let isChanged = glucose.changedStarts.contains {
      $0 >= cluster.start && $0 < cluster.end && $0 <= cluster.creditedUntil
    }
    if !cluster.isStarted || isChanged || (cluster.isShared && isMoved) {
      for record in cluster.records { records[record].restart(observedUntil: end) }
      clusters[index].isStarted = true
      clusters[index].isShared = false
      clusters[index].creditedUntil = -.infinity
    } else if isMoved {
      for record in cluster.records { records[record].observe(until: end) }
    }
    credit(index, glucose.velocities)
  }

  /// Credits the velocities not credited yet.
  private mutating func credit(_ index: Int, _ velocities: SlidingList<Velocity>) {
    assert(clusters.indices.contains(index), "A cluster that is credited is there.")
    let cluster = clusters[index]
    let from = max(cluster.start, cluster.creditedUntil)
    var low = velocities.partitioningIndex { $0.start >= from }
    let first = low
    defer { Work.compute(points: low - first) }
    while low < velocities.count, velocities[low].start < cluster.end {
      if cluster.records.count == 1 {
        // Most entries are absorbed alone.
        let record = cluster.records.lowerBound
        let credited = records[record].creditAlone(
          velocities, from: low, after: clusters[index].creditedUntil, before: cluster.end)
        low += credited.count
        if let last = credited.last { clusters[index].creditedUntil = last }
        guard low < velocities.count, velocities[low].start < cluster.end else { return }
      }
      let velocity = velocities[low]
      low += 1
      guard velocity.start > clusters[index].creditedUntil else { continue }
      let active = distribute(velocity, over: &records, in: cluster.records)
      if active > 1 { clusters[index].isShared = true }
      clusters[index].creditedUntil = velocity.start
    }
  }

  /// Computes the carb effect from 3 hours before now, and carbs on board.
  mutating func computeEffect(
    at now: Double, _ model: CarbAbsorptionModel
  ) throws(AlgorithmError) {
    effects.values.removeAll(keepingCapacity: true)
    onBoard = 0
    guard let grid = try carbGrid(of: records, at: now) else { return }
    effects.firstStep = grid.lowerBound
    effects.values.append(contentsOf: repeatElement(0, count: grid.count))
    Work.compute(points: records.count * grid.count)
    for index in records.indices {
      records[index].addEffect(
        to: &effects.values, from: effects.firstStep, model)
      onBoard += records[index].carbsOnBoard(at: now, model)
    }
  }
}
