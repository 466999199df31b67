internal import Quantities

// Samples that need no look at each by itself.

extension StoreWriter {
  /// Samples as a run, if they are nothing but quantities that the client may save.
  ///
  /// Whatever is in doubt is no run: the checks one by one then say what is wrong.
  func run(
    of samples: [Sample], at now: Instant, from firstRow: Int64, in registry: StoreRegistry
  ) throws(HealthStoreError) -> SampleRun? {
    guard let first = samples.first, first.metadata.isEmpty else { return nil }
    let earliest = registry.settings.earliestPermittedSampleDate
    let span = samples.span
    var type = span[0].type
    guard var row = plainRow(of: type, in: registry), var unit = row.unit else { return nil }
    for index in span.indices {
      if span[index].type != type {
        type = span[index].type
        guard let next = plainRow(of: type, in: registry), let other = next.unit else {
          return nil
        }
        (row, unit) = (next, other)
      }
      guard span[index].metadata.isEmpty, case .quantity(let quantity) = span[index].value,
        quantity.converted(to: unit)?.isFinite == true,
        SavingRules.faultOfNumber(quantity.value, type, row) == nil,
        SavingRules.faultOfTimes(
          span[index].start, span[index].end, type, row, earliest: earliest) == nil
      else { return nil }
    }
    return SampleRun(
      samples: samples, firstRow: firstRow, revision: try revision(), source: source,
      created: now)
  }

  /// The row of a type that a client may write without metadata.
  private func plainRow(of type: ObjectType, in registry: StoreRegistry) -> TypeRow? {
    let row = type.row
    let isWritable =
      client == .user
      || (row.isShareable && registry.authorization(of: client, for: type).share == .authorized)
    return isWritable && !SavingRules.needsMetadata(type) ? row : nil
  }
}
