public import HealthStore
public import Quantities
internal import StructuredText

extension RecordTable {
  /// The rows as samples, in the order of time, for a clock on the wall.
  ///
  /// A row that says what the wall clock was ahead of UTC needs none. Identities follow from the
  /// content, so that reading the table again gives the same samples.
  public mutating func samples(on clock: WallClock) -> [RestoredSample] {
    var repeats: [SampleUUID: Int] = [:]
    var samples: [RestoredSample] = []
    for row in rows {
      let instant =
        row.offset.map {
          Instant(millisecondsSince1970: row.time.millisecondsSince1970 - $0.milliseconds)
        } ?? clock.reading(of: row.time).instant
      let name = SampleUUID(named: [program, row.person ?? "", "\(instant)", "\(row.value)"])
      let number = repeats[name, default: 0]
      repeats[name] = number + 1
      let uuid = number == 0 ? name : SampleUUID(named: ["\(name)", "\(number)"])
      let made = sample(row.value, at: instant, uuid)
      if let stated = made.sample.accounted { report.account.state(stated.quantity, stated.amount) }
      report.count(made.sample)
      samples.append(made)
    }
    return samples.sorted { ($0.sample.start, $0.sample.uuid) < ($1.sample.start, $1.sample.uuid) }
  }

  private func sample(_ value: Value, at instant: Instant, _ uuid: SampleUUID) -> RestoredSample {
    func restored(_ sample: Sample, _ part: String) -> RestoredSample {
      ImportedSource.restored(
        sample, program: program.lowercased().filter { $0 != " " }, part: part)
    }
    func insulin(_ units: Double, _ reason: InsulinDeliveryReason) -> Sample {
      .insulinDelivery(units: units, reason: reason, start: instant, end: instant, uuid: uuid)
    }
    switch value {
    case .glucose(let mgdL):
      return restored(.bloodGlucose(.mgdL(mgdL), at: instant, uuid: uuid), "cgm")
    case .meter(let mgdL):
      var metadata = Metadata()
      metadata[.wasUserEntered] = .flag(true)
      return restored(
        .bloodGlucose(.mgdL(mgdL), at: instant, uuid: uuid, metadata: metadata), "meter")
    case .bolus(let units): return restored(insulin(units, .bolus), "pump")
    case .longActing(let units): return restored(insulin(units, .basal), "pen")
    case .carbohydrates(let grams):
      return restored(
        .dietaryCarbohydrates(CarbohydrateMass(grams: grams), at: instant, uuid: uuid), "food")
    }
  }
}
