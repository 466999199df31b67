import Determinism
public import Quantities

extension GlucoseSensor {
  /// Starts a fault of a scenario, under an id that ends it later.
  public mutating func begin(_ fault: SensorFault, id: String, at instant: Instant) {
    let stream = RandomStream(seed: seed, name: "cgm.fault.\(id)", member: member)
    faults.append(ActiveSensorFault(id: id, fault: fault, since: instant, stream: stream))
  }

  /// Ends the faults of an id; a compression fades after it.
  public mutating func end(id: String, at instant: Instant) {
    for index in faults.indices where faults[index].id == id && faults[index].ended == nil {
      faults[index].end(at: instant)
    }
    faults.removeAll { $0.isOver }
  }

  /// The ids of the faults at work.
  public var activeFaults: [String] { faults.compactMap { $0.ended == nil ? $0.id : nil } }

  /// What the faults add to a value.
  mutating func faultChange(
    of deviation: SensorDeviation, at instant: Instant
  ) -> GlucoseChange {
    guard !faults.isEmpty else { return .zero }
    let base = deviation.measured.mgdL
    var sum = 0.0
    for index in faults.indices {
      sum += faults[index].change(base: base, noise: deviation.noise.mgdL, at: instant)
    }
    faults.removeAll { $0.isOver }
    return GlucoseChange(mgdL: sum)
  }

  /// Changes what a reading says, by faults that touch no value of the body.
  func applyFaults(to reading: inout GlucoseReading, last: GlucoseReading?) {
    for active in faults where active.ended == nil {
      switch active.fault {
      case .stuck(let value):
        guard let repeated = value ?? last?.glucose else { continue }
        reading.glucose = repeated
        reading.condition = value == nil ? (last?.condition ?? .inRange) : .inRange
        reading.trendRate = 0
      case .timestamp(let shift, let duplicate):
        reading.instant += shift
        if duplicate, let last { reading.instant = last.instant }
      case .unreliable: reading.isUnreliable = true
      default: break
      }
    }
    // At last: no reading is above its value, whatever else makes it so and whichever began first.
    for active in faults where active.ended == nil {
      guard case .saturate(let limit) = active.fault, reading.glucose > limit else { continue }
      reading.glucose = limit
      reading.condition = .inRange
      reading.trendRate = 0
    }
  }
}

extension ActiveSensorFault {
  /// What the fault adds to one value, in milligrams per decilitre.
  mutating func change(base: Double, noise own: Double, at instant: Instant) -> Double {
    switch fault {
    case .noise(let scale, _, _):
      guard ended == nil else { return 0 }
      return (scale - 1) * own + noise.next(from: &stream)
    case .bias(let gain, let offset): return (gain - 1) * base + offset
    case .drift(let gain, let offset):
      let days = (instant - since).hours / 24
      return gain * days * base + offset * days
    case .compression: return -compress(until: instant)
    case .spike(let delta, let wanted):
      samples += 1
      if samples >= wanted { ended = instant }
      return samples <= wanted ? delta : 0
    default: return 0
    }
  }
}
