public import Quantities

/// A manufacturer's app that writes its own, smoothed history into the health store hours later.
///
/// Dexcom's app writes three hours late (LoopDocs, "Apple HealthKit FAQs"); while it does, Loop
/// keeps only its own readings of the last three hours. Smoothing is a centred mean of five
/// readings.
public struct VendorApp: Hashable, Sendable {
  /// How late the app writes.
  public let delay: TimeSpan
  /// Whether it smooths.
  public let smooths: Bool
  private var history: [Entry] = []
  /// How many of the first ones have all been written.
  private var written = 0
  /// The last reading that was forgotten.
  private var forgotten: Instant?

  /// A reading, and whether it has been written.
  private struct Entry: Hashable, Sendable {
    var reading: GlucoseReading
    var isWritten = false
  }

  /// Creates a `VendorApp` from its parts; see the properties.
  public init(delay: TimeSpan = .hours(3), smooths: Bool = true) {
    self.delay = max(delay, .zero)
    self.smooths = smooths
  }

  /// The age below which Loop keeps its own readings: the managed data interval of Dexcom clients.
  public static let managedInterval = TimeSpan.hours(3)

  /// How long the app remembers readings: longer than any is on its way.
  private static let memory = TimeSpan.days(2)

  /// Takes a reading, in any order of time; one that comes late is written late.
  public mutating func receive(_ reading: GlucoseReading) {
    guard !reading.isUnreliable, forgotten.map({ reading.instant > $0 }) ?? true else { return }
    let index = history.lastIndex { $0.reading.instant <= reading.instant }.map { $0 + 1 } ?? 0
    if index > 0, history[index - 1].reading.instant == reading.instant { return }
    history.insert(Entry(reading: reading), at: index)
    written = min(written, index)
  }

  /// What the app writes at an instant: every reading that has become old enough.
  public mutating func writes(at instant: Instant) -> [GlucoseReading] {
    var result: [GlucoseReading] = []
    while written < history.count, history[written].reading.instant + delay <= instant {
      if !history[written].isWritten {
        var reading = history[written].reading
        if smooths { reading.glucose = smoothed(at: written) }
        reading.arrival = instant
        result.append(reading)
        history[written].isWritten = true
      }
      written += 1
    }
    forget(before: instant - Self.memory)
    return result
  }

  private mutating func forget(before instant: Instant) {
    // Two readings before the next one are enough to smooth it.
    let spare = min(written - 2, history.partitioningIndex { $0.reading.instant >= instant })
    guard spare > 64 else { return }
    forgotten = history[spare - 1].reading.instant
    history.removeFirst(spare)
    written -= spare
  }

  /// The mean of the readings at most two places and ten minutes away, rounded to 1 mg/dL.
  private func smoothed(at index: Int) -> GlucoseConcentration {
    assert(history.indices.contains(index), "A value that is smoothed is in the history.")
    let centre = history[index].reading
    var sum = 0.0
    var count = 0.0
    for other in max(0, index - 2)...min(history.count - 1, index + 2)
    where (history[other].reading.instant - centre.instant).magnitude <= .minutes(10) {
      sum += history[other].reading.glucose.mgdL
      count += 1
    }
    let mean = count > 0 ? sum / count : centre.glucose.mgdL
    return .mgdL((mean + 0.5).rounded(.down))
  }
}
