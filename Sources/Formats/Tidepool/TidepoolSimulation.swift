internal import Quantities
internal import StructuredText

/// One simulation of Tidepool's simulator, after merging, with its own meaning of each part.
struct TidepoolSimulation {
  /// Values by the time of day.
  typealias Schedule = [(start: TimeOfDay, value: Double)]

  /// What a body needs or a device is told: basal, carb ratio and sensitivity.
  struct Metabolism {
    var basal: Schedule
    var carbRatio: Schedule
    var sensitivity: Schedule
    /// Endogenous secretion of type 2 diabetes; empty where there is none.
    var secretionSlope: Schedule = []
    var basalGlucose: Schedule = []
    var production: Schedule = []
    var insulinType: JSONField?
  }

  /// Carbohydrate that is eaten or reported.
  struct Carbs {
    /// When it is eaten, or said to be.
    var date: CivilTime
    var offset: TimeSpan
    var grams: Double
    var absorption: TimeSpan
    /// Whether the absorption time is the usual one, since the entry states none.
    var isUsual = false
    /// When it was typed in, from the start; nothing when at the time of eating.
    var enteredAt: TimeSpan?
    var edits: [JSONField] = []
    var name: String?
    var position: TextPosition
  }

  /// A bolus that is given or reported.
  struct Bolus {
    var offset: TimeSpan
    /// The units; nothing for the recommended amount.
    var units: Double?
    var position: TextPosition
  }

  /// A stretch of exercise.
  struct Exercise {
    var offset: TimeSpan
    var activity: String
    var duration: TimeSpan
    var intensity: String?
    var heartRate: Double
    var position: TextPosition
  }

  /// The program that doses.
  struct Controller {
    /// What runs, by the simulator's test of the name.
    enum Kind { case loop, pyLoopKit, lowGlucoseSuspend, none }

    var kind: Kind
    var settings: JSONField
    /// When dosing goes on or off.
    var switches: [(offset: TimeSpan, isOn: Bool, position: TextPosition)]
    var position: TextPosition
  }

  var name: String
  var position: TextPosition
  var start: CivilTime
  var duration: TimeSpan
  var sensorHistory: [TidepoolGlucosePoint]
  var trueHistory: [TidepoolGlucosePoint]
  var isNoisy: Bool
  var sensorParameters: JSONField?
  var programmed: Metabolism
  var actual: Metabolism
  var targets: [(start: TimeOfDay, low: Double, high: Double)]
  var eaten: [Carbs]
  var reportedCarbs: [Carbs]
  var given: [Bolus]
  var reportedBoluses: [Bolus]
  var exercise: [Exercise]
  var exerciseParameters: [JSONValue.Member]
  /// The dosing program; nothing for scheduled basal only.
  var controller: Controller?

  /// Whether an app stands between the person and the pump; otherwise boluses are given on the pump
  /// itself, which knows no maximum bolus of an app.
  var hasApp: Bool { controller?.kind == .loop || controller?.kind == .pyLoopKit }

  /// The largest bolus that the app takes, in units; `nil` where there is none, or it does not say.
  var maximumBolus: Double? { hasApp ? controller?.settings["max_bolus"].node?.double : nil }

  /// The true glucose at the start, in mg/dL.
  var initialGlucose: Double {
    let known = trueHistory.filter { $0.mgdL != nil }
    return (known.last { $0.offset <= .zero } ?? known.last)?.mgdL ?? 100
  }
}

/// The insulin names of Tidepool's settings in the words of our therapy.
enum TidepoolInsulin {
  /// Our name of an insulin; nothing for one that the Loop algorithm does not know.
  static func name(_ text: String) -> String? {
    switch text.lowercased() {
    case "rapid_acting_adult", "novolog", "humalog", "apidra": "rapidActingAdult"
    case "rapid_acting_child": "rapidActingChild"
    case "fiasp": "fiasp"
    case "lyumjev": "lyumjev"
    case "afrezza": "afrezza"
    default: nil
    }
  }

  /// Our name of an insulin stated as duration and peak in minutes.
  static func name(duration: Double, peak: Double) -> String? {
    switch (duration, peak) {
    case (360, 75): "rapidActingAdult"
    case (360, 65): "rapidActingChild"
    case (360, 55): "fiasp"
    case (300, 29): "afrezza"
    default: nil
    }
  }
}
