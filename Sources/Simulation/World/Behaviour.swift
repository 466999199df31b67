public import Determinism
public import Quantities

/// What a person does on seeing glucose, by chance.
///
/// What does not depend on the run, such as meals, is drawn before it and stands among its events.
public struct Behaviour: Hashable, Sendable {
  /// A bolus against high glucose: what the app recommends.
  public struct Correction: Hashable, Sendable {
    /// The reading above which the person takes notice.
    public var above: GlucoseConcentration
    /// How likely the person does something about it.
    public var probability: Double
    /// How long after, in milliseconds.
    public var delay: Distribution
    /// How long after the bolus, or after a high that went by, the person looks again.
    public var lockout: TimeSpan
    /// The smallest recommendation that is taken, in units.
    public var minimumUnits: Double

    /// Creates a `Correction` from its parts; see the properties.
    public init(
      above: GlucoseConcentration, probability: Double = 1, delay: Distribution = .constant(0),
      lockout: TimeSpan = .hours(1), minimumUnits: Double = 0.05
    ) {
      self.above = above
      assert((0...1).contains(probability), "A probability lies between 0 and 1.")
      self.probability = probability
      self.delay = delay
      self.lockout = lockout
      self.minimumUnits = minimumUnits
    }
  }

  /// Carbohydrate against low glucose.
  public struct Rescue: Hashable, Sendable {
    /// By what a person knows of a low.
    public enum Sense: String, Hashable, Sendable, CaseIterable {
      /// The app shows it.
      case cgm
      /// The body feels it: the true glucose.
      case body
    }

    /// The glucose below which the person takes notice.
    public var below: GlucoseConcentration
    /// How a low is noticed: on the app's screen, or in the body.
    public var sense: Sense
    /// How likely the person does something about it.
    public var probability: Double
    /// How long after, in milliseconds.
    public var delay: Distribution
    /// How much is eaten, in grams.
    public var grams: Distribution
    /// How long it takes to be absorbed, in milliseconds.
    public var absorption: Distribution
    /// How long after eating, or after a low that went by, the person looks again.
    public var lockout: TimeSpan
    /// Whether the app is told.
    public var isEntered: Bool

    /// Creates a `Rescue` from its parts; see the properties.
    public init(
      below: GlucoseConcentration, sense: Sense = .cgm, probability: Double = 1,
      delay: Distribution = .constant(0), grams: Distribution,
      absorption: Distribution = .constant(1_800_000), lockout: TimeSpan = .minutes(15),
      isEntered: Bool = false
    ) {
      self.below = below
      self.sense = sense
      assert((0...1).contains(probability), "A probability lies between 0 and 1.")
      self.probability = probability
      self.delay = delay
      self.grams = grams
      self.absorption = absorption
      self.lockout = lockout
      self.isEntered = isEntered
    }
  }

  /// What the person does against high glucose; `nil` for nothing.
  public var correction: Correction?
  /// What the person does against low glucose; `nil` for nothing.
  public var rescue: Rescue?

  /// Creates a `Behaviour` from its parts; see the properties.
  public init(correction: Correction? = nil, rescue: Rescue? = nil) {
    self.correction = correction
    self.rescue = rescue
  }
}

/// Something a person did in a run because of the glucose seen, as an event could have said it.
public struct Reaction: Hashable, Sendable {
  /// What was done.
  public enum Action: Hashable, Sendable {
    /// A recommended bolus, where it has at least so many units.
    case correction(minimumUnits: Double)
    /// Carbohydrate in grams, and whether the app is told of it.
    case rescue(grams: Double, absorption: TimeSpan, isEntered: Bool)
    /// Nothing, and the sentence that says so.
    case none(String)
  }

  /// When it is done.
  public var instant: Instant
  /// The name, such as `correction#2`.
  public var name: String
  /// What is done.
  public var action: Action
}
