import Devices
import Quantities
import ScenarioLanguage
import Simulation
import StructuredText

/// Rules that join several keys of one fault.
struct FaultRules {
  let fault: Field
  /// Where the values of a sweep stand, one of which may well be the world without the fault.
  var swept: Set<TextPosition> = []
  /// Whether the pump feeds the body by rates, unless a fault can change what arrives.
  var isContinuous = false

  func check() {
    guard fault.node?.members != nil else { return }
    checkEffect()
    checkProbability()
    guard !fault["user"].exists else { return checkPerson() }
    checkTime()
    checkLength()
    for component in FaultComponent.all { check(component) }
  }

  /// Faults that are what their keys say, and nothing without any of them.
  private static let nothingAlone = [
    ("cgm", "noise", ["sdScale", "sd"]), ("cgm", "bias", ["gain", "offset"]),
    ("cgm", "drift", ["offsetPerDay", "gainPerDay"]), ("cgm", "timestamp", ["shift", "duplicate"]),
    ("pump", "scale", ["basal", "bolus"]), ("user", "misestimate", ["bias", "sd"]),
  ]

  /// Whether it does something, and each of its keys too.
  private func checkEffect() {
    for (component, name, keys) in Self.nothingAlone {
      let kind = fault[component][name]
      if saysNothing(kind, of: keys) {
        let names = keys.map { "\"\($0)\"" }.joined(separator: " or ")
        let effect = FaultComponent.all.first { $0.name == component }.flatMap(planned)?.effect
        kind.warnOfNoEffect("\(changesNothing(effect)): say \(names).")
      }
    }
    let misjudged = fault["user"]["misestimate"]
    if !saysNothing(misjudged, of: ["bias", "sd"]), misjudged.exists, !isSwept(misjudged),
      misjudged["bias"].node?.double ?? 1 == 1, misjudged["sd"].node?.double ?? 0 == 0
    {
      misjudged.warnOfNoEffect("This fault changes nothing: amounts stay as they are.")
    }
    let noise = fault["cgm"]["noise"]
    if !noise["sd"].exists {
      noise["phi"].warnOfNoEffect("\"phi\" has no effect without \"sd\", whose correlation it is.")
    }
    let stamp = fault["cgm"]["timestamp"]
    if stamp["duplicate"].node?.bool == true, stamp["shift"].span != .zero {
      stamp["shift"].warnOfNoEffect(
        "\"shift\" moves no stamp but that of a sensor's first reading beside duplicate: true, "
          + "with which every other has the stamp of the one before.")
    }
    let loss = fault["pump"]["commLoss"]
    if loss["commands"].node?.string != "late" {
      loss["latency"].warnOfNoEffect("\"latency\" has no effect without commands: 'late'.")
    }
    let occlusion = fault["pump"]["occlusion"]
    if occlusion["alarmAfter"].exists {
      occlusion["missedUnits"].warnOfNoEffect(
        "\"missedUnits\" has no effect beside \"alarmAfter\".")
    }
  }

  /// Such a fault leaves all as it is, but for how a pump that feeds by rates does so.
  private func changesNothing(_ effect: Fault.Effect?) -> String {
    if isContinuous, case .pump(let fault)? = effect, fault.changesWhatArrives {
      return "This fault changes nothing but that the pump feeds the body by pulses"
    }
    if case .healthStore(let fault)? = effect, case .conflict = fault.kind, fault.rate > 0,
      !fault.data.isEmpty
    {
      // The copies are there, and keep the prediction without momentum.
      return "This fault contradicts nothing"
    }
    return "This fault changes nothing"
  }

  private func saysNothing(_ kind: Field, of keys: [String]) -> Bool {
    kind.node?.members != nil && !keys.contains { kind[$0].exists }
  }

  /// Whether it is told already that the kind has none of its keys.
  private func isSaidToSayNothing(_ component: String, _ kind: Field) -> Bool {
    Self.nothingAlone.contains { entry in
      kind.path == fault[component][entry.1].path && saysNothing(kind, of: entry.2)
    }
  }

