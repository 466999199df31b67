public import Quantities

/// The glucose for which a patient model stands for a body.
///
/// Outside it the equations go on, but what they give is arithmetic: nobody was measured there, and
/// what a body does there is not in them. A run says when its body leaves the range, and marks
/// every figure that is computed over such a stretch.
///
/// The bounds are a choice, not a publication. Below 20 mg/dL nobody is conscious;
/// counter-regulation and help from others have long changed the course. Above 600 mg/dL begins
/// the hyperosmolar state (Kitabchi and others 2009, Diabetes Care 32:1335), with a loss of water,
/// and ketones, that none of the models has.
public struct ModelRange: Hashable, Sendable {
  /// The lowest glucose for which it does.
  public var lowest: GlucoseConcentration
  /// The highest glucose for which it does.
  public var highest: GlucoseConcentration
  /// What the model leaves out beyond the range, as the end of a sentence.
  public var omission: String

  /// Creates a `ModelRange` from its parts; see the properties.
  public init(
    from lowest: GlucoseConcentration, through highest: GlucoseConcentration, omission: String
  ) {
    self.lowest = lowest
    self.highest = highest
    self.omission = omission
  }

  /// Whether the model stands for a body at a glucose concentration; never where that is no number.
  public func contains(_ glucose: GlucoseConcentration) -> Bool {
    glucose.mgdL >= lowest.mgdL && glucose.mgdL <= highest.mgdL
  }

  /// The range of models made of compartments.
  public static let compartments = Self(
    from: .mgdL(20), through: .mgdL(600),
    omission: "has neither counter-regulation nor ketoacidosis")

  /// The range of a model whose effects add up without limit.
  public static let addedEffects = Self(
    from: .mgdL(20), through: .mgdL(600),
    omission: "adds up effects without any limit of a body")
}
