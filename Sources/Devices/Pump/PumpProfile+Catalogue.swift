import Quantities

extension PumpProfile {
  /// A pump with pulses of 0.05 U and no manufacturer's peculiarities; the default.
  public static let generic50 = Self(
    id: "generic50", name: "Generic 0.05 U pump", pulse: .milliunits(50),
    residualRule: .resetOnCommand,
    basalRates: SupportedSteps(0, 30_000, step: 50), maximumScheduleEntries: 48,
    scheduleStep: .minutes(30),
    bolusVolumes: SupportedSteps(50, 30_000, step: 50), bolusSpeed: .perUnit(.seconds(40)),
    tempBasal: TempBasalRule(rates: SupportedSteps(0, 30_000, step: 50)),
    reservoirCapacity: .milliunits(200_000),
    source: "The granularity that Omnipod, Medtrum and older Medtronic pumps share.")
}
