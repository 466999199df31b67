import HealthStore
import Quantities
import StructuredText

/// One reported basal segment and what its rate amounts to.
struct BasalLine {
  /// A pulse where nothing is said of the pump, in U.
  static let usualPulse = 0.05

  /// Refuses a pulse that no pump has, on a command line.
  static func check(pulse: Double?) throws(Failure) {
    guard pulse.map({ (0.0001...1).contains($0) }) ?? true else {
      throw Failure(.usage, "--pulse is from 0.0001 to 1 U.")
    }
  }

  let sample: Sample
  let pulse: Double
  let event: String
  let rate: Double?
  let reported: Double

  init(_ sample: Sample, pulse: Double) {
    self.sample = sample
    self.pulse = pulse
    let metadata = sample.metadata
    reported = sample.storedValue ?? 0
    if metadata.isSuspend == true {
      (event, rate) = ("suspend", 0)
    } else if let temp = metadata.programmedTempBasalRate {
      (event, rate) = ("temp basal", temp.unitsPerHour)
    } else if let scheduled = metadata.scheduledBasalRate {
      (event, rate) = ("scheduled basal", scheduled.unitsPerHour)
    } else {
      // A pen's, another app's: of no schedule that is known.
      (event, rate) = ("basal", nil)
    }
  }

  /// What the rate amounts to, in U; `nil` where there is no rate, or no end yet.
  var programmed: Double? {
    sample.hasUndeterminedDuration ? nil : rate.map { $0 * sample.duration.hours }
  }

  /// Whether more or less than the fraction of a pulse is missing.
  var isOff: Bool {
    programmed.map { (reported - $0).magnitude >= pulse + 1e-9 } ?? false
  }

  /// An amount with its decimals under one another.
  static func units(_ value: Double) -> StoreCell {
    // What a difference of sums leaves behind is no amount.
    let exact = (value * 1e9).rounded() / 1e9
    return .shown(FixedDecimal.text(exact, decimals: 3), exact == 0 ? 0 : exact)
  }

  /// What is to be said of the segment; nothing of one that is as it should be.
  var remarks: [String] {
    (sample.hasUndeterminedDuration ? ["has no end yet"] : [])
      + (isWhole || !isOfPump ? [] : ["no whole pulses"])
      + (isOff ? ["off by a pulse or more"] : [])
  }

  private var isWhole: Bool {
    (reported / pulse - (reported / pulse).rounded()).magnitude < 1e-6
  }

  /// Whether it may be a pump's: what is given at once, and at no rate, is a pen's.
  private var isOfPump: Bool { rate != nil || sample.duration > .zero }

  /// The pulses that the reported units amount to; `nil` of what a pen gave.
  var pulses: Double? {
    guard isOfPump else { return nil }
    return isWhole ? (reported / pulse).rounded() : reported / pulse
  }
}
