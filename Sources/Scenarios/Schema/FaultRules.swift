import Quantities
import ScenarioLanguage
import StructuredText

/// Rules that join several keys of one fault.
struct FaultRules {
  let fault: Field

  func check() {
    guard fault.node?.members != nil else { return }
    guard !fault["user"].exists else { return checkPerson() }
    checkTime()
    checkLength()
    checkEffect()
    for component in FaultComponent.all { check(component) }
  }

  /// Faults that are what their keys say, and nothing without any of them.
  private static let nothingAlone = [
    ("cgm", "noise", ["sdScale", "sd"]), ("cgm", "bias", ["gain", "offset"]),
    ("cgm", "drift", ["offsetPerDay", "gainPerDay"]), ("cgm", "timestamp", ["shift", "duplicate"]),
    ("pump", "scale", ["basal", "bolus"]),
  ]

  /// Whether it does something, and each of its keys too.
  private func checkEffect() {
    for (component, name, keys) in Self.nothingAlone {
      let kind = fault[component][name]
      if kind.node?.members != nil, !keys.contains(where: { kind[$0].exists }) {
        let names = keys.map { "\"\($0)\"" }.joined(separator: " or ")
        kind.warnOfNoEffect("This fault changes nothing: say \(names).")
      }
    }
    let noise = fault["cgm"]["noise"]
    if noise["phi"].exists, !noise["sd"].exists {
      noise["phi"].warnOfNoEffect("\"phi\" has no effect without \"sd\", whose correlation it is.")
    }
    let loss = fault["pump"]["commLoss"]
    if loss["latency"].exists, loss["commands"].node?.string != "late" {
      loss["latency"].warnOfNoEffect("\"latency\" has no effect without commands: 'late'.")
    }
    let occlusion = fault["pump"]["occlusion"]
    if occlusion["missedUnits"].exists, occlusion["alarmAfter"].exists {
      occlusion["missedUnits"].warnOfNoEffect(
        "\"missedUnits\" has no effect beside \"alarmAfter\".")
    }
  }

  /// What joins several keys of one kind is found where the fault is read.
  private func check(_ component: FaultComponent) {
    let field = fault[component.name]
    guard field.exists else { return }
    let trial = ProblemList()
    if fault.problems.hasErrors {
      SchemaCheck(problems: trial).check(field.reporting(to: trial), component.form.shape)
    }
    if !trial.hasErrors { _ = component.form.read(field) }
  }

  private func checkPerson() {
    for key in ["at", "every"] where fault[key].exists {
      fault[key].error(
        "A fault of the person happens with its events; \"during\" narrows them down.")
    }
  }

  /// Whether it has a time, and only one.
  func checkTime() {
    let times = ["at", "during", "every"].filter { fault[$0].exists }
    if times.isEmpty {
      fault.error("A fault needs a time: \"at\", \"during\" or \"every\".")
    } else if times.count > 1 {
      fault[times[1]].error(
        "A fault comes in one way; remove \"\(times[1])\" or \"\(times[0])\".")
    }
  }

  private func checkLength() {
    for component in FaultComponent.names {
      for member in fault[component].node?.members ?? [] {
        let kind = fault[component][member.key]
        let ends = ["duration", "until", "restartAfter"].filter { kind[$0].exists }
        guard let end = ends.first else { continue }
        if fault["during"].exists {
          kind[end].warnOfNoEffect("\"during\" already says how long the fault lasts.")
        } else if ends.count > 1 {
          kind[ends[1]].error("A fault ends in one way; remove \"\(ends[1])\" or \"\(end)\".")
        }
      }
    }
  }
}
