internal import ClosedLoop
internal import Devices
public import Quantities

/// What a fault makes wrong in the app.
public struct WrongInApp: Hashable, Sendable {
  /// What is wrong.
  private enum Matter: Hashable {
    case data(DataDisturbance)
    /// The names of the settings that are other than was programmed.
    case settings(String)
    /// How much too early the sensor's readings are dated.
    case stamps(TimeSpan)
  }

  private let matter: Matter
  /// When the app worked with it, earliest first.
  public private(set) var stretches: [Range<Instant>] = []

  fileprivate init(_ disturbance: DataDisturbance) { matter = .data(disturbance) }

  fileprivate init(settings names: String) { matter = .settings(names) }

  fileprivate init(readingsDatedEarlyBy span: TimeSpan) { matter = .stamps(span) }

  /// Notes when the app had wrong settings, or for how long a fault made its data wrong.
  mutating func note(stretches: [Range<Instant>], in span: Range<Instant>) {
    if case .settings = matter { self.stretches = stretches } else { self.stretches = [span] }
  }

  /// Whether it is the basal schedule alone: of that the comparison with the pump tells.
  var isSchedule: Bool { matter == .settings(Self.schedule) }

  fileprivate static let schedule = "basal schedule"

  /// What the app works with, as a clause with glucose in a unit.
  func clause(in unit: GlucoseUnit) -> String {
    switch matter {
    case .data(let disturbance): disturbance.clause(in: unit)
    case .settings(let names): "the app had another \(names) than was programmed"
    case .stamps(let span): "the sensor dated its readings \(span) too early"
    }
  }

  /// By this much too early readings make the app look for a rise or a fall where there is none.
  ///
  /// Of those that are dated ahead the cycles tell, which come to no decision.
  fileprivate static let stampError = TimeSpan.minutes(5)
}

extension Fault.Effect {
  /// What the app works with while the fault holds; `nil` for a fault that leaves that alone, or
  /// whose consequences are told by themselves.
  var wrongInApp: WrongInApp? {
    if case .sensor(.timestamp(let shift, _)) = self, shift <= .zero - WrongInApp.stampError {
      return WrongInApp(readingsDatedEarlyBy: shift.magnitude)
    }
    guard case .app(let fault) = self else { return nil }
    switch fault {
    case .disturbed(let disturbance): return WrongInApp(disturbance)
    case .wrongSetting(let change, _):
      let names = change.names.joined(separator: ", ")
      guard !names.isEmpty else { return nil }
      return WrongInApp(settings: names)
    // Of the clock is told with what people have set it to; see ``WrongClock``.
    case .clockJump, .skipLoops, .doubleRun, .crash: return nil
    }
  }
}

extension DataDisturbance {
  fileprivate func clause(in unit: GlucoseUnit) -> String {
    switch self {
    case .stale(let age): return "the app took the glucose of \(age) ago for present"
    case .corrupt(.glucose, .add(let value)):
      return "\(CorruptTarget.glucose.noun) was corrupted: "
        + CorruptMode.add(value / unit.mgdL).words(unit.rawValue)
    case .corrupt(let target, let mode):
      return "\(target.noun) was corrupted: \(mode.words(target.unit))"
    }
  }
}

extension CorruptTarget {
  fileprivate var noun: String {
    switch self {
    case .glucose: "the glucose that the app had received"
    case .insulinOnBoard: "the app's insulin on board"
    case .carbsOnBoard: "the app's figure of carbohydrates on board"
    case .recommendedRate: "the basal rate that the algorithm recommends"
    case .recommendedBolus: "the bolus that the algorithm recommends"
    }
  }

  fileprivate var unit: String {
    switch self {
    case .glucose: "mg/dL"
    case .insulinOnBoard, .recommendedBolus: "U"
    case .carbsOnBoard: "g"
    case .recommendedRate: "U/h"
    }
  }
}

extension CorruptMode {
  fileprivate func words(_ unit: String) -> String {
    switch self {
    case .zero: "it was 0"
    case .hold: "it stayed what it had been"
    case .max: "it was the largest there is"
    case .min: "it was the smallest there is"
    case .add(let value):
      "\(whole(value.magnitude)) \(unit) were \(value < 0 ? "taken off" : "added to") it"
    case .scale(let factor): "it was multiplied by \(whole(factor))"
    }
  }
}

extension SettingsChange {
  /// What changes, in words.
  fileprivate var names: [String] {
    [
      basal.map { _ in WrongInApp.schedule },
      sensitivity.map { _ in "insulin sensitivity" },
      carbRatio.map { _ in "carbohydrate ratio" },
      targets.map { _ in "correction range" },
      suspendThreshold.map { _ in "suspend threshold" },
      maximumBolus.map { _ in "largest bolus" },
      maximumBasalRate.map { _ in "largest basal rate" },
      strategy.map { _ in "way of automatic dosing" },
      applicationFactor.map { _ in "part of a correction that an automatic bolus gives" },
      usesMidAbsorptionISF.map { _ in "choice of mid-absorption ISF" },
      usesIntegralRetrospectiveCorrection.map { _ in "choice of integral retrospective correction"
      },
      includesPositiveVelocityAndRC.map { _ in "choice of positive momentum" },
      maximumActiveInsulin.map { _ in "largest active insulin" },
    ].compactMap(\.self)
  }
}
