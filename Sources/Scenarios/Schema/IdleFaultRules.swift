import ScenarioLanguage
import Simulation
import StructuredText

/// Faults that change nothing beside the settings of their scenario.
struct IdleFaultRules {
  let root: Field
  /// Where the values of a sweep stand, one of which may well be the world without the fault.
  let swept: Set<TextPosition>

  func check() {
    let faults = root["faults"].listed
    let paths = faults.compactMap { $0["app"]["wrongSetting"]["path"].node?.string }
    // Beside another of its kind a fault may well bring back what the scenario says.
    let wrongPaths = Dictionary(paths.map { ($0, 1) }, uniquingKeysWith: +)
    let wrongPumps = faults.count { $0["pump"]["wrongPump"].exists }
    for fault in faults where !swept.contains(fault.position) {
      checkSetting(fault["app"]["wrongSetting"], wrongPaths)
      let setting = fault["app"]["wrongSetting"]
      if setting["from"].node?.string == WrongSettingOrigin.import.rawValue {
        warnOfEnd(of: fault, setting, "a setting that is imported stays until it is changed")
      }
      warnOfEnd(of: fault, fault["healthStore"]["wipe"], "what is gone is gone at once")
      warnOfEnd(of: fault, fault["pump"]["unrequested"], "it is given at once")
      warnOfEnd(of: fault, fault["pump"]["empty"], "the reservoir is empty until another is put in")
      warnOfEnd(of: fault, fault["pump"]["clockError"], "the clock is wrong until it is set")
      checkReading(fault["healthStore"]["readDenied"])
      checkDelay(fault["healthStore"]["lateSync"])
      checkSleep(fault["phone"]["lowPower"])
      if wrongPumps == 1, !isScaled("basal"),
        sets(root["therapy"]["basal"], as: fault["pump"]["wrongPump"]["basal"])
      {
        fault["pump"]["wrongPump"].warnOfNoEffect(
          "This fault changes no scheduled rate: it is the schedule that the pump runs. Setting it "
            + "ends a temp basal, and nothing else.")
      }
    }
  }

  /// What stays as the fault made it is not put right when the fault is over.
  private func warnOfEnd(of fault: Field, _ kind: Field, _ reason: String) {
    guard kind.exists else { return }
    for (field, remedy) in [(kind["duration"], "Leave it out."), (fault["during"], "Say 'at'.")] {
      field.warnOfNoEffect("This end has no effect: \(reason). \(remedy)")
    }
  }

  private func checkSetting(_ fault: Field, _ wrongPaths: [String: Int]) {
    guard let path = fault["path"].node?.string, !swept.contains(fault.position),
      !swept.contains(fault["value"].position)
    else { return }
    let keys = path.split(separator: ".").map(String.init)
    guard keys.count == 2 else { return }
    let isOther = keys[0] == "therapy" && isScaled(keys[1])
    if wrongPaths[path] == 1, !isOther, sets(root[keys[0]][keys[1]], as: fault["value"]) {
      fault.warnOfNoEffect("This fault changes nothing: \"\(path)\" has that value.")
    }
    if path == "app.applicationFactor", !root.givesAutomaticBoluses {
      fault.warnOfNoEffect(
        "This fault changes nothing with dosing: 'tempBasal'; only automatic boluses use it.")
    }
  }

  /// Whether a schedule of the therapy is programmed by another factor than 1, which the value of a
  /// fault is not.
  private func isScaled(_ key: String) -> Bool {
    root["therapy"]["scale"][key].node.map { $0.double != 1 } ?? false
  }

  /// Whether a value is that of the scenario, which no event changes.
  private func sets(_ field: Field, as other: Field) -> Bool {
    guard let value = field.node, let fault = other.node else { return false }
    return value.saysTheSame(as: fault)
      && !root["events"].listed.contains { $0["settings"].exists }
  }

  /// What other apps write is late only where another app writes something.
  private func checkDelay(_ fault: Field) {
    guard root.hasApp, saysSomething(fault), !hasOtherApps else { return }
    warnOfNoOtherApp(fault)
  }

  /// Whether a fault of the store concerns something; where it does not, that is told already.
  private func saysSomething(_ fault: Field) -> Bool {
    fault.node?.members != nil && fault["rate"].node?.double != 0
      && fault["scope"].node?.items?.isEmpty != true
  }

  private func warnOfNoOtherApp(_ fault: Field) {
    fault.warnOfNoEffect(
      "This fault changes nothing: no other app writes to the health store in this scenario.")
  }

  /// Where each cycle has its reading and nothing changes in the health store but by the app, all
  /// that the app would sleep through is nothing.
  private func checkSleep(_ fault: Field) {
    guard fault.exists, root.hasApp, !hasOtherApps, cgmNeverMisses else { return }
    let disturbs = ["cgm", "app", "healthStore", "phone"]
    let isUndisturbed = root["faults"].listed.allSatisfy { other in
      other["phone"]["lowPower"].exists || !disturbs.contains { other[$0].exists }
    }
    let isQuiet = root["events"].listed.allSatisfy { event in
      !["delete", "cgm", "pump", "clockSet", "timeZone"].contains { event[$0].exists }
    }
    guard isUndisturbed, isQuiet else { return }
    fault.warnOfNoEffect(
      "This fault changes nothing: each cycle has a reading, which wakes the app, and no other app "
        + "writes to the health store in this scenario.")
  }

  /// Whether the sensor has a reading for each cycle, as far as its settings say so: it is exact,
  /// and both come every five minutes.
  private var cgmNeverMisses: Bool {
    root["cgm"]["model"].node?.string == "ideal"
      && !["interval", "warmUp", "life", "startedAt"].contains { root["cgm"][$0].exists }
      && !["loopEvery", "loopJitter"].contains { root["clock"][$0].exists }
  }

  /// Whether anything in the health store may be another app's.
  private var hasOtherApps: Bool {
    let vendor = root["healthStore"]["vendorApp"].node?.string ?? "none"
    return vendor != "none" || root["controller"].exists
      || root["events"].listed.contains { event in
        ["healthStore", "injection", "fingerstick", "phone"].contains { event[$0].exists }
      }
      || root["history"]["doses"].listed.contains { $0["insulin"].exists }
      || root["faults"].listed.contains { fault in
        ["duplicate", "conflict", "wipe"].contains { fault["healthStore"][$0].exists }
      }
  }

  /// The app reads what other apps write; their carbohydrates only where it is told to.
  private func checkReading(_ fault: Field) {
    guard fault.exists, root.hasApp else { return }
    if saysSomething(fault), !hasOtherApps { return warnOfNoOtherApp(fault) }
    guard root["app"]["readCarbsFromHealth"].node?.bool != true else { return }
    let scope = fault["scope"]
    let words = scope.node?.items.map { $0.compactMap(\.string) } ?? [scope.node?.string ?? ""]
    guard words == ["carbs"] else { return }
    scope.warnOfNoEffect(
      "This fault changes nothing: the app reads no carbohydrates of other apps "
        + "(app.readCarbsFromHealth).")
  }
}

extension JSONNode {
  /// Whether another value says the same, wherever both stand.
  fileprivate func saysTheSame(as other: JSONNode) -> Bool {
    if let items, let others = other.items {
      return items.count == others.count
        && zip(items, others).allSatisfy { $0.saysTheSame(as: $1) }
    }
    if let number = double, let second = other.double { return number == second }
    return value == other.value
  }
}
