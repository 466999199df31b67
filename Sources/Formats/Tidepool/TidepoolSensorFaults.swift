internal import Determinism
internal import Quantities
internal import StructuredText

/// Draws the wrong, missing and early readings of Tidepool's noisy sensor as faults at fixed times.
///
/// The probabilities and ranges are those of the file and its own seed names the stream, but the
/// numbers are ours: NumPy's generator is not imitated. Fixed times can be read, edited and
/// replayed.
struct TidepoolSensorFaults {
  let mode: ImportMode
  let problems: ProblemList

  /// The most readings for which faults are drawn: about ten days.
  private static let maximumReadings: Int64 = 3_000

  /// The faults of the sensor over the run.
  func faults(_ parameters: JSONField, _ simulation: TidepoolSimulation) -> [JSONValue] {
    func probability(_ key: String) -> Double {
      parameters[key].exists ? parameters[key].number(in: 0...1) ?? 0 : 0
    }
    let spurious = probability("spurious_prob")
    let outage = probability("spurious_outage_prob")
    let crunch = probability("time_delta_crunch_prob")
    if outage > 0 { report(parameters["spurious_outage_prob"], isReached: spurious > 0) }
    guard spurious > 0 || crunch > 0 else { return [] }
    let delta = range(parameters["bg_spurious_error_delta_mgdl_range"], [60, 150])
    let length = range(parameters["not_working_time_minutes_range"], [10, 45])
    let shift = range(parameters["cgm_offset_minutes_range"], [2, 4.99])
    let field = parameters["random_seed"]
    let isSeeded = field.node?.isNull == false
    let seed = UInt64((isSeeded ? field.integer(in: 0...Int64.max) : nil) ?? 0)
    var stream = RandomStream(seed: seed, name: "tidepool.sensor")
    var faults: [JSONValue] = []
    var silentUntil = TimeSpan.zero
    let steps = simulation.duration.quotient(by: .minutes(5))
    let count = min(Self.maximumReadings, steps)
    if steps > count {
      problems.add(
        .warning, .lost, at: parameters.position,
        "Wrong, missing and early readings are drawn for the first "
          + "\(ImportText.duration(.minutes(5 * count))) of the run; after that the sensor has "
          + "none."
      )
    }
    for index in 0...count {
      let offset = TimeSpan.minutes(5 * index)
      guard offset >= silentUntil else { continue }
      let moment = ImportText.moment(offset, after: simulation.start)
      if stream.unit() < spurious {
        let size = (draw(delta, &stream) * 10).rounded() / 10
        let fields = ImportText.object([("delta", ImportText.number(size)), ("samples", 1)])
        faults.append(fault("spurious-\(index)", ("at", moment), "spike", fields))
        if stream.unit() < outage, mode == .asIntended {
          let silence = TimeSpan.seconds(Int64((draw(length, &stream) * 60).rounded()))
          let start = ImportText.moment(offset + .seconds(1), after: simulation.start)
          let window: JSONValue = .array([start, .string(ImportText.duration(silence))])
          // A reading at the very end has nothing after it.
          if offset < simulation.duration {
            faults.append(
              fault("outage-\(index)", ("during", window), "dropout", ["backfill": false]))
          }
          silentUntil = offset + silence
        }
      }
      if stream.unit() < crunch {
        let early = TimeSpan.seconds(-Int64((draw(shift, &stream) * 60).rounded()))
        let fields = ImportText.object([("shift", .string(ImportText.duration(early)))])
        let window: JSONValue = .array([moment, "1m"])
        faults.append(fault("early-\(index)", ("during", window), "timestamp", fields))
      }
    }
    return faults
  }

  private func report(_ field: JSONField, isReached: Bool) {
    guard isReached else {
      problems.add(
        .warning, .ignored, at: field.position,
        "An outage follows a spurious reading, and \"spurious_prob\" is 0, so there is none.")
      return
    }
    problems.add(
      mode == .literal ? .warning : .note, mode == .literal ? .lost : .ignored,
      at: field.position,
      mode == .literal
        ? "An outage stops the original program, so there is none here."
        : "An outage stops the original program; here readings are missing.")
  }

  private func fault(
    _ id: String, _ when: (String, JSONValue), _ kind: String, _ fields: JSONValue
  ) -> JSONValue {
    ImportText.object([
      ("id", .string(id)), (when.0, when.1), ("cgm", ImportText.object([(kind, fields)])),
    ])
  }

  private func range(_ field: JSONField, _ standard: [Double]) -> [Double] {
    guard field.exists else { return standard }
    let values = field.node?.items?.compactMap(\.double) ?? []
    guard values.count == 2, values[0] <= values[1], values[0] >= 0, values[1] <= 400 else {
      field.reportUnusable(expected: "a list of the lowest and the highest value, up to 400")
      return standard
    }
    return values
  }

  private func draw(_ range: [Double], _ stream: inout RandomStream) -> Double {
    range[0] + stream.unit() * (range[1] - range[0])
  }
}
