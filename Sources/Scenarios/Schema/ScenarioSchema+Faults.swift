import ClosedLoop
import Quantities
import Simulation

extension ScenarioSchema {
  static let fault = ObjectShape(
    [
      SchemaKey("id", .text, "`component.kind`", "A name for reports and `outside`."),
      SchemaKey("at", occurrence, "When it begins, for faults with a `duration` or a moment."),
      SchemaKey("during", .during, "From when, and how long or until when."),
      SchemaKey(
        "every",
        .object([
          SchemaKey("mean", .duration(.minutes(1)...(.days(366))), "The mean wait.").required,
          SchemaKey("count", .integer(1...100_000), "no limit", "The most that come."),
        ]), "By chance, with exponential waits from the stream `faults`."),
      SchemaKey("probability", .fraction, "1.0", "Whether it happens at all."),
    ],
    kinds: [
      SchemaKey("cgm", component("a CGM fault", cgmFaults), "A fault of the sensor."),
      SchemaKey("pump", component("a pump fault", pumpFaults), "A fault of the pump or its site."),
      SchemaKey("app", component("an app fault", appFaults), "A fault of the app."),
      SchemaKey("healthStore", component("a store fault", storeFaults), "A fault of the store."),
      SchemaKey("phone", component("a phone fault", phoneFaults), "A fault of the phone."),
      SchemaKey(
        "user", component("a user fault", userFaults),
        "What the person does wrong with meals' entries and boluses; `at` and `every` have no "
          + "meaning beside it."),
    ], noun: "a fault")

  private static func component(_ noun: String, _ kinds: [SchemaKey]) -> Shape {
    .object(ObjectShape([], kinds: kinds, noun: noun))
  }

  private static let length = SchemaKey(
    "duration", .durationRange, "'10m'",
    "How long it lasts beside `at` or `every`; of two spans one between is drawn each time.")

  /// The same key where a fault lasts until something ends it.
  private static let openLength = SchemaKey(
    "duration", .durationRange, "to the end", "How long it lasts beside `at` or `every`.")

  private static let cgmFaults: [SchemaKey] = [
    SchemaKey(
      "dropout",
      .object([
        length, SchemaKey("backfill", .bool, "true", "Whether readings come later."),
      ]), "No readings."),
    SchemaKey(
      "delay",
      .object([length, SchemaKey("by", .duration(.seconds(1)...(.days(1))), "How late.").required]),
      "Readings arrive late with the right stamps."),
    SchemaKey(
      "noise",
      .object([
        length, SchemaKey("sdScale", .number(0...100, unit: ""), "1.0", "A factor on the noise."),
        SchemaKey("sd", .number(0...200, unit: "mg/dL"), "0", "More noise on top."),
        SchemaKey("phi", .number(0...0.999, unit: ""), "0", "Its correlation."),
      ]), "More noise."),
    SchemaKey(
      "bias",
      .object([
        length, SchemaKey("gain", .number(0.05...20, unit: ""), "1.0", "A factor."),
        SchemaKey("offset", .number(-400...400, unit: "mg/dL"), "0", "An addition."),
      ]), "A constant error."),
    SchemaKey(
      "drift",
      .object([
        length,
        SchemaKey(
          "offsetPerDay", .number(-400...400, unit: "mg/dL"), "0", "What the offset gains daily."),
        SchemaKey("gainPerDay", .number(-1...1, unit: ""), "0", "What the gain gains daily."),
      ]), "A growing error."),
    SchemaKey(
      "compression",
      .object([
        length, SchemaKey("depth", .number(0...300, unit: "mg/dL"), "25", "How low."),
        SchemaKey("rise", .duration(.zero...(.hours(6))), "'15m'", "How fast it comes."),
        SchemaKey("fall", .duration(.zero...(.hours(6))), "'15m'", "How fast it goes."),
      ]), "Someone sleeps on the sensor."),
    SchemaKey(
      "spike",
      .object([
        SchemaKey("delta", .number(-400...400, unit: "mg/dL"), "50", "How far off."),
        SchemaKey("samples", .integer(1...1_000), "1", "How many readings."),
      ]), "Single readings are off."),
    SchemaKey(
      "stuck",
      .object([length, SchemaKey("value", .glucose(20...600), "the last", "Which value.")]),
      "The same value again and again."),
    SchemaKey(
      "timestamp",
      .object([
        length, SchemaKey("shift", .signedSpan, "'0s'", "How far stamps are off."),
        SchemaKey("duplicate", .bool, "false", "Whether stamps repeat."),
      ]), "Wrong stamps."),
    SchemaKey("warmUp", .object([length]), "The sensor is silent, as after an insertion."),
    SchemaKey("expire", .object([]), "The sensor's life ends."),
    SchemaKey("fail", .object([]), "The sensor fails."),
    SchemaKey("unreliable", .object([length]), "Values are marked as not to be used."),
  ]

