internal import Determinism
internal import Quantities

/// A value that gives all of its fields to a digest.
///
/// A type that stands in a run's result says in one place what its digest is of. What is missing is
/// absorbed as missing, never as a number that stands for it.
protocol Digestible {
  /// Gives every field to a digest, in the order of their declaration.
  func absorb(into digest: inout RunningDigest)
}

extension RunningDigest {
  /// Absorbs every field of a value.
  mutating func absorb(_ value: some Digestible) { value.absorb(into: &self) }

  /// Absorbs whether there is a value, and the value where there is one.
  mutating func absorb(_ value: (some Digestible)?) {
    absorb(value != nil)
    if let value { absorb(value) }
  }

  /// Absorbs how many pulses there are, and each of them.
  mutating func absorb(_ pulses: PumpPulses) {
    absorb(pulses.count)
    for pulse in pulses { absorb(pulse) }
  }

  /// Absorbs how many values there are, and each of them.
  mutating func absorb(_ values: [some Digestible]) {
    absorb(values.count)
    // Looked at where they are: to take a value out copies all that it refers to.
    let span = values.span
    for index in span.indices { absorb(span[index]) }
  }
}

extension Digestible where Self: RawRepresentable, RawValue: Digestible {
  func absorb(into digest: inout RunningDigest) { digest.absorb(rawValue) }
}

extension Bool: Digestible {
  func absorb(into digest: inout RunningDigest) { digest.absorb(self) }
}

extension Int: Digestible {
  func absorb(into digest: inout RunningDigest) { digest.absorb(self) }
}

extension Int64: Digestible {
  func absorb(into digest: inout RunningDigest) { digest.absorb(self) }
}

extension Double: Digestible {
  func absorb(into digest: inout RunningDigest) { digest.absorb(self) }
}

extension String: Digestible {
  func absorb(into digest: inout RunningDigest) { digest.absorb(self) }
}

extension Instant: Digestible {
  func absorb(into digest: inout RunningDigest) { digest.absorb(millisecondsSince1970) }
}

extension TimeSpan: Digestible {
  func absorb(into digest: inout RunningDigest) { digest.absorb(milliseconds) }
}

extension Range: Digestible where Bound: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(lowerBound)
    digest.absorb(upperBound)
  }
}

extension GlucoseConcentration: Digestible {
  func absorb(into digest: inout RunningDigest) { digest.absorb(mgdL) }
}

extension CarbohydrateMass: Digestible {
  func absorb(into digest: inout RunningDigest) { digest.absorb(grams) }
}

extension InsulinAmount: Digestible {
  func absorb(into digest: inout RunningDigest) { digest.absorb(milliunits) }
}

extension InsulinRate: Digestible {
  func absorb(into digest: inout RunningDigest) { digest.absorb(milliunitsPerHour) }
}

extension WallClock: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(initialOffset)
    digest.absorb(transitions)
  }
}

extension WallClock.Transition: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(instant)
    digest.absorb(offset)
  }
}

extension Timeline: Digestible where Value: Digestible {
  func absorb(into digest: inout RunningDigest) { digest.absorb(segments) }
}

extension Timeline.Segment: Digestible where Value: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(start)
    digest.absorb(end)
    digest.absorb(value)
  }
}
