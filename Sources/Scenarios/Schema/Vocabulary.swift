import Physiology
import Quantities
import Simulation

/// The words that scenarios choose from.
///
/// Words that name a part of another module come from there, so that the two cannot differ.
public enum Vocabulary {
  /// The models of the body.
  public static let patientModels =
    ["tidepool-simple"] + PatientDescription.Model.names + [external]
  /// The model of a body that is a program outside.
  public static let external = "external"
  /// Insulins that a pump can hold; `rapidActingAdult` is any rapid-acting one.
  public static let pumpedInsulins = PatientBlock.pumped.map(\.0)
  /// The largest bolus that an app takes where a scenario does not say it, in units.
  public static let usualMaximumBolus = TherapyBlock.standard.maximumBolus?.units ?? .infinity
}
