import ScenarioLanguage

extension ScenarioSchema {
  static let fault = ObjectShape(
    FaultKeys.shared.all, kinds: FaultComponent.all.map(\.schema) + [UserFaultSpec.schema],
    noun: "a fault")
}
