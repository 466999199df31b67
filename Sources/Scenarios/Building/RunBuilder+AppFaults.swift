internal import ClosedLoop
internal import Quantities
internal import Simulation
internal import StructuredText

extension RunBuilder {
  static let appFaultKinds = [
    "skipLoops", "crash", "staleData", "doubleRun", "corrupt", "clockJump", "wrongSetting",
  ]

  /// A fault of the app.
  func appFault(_ kind: String, _ field: Field) -> PlannedFault? {
    switch kind {
    case "skipLoops": return skipLoops(field)
    case "doubleRun":
      field.allowOnly(["duration"])
      return PlannedFault(.app(.doubleRun), length(field))
    case "crash": return crash(field)
    case "staleData":
      field.allowOnly(["duration", "age"])
      return field.required("age").duration().map {
        PlannedFault(.app(.disturbed(.stale(age: $0))), length(field))
      }
    case "corrupt": return corrupt(field)
    case "clockJump": return clockJump(field)
    case "wrongSetting": return wrongSetting(field)
    default:
      unknown(kind, of: "app", field)
      return nil
    }
  }

  /// `3`, `{ count: 3 }`, `{ until: '+1h' }`, or as long as the fault lasts.
  private func skipLoops(_ field: Field) -> PlannedFault? {
    if field.node?.members == nil {
      return field.integer().map {
        PlannedFault(.app(.skipLoops(count: Int($0))), .open)
      }
    }
    field.allowOnly(["duration", "count", "until"])
    if field["count"].exists {
      return field["count"].integer().map {
        PlannedFault(.app(.skipLoops(count: Int($0))), length(field, else: .open))
      }
    }
    let usual: FaultLength = field["until"].exists ? .until(field["until"]) : .standard
    return PlannedFault(.app(.skipLoops(count: nil)), length(field, else: usual))
  }

  private func crash(_ field: Field) -> PlannedFault? {
    field.allowOnly(["restartAfter", "loses"])
    var loses = CrashLoss.memory
    if field["loses"].exists {
      loses = []
      for item in field["loses"].items() ?? [] {
        switch item.choice(of: ["memory", "unsaved"]) {
        case "memory": loses.insert(.memory)
        case "unsaved": loses.insert(.unsaved)
        default: return nil
        }
      }
    }
    let pause = field.standard("restartAfter") { $0.duration() }
    return PlannedFault(.app(.crash(loses: loses)), .drawn(pause...pause))
  }

  private func corrupt(_ field: Field) -> PlannedFault? {
    field.allowOnly(["duration", "target", "mode", "value"])
    guard let target = field.required("target").choice(CorruptTarget.self),
      let word = field.required("mode").choice(of: Self.corruptModes)
    else { return nil }
    let mode: CorruptMode
    switch word {
    case "zero": mode = .zero
    case "hold": mode = .hold
    case "max": mode = .max
    case "min": mode = .min
    default:
      let value = field.required("value").number()
      guard let value else { return nil }
      mode = word == "add" ? .add(value) : .scale(value)
    }
    return PlannedFault(.app(.disturbed(.corrupt(target, mode))), length(field))
  }

  /// The words for ``CorruptMode``; the last two need a `value`.
  static let corruptModes = ["zero", "hold", "max", "min", "add", "scale"]

  /// `'-1h'`, or an object when the clock jumps back.
  private func clockJump(_ field: Field) -> PlannedFault? {
    guard field.node?.members != nil else {
      return field.duration().map { PlannedFault(.app(.clockJump($0)), .open) }
    }
    field.allowOnly(["duration", "by"])
    return field.required("by").duration().map {
      PlannedFault(.app(.clockJump($0)), length(field, else: .open))
    }
  }

  /// One setting of the app, by the path that it has in a scenario.
  private func wrongSetting(_ field: Field) -> PlannedFault? {
    field.allowOnly(["duration", "path", "value", "from"])
    guard let path = field.required("path").choice(of: ScenarioSchema.settingPaths),
      let value = field.required("value").node
    else { return nil }
    let origin = field.standard("from") { $0.choice(WrongSettingOrigin.self) }
    let key = String(path.split(separator: ".").last ?? "")
    let setting = JSONNode(
      .object([JSONMember(key: key, keyPosition: value.position, value: value)]),
      at: value.position)
    // The value is checked and named as in the block that it belongs to.
    let block = JSONField(
      node: setting, path: String(path.prefix { $0 != "." }), problems: problems,
      isRequired: true, position: value.position)
    let change = settingsChange(Field(block, in: field.context))
    return PlannedFault(.app(.wrongSetting(change, from: origin)), length(field, else: .open))
  }
}
