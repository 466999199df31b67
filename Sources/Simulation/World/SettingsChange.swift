public import ClosedLoop
public import Dosing
public import Quantities

/// Settings that a person saves in the app: what is given changes, the rest stays.
public struct SettingsChange: Sendable, Equatable {
  /// The new basal schedule.
  public var basal: DailySchedule<InsulinRate>?
  /// The new insulin sensitivities.
  public var sensitivity: DailySchedule<InsulinSensitivity>?
  /// The new carbohydrate ratios.
  public var carbRatio: DailySchedule<CarbohydrateRatio>?
  /// The new correction ranges.
  public var targets: DailySchedule<GlucoseRange>?
  /// The new glucose below which basal is suspended.
  public var suspendThreshold: GlucoseConcentration?
  /// The new limit of a bolus.
  public var maximumBolus: InsulinAmount?
  /// The new limit of a temp basal.
  public var maximumBasalRate: InsulinRate?
  /// The new way of automatic dosing.
  public var strategy: DosingStrategy?
  /// The new part of a correction that an automatic bolus gives.
  public var applicationFactor: ApplicationFactor?
  /// Whether sensitivity is that of the middle of absorption.
  public var usesMidAbsorptionISF: Bool?
  /// Whether retrospective correction adds up over hours.
  public var usesIntegralRetrospectiveCorrection: Bool?
  /// Whether rising momentum and retrospective correction count.
  public var includesPositiveVelocityAndRC: Bool?
  /// The most insulin on board that automatic dosing may reach, in U.
  public var maximumActiveInsulin: Double?

  /// Creates a change of nothing.
  public init() {}

  /// What a person calls the settings that are changed.
  var words: [String] { Self.settings.filter { $0.isIn(self) }.map(\.word) }

  /// What a therapy has of the settings that are changed.
  func named(of therapy: TherapySettings) -> Self {
    Self.settings.reduce(into: Self()) { named, setting in setting.name(self, therapy, &named) }
  }

  /// The therapy with the change applied.
  public func applied(to therapy: TherapySettings) -> TherapySettings {
    Self.settings.reduce(into: therapy) { changed, setting in setting.apply(self, &changed) }
  }

  /// All settings, each with what a therapy has of it.
  private static let settings: [Setting] = [
    Setting("basal schedule", \.basal, \.basal),
    Setting("insulin sensitivity", \.sensitivity, \.sensitivity),
    Setting("carb ratio", \.carbRatio, \.carbRatio),
    Setting("correction range", \.targets, \.targets),
    Setting("suspend threshold", \.suspendThreshold, \.suspendThreshold),
    Setting("maximum bolus", \.maximumBolus, \.maximumBolus),
    Setting("maximum basal rate", \.maximumBasalRate, \.maximumBasalRate),
    Setting("dosing strategy", \.strategy, \.strategy),
    Setting("application factor", \.applicationFactor, \.applicationFactor),
    Setting("ISF of mid-absorption", \.usesMidAbsorptionISF, \.usesMidAbsorptionISF),
    Setting(
      "integral retrospective correction", \.usesIntegralRetrospectiveCorrection,
      \.usesIntegralRetrospectiveCorrection),
    Setting(
      "positive momentum and retrospective correction", \.includesPositiveVelocityAndRC,
      \.includesPositiveVelocityAndRC),
    Setting("maximum insulin on board", \.maximumActiveInsulin, \.maximumActiveInsulin),
  ]

  /// A setting, as a change and as a therapy have it.
  private struct Setting: Sendable {
    /// Sets it in a therapy, where a change has it.
    let apply: @Sendable (SettingsChange, inout TherapySettings) -> Void
    /// Takes it from a therapy into another change, where a change has it.
    let name: @Sendable (SettingsChange, TherapySettings, inout SettingsChange) -> Void

    /// Whether a change has it.
    let isIn: @Sendable (SettingsChange) -> Bool
    /// What a person calls it.
    let word: String

    init<Value>(
      _ word: String, _ change: any WritableKeyPath<SettingsChange, Value?> & Sendable,
      _ therapy: any WritableKeyPath<TherapySettings, Value> & Sendable
    ) {
      self.init(word, change, therapy, storing: { $0 }, reading: { $0 })
    }

    /// A setting that a therapy may lack.
    init<Value>(
      _ word: String, _ change: any WritableKeyPath<SettingsChange, Value?> & Sendable,
      _ therapy: any WritableKeyPath<TherapySettings, Value?> & Sendable
    ) {
      self.init(word, change, therapy, storing: { $0 }, reading: { $0 })
    }

    private init<Value, Stored>(
      _ word: String, _ change: any WritableKeyPath<SettingsChange, Value?> & Sendable,
      _ therapy: any WritableKeyPath<TherapySettings, Stored> & Sendable,
      storing store: @escaping @Sendable (Value) -> Stored,
      reading read: @escaping @Sendable (Stored) -> Value?
    ) {
      self.word = word
      isIn = { $0[keyPath: change] != nil }
      apply = { from, settings in
        if let value = from[keyPath: change] { settings[keyPath: therapy] = store(value) }
      }
      name = { from, settings, named in
        guard from[keyPath: change] != nil else { return }
        named[keyPath: change] = read(settings[keyPath: therapy])
      }
    }
  }
}
