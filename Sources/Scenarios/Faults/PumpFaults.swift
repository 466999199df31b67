internal import Devices
internal import Quantities
internal import ScenarioLanguage
internal import Simulation

extension FaultComponent {
  /// What can go wrong with the pump, its tubing, its site or its radio.
  static let pumpFaults = deliveryFaults + commandFaults

  private static let deliveryFaults: [Kind<PlannedFault>] = [
    .fault("occlusion", "Delivered differs from reported.") { occlusion(&$0) },
    .fault("leak", "Insulin runs out beside the site.") {
      let fraction = $0.key("fraction", .fraction, default: "0.5", "The part that runs out.")
      return { .pump(.leak(fraction: $0[fraction])) }
    },
    .fault("scatter", "Single pulses vary.") {
      let deviation = $0.key("sd", .number(0...2), default: "0.34", "The relative deviation.")
      return { .pump(.scatter(deviation: $0[deviation])) }
    },
    .fault(
      "batteryDepleted", lasts: .open,
      "The battery is empty; delivery stops until it is changed, which ends the fault, or the pump "
        + "is replaced.",
      .pump(.alarm(.batteryDepleted))),
    .fault(
      "clockError", lasts: .momentary,
      "The pump's clock jumps. Loop sets that of a Medtronic when it next reads the pump."
    ) {
      $0.only("by", .signedSpan, "How far.") { .pump(.clockError($0)) }
    },
    .fault("siteFailure", "The site takes up less and less.") {
      let fraction = $0.key(
        "fraction", .fraction, default: "0.2", "What is still taken up in the end.")
      let tau = $0.key(
        "tau", .duration(.zero...(.days(7))), default: "'2h'", "How fast it gets there.")
      return { .pump(.siteFailure(fraction: $0[fraction], timeConstant: $0[tau])) }
    },
    .fault("scale", "Wrong delivery, unnoticed.") {
      let basal = $0.key("basal", .number(0...10), default: "1.0", "A factor on basal.")
      let bolus = $0.key("bolus", .number(0...10), default: "1.0", "A factor on boluses.")
      return { .pump(.scale(basal: $0[basal], bolus: $0[bolus])) }
    },
    .fault("airBubble", lasts: .momentary, "The next units deliver nothing.") {
      $0.only("units", .units(0...50), "How much is air.") { .pump(.airBubble($0)) }
    },
    .fault("empty", lasts: .momentary, "The reservoir runs out.", .pump(.empty)),
    .fault("lowBattery", lasts: .open, "The battery warns.", .pump(.alarm(.lowBattery))),
    .fault("error", lasts: .open, "The pump stops with an error.", .pump(.alarm(.failure))),
    .fault("alarm", lasts: .open, "The pump alarms; delivery stops if the alarm stops it.") {
      let alarm = $0.key("name", .words(alarms), default: "'failure'", "Which alarm.")
      return { .pump(.alarm($0[alarm])) }
    },
  ]

  private static let alarms: [(String, PumpAlarm)] = [
    ("failure", .failure), ("occlusion", .occlusion), ("reservoirEmpty", .reservoirEmpty),
    ("batteryDepleted", .batteryDepleted), ("lowBattery", .lowBattery), ("expired", .expired),
    ("autoOff", .autoOff),
  ]

  private static func occlusion(_ keys: inout Keys) -> Maker<Fault.Effect> {
    let delivered = keys.key(
      "deliveredFraction", .fraction, default: "0", "The part that gets through.")
    let leaked = keys.key(
      "leak", .fraction, default: "0", "The part that runs out before the blockage.")
    let released = keys.key(
      "backlog", .words([("lost", 0.0), ("released", 1.0)]), default: "'lost'",
      "What becomes of held-back insulin at the end.")
    let alarmAfter = keys.optional(
      "alarmAfter", .duration(.minutes(1)...(.days(10))), else: "by pressure",
      "When the pump notices.")
    let missed = keys.key(
      "missedUnits", .units(0...100), default: "3", "The held-back amount that it notices.")
    return { field in
      var occlusion = Occlusion(
        deliveredFraction: field[delivered], leakedFraction: field[leaked])
      occlusion.releasedFraction = field[released]
      occlusion.detection =
        field[alarmAfter].map { .after($0) } ?? .heldBack(field[missed])
      return .pump(.occlusion(occlusion))
    }
  }

  private static let commandFaults: [Kind<PlannedFault>] = [
    .fault("commLoss", "No contact.") { communicationLoss(&$0) },
    .fault("reject", "The pump refuses commands.") {
      let what = $0.required(
        "what", .listOrOne(.choice(PumpCommand.Name.self)), "Which commands.")
      return { field throws(UnusableKey) in .pump(.reject(Set(try field[what]))) }
    },
    .fault(
      "uncertainDelivery",
      "The reply to a command is lost. Of several at once the one that gives least decides, and it "
        + "becomes known when the last of them says."
    ) {
      let given = $0.key(
        "trulyDelivered", .fraction, default: "1.0", "The part that is given.")
      let reported = $0.key(
        "reported", .choice(UncertainDelivery.Reported.self), default: "'unknown'",
        "What the record says; a command of which nothing is carried out can be said to be "
          + "`full` of a bolus alone.")
      let resolved = $0.key(
        "resolveAfter", .duration(.zero...(.days(2))), default: "'0s'", "When it becomes known.")
      return { field in
        var uncertain = UncertainDelivery(trulyDelivered: field[given])
        uncertain.reported = field[reported]
        uncertain.resolveAfter = field[resolved]
        return .pump(.uncertainDelivery(uncertain))
      }
    },
    .fault("dropPulses", "The fraction of a pulse is forgotten.") {
      let always = $0.key("onTempBasal", .bool, default: "true", "At every new temp basal.")
      return { field in
        if !field[always] {
          field[always.name].error(
            "A pump forgets pulses at new temp basals only. Write true.")
        }
        return .pump(.dropPulses)
      }
    },
    .fault("unrequested", lasts: .momentary, "Delivery without a command.") {
      $0.only("units", .units(0...300), "How much.") { .pump(.unrequested($0)) }
    },
    .fault(
      "clockDrift",
      "The pump's clock drifts. Loop sets that of a Medtronic whenever it is more than "
        + "\(PumpProfile.medtronicClockTolerance) off."
    ) {
      $0.only("perDay", .duration(PumpFault.clockDrifts), "What it gains in a day.") {
        .pump(.clockDrift(perDay: $0))
      }
    },
    .fault(
      "wrongPump", lasts: .open,
      "A pump with someone else's settings; the app believes in its own."
    ) {
      $0.only("basal", .schedule(.rate(0...35)), "The schedule it runs.") { .wrongPump($0) }
    },
  ]

  private static func communicationLoss(_ keys: inout Keys) -> Maker<Fault.Effect> {
    let areLate = keys.key(
      "commands", .words([("fail", false), ("late", true)]), default: "'fail'",
      "What becomes of commands.")
    let history = keys.key(
      "history", .words([("none", CommunicationLoss.History.none), ("late", .late)]),
      default: "'late'", "What the app learns later.")
    let latency = keys.key(
      "latency", .duration(.seconds(1)...(.hours(6))), default: "'5m'",
      "How late commands arrive. They are held up beyond the phone, and arrive also where that is "
        + "off by then.")
    return { field in
      .pump(
        .communicationLoss(
          CommunicationLoss(
            commands: field[areLate] ? .late(field[latency]) : .fail, history: field[history])))
    }
  }
}
