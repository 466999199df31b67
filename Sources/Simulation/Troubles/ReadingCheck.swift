internal import Quantities

/// Finds when the sensor's readings were far from glucose.
///
/// People and the algorithm act on them, whatever the reason: a sensor that is pressed, that drifts
/// or that was calibrated wrongly, a value that is stuck, or readings of somebody else.
///
/// What is allowed is what trials of sensors allow the worst of their readings: 40 mg/dL, or 40 %
/// of a glucose above 100 mg/dL. Noise and delay of a sensor that works rarely go so far, and never
/// for long.
enum ReadingCheck {
  /// How long a reading is the newest; of sensors that show more of them, a few are.
  static let interval = TimeSpan.minutes(5)
  /// After so long without a reading another stretch begins.
  private static let longestGap = TimeSpan.minutes(15)

  /// The stretches in which the readings were wrong, with figures in mg/dL.
  ///
  /// - Parameters:
  ///   - rows: The rows of the run.
  ///   - hadEffect: Whether a dose was raised on readings from an instant to another that showed
  ///     too much; asked of stretches that are too short to be told otherwise.
  /// - Returns: The stretches that lasted, and the shorter ones with an effect.
  static func findings(
    _ rows: [TraceRow], hadEffect: (Instant, Instant) -> Bool
  ) -> (lasting: [WrongStretches.Finding], short: [WrongStretches.Finding]) {
    var stretches = WrongStretches(longestGap: longestGap, keepsShort: true)
    for row in rows {
      guard let reading = row.reading?.mgdL else { continue }
      let glucose = row.trueGlucose.mgdL
      let difference = difference(of: reading, from: glucose)
      if isFarOff(difference, glucose) {
        stretches.take(
          .init(instant: row.instant, shown: reading, truth: glucose, difference: difference))
      } else {
        stretches.close()
      }
    }
    stretches.close()
    return told(stretches, hadEffect)
  }

  /// The stretches in which the loop decided on wrong glucose of other apps, with figures in mg/dL.
  ///
  /// What they have from the sensor is told of as its readings.
  ///
  /// - Parameters:
  ///   - others: The glucose of other apps on which cycles decided.
  ///   - hadEffect: Whether a dose was raised on it, from an instant to another; asked of stretches
  ///     that are too short to be told otherwise.
  /// - Returns: The stretches that lasted, and the shorter ones with an effect.
  static func findings(
    _ others: [GlucoseOfOthers], hadEffect: (Instant, Instant) -> Bool
  ) -> (lasting: [WrongStretches.Finding], short: [WrongStretches.Finding]) {
    var stretches = WrongStretches(longestGap: longestGap, keepsShort: true)
    for glucose in others {
      let (shown, truth) = (glucose.shown.mgdL, glucose.truth.mgdL)
      let difference = difference(of: shown, from: truth)
      guard isFarOff(difference, truth) else {
        stretches.close()
        continue
      }
      let isOfSensor = glucose.sensor.map {
        (shown - $0.mgdL).magnitude < difference.magnitude / 2
      }
      guard isOfSensor != true else { continue }
      stretches.take(
        .init(instant: glucose.instant, shown: shown, truth: truth, difference: difference))
    }
    stretches.close()
    return told(stretches, hadEffect)
  }

  /// The stretches that lasted, and as one the shorter ones that showed too much and had an effect.
  private static func told(
    _ stretches: WrongStretches, _ hadEffect: (Instant, Instant) -> Bool
  ) -> (lasting: [WrongStretches.Finding], short: [WrongStretches.Finding]) {
    (
      stretches.findings,
      stretches.short.filter { $0.worst.difference > 0 && hadEffect($0.start, $0.end) }.joined
    )
  }

  private static func isFarOff(_ difference: Double, _ glucose: Double) -> Bool {
    difference.magnitude > max(40, 0.4 * glucose)
  }

  /// Nothing where the sensor shows the end of its range because glucose lies beyond.
  private static func difference(of reading: Double, from glucose: Double) -> Double {
    let (plain, clipped) = (reading - glucose, reading - min(max(glucose, 40), 400))
    return plain.magnitude < clipped.magnitude ? plain : clipped
  }
}