  private static let pumpFaults: [SchemaKey] = [
    SchemaKey(
      "occlusion",
      .object([
        length, SchemaKey("deliveredFraction", .fraction, "0", "The part that gets through."),
        SchemaKey("leak", .fraction, "0", "The part that runs out before the blockage."),
        SchemaKey(
          "backlog", .choice(["lost", "released"]), "'lost'",
          "What becomes of held-back insulin at the end."),
        SchemaKey(
          "alarmAfter", .duration(.minutes(1)...(.days(10))), "by pressure",
          "When the pump notices."),
        SchemaKey("missedUnits", .units(0...100), "3", "The held-back amount that it notices."),
      ]), "Delivered differs from reported."),
    SchemaKey(
      "leak",
      .object([length, SchemaKey("fraction", .fraction, "0.5", "The part that runs out.")]),
      "Insulin runs out beside the site."),
    SchemaKey(
      "scatter",
      .object([
        length, SchemaKey("sd", .number(0...2, unit: ""), "0.34", "The relative deviation."),
      ]), "Single pulses vary."),
    SchemaKey(
      "batteryDepleted", .object([openLength]), "The battery is empty; delivery stops."),
    SchemaKey(
      "clockError", .object([SchemaKey("by", .signedSpan, "How far.").required]),
      "The pump's clock jumps."),
    SchemaKey(
      "siteFailure",
      .object([
        length, SchemaKey("fraction", .fraction, "0.2", "What is still taken up in the end."),
        SchemaKey("tau", .duration(.zero...(.days(7))), "'2h'", "How fast it gets there."),
      ]), "The site takes up less and less."),
    SchemaKey(
      "scale",
      .object([
        length, SchemaKey("basal", .number(0...10, unit: ""), "1.0", "A factor on basal."),
        SchemaKey("bolus", .number(0...10, unit: ""), "1.0", "A factor on boluses."),
      ]), "Wrong delivery, unnoticed."),
    SchemaKey(
      "airBubble", .object([SchemaKey("units", .units(0...50), "How much is air.").required]),
      "The next units deliver nothing."),
    SchemaKey("empty", .object([]), "The reservoir runs out."),
    SchemaKey("lowBattery", .object([openLength]), "The battery warns."),
    SchemaKey("error", .object([openLength]), "The pump stops with an error."),
    SchemaKey(
      "alarm",
      .object([
        openLength,
        SchemaKey("name", .choice(RunBuilder.alarms.map(\.0)), "'failure'", "Which alarm."),
      ]), "The pump alarms; delivery stops if the alarm stops it."),
    SchemaKey(
      "commLoss",
      .object([
        length,
        SchemaKey("commands", .choice(["fail", "late"]), "'fail'", "What becomes of commands."),
        SchemaKey("history", .choice(["none", "late"]), "'late'", "What the app learns later."),
        SchemaKey(
          "latency", .duration(.seconds(1)...(.hours(6))), "'5m'", "How late commands arrive."),
      ]), "No contact."),
    SchemaKey(
      "reject",
      .object([
        length,
        SchemaKey(
          "what", .listOrOne(.choice(Vocabulary.pumpCommands)), "Which commands."
        ).required,
      ]), "The pump refuses commands."),
    SchemaKey(
      "uncertainDelivery",
      .object([
        length, SchemaKey("trulyDelivered", .fraction, "1.0", "The part that is given."),
        SchemaKey(
          "reported", .choice(["full", "none", "unknown"]), "'unknown'", "What the record says."),
        SchemaKey(
          "resolveAfter", .duration(.zero...(.days(2))), "'0s'", "When it becomes known."),
      ]), "The reply to a command is lost."),
    SchemaKey(
      "dropPulses",
      .object([length, SchemaKey("onTempBasal", .bool, "true", "At every new temp basal.")]),
      "The fraction of a pulse is forgotten."),
    SchemaKey(
      "unrequested", .object([SchemaKey("units", .units(0...300), "How much.").required]),
      "Delivery without a command."),
    SchemaKey(
      "clockDrift",
      .object([length, SchemaKey("perDay", .signedSpan, "What it gains in a day.").required]),
      "The pump's clock drifts."),
    SchemaKey(
      "wrongPump",
      .object([
        openLength,
        SchemaKey("basal", .schedule(.rate(0...35)), "The schedule it runs.").required,
      ]), "A pump with someone else's settings; the app believes in its own."),
  ]

