internal import HealthStore
internal import Quantities

extension StoreTables {
  /// Inserts a run, many samples at once where they differ in nothing but identity, time and value.
  func insert(_ run: SampleRun) throws(HealthStoreError) {
    var next = 0
    while next < run.samples.count {
      let part = next..<min(next + SampleStatements.rowsAtOnce, run.samples.count)
      next = part.upperBound
      if isUniform(run, part), try insertAtOnce(run, part) { continue }
      for index in part { try insert(run[index]) }
    }
  }

  /// Whether a part of a run is as long as the statement for many, of one type in its own unit, and
  /// of one device.
  private func isUniform(_ run: SampleRun, _ part: Range<Int>) -> Bool {
    guard part.count == SampleStatements.rowsAtOnce else { return false }
    let samples = run.samples.span
    let type = samples[part.lowerBound].type
    let device = samples[part.lowerBound].device
    guard let unit = type.unit else { return false }
    for index in part {
      guard samples[index].type == type, samples[index].quantity?.unit == unit,
        samples[index].device == device
      else { return false }
    }
    return true
  }

  /// Inserts a uniform part of a run; says whether it did, or one of the identities is known.
  private func insertAtOnce(
    _ run: SampleRun, _ part: Range<Int>
  ) throws(HealthStoreError) -> Bool {
    let span = run.samples.span
    let type = span[part.lowerBound].type
    samples.insertMany.bind(1, integer: types.row(of: type))
    samples.insertMany.bind(2, integer: Int64(run.revision) + 1)
    samples.insertMany.bind(3, integer: try span[part.lowerBound].device.map(rowOfDevice))
    samples.insertMany.bind(4, integer: run.created.millisecondsSince1970)
    var parameter = SampleStatements.sharedParameters
    for index in part {
      let (start, end) = (span[index].start, span[index].end)
      noteDuration(end - start, of: type)
      samples.insertMany.bind(parameter + 1, integer: run.firstRow + Int64(index))
      samples.insertMany.bind(parameter + 2, uuid: span[index].uuid)
      samples.insertMany.bind(parameter + 3, integer: start.millisecondsSince1970)
      samples.insertMany.bind(parameter + 4, integer: end.millisecondsSince1970)
      samples.insertMany.bind(parameter + 5, real: span[index].quantity?.value)
      parameter += SampleStatements.parametersOfRow
    }
    do {
      try samples.insertMany.run()
      return true
    } catch .storage(code: 2_067, _) {
      // Inserted one by one, the one that is known tells its identity.
      return false
    }
  }
}
