internal import Quantities
internal import ScenarioLanguage
internal import Simulation

extension FaultComponent {
  /// What can go wrong with the health store.
  static let storeFaults: [Kind<PlannedFault>] = [
    store("writeFail", "Nothing can be written before it ends.", .writeFails),
    store("readDenied", "Nothing can be read.", .readDenied),
    store("duplicate", "What the app writes comes a second time.", .duplicate),
    store("lateSync", "What other apps write arrives when it ends.", .lateSync),
    store("wipe", lasts: .open, "Everything is gone.", .wipe),
    store("conflict", "Another source contradicts what the app writes.") {
      let factor = $0.key(
        "factor", .number(0...10), default: "1.5", "Theirs, as a part of the app's.")
      return { .conflict(factor: $0[factor]) }
    },
  ]

  private static func store(
    _ name: String, lasts duration: FaultDuration = .usual, _ meaning: String,
    _ kind: HealthStoreFault.Kind
  ) -> Kind<PlannedFault> {
    store(name, lasts: duration, meaning) { _ in { _ in kind } }
  }

  private static func store(
    _ name: String, lasts duration: FaultDuration = .usual, _ meaning: String,
    _ describe: @escaping @Sendable (inout Keys) -> @Sendable (Field) -> HealthStoreFault.Kind
  ) -> Kind<PlannedFault> {
    .fault(name, lasts: duration, meaning) { keys in
      let scope = keys.optional(
        "scope", .listOrOne(.choice(HealthStoreAccess.Data.self)), else: "all",
        "Which kinds of data.")
      let rate = keys.key(
        "rate", .fraction, default: "1.0",
        "Which part of the samples; of the cycles for `writeFail` and `readDenied`.")
      let kind = describe(&keys)
      return { field in
        var fault = HealthStoreFault(kind(field))
        // One that is named twice is copied once.
        if let data = field[scope] {
          fault.data = data.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }
        fault.rate = field[rate]
        return .healthStore(fault)
      }
    }
  }

  /// What can go wrong with the phone.
  static let phoneFaults: [Kind<PlannedFault>] = [
    .fault("off", "The phone is off.", .phone(.off)),
    .fault("lowPower", "Only readings wake the app; it reads no samples.", .lowPower),
    .fault("bluetoothOff", "No contact with pump and sensor.", .phone(.bluetoothOff)),
    .fault("backgroundKilled", "The app does not run.", .phone(.backgroundKilled)),
  ]
}
