public import Quantities

/// A body: insulin and food enter it, time passes in it, and it has a glucose concentration.
///
/// A patient is a value, and a copy of it is a checkpoint: the copy and the original live on apart.
/// Inputs take effect at ``now``; a simulation advances the patient exactly to the instant of a
/// pulse, a bite or a change of rate, and then hands it over.
public protocol Patient: Sendable {
  /// The instant up to which the body has lived.
  var now: Instant { get }

  /// The glucose concentration in plasma.
  var glucose: GlucoseConcentration { get }

  /// The plasma glucose as the equations give it: it may be below zero where ``glucose`` is zero.
  var computedGlucose: GlucoseConcentration { get }

  /// The glucose for which the model stands for a body.
  var modelRange: ModelRange { get }

  /// The glucose concentration where a sensor sits: interstitial where the model has it, otherwise
  /// that in plasma.
  var sensedGlucose: GlucoseConcentration { get }

  /// The insulin given that has not acted yet, in U; nothing where a model has no such notion.
  var insulinOnBoard: Double? { get }

  /// Lives up to `instant`; an instant that is not after ``now`` changes nothing.
  mutating func advance(to instant: Instant)

  /// Takes insulin at ``now``: one pulse, one injection, or a new rate of a continuous inflow.
  mutating func receive(_ insulin: InsulinInput)

  /// Begins to eat at ``now``.
  mutating func eat(_ meal: MealInput)

  /// Meets something other than insulin and food at ``now``; answers whether the model knows it.
  ///
  /// A body that does not know a condition does not change, and the caller can say so.
  mutating func apply(_ condition: BodyCondition) -> Bool
}
