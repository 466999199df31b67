internal import Quantities

extension ScenarioEvent.Action {
  /// What a person does on the phone, as the subject of a sentence; `nil` for what is done without
  /// it, or reaches it later by itself.
  ///
  /// It cannot be done while the phone is off.
  public var onPhone: String? {
    switch self {
    case .enterCarbs(let entry): "The entry of \(whole(entry.grams)) g"
    case .editCarbs: "The edit of a carb entry"
    case .deleteCarbs: "The deletion of a carb entry"
    case .bolus(let request): request.needsPhone ? request.noun : nil
    case .cancelBolus(let isOnPump): isOnPump ? nil : "The cancellation of a bolus"
    case .tempBasal(_, _, let isOnPump): isOnPump ? nil : "A temp basal"
    case .cancelTempBasal: "The cancellation of a temp basal"
    case .suspend: "A suspension"
    case .resume: "A resumption"
    case .setClosedLoop(let isOn): "Switching closed loop \(isOn ? "on" : "off")"
    case .startPreset: "The start of a preset"
    case .endPreset: "The end of a preset"
    case .changeSettings: "A change of settings"
    case .logDose: "The log of a dose"
    case .delete: "A deletion"
    case .authorize: "A change of permissions"
    case .restoreHealthStore: "The restoration of the health store"
    case .reinstallApp: "A new installation of the app"
    // A meter, a pen or another app keeps what it has until the phone is on, and so does the
    // service that brings a carer's command.
    case .fingerstick, .writeToHealthStore, .remote, .travel: nil
    case .pump(let service): service == .setTime ? "The setting of the pump's clock" : nil
    case .eat, .inject, .apply, .recordBolus, .sensor, .remark: nil
    case .beginFault, .endFault, .setPhone, .setPhoneClock: nil
    }
  }

  /// The amount of a bolus that is stated in units; `nil` for anything else.
  var statedBolus: InsulinAmount? {
    guard case .bolus(let request) = self, case .units(let units) = request.amount else {
      return nil
    }
    return InsulinAmount(roundingUnits: units)
  }
}

extension BolusRequest {
  /// Whether it cannot be asked for without the phone: what the app recommends stands there alone,
  /// whatever buttons are pressed then.
  fileprivate var needsPhone: Bool {
    if case .recommended = amount { return true }
    return by.goesThroughApp
  }

  /// What is asked for, as the subject of a sentence.
  fileprivate var noun: String {
    switch amount {
    case .units(let units): "A bolus of \(unitsText(units)) U"
    case .recommended: "A recommended bolus"
    case .calculated: "A bolus by a calculator"
    }
  }
}
