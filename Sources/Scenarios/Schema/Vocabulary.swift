import Devices
import Dosing

/// The words that scenarios choose from.
///
/// Words that name a part of another module come from there, so that the two cannot differ.
public enum Vocabulary {
  /// The models of the body.
  public static let patientModels = [
    "tidepool-simple", "uva-padova-s2008", "uva-padova-s2013", "hovorka", "ivp",
  ]
  /// The pumps; `omnipod` stands for `omnipodDASH`.
  public static let pumps = ["omnipod"] + PumpProfile.catalogue.map(\.id)
  /// The error models of a CGM.
  public static let sensorModels = [
    "ideal", "ar1", "white", "uniform", "proportional", "johnson", "facchinetti2014",
    "facchinetti2015", "vettoretti2018", "vettorettiEMBC2019", "population",
  ]
  /// The curves by which insulin acts.
  public static let insulinModels = InsulinModel.allCases.map { "\($0)" }
  /// Insulins by name.
  public static let insulins = InsulinType.allCases.map(\.rawValue)
  /// Kinds of data in the health store.
  public static let dataKinds = ["glucose", "carbs", "insulin"]
  /// Commands that a pump can refuse.
  public static let pumpCommands = ["tempBasal", "bolus", "cancel", "suspend", "resume"]
  /// Laws that hold in every run and can be asked for by name.
  public static let invariants = [
    "insulin-conservation", "delivery-is-whole-pulses", "no-overlapping-basal",
    "no-gaps-in-basal", "iob-from-ledger", "store-equals-pump-history", "stored-totals-match",
    "monotone-time", "no-negative-insulin", "limits-respected", "no-dose-while-suspended",
    "temp-basal-max-30m", "no-duplicate-records", "replay-identical",
  ]
}
