import Quantities

extension SensorProfile {
  /// Every sensor that is known, the generic one first.
  public static let catalogue: [Self] = [
    .generic, .ideal, .breton2008, .mard9, .dexcomSevenPlus, .dexcomG4, .dexcomG5, .dexcomG6,
    .dexcomG6AsLoop, .dexcomG6Drift, .dexcomG7,
    .dexcomG7Days15, .libre1, .libre2, .libre2Plus, .libre3, .enlite, .guardian3, .guardian4,
    .eversenseE3,
  ]

  /// The sensor with an id; nothing when there is none.
  public static func named(_ id: String) -> Self? { catalogue.first { $0.id == id } }

  /// The skewed noise of an early sensor, without drift.
  public static let breton2008 = Self(
    id: "breton2008", name: "Sensor of Breton and Kovatchev", wear: .days(36_500),
    error: .johnson(.simglucose), simulatedMARD: 9.3,
    source: "Breton and Kovatchev 2008, with the figures of jxx123/simglucose")

  /// Independent noise in proportion to glucose, for a mean absolute relative difference of 9 %.
  public static let mard9 = Self(
    id: "mard9", name: "Sensor with a MARD of 9 %", wear: .days(36_500), lag: .zero,
    error: .proportional(mard: 0.09), labelMARD: "9 by construction",
    simulatedMARD: 8.9,
    source: "No device: unbiased normal noise of the size that gives the MARD.")

  /// An early calibrated Dexcom with the noisiest of the published models.
  public static let dexcomSevenPlus = Self(
    id: "dexcomSevenPlus", name: "Dexcom SEVEN Plus", warmUp: .minutes(120), wear: .days(7),
    isFactoryCalibrated: false, error: .affine(.facchinetti2014), labelMARD: "14.2",
    simulatedMARD: 9.4,
    source: "Facchinetti et al. 2014 and 2015; range and warm-up as the later G4")

  /// A calibrated Dexcom of seven days.
  public static let dexcomG4 = Self(
    id: "dexcomG4", name: "Dexcom G4 Platinum", warmUp: .minutes(120), wear: .days(7),
    isFactoryCalibrated: false, error: .affine(.facchinetti2015),
    labelMARD: "13 (label era); 11.1 (Facchinetti 2015)", simulatedMARD: 8.2,
    source: "Dexcom user guide; Facchinetti et al. 2015")

  /// A calibrated Dexcom of seven days that sends missed readings later.
  public static let dexcomG5 = Self(
    id: "dexcomG5", name: "Dexcom G5", warmUp: .minutes(120), wear: .days(7),
    backfill: .hours(24), isFactoryCalibrated: false, error: .affine(.vettoretti2018),
    labelMARD: "9", simulatedMARD: 7.2,
    source: "Dexcom user guide; Vettoretti et al. 2018")

  /// A factory-calibrated Dexcom of ten days, each drawn from a population.
  public static let dexcomG6 = Self(
    id: "dexcomG6", name: "Dexcom G6", warmUp: .minutes(120), wear: .days(10),
    backfill: .hours(24), labelMARD: "9.0 (label); 9.8 (DEN170088)", simulatedMARD: 10.1,
    source: "FDA DEN170088; LoopKit/CGMBLEKit; Vettoretti et al. 2019")

  /// A G6 whose values below the code 39 are no samples, as Loop reads them.
  public static let dexcomG6AsLoop: Self = {
    var sensor = dexcomG6
    sensor.id = "dexcomG6AsLoop"
    sensor.name = "Dexcom G6 as Loop reads it"
    sensor.lowReporting = .droppedBelowCode
    return sensor
  }()

  /// A G6 with the one drift of the published two-component model, the same for every sensor.
  public static let dexcomG6Drift: Self = {
    var sensor = dexcomG6
    sensor.id = "dexcomG6Drift"
    sensor.name = "Dexcom G6 with a typical drift"
    sensor.error = .affine(.vettorettiEMBC2019)
    sensor.simulatedMARD = 9.2
    sensor.source = "FDA DEN170088; LoopKit/CGMBLEKit; Vettoretti et al., EMBC 2019"
    return sensor
  }()

