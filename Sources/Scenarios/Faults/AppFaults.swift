internal import ClosedLoop
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

extension FaultComponent {
  /// What can go wrong with the app.
  static let appFaults: [Kind<PlannedFault>] = [
    Kind(
      "skipLoops", "Cycles do not run: so many, or while it lasts.",
      .either(cycles.map { count, _ in skipped(count, .open) }, .object { skipLoops(&$0) })),
    Kind("crash", "The app stops and comes back.", .object { crash(&$0) }),
    .fault("staleData", "Old glucose is taken for present.") {
      $0.only("age", .duration(.minutes(1)...(.hours(12))), "How old.") {
        .app(.disturbed(.stale(age: $0)))
      }
    },
    .fault("doubleRun", "Two cycles in one interval.", .app(.doubleRun)),
    .fault("corrupt", "A value in the app is corrupted.") { corrupt(&$0) },
    Kind(
      "clockJump", "The phone's clock jumps by so much.",
      .either(
        jumps.map { span, _ in PlannedFault(.app(.clockJump(span)), .open) },
        .fault(lasts: .open) {
          $0.only("by", jumps, "How far.") { .app(.clockJump($0)) }
        })),
    .fault(
      "wrongSetting", lasts: .open, "The app has another setting; the pump is not told."
    ) { wrongSetting(&$0) },
  ]

  // MARK: - Cycles that do not run

  private static let cycles = Form.integer(1...10_000)

  private static func skipped(_ count: Int?, _ length: FaultLength) -> PlannedFault {
    PlannedFault(.app(.skipLoops(count: count)), length, isMeanwhile: true)
  }

  private static func skipLoops(_ keys: inout Keys) -> Maker<PlannedFault> {
    let duration = keys.optional(
      "duration", .durationRange, else: "10 minutes, or as `count` says", "How long.")
    let count = keys.optional("count", cycles, else: "no limit", "How many cycles.")
    let until = keys.optional("until", .time, "Until when; spans count from the beginning.")
    return { field in
      let end = field[until.name]
      let usual: FaultLength =
        end.exists
        ? .until(end) : field[count] != nil ? .open : .drawn(FaultLength.usual...FaultLength.usual)
      return skipped(field[count], field[duration].map { .drawn($0) } ?? usual)
    }
  }

  private static func crash(_ keys: inout Keys) -> Maker<PlannedFault> {
    let pause = keys.key(
      "restartAfter", .duration(.seconds(1)...(.days(30))), default: "'5m'", "When it is back.")
    let losses = keys.key(
      "loses", .list(.words([("memory", CrashLoss.memory), ("unsaved", .unsaved)])),
      default: "['memory']",
      "What is lost: what it only remembers, or what came in since its last cycle.")
    return { field in
      let loses = field[losses].reduce(into: CrashLoss()) { $0.formUnion($1) }
      return PlannedFault(.app(.crash(loses: loses)), .drawn(field[pause]...field[pause]))
    }
  }

  private static let jumps = Form.duration(.days(-30)...(.days(30)))

  // MARK: - Wrong values

  /// How a value is corrupted: by itself, or by a value that is stated.
  private enum Corruption {
    case alone(CorruptMode)
    case by(@Sendable (Double) -> CorruptMode)
  }

  private static func corrupt(_ keys: inout Keys) -> Maker<Fault.Effect> {
    let target = keys.required("target", .choice(CorruptTarget.self), "Which value.")
    let mode = keys.required(
      "mode",
      .words([
        ("zero", Corruption.alone(.zero)), ("hold", .alone(.hold)), ("max", .alone(.max)),
        ("min", .alone(.min)), ("add", .by { .add($0) }), ("scale", .by { .scale($0) }),
      ]), "How.")
    let value = keys.optional(
      "value", .number(-1e6...1e6),
      "What is added, in the file's unit of glucose, U, g or U/h, or the factor.")
    return { field throws(UnusableKey) in
      let (target, corruption) = (try field[target], try field[mode])
      let word = field[mode.name].node?.string ?? ""
      switch corruption {
      case .alone(let corrupted):
        field[value.name].warnOfNoEffect("\"value\" has no effect with mode: '\(word)'.")
        return .app(.disturbed(.corrupt(target, corrupted)))
      case .by(let corrupted):
        guard let number = field[value] else {
          field[mode.name].error("mode: '\(word)' needs a \"value\".")
          return nil
        }
        let isGlucose = target == .glucose && word == "add"
        let unit = isGlucose ? field.context.glucoseUnit.mgdL : 1
        return .app(.disturbed(.corrupt(target, corrupted(number * unit))))
      }
    }
  }

  /// One setting of the app, by the path that it has in a scenario.
  private static func wrongSetting(_ keys: inout Keys) -> Maker<Fault.Effect> {
    let path = keys.required(
      "path", .words(TherapyBlock.paths.map { ($0.path, $0) }), "Which setting.")
    let value = keys.required("value", .anything, "The wrong value, as in `therapy`.")
    let named = value.name
    let origin = keys.key(
      "from", .choice(WrongSettingOrigin.self), default: "'sync'",
      "Where it came from; what came by `sync` is put right at the end.")
    return { field throws(UnusableKey) in
      let (setting, value) = (try field[path], try field[value])
      // The value is meant to be wrong, as one in the other unit of glucose: only what cannot be at
      // all is told.
      let problems = ProblemList()
      SchemaCheck(problems: problems).check(
        field[named].reporting(to: problems), setting.key.shape)
      field.problems.add(problems.problems.filter { $0.severity == .error })
      if problems.hasErrors { return nil }
      let node = JSONNode([(setting.key.name, value.value)], at: value.position)
      var change = SettingsChange()
      setting.block.change(&change, by: Field(node, in: field.context, problems: problems))
      field.problems.add(problems.problems.filter { $0.severity == .error })
      return .app(.wrongSetting(change, from: field[origin]))
    }
  }
}
