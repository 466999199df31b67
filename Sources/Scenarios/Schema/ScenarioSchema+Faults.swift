import ScenarioLanguage

extension ScenarioSchema {
  static let fault = ObjectShape(noun: "a fault") {
    (
      FaultKeys.shared.all,
      kinds: FaultComponent.all.map { $0.schema.anchored } + [UserFaultSpec.schema]
    )
  }
}