  /// A Dexcom of ten days with half a day of grace and a warm-up of half an hour.
  public static let dexcomG7 = Self(
    id: "dexcomG7", name: "Dexcom G7", warmUp: .minutes(30), wear: .days(10),
    grace: .hours(12), backfill: .hours(24), isOnePiece: true,
    error: .scaledPopulation(factor: 0.765, life: .days(10)), labelMARD: "8.2",
    simulatedMARD: 8.3,
    source: "Dexcom G7 user guide; LoopKit/G7SensorKit; the G6 population, errors × 0.765")

  /// A Dexcom G7 that is worn for fifteen days.
  public static let dexcomG7Days15 = Self(
    id: "dexcomG7Days15", name: "Dexcom G7 15 Day", warmUp: .minutes(30), wear: .days(15),
    grace: .hours(12), backfill: .hours(24), isOnePiece: true,
    error: .scaledPopulation(factor: 0.737, life: .days(15)), labelMARD: "8.0",
    simulatedMARD: 8.1,
    source: "Dexcom product pages; the G6 population over 15 days, errors × 0.737")

  /// The first Libre, with values up to 500 mg/dL.
  public static let libre1 = libre(
    "libre1", "FreeStyle Libre", wear: 14, highest: 500, backfill: .hours(8), deviation: 11.8,
    label: "9.7", simulated: 9.7)
  /// A Libre of fourteen days with a reading every minute.
  public static let libre2 = libre(
    "libre2", "FreeStyle Libre 2", wear: 14, backfill: .hours(8), deviation: 10.9,
    label: "9.2-9.3", simulated: 9.2)
  /// A Libre 2 of fifteen days.
  public static let libre2Plus = libre(
    "libre2Plus", "FreeStyle Libre 2 Plus", wear: 15, backfill: .hours(8), deviation: 9.2,
    label: "8.2", simulated: 8.2)
  /// A Libre that keeps all its readings on the sensor.
  public static let libre3 = libre(
    "libre3", "FreeStyle Libre 3", wear: 14, backfill: .days(14), deviation: 8.7, label: "7.9",
    simulated: 7.9)

  private static func libre(
    _ id: String, _ name: String, wear: Int64, highest: Double = 400, backfill: TimeSpan,
    deviation: Double, label: String, simulated: Double
  ) -> Self {
    // No model of a Libre's error is public. Noise of the first order stands in, of the size with
    // which the sensor, lag and rounding included, has the label's MARD in ``AccuracyStudy``.
    Self(
      id: id, name: name, period: .minutes(1), warmUp: .minutes(60), wear: .days(wear),
      maximum: .mgdL(highest), backfill: backfill, isOnePiece: true,
      error: .autoregressive(standardDeviation: deviation, correlationTime: .minutes(40)),
      labelMARD: label, simulatedMARD: simulated,
      source: "Abbott user guides; AR(1) noise that gives the label's MARD")
  }

  /// A calibrated Medtronic sensor of six days.
  public static let enlite = medtronic(
    "enlite", "Medtronic Enlite", wear: 6, deviation: 18.4, label: "13.6", simulated: 13.6)
  /// A calibrated Medtronic sensor of seven days.
  public static let guardian3 = medtronic(
    "guardian3", "Medtronic Guardian 3", wear: 7, deviation: 11.6, label: "8.7-10.6",
    simulated: 9.6, backfill: .hours(10))
  /// A factory-calibrated Medtronic sensor of seven days.
  public static let guardian4 = medtronic(
    "guardian4", "Medtronic Guardian 4", wear: 7, deviation: 13.1, label: "10-11", simulated: 10.5,
    factory: true)

  private static func medtronic(
    _ id: String, _ name: String, wear: Int64, deviation: Double, label: String,
    simulated: Double, backfill: TimeSpan? = nil, factory: Bool = false
  ) -> Self {
    Self(
      id: id, name: name, warmUp: .minutes(120), wear: .days(wear), backfill: backfill,
      isFactoryCalibrated: factory,
      error: .autoregressive(standardDeviation: deviation, correlationTime: .minutes(40)),
      labelMARD: label, simulatedMARD: simulated,
      source: "Medtronic user guides; the Enlite model of Biagi et al. has no public figures")
  }

  /// An implanted sensor of half a year.
  public static let eversenseE3 = Self(
    id: "eversenseE3", name: "Senseonics Eversense E3", warmUp: .hours(24), wear: .days(180),
    isFactoryCalibrated: false,
    error: .autoregressive(
      standardDeviation: 9.8, correlationTime: .minutes(40)),
    labelMARD: "8.5", simulatedMARD: 8.5,
    source: "Senseonics label; AR(1) noise that gives the label's MARD")
}
