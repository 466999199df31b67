import Physiology
import Quantities

/// The day with three meals that the suites live.
enum MealDay {
  /// When it begins.
  static let start = Instant(secondsSince1970: 1_767_225_600)

  /// The meals of the day, in grams, and the minutes at which they are eaten.
  static let meals: [(minute: Int64, grams: Double)] = [(420, 45), (750, 70), (1_140, 60)]

  /// Lives a day with a glance at the glucose every five minutes.
  ///
  /// With a basal rate in U/h the insulin comes in pulses of 0.05 U, boluses in pulses 2 s apart;
  /// without one a bolus comes at once.
  static func live(
    _ patient: inout some Patient, basal: Double, ratio: Double, into sum: inout Checksum
  ) {
    let between = basal > 0 ? TimeSpan(roundingSeconds: 180 / basal) : nil
    var nextPulse = between.map { start + $0 }
    for step: Int64 in 1...288 {
      let instant = start + .minutes(5 * step)
      while let between, let due = nextPulse, due <= instant {
        patient.advance(to: due)
        patient.receive(.pulse(units: 0.05))
        nextPulse = due + between
      }
      patient.advance(to: instant)
      sum.absorb(patient.sensedGlucose.mgdL)
      for meal in meals where meal.minute == 5 * step {
        patient.eat(MealInput(grams: meal.grams, absorption: .hours(3)))
        bolus(&patient, units: meal.grams / ratio, inPulses: basal > 0)
      }
    }
  }

  private static func bolus(_ patient: inout some Patient, units: Double, inPulses: Bool) {
    guard inPulses else { return patient.receive(.pulse(units: units)) }
    for _ in 0..<Int(units / 0.05) {
      patient.advance(to: patient.now + .seconds(2))
      patient.receive(.pulse(units: 0.05))
    }
  }
}
