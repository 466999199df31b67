extension ScenarioEvent.Action {
  /// When in a step an event happens.
  enum Phase {
    /// Before the body lives up to the instant.
    case surroundings
    /// After that.
    case act
  }

  /// When in a step it happens.
  var phase: Phase {
    switch self {
    case .beginFault, .endFault, .setPhone, .setPhoneClock: .surroundings
    case .eat, .inject, .apply, .enterCarbs, .editCarbs, .deleteCarbs, .bolus, .recordBolus,
      .cancelBolus, .tempBasal, .cancelTempBasal, .suspend, .resume, .setClosedLoop, .startPreset,
      .endPreset, .changeSettings, .logDose, .fingerstick, .delete, .writeToHealthStore,
      .authorize, .restoreHealthStore, .pump, .sensor, .travel, .reinstallApp, .remote, .remark:
      .act
    }
  }
}
