import Quantities
import StructuredText

/// Rules that join several keys of one fault.
struct FaultRules {
  let fault: Field

  func check() {
    guard fault.node?.members != nil else { return }
    guard !fault["user"].exists else { return checkPerson() }
    checkTime()
    checkLength()
    let app = fault["app"]
    if app["corrupt"].exists { checkCorrupt(app["corrupt"]) }
    if app["wrongSetting"].exists { checkWrongSetting(app["wrongSetting"]) }
  }

  private func noEffect(_ field: Field, _ sentence: String) {
    field.warning(code: "W-NOEFFECT", sentence)
  }

  private func checkPerson() {
    for key in ["at", "every"] where fault[key].exists {
      fault[key].error(
        "A fault of the person happens with its events; \"during\" narrows them down.")
    }
  }

  private func checkTime() {
    let times = ["at", "during", "every"].filter { fault[$0].exists }
    if times.isEmpty {
      fault.error("A fault needs a time: \"at\", \"during\" or \"every\".")
    } else if times.count > 1 {
      fault[times[1]].error(
        "A fault comes in one way; remove \"\(times[1])\" or \"\(times[0])\".")
    }
  }

  private func checkLength() {
    for component in RunBuilder.faultComponents {
      for member in fault[component].node?.members ?? [] {
        let kind = fault[component][member.key]
        let ends = ["duration", "until", "restartAfter"].filter { kind[$0].exists }
        guard let end = ends.first else { continue }
        if fault["during"].exists {
          noEffect(kind[end], "\"during\" already says how long the fault lasts.")
        } else if ends.count > 1 {
          kind[ends[1]].error("A fault ends in one way; remove \"\(ends[1])\" or \"\(end)\".")
        }
      }
    }
  }

  private func checkCorrupt(_ corrupt: Field) {
    guard let mode = corrupt["mode"].node?.string else { return }
    let needsValue = mode == "add" || mode == "scale"
    if needsValue, !corrupt["value"].exists {
      corrupt["mode"].error("mode: '\(mode)' needs a \"value\".")
    } else if !needsValue, corrupt["value"].exists, RunBuilder.corruptModes.contains(mode) {
      noEffect(corrupt["value"], "\"value\" has no effect with mode: '\(mode)'.")
    }
  }

  private func checkWrongSetting(_ setting: Field) {
    guard let path = setting["path"].node?.string, setting["value"].exists,
      let name = path.split(separator: ".").last,
      let key = ScenarioSchema.settings.first(where: { $0.name == name })
    else { return }
    SchemaCheck(problems: setting.problems).check(setting["value"], key.shape)
  }
}
