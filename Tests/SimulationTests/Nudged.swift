import ClosedLoop
import Devices
import Dosing
import HealthStore
import Quantities

@testable import Simulation

/// A field that a test changes by the least there is, and looks at nothing inside of.
protocol Nudged {
  /// A value for where there is none.
  static var sample: Self { get }
  /// The value next to this one.
  var nudged: Self { get }
}

extension Bool: Nudged {
  static var sample: Self { false }
  var nudged: Self { !self }
}

extension Int: Nudged {
  static var sample: Self { 0 }
  var nudged: Self { self + 1 }
}

extension Double: Nudged {
  static var sample: Self { -1 }
  var nudged: Self { nextUp }
}

extension String: Nudged {
  static var sample: Self { "" }
  var nudged: Self { self + "x" }
}

extension SyncIdentifier: Nudged {
  static var sample: Self { "" }
  var nudged: Self { Self("\(self)x") }
}

extension SampleUUID: Nudged {
  static var sample: Self { Self(high: 0, low: 0) }
  var nudged: Self { Self(high: high, low: low ^ 1) }
}

extension Instant: Nudged {
  static var sample: Self { Instant(millisecondsSince1970: -1) }
  var nudged: Self { self + .milliseconds(1) }
}

extension Range: Nudged where Bound: Nudged {
  static var sample: Self { Bound.sample..<Bound.sample.nudged }
  var nudged: Self { lowerBound..<upperBound.nudged }
}

extension InsulinAmount: Nudged {
  static var sample: Self { .milliunits(-1) }
  var nudged: Self { self + .milliunits(1) }
}

extension InsulinRate: Nudged {
  static var sample: Self { InsulinRate(milliunitsPerHour: -1) }
  var nudged: Self { InsulinRate(milliunitsPerHour: milliunitsPerHour + 1) }
}

extension AccruedInsulin: Nudged {
  static var sample: Self { .zero }
  var nudged: Self { Self(milliunitMillisecondsPerHour: milliunitMillisecondsPerHour + 1) }
}

extension PhysicalInsulin: Nudged {
  static var sample: Self { .zero }
  var nudged: Self { Self(microunits: microunits + 1) }
}

extension GlucoseConcentration: Nudged {
  static var sample: Self { .mgdL(-1) }
  var nudged: Self { .mgdL(mgdL.nextUp) }
}

extension CarbohydrateMass: Nudged {
  static var sample: Self { Self(grams: -1) }
  var nudged: Self { Self(grams: grams.nextUp) }
}

extension WallClock: Nudged {
  static var sample: Self { .utc }
  var nudged: Self {
    WallClock(
      initialOffset: initialOffset,
      transitions: transitions + [.init(instant: .sample, offset: .milliseconds(1))])
  }
}

extension Timeline: Nudged where Value: Nudged {
  static var sample: Self { Timeline(segments: []) }
  var nudged: Self {
    Timeline(
      segments: segments.map { .init(start: $0.start, end: $0.end, value: $0.value.nudged) })
  }
}

extension Optional: Nudged where Wrapped: Nudged {
  static var sample: Self { nil }
  var nudged: Self { map(\.nudged) ?? Wrapped.sample }
}

extension CaseIterable where Self: Equatable {
  /// The case after this one.
  var nextCase: Self {
    let all = Array(Self.allCases)
    let index = all.firstIndex(of: self) ?? 0
    return all[(index + 1) % all.count]
  }
}

extension InsulinModel: Nudged {
  static var sample: Self { .rapidActingAdult }
  var nudged: Self { nextCase }
}

extension LoopMode: Nudged {
  static var sample: Self { .off }
  var nudged: Self { nextCase }
}

extension Happening.Kind: Nudged {
  static var sample: Self { .meal }
  var nudged: Self { nextCase }
}

extension BasalSampleRecord.Kind: Nudged {
  static var sample: Self { .basal }
  var nudged: Self { nextCase }
}

extension HistoryEvent.Kind: Nudged {
  static var sample: Self { .bolus }
  var nudged: Self { nextCase }
}

extension DoseEntry.Kind: Nudged {
  static var sample: Self { .bolus }
  var nudged: Self { nextCase }
}

extension PumpProgramRecord.Kind: Nudged {
  static var sample: Self { .scheduled }
  var nudged: Self { nextCase }
}

extension PumpPulseRecord.Channel: Nudged {
  static var sample: Self { .basal }
  var nudged: Self { nextCase }
}

extension RecordDifference.Severity: Nudged {
  static var sample: Self { .note }
  var nudged: Self { nextCase }
}

extension RecordDifference.Kind: Nudged {
  static var sample: Self { .missingSpan }
  var nudged: Self { nextCase }
}

extension BolusRequester: Nudged {
  static var sample: Self { .user }
  var nudged: Self { nextCase }
}

extension RecordAgreement.Origin: Nudged {
  static var sample: Self { .basal }
  var nudged: Self { nextCase }
}

extension Array: Nudged where Element == RecordAgreement.Record {
  static var sample: Self { [] }
  var nudged: Self { self + [.app] }
}
