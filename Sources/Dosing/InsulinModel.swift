/// How fast an insulin acts: a preset of the exponential activity model.
///
/// Source: LoopKit/LoopAlgorithm, `ExponentialInsulinModelPreset.swift`.
public enum InsulinModel: UInt8, Hashable, Sendable, CaseIterable {
  /// Rapid-acting insulin in an adult.
  case rapidActingAdult
  /// Rapid-acting insulin in a child.
  case rapidActingChild
  /// Fiasp.
  case fiasp
  /// Lyumjev.
  case lyumjev
  /// Afrezza, which is inhaled.
  case afrezza

  /// What results call it.
  public var name: String {
    // Spelled out: finding the name of a case by reflection takes the runtime a fifth of a
    // millisecond.
    switch self {
    case .rapidActingAdult: "rapidActingAdult"
    case .rapidActingChild: "rapidActingChild"
    case .fiasp: "fiasp"
    case .lyumjev: "lyumjev"
    case .afrezza: "afrezza"
    }
  }

  /// Seconds from the end of the delay until nothing of a dose is left.
  public var actionDuration: Double { actsForFiveHours ? 300 * 60 : 360 * 60 }

  /// Whether it acts for five hours, and not for six as the others do.
  var actsForFiveHours: Bool { self == .afrezza }

  /// Seconds from the end of the delay until the dose acts most.
  public var peakActivityTime: Double {
    switch self {
    case .rapidActingAdult: 75 * 60
    case .rapidActingChild: 65 * 60
    case .fiasp, .lyumjev: 55 * 60
    case .afrezza: 29 * 60
    }
  }

  /// Seconds from delivery until a dose begins to act.
  public var delay: Double { 600 }

  /// Seconds from delivery until nothing of a dose is left: action duration and delay.
  public var effectDuration: Double { actionDuration + delay }

  /// The longest ``effectDuration`` of all presets, 6 h 10 min in seconds.
  public static let longestEffectDuration = 22_200.0
}

/// A kind of insulin, as a pump or a file names it.
///
/// Source: LoopKit/LoopAlgorithm, `InsulinType.swift`.
public enum InsulinType: String, Hashable, Sendable, CaseIterable {
  /// Insulin aspart.
  case novolog
  /// Insulin lispro.
  case humalog
  /// Insulin glulisine.
  case apidra
  /// Faster-acting insulin aspart.
  case fiasp
  /// Ultra-rapid insulin lispro.
  case lyumjev
  /// Inhaled human insulin.
  case afrezza

  /// What an insulin of meals counts as whose type nobody stated.
  public static let mostUsual = Self.novolog

  /// The activity model for the type; rapid-acting analogues use the person's default.
  public func model(rapidActing: InsulinModel = .rapidActingAdult) -> InsulinModel {
    switch self {
    case .novolog, .humalog, .apidra: rapidActing
    case .fiasp: .fiasp
    case .lyumjev: .lyumjev
    case .afrezza: .afrezza
    }
  }
}