  private static let appFaults: [SchemaKey] = [
    SchemaKey(
      "skipLoops",
      .either([
        .integer(1...10_000),
        .object([
          SchemaKey("duration", .durationRange, "10 minutes, or as `count` says", "How long."),
          SchemaKey("count", .integer(1...10_000), "no limit", "How many cycles."),
          SchemaKey("until", .time, "Until when; spans count from the beginning."),
        ]),
      ]), "Cycles do not run: so many, or while it lasts."),
    SchemaKey(
      "crash",
      .object([
        SchemaKey("restartAfter", .duration(.seconds(1)...(.days(30))), "'5m'", "When it is back."),
        SchemaKey(
          "loses", .list(.choice(["memory", "unsaved"])), "['memory']",
          "What is lost: what it only remembers, or what came in since its last cycle."),
      ]), "The app stops and comes back."),
    SchemaKey(
      "staleData",
      .object([
        length,
        SchemaKey("age", .duration(.minutes(1)...(.hours(12))), "How old.").required,
      ]), "Old glucose is taken for present."),
    SchemaKey("doubleRun", .object([length]), "Two cycles in one interval."),
    SchemaKey(
      "corrupt",
      .object([
        length,
        SchemaKey("target", .choice(CorruptTarget.allCases.map(\.rawValue)), "Which value.")
          .required,
        SchemaKey("mode", .choice(RunBuilder.corruptModes), "How.").required,
        SchemaKey(
          "value", .number(-1e6...1e6, unit: ""),
          "What is added, in mg/dL, U, g or U/h, or the factor."),
      ]), "A value in the app is corrupted."),
    SchemaKey(
      "clockJump",
      .either([
        .duration(.days(-30)...(.days(30))),
        .object([
          openLength,
          SchemaKey("by", .duration(.days(-30)...(.days(30))), "How far.").required,
        ]),
      ]), "The phone's clock jumps by so much."),
    SchemaKey(
      "wrongSetting",
      .object([
        openLength,
        SchemaKey("path", .choice(settingPaths), "Which setting.").required,
        SchemaKey("value", .anything, "The wrong value, as in `therapy`.").required,
        SchemaKey(
          "from", .choice(WrongSettingOrigin.allCases.map(\.rawValue)), "'sync'",
          "Where it came from; what came by `sync` is put right at the end."),
      ]), "The app has another setting; the pump is not told."),
  ]

  private static let storeFaults: [SchemaKey] = [
    SchemaKey("writeFail", .object(scope), "Nothing can be written."),
    SchemaKey("readDenied", .object(scope), "Nothing can be read."),
    SchemaKey("duplicate", .object(scope), "What the app writes comes a second time."),
    SchemaKey("lateSync", .object(scope), "What other apps write arrives when it ends."),
    SchemaKey("wipe", .object([openLength] + scope.dropFirst()), "Everything is gone."),
    SchemaKey(
      "conflict",
      .object(
        scope + [
          SchemaKey("factor", .number(0...10, unit: ""), "1.5", "Theirs, as a part of the app's.")
        ]), "Another source contradicts what the app writes."),
  ]

  private static let scope: [SchemaKey] = [
    length,
    SchemaKey("scope", .listOrOne(.choice(Vocabulary.dataKinds)), "all", "Which kinds of data."),
    SchemaKey(
      "rate", .fraction, "1.0",
      "Which part of the samples; of the cycles for `writeFail` and `readDenied`."),
  ]

  private static let phoneFaults: [SchemaKey] = [
    SchemaKey("off", .object([length]), "The phone is off."),
    SchemaKey("lowPower", .object([length]), "Only readings wake the app; it reads no samples."),
    SchemaKey("bluetoothOff", .object([length]), "No contact with pump and sensor."),
    SchemaKey("backgroundKilled", .object([length]), "The app does not run."),
  ]

  private static let userFaults: [SchemaKey] = [
    SchemaKey("miss", .object(slip), "Entries or boluses are forgotten."),
    SchemaKey(
      "late",
      .object(slip + [SchemaKey("by", .durationLaw(shift), "'20m'", "How late.")]),
      "They come late."),
    SchemaKey(
      "double",
      .object(slip + [SchemaKey("by", .durationLaw(shift), "'5m'", "How long after the first.")]),
      "They are made twice, as by two carers."),
    SchemaKey(
      "misestimate",
      .object(
        slip + [
          SchemaKey("bias", .number(0.01...10, unit: ""), "1.0", "The mean factor."),
          SchemaKey("sd", .number(0...5, unit: ""), "0", "Its deviation; the law is log-normal."),
        ]), "The amount is misjudged."),
  ]

  private static let shift = TimeSpan.seconds(1)...(.days(1))

  private static let slip: [SchemaKey] = [
    SchemaKey("of", .choice(["meal", "bolus"]), "'meal'", "The entry of a meal, or a bolus."),
    SchemaKey("probability", .fraction, "1.0", "How likely each is affected."),
    SchemaKey(
      "match", .listOrOne(.text), "all",
      "The ids of the events meant; `'lunch'` means `lunch#1`, `lunch#2` too."),
  ]
}
