internal import Quantities
internal import Simulation
internal import StructuredText

extension RunBuilder {
  /// A command that a carer sends from afar, as it arrives at the phone.
  func remote(_ field: Field, at sent: Instant, id: String) -> [WorldEvent] {
    let kinds = ["bolus", "carbs", "override"]
    field.allowOnly(["delay", "expires", "code", "absorption", "eatenAt", "duration"] + kinds)
    guard kinds.count(where: { field[$0].exists }) == 1 else {
      field.error("A remote command is one of: \(kinds.joined(separator: ", ")).")
      return []
    }
    let arrival = sent + field.standard("delay") { $0.duration() }
    let expiry = sent + field.standard("expires") { $0.duration() }
    let code = field.standard("code") { $0.choice(of: ["valid", "wrong"]) }
    guard let action = remoteAction(field, at: arrival, id: id) else { return [] }
    let request = RemoteRequest(
      action, name: id, sentAt: sent, expiresAt: expiry, hasValidCode: code == "valid")
    return [WorldEvent(at: arrival, id: id, .remote(request))]
  }

  private func remoteAction(
    _ field: Field, at arrival: Instant, id: String
  ) -> RemoteRequest.Action? {
    if field["bolus"].exists { return field["bolus"].units().map { .bolus(units: $0.units) } }
    if field["carbs"].exists {
      let eatenAt = field["eatenAt"].exists ? field["eatenAt"].time() : arrival
      guard let mass = field["carbs"].carbohydrate(), let eatenAt else { return nil }
      return .carbs(
        CarbEntryRequest(
          name: id, grams: mass.grams, absorption: field.standard("absorption") { $0.duration() },
          eatenAt: eatenAt))
    }
    if field["override"].node?.bool == false { return .endPreset }
    guard let name = field["override"].text() else { return nil }
    let presets = root["therapy"]["presets"]
    guard presets.node?[name] != nil, var preset = preset(presets[name], named: name) else {
      return .preset(name, nil)
    }
    let duration = field["duration"].exists ? field["duration"].duration() : nil
    preset.duration = duration == .zero ? nil : duration
    return .preset(name, preset)
  }
}
