public import Quantities

/// Quantities without metadata that one client saved together, on rows one after the other.
///
/// The bulk of most stores, in the form that costs least to hand to a backend: the array that the
/// client passed.
public struct SampleRun: Sendable {
  /// The samples, in the order of their rows.
  public var samples: [Sample]
  /// The row of the first sample.
  public var firstRow: Int64
  /// The index of the source revision in the registry.
  public var revision: Int32
  /// The index of the source in the registry.
  public var source: Int32
  /// When they were saved.
  public var created: Instant

  /// One of the samples as a backend keeps it.
  public subscript(index: Int) -> StoredSample {
    assert(samples.indices.contains(index), "A run has the sample.")
    var sample = samples[index]
    sample.sourceRevision = nil
    return StoredSample(
      row: firstRow + Int64(index), sample: sample, revision: revision, source: source,
      created: created)
  }

  /// How far type, unit and device stay what they are at an index.
  func stretch(from start: Int) -> Range<Int> {
    assert(samples.indices.contains(start), "A stretch begins at a sample of the run.")
    let span = samples.span
    let type = span[start].type
    let device = span[start].device
    let unit = span[start].quantity?.unit
    var end = start + 1
    while end < span.count, span[end].type == type, span[end].device == device,
      span[end].quantity?.unit == unit
    {
      end += 1
    }
    return start..<end
  }
}
