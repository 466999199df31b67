public import Quantities

extension Modulator {
  /// The dawn rise of glucose production: up in a straight line from 03:00 to 07:00 by a share
  /// `amplitude` of itself, and back to nothing at 10:00.
  ///
  /// The rise is that of C. Mallad et al. 2015 as quoted for the UVA/Padova model of 2018; what
  /// follows 07:00 is not public and is this package's choice. 0.1 to 0.2 makes a visible dawn.
  public static func dawn(amplitude: Double) -> Modulator {
    // Smooth passages leave a value of half an hour untouched in its middle alone: each lies around
    // its time, so that the height of 07:00 is reached.
    let steps = (0..<48).map { index -> DailySchedule<Double>.Entry in
      let hour = Double(index) / 2
      let height =
        switch hour {
        case 3..<7: (hour - 3) / 4
        case 7..<10: (10 - hour) / 3
        default: 0.0
        }
      return .init(
        start: TimeOfDay(milliseconds: max(0, Int64(index) * 1_800_000 - 900_000)),
        value: 1 + amplitude * height)
    }
    let schedule = (try? DailySchedule(steps)) ?? DailySchedule(always: 1)
    return Modulator(.glucoseProduction, .dayPattern(schedule))
  }

  /// An illness: insulin works less and the liver gives more, with half a day of onset and a day of
  /// recovery.
  ///
  /// There is no published equation; the figures are assumptions, and outputs should say so.
  ///
  /// - Parameters:
  ///   - severity: 0 for none to 1 for sensitivity halved and production up by three tenths.
  ///   - start: When it begins.
  ///   - plateau: How long it lasts in full.
  /// - Returns: The modulators of insulin sensitivity and of glucose production.
  public static func illness(severity: Double, start: Instant, plateau: TimeSpan) -> [Modulator] {
    func episode(_ factor: Double) -> Course {
      .episode(
        factor: factor, start: start, onset: .hours(12), plateau: plateau, recovery: .hours(24))
    }
    return [
      Modulator(.insulinSensitivity, episode(1 - 0.5 * severity)),
      Modulator(.glucoseProduction, episode(1 + 0.3 * severity)),
    ]
  }

  /// Acute stress: the liver gives more by a share `level`, which halves every hour.
  ///
  /// Half-life and the cap of 0.4 in type 1 diabetes are those of the public simulator
  /// krauhe/t1d-simulator, its author's calibration.
  public static func stress(level: Double, start: Instant) -> Modulator {
    Modulator(
      .glucoseProduction,
      .decay(factor: 1 + min(max(level, 0), 0.4), start: start, halfLife: .hours(1)))
  }

  /// A short night: insulin works 21 % less for a day.
  ///
  /// E. Donga et al., Diabetes Care 33, 2010.
  public static func shortNight(waking: Instant) -> Modulator {
    Modulator(
      .insulinSensitivity,
      .episode(
        factor: 0.79, start: waking, onset: .zero, plateau: .hours(16), recovery: .hours(8)))
  }
}
