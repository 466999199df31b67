internal import Dosing
internal import Quantities

/// The wrong data that the algorithm sees at present.
///
/// Nothing of it is stored: the part changes what the app hands to the algorithm, and what it takes
/// from it.
package struct DataDisturbances: Sendable {
  /// What CGMs report, in mg/dL.
  private static let sensorRange = 40.0...400.0
  /// How long carbohydrate takes of which only the amount is known (Loop's middle choice).
  private static let standardAbsorption = TimeSpan.hours(3)

  /// The disturbances at work, in the order in which they began.
  private var active: [ActiveDisturbance] = []

  /// Whether the algorithm sees everything as it is.
  var isEmpty: Bool { active.isEmpty }

  /// What is wrong at present, in the order in which it began.
  package var list: [DataDisturbance] { active.map(\.disturbance) }

  /// A disturbance begins; `value` is what is present of its target, for one that is held.
  mutating func begin(
    _ disturbance: DataDisturbance, id: String, at now: Instant, holding value: Double
  ) {
    active.append(
      ActiveDisturbance(id: id, disturbance: disturbance, since: now, held: value))
  }

  /// The disturbances of an id are over.
  mutating func end(id: String) { active.removeAll { $0.id == id } }

  // MARK: - What the algorithm is given

  /// How old the glucose is that is taken for present, of several such disturbances the oldest;
  /// `nil` where it is as it is.
  private var staleness: TimeSpan? {
    active.lazy.compactMap { active -> TimeSpan? in
      guard case .stale(let age) = active.disturbance else { return nil }
      return age
    }.max()
  }

  /// The newest glucose as the checks of its age see it.
  func newestGlucose(in store: GlucoseStore, at now: Instant) -> Instant? {
    guard let age = staleness else { return store.newestDate }
    return store.latest(at: now - age).map { $0.date + age }
  }

  /// Changes the input of the algorithm; `wrongInsulin` is how far the insulin on board is off, in
  /// U.
  func disturb(
    _ input: inout AlgorithmInput, at now: Instant, _ store: GlucoseStore, wrongInsulin: Double
  ) {
    // A reading that is taken for a later one is as wrong as before.
    if let age = staleness { input.glucoseHistory = staleGlucose(in: store, by: age, at: now) }
    for disturbance in active {
      corrupt(&input.glucoseHistory, by: disturbance)
      if case .corrupt(.carbsOnBoard, let mode) = disturbance.disturbance {
        forgetCarbs(in: &input, mode, disturbance.held, at: now)
      }
    }
    guard wrongInsulin != 0 else { return }
    input.doses.append(
      .init(
        type: .bolus, startDate: now, endDate: now, volume: wrongInsulin,
        insulinModel: input.recommendationInsulinModel))
  }

  /// The newest glucose that is recent enough to be corrected, as the app sees it.
  func recentGlucose(in store: GlucoseStore, at now: Instant) -> GlucoseConcentration? {
    let age = staleness ?? .zero
    var samples = staleGlucose(in: store, by: age, at: now).suffix(1).filter {
      now - $0.date <= DataRecency.limit
    }
    for disturbance in active { corrupt(&samples, by: disturbance) }
    return samples.last?.quantity
  }

  /// Makes the values wrong of the readings since a disturbance of glucose began.
  private func corrupt(
    _ samples: inout [AlgorithmInput.GlucoseSample], by disturbance: ActiveDisturbance
  ) {
    guard case .corrupt(.glucose, let mode) = disturbance.disturbance else { return }
    let first = disturbance.since + (staleness ?? .zero)
    for index in samples.indices where samples[index].date >= first {
      let value = samples[index].quantity.mgdL
      let wrong = mode.value(of: value, held: disturbance.held, within: Self.sensorRange)
      samples[index].quantity = .mgdL(max(0, wrong))
    }
  }

  /// The readings of some time ago with the stamps of now.
  private func staleGlucose(
    in store: GlucoseStore, by age: TimeSpan, at now: Instant
  ) -> [AlgorithmInput.GlucoseSample] {
    let window = DataWindows(at: now).glucose
    return store.rows(from: window.lowerBound - age, to: now - age).map {
      .init(
        date: $0.date + age, quantity: $0.glucose, provenanceIdentifier: $0.provenance,
        isDisplayOnly: $0.isDisplayOnly, wasUserEntered: $0.wasUserEntered)
    }
  }

  /// Only the wrong amount is left, as if it were eaten now.
  private func forgetCarbs(
    in input: inout AlgorithmInput, _ mode: CorruptMode, _ held: Double, at now: Instant
  ) {
    let present = LoopAlgorithm.run(input).activeCarbs ?? 0
    let wrong = mode.value(of: present, held: held, within: 0...CarbStore.largestEntry)
    input.carbEntries = []
    guard wrong > 0 else { return }
    input.carbEntries = [
      .init(
        date: now, quantity: CarbohydrateMass(grams: wrong),
        absorptionTime: Self.standardAbsorption)
    ]
  }

  // MARK: - What the app takes from it

  /// How far the insulin on board that the app believes in is from what its doses say, in U.
  ///
  /// - Parameters:
  ///   - present: What the doses say; `nil` where that is not known.
  ///   - therapy: The settings, which say how much insulin there may be.
  /// - Returns: The difference, which is 0 where nothing is wrong.
  func wrongInsulin(
    besides present: @autoclosure () -> Double?, _ therapy: TherapySettings
  ) -> Double {
    let most = therapy.maximumBolus.units * therapy.activeInsulinMultiplier
    var known: (said: Double, believed: Double)?
    for disturbance in active {
      guard case .corrupt(.insulinOnBoard, let mode) = disturbance.disturbance else { continue }
      if known == nil { known = present().map { ($0, $0) } }
      guard let (said, believed) = known else { return 0 }
      // Of several each changes what the one before it has left.
      known = (said, mode.value(of: believed, held: disturbance.held, within: 0...most))
    }
    return known.map { $0.believed - $0.said } ?? 0
  }

  /// A recommended rate in U/h, or amount in U, as a disturbance leaves it.
  func disturbed(
    _ original: Double, _ target: CorruptTarget, _ therapy: TherapySettings
  ) -> Double {
    let most =
      target == .recommendedRate
      ? therapy.maximumBasalRate.unitsPerHour : therapy.maximumBolus.units
    var value = original
    for disturbance in active {
      guard case .corrupt(target, let mode) = disturbance.disturbance else { continue }
      value = max(0, mode.value(of: value, held: disturbance.held, within: 0...most))
    }
    return value
  }
}

/// A disturbance at work.
private struct ActiveDisturbance: Hashable, Sendable {
  var id: String
  var disturbance: DataDisturbance
  var since: Instant
  /// The value at the beginning, for one that is held.
  var held: Double
}

extension CorruptMode {
  /// The corrupted value.
  fileprivate func value(
    of value: Double, held: Double, within limits: ClosedRange<Double>
  ) -> Double {
    switch self {
    case .zero: 0
    case .hold: held
    case .max: limits.upperBound
    case .min: limits.lowerBound
    case .add(let difference): value + difference
    case .scale(let factor): value * factor
    }
  }
}
