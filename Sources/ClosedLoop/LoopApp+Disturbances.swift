internal import Devices
internal import Dosing
public import Quantities

/// Wrong data in the app.
extension LoopApp {
  /// The most carbohydrate that one entry of the Loop app can have, in grams (Loop,
  /// `LoopConstants.swift`).
  static let mostCarbs = 250.0
  /// What CGMs report, in mg/dL.
  static let sensorRange = 40.0...400.0
  /// How long carbohydrate takes of which only the amount is known (Loop's middle choice).
  static let standardAbsorption = TimeSpan.hours(3)

  /// The algorithm sees wrong data from now on, until the disturbance of this id ends.
  public mutating func begin(_ disturbance: DataDisturbance, id: String, at now: Instant) {
    var held = 0.0
    if case .corrupt(let target, _) = disturbance { held = presentValue(of: target, at: now) }
    disturbances.append(
      ActiveDisturbance(id: id, disturbance: disturbance, since: now, held: held))
  }

  /// The disturbances of an id are over.
  public mutating func endDisturbance(id: String) { disturbances.removeAll { $0.id == id } }

  /// The wrong data that the algorithm sees at present, in the order in which they began.
  public var activeDisturbances: [DataDisturbance] { disturbances.map(\.disturbance) }

  private func presentValue(of target: CorruptTarget, at now: Instant) -> Double {
    switch target {
    case .glucose: glucose.latest(at: now)?.glucose.mgdL ?? 0
    case .insulinOnBoard: insulinOnBoard(at: now) ?? 0
    case .carbsOnBoard: carbsOnBoard ?? 0
    case .recommendedRate: pump.runningTemp?.rate.unitsPerHour ?? therapies.neutralRate(at: now)
    case .recommendedBolus: lastDecision?.bolus.units ?? 0
    }
  }

  /// What the algorithm is given in place of its true input.
  func disturbed(_ original: AlgorithmInput, at now: Instant) -> AlgorithmInput {
    var input = original
    for active in disturbances {
      switch active.disturbance {
      case .stale(let age): input.glucoseHistory = staleGlucose(by: age, at: now)
      case .corrupt(.glucose, let mode):
        for index in input.glucoseHistory.indices
        where input.glucoseHistory[index].date >= active.since {
          let value = input.glucoseHistory[index].quantity.mgdL
          let wrong = mode.value(of: value, held: active.held, within: Self.sensorRange)
          input.glucoseHistory[index].quantity = .mgdL(max(0, wrong))
        }
      case .corrupt(.carbsOnBoard, let mode): forgetCarbs(in: &input, mode, active.held, at: now)
      case .corrupt: break
      }
    }
    let difference = wrongInsulin(at: now)
    if difference != 0 {
      input.doses.append(
        .init(
          type: .bolus, startDate: now, endDate: now, volume: difference,
          insulinModel: input.recommendationInsulinModel))
    }
    return input
  }

  /// The readings of some time ago with the stamps of now.
  private func staleGlucose(by age: TimeSpan, at now: Instant) -> [AlgorithmInput.GlucoseSample] {
    let window = DataWindows(at: now).glucose
    return glucose.rows(from: window.lowerBound - age, to: now - age).map {
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
    let wrong = mode.value(of: present, held: held, within: 0...Self.mostCarbs)
    input.carbEntries = []
    guard wrong > 0 else { return }
    input.carbEntries = [
      .init(
        date: now, quantity: CarbohydrateMass(grams: wrong),
        absorptionTime: Self.standardAbsorption)
    ]
  }

  /// How far the insulin on board that the app believes in is from what its doses say, in U.
  func wrongInsulin(at now: Instant) -> Double {
    var wrong = 0.0
    for active in disturbances {
      guard case .corrupt(.insulinOnBoard, let mode) = active.disturbance,
        let present = bodyInsulin(at: now)
      else { continue }
      let most = therapy.maximumBolus.units * therapy.activeInsulinMultiplier
      wrong += mode.value(of: present, held: active.held, within: 0...most) - present
    }
    return wrong
  }

  /// A recommended rate in U/h, or amount in U, as a disturbance leaves it.
  func disturbed(_ value: Double, _ target: CorruptTarget) -> Double {
    let most =
      target == .recommendedRate
      ? therapy.maximumBasalRate.unitsPerHour : therapy.maximumBolus.units
    var value = value
    for active in disturbances {
      guard case .corrupt(target, let mode) = active.disturbance else { continue }
      value = max(0, mode.value(of: value, held: active.held, within: 0...most))
    }
    return value
  }

  /// The newest glucose as the checks of its age see it.
  func lastGlucose(at now: Instant) -> Instant? {
    for active in disturbances {
      guard case .stale(let age) = active.disturbance else { continue }
      return glucose.latest(at: now - age).map { $0.date + age }
    }
    return glucose.newestDate
  }
}
