/// The amounts in the compartments of a body, or their changes per minute.
protocol CompartmentState: Sendable {
  /// This state plus `factor` times another.
  func adding(_ other: Self, times factor: Double) -> Self

  /// The largest error of any compartment as a share of what is allowed: `tolerance` times one plus
  /// the larger magnitude of the compartment before and after the step.
  static func worstShare(of error: Self, from before: Self, to after: Self, tolerance: Double)
    -> Double

  /// Empties the compartments in which less than any amount is left; see ``clearTrace(_:)``.
  mutating func clearTraces()

  /// Leaves nothing in a pool from which a step has taken more than it held.
  mutating func refillPools()
}

extension CompartmentState {
  /// No pool is emptied by a step where what leaves it goes with what it holds.
  @inline(__always)
  mutating func refillPools() {}
}

/// Empties a compartment that holds less than 10⁻²⁰⁰ of its unit.
///
/// What flows out at a rate never ends: without insulin or a meal for weeks it would fall below the
/// smallest number of full precision, where a processor takes a hundred times as long. Nothing that
/// is added to as little changes by it.
@inline(__always)
func clearTrace(_ amount: inout Double) {
  if amount.magnitude < 1e-200, amount != 0 { amount = 0 }
}

/// What flows into a body at a constant rate over a step.
struct Inflow: Hashable, Sendable {
  /// Insulin under the skin, in U/min.
  var insulin = 0.0
  /// Insulin straight into blood, in U/min.
  var plasmaInsulin = 0.0
  /// Carbohydrate into the mouth, in g/min.
  var carbohydrate = 0.0
}

/// The equations of a body.
protocol CompartmentModel: Sendable {
  associatedtype State: CompartmentState

  /// The change of each compartment per minute.
  func change(of state: State, inflow: Inflow) -> State

  /// Learns that a minute of eating begins, in which `grams` are eaten.
  mutating func beginBite(_ bite: Plate.Bite, state: State)

  /// The longest step, in minutes, with which the classical method solves the equations near a
  /// state; infinite where every step that is offered does for some minutes.
  func longestStep(at state: State) -> Double
}

extension CompartmentModel {
  mutating func beginBite(_ bite: Plate.Bite, state: State) {}
}

/// Where the classical method is stable.
enum StableStep {
  /// The longest step that is offered, in minutes; see ``Integration``.
  private static let longestOffered = 2.0

  /// A step times the fastest rate, up to which it is taken: beyond 2.78 each step makes an error
  /// larger, without limit.
  static let reach = 2.5

  /// The longest stable step, in minutes, for the fastest rate of equations, per minute; infinite
  /// where every step that is offered is stable.
  static func longest(fastestRate rate: Double) -> Double {
    rate * longestOffered > reach ? reach / rate : .infinity
  }
}

/// The share of the allowed error that one compartment takes.
@inline(__always)
func errorShare(_ error: Double, _ before: Double, _ after: Double, _ tolerance: Double)
  -> Double
{
  assert(tolerance > 0, "An error is held below some tolerance.")
  return error.magnitude / (tolerance * (1 + max(before.magnitude, after.magnitude)))
}
