import ClosedLoop
import Devices
import Dosing
import Physiology

/// The words that scenarios choose from.
///
/// Words that name a part of another module come from there, so that the two cannot differ.
public enum Vocabulary {
  /// The models of the body.
  public static let patientModels =
    ["tidepool-simple"] + PatientDescription.Model.names + [external]
  /// The model of a body that is a program outside.
  public static let external = "external"
  /// The pumps; `generic` stands for `generic50`.
  public static let pumps = ["generic"] + PumpProfile.catalogue.map(\.id)
  /// The error models of a CGM, and the sensors on the market.
  public static let sensorModels =
    ["ideal", "ar1", "gaussian", "trace"]
    + SensorProfile.catalogue.map(\.id).filter { $0 != "ideal" }
  /// The curves by which insulin acts.
  public static let insulinModels =
    ["rapidActingAdult", "rapidActingChild"] + InsulinType.allCases.map(\.rawValue)
  /// Insulins by name.
  public static let insulins = InsulinType.allCases.map(\.rawValue)
  /// Insulins that a person can inject or inhale.
  public static let injectedInsulins = InsulinFormulation.catalogue.map(\.id)
  /// Insulins that a pump can hold; `rapidActingAdult` is any rapid-acting one.
  public static let pumpedInsulins =
    ["rapidActingAdult"]
    + InsulinFormulation.catalogue.filter { $0.routes.contains(.pump) }.map(\.id)
  /// When basal segments are written.
  public static let reportWrites = ReportingPolicy.Write.allCases.map(\.rawValue)
  /// Kinds of data in the health store.
  public static let dataKinds = ["glucose", "carbs", "insulin"]
  /// Laws that hold in every run and can be asked for by name.
  public static let invariants = [
    "insulin-conservation", "delivery-is-whole-pulses", "no-overlapping-basal",
    "no-gaps-in-basal", "store-equals-pump-history", "records-agree", "records-explained",
    "monotone-time", "no-negative-insulin", "limits-respected", "no-dose-while-suspended",
    "temp-basal-max-30m", "no-duplicate-records",
  ]
}