  /// What joins several keys of one kind is found where the fault is read.
  private func check(_ component: FaultComponent) {
    guard let planned = planned(of: component) else { return }
    let effect = planned.effect
    checkAlarm(of: planned)
    checkMoment(of: planned, component)
    for kind in kinds(of: fault[component.name]) where !isSaidToSayNothing(component.name, kind) {
      guard let reason = effect.reasonOfNothing, !isSwept(kind) else { continue }
      kind.warnOfNoEffect("\(changesNothing(effect)): \(reason).")
    }
  }

  /// Whether an occlusion lasts until the time at which the pump is to notice it.
  private func checkAlarm(of planned: PlannedFault) {
    guard case .pump(.occlusion(let occlusion)) = planned.effect,
      case .after(let wait) = occlusion.detection, !fault["during"].exists,
      case .drawn(let lengths) = planned.length, lengths.upperBound < wait
    else { return }
    let kind = fault["pump"]["occlusion"]
    guard !isSwept(kind) else { return }
    kind["alarmAfter"].warnOfNoEffect(
      "This alarm never comes: the occlusion is over after \(lengths.upperBound), and with "
        + "\"alarmAfter\" the pump notices nothing sooner. Say a longer \"duration\".")
  }

  /// Whether it lasts at all, where it does nothing but while it lasts.
  private func checkMoment(of planned: PlannedFault, _ component: FaultComponent) {
    guard planned.isMeanwhile, !fault["during"].exists,
      case .drawn(let lengths) = planned.length, lengths.upperBound == .zero
    else { return }
    for kind in kinds(of: fault[component.name]) where !isSwept(kind) {
      kind["duration"].warnOfNoEffect("This fault is over as it begins: its \"duration\" is 0.")
    }
  }

  /// What the fault does to a component, and how long; `nil` where it does nothing to it, or has
  /// errors.
  private func planned(of component: FaultComponent) -> PlannedFault? {
    let field = fault[component.name]
    guard field.exists else { return nil }
    let trial = ProblemList()
    if fault.problems.hasErrors {
      SchemaCheck(problems: trial).check(field.reporting(to: trial), component.form.shape)
    }
    return trial.hasErrors ? nil : component.form.read(field)
  }

  private func kinds(of component: Field) -> [Field] {
    component.node?.statedMembers?.map { component[$0.key] } ?? []
  }

  /// Whether a value of the kind comes from a sweep.
  private func isSwept(_ kind: Field) -> Bool {
    [fault.position, kind.position].contains { swept.contains($0) }
      || kinds(of: kind).contains { swept.contains($0.position) }
  }

  /// What happens with no probability.
  private func checkProbability() {
    for field in [fault] + kinds(of: fault["user"]) {
      let probability = field["probability"]
      guard probability.node?.double == 0, !isSwept(field) else { continue }
      probability.warnOfNoEffect("This fault never comes: its \"probability\" is 0.")
    }
  }

  private func checkPerson() {
    for key in ["at", "every"] where fault[key].exists {
      fault[key].error(
        "A fault of the person happens with its events; \"during\" narrows them down.")
    }
  }

  /// Whether it has a time, and only one.
  func checkTime() {
    if fault.refuseSecond(of: ["at", "during", "every"], "A fault comes in one way").isEmpty {
      fault.error("A fault needs a time: \"at\", \"during\" or \"every\".")
    }
  }

  private func checkLength() {
    for component in FaultComponent.names {
      for member in fault[component].node?.statedMembers ?? [] {
        let kind = fault[component][member.key]
        if !fault["during"].exists {
          kind.refuseSecond(of: FaultKeys.ends, "A fault ends in one way")
        } else if let end = FaultKeys.ends.first(where: { kind[$0].exists }) {
          kind[end].warnOfNoEffect("\"during\" already says how long the fault lasts.")
        }
      }
    }
  }
}
