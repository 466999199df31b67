internal import Devices

/// What needs an app, and what body, pump, sensor and people do by themselves.
///
/// It is told here alone: a ``Run`` without an app, a ``PatientRun`` and the check of scenarios go
/// by it.
extension Setup {
  /// What of it needs an app, in a sentence; `nil` where nothing does.
  public var needOfApp: String? {
    if controller != .loop { return "A program that decides needs an app, whose place it takes." }
    if vendorApp != nil { return "The sensor maker's app needs a phone." }
    if let need = behaviour?.needOfApp { return "\(need) needs an app." }
    for event in events {
      guard let need = event.needOfApp else { continue }
      return "\"\(event.id)\": \(need) needs an app."
    }
    return nil
  }
}

extension Behaviour {
  /// What of it needs an app, as the subject of a sentence; `nil` where nothing does.
  public var needOfApp: String? {
    if correction != nil { return Correction.needOfApp }
    return rescue?.isEntered == true ? Rescue.needOfEntry : nil
  }
}

extension Behaviour.Correction {
  /// A correction takes what an app recommends.
  public static let needOfApp = "A correction by the recommended bolus"
}

extension Behaviour.Rescue {
  /// What of a rescue needs an app.
  public static let needOfEntry = "An entry of what is eaten"
}

extension ScenarioEvent {
  /// What of it needs an app, as the subject of a sentence; `nil` where nothing does.
  public var needOfApp: String? { action.needOfApp ?? condition?.series.needOfApp }
}

extension ScenarioEvent.Action {
  /// What of it needs an app or a phone, as the subject of a sentence; `nil` for what people do
  /// with the body, the pump and the sensor themselves.
  public var needOfApp: String? {
    switch self {
    case .eat, .inject, .apply, .recordBolus, .cancelBolus, .tempBasal, .cancelTempBasal, .suspend,
      .resume, .pump, .sensor, .travel, .remark, .endFault:
      nil
    case .bolus(let request): request.needOfApp
    case .fingerstick(let request):
      request.log == .none ? nil : "A fingerstick that is taken down on the phone"
    case .enterCarbs, .editCarbs, .deleteCarbs: "An entry of carbohydrate"
    case .setClosedLoop: "A loop that is switched"
    case .startPreset, .endPreset: "A preset"
    case .changeSettings: "A change of settings"
    case .logDose: "A dose that is logged"
    case .remote: "A command from afar"
    case .delete: "A deletion"
    case .writeToHealthStore, .authorize, .restoreHealthStore: "The health store"
    case .setPhone, .setPhoneClock: "What is done with a phone"
    case .reinstallApp: "An app that is installed anew"
    case .beginFault(let fault): fault.effect.needOfApp
    }
  }

  /// Whether an app looks at the pump for it; a command does so where the pump gets it, and a fault
  /// where it begins and ends.
  var isSeenByApp: Bool {
    switch self {
    case .eat, .inject, .apply, .remark, .beginFault, .endFault: false
    case .fingerstick(let request): request.log != .none
    default: !isCommandOfPerson
    }
  }

  /// Whether it is a command of a person to the pump.
  var isCommandOfPerson: Bool {
    switch self {
    case .bolus, .recordBolus, .cancelBolus, .tempBasal, .cancelTempBasal, .suspend, .resume: true
    default: false
    }
  }
}

extension BolusRequest {
  /// What of it needs an app, as the subject of a sentence; `nil` for a bolus on the pump itself.
  public var needOfApp: String? {
    switch amount {
    case .recommended: "A bolus that is recommended"
    case .calculated, .units: by.goesThroughApp ? "A bolus by '\(by.rawValue)'" : nil
    }
  }
}

extension Fault.Effect {
  /// Whether an app looks at the pump where it begins and ends: not for what a sensor measures
  /// wrongly, nor for what a person did wrong.
  var isSeenByApp: Bool {
    switch self {
    case .sensor, .user: false
    case .pump, .wrongPump, .app, .healthStore, .phone, .lowPower: true
    }
  }

  /// What of it needs an app, as the subject of a sentence; `nil` for what goes wrong with pump,
  /// sensor and site themselves.
  public var needOfApp: String? {
    switch self {
    case .sensor: nil
    case .pump(.communicationLoss): "Contact between app and pump"
    case .pump(.uncertainDelivery): "A reply of the pump"
    case .pump: nil
    case .wrongPump: "A belief in another pump's schedule"
    case .user(let slip): slip.task == .meal ? "A slip with an entry of carbohydrate" : nil
    case .app: "A fault of the app"
    case .phone, .lowPower: "A fault of the phone"
    case .healthStore: "A fault of the health store"
    }
  }
}

extension EventCondition.Series {
  /// What of it needs an app, as the subject of a sentence; `nil` for what the body has and the
  /// sensor's receiver shows.
  public var needOfApp: String? {
    switch self {
    case .trueGlucose, .reading, .trueInsulinOnBoard: nil
    case .insulinOnBoard, .carbsOnBoard: "The series \(rawValue)"
    }
  }
}
