internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// A preset that begins or ends.
enum PresetEvents {
  /// The only kind.
  static let preset = EventKind(
    "preset",
    "A preset by name, or one described here; `preMeal` and `workout` too; `false` ends it. One "
      + "holds at a time, as in Tidepool's app; the released Loop 3 would run `preMeal` beside "
      + "another, which is told. `preMeal` ends when carbohydrates are entered, and after an hour "
      + "where nothing else is said.",
    beside: { keys in
      let until = keys.optional(
        "until", .time, "When it ends; spans count from its start.")
      let duration = keys.optional(
        "duration", .duration(.minutes(1)...(.days(30))), "How long it runs.")
      let indefinite = keys.optional(
        "indefinite", .only(true), "It runs until someone ends it.")
      return PresetLength(until: until, duration: duration, indefinite: indefinite)
    }
  ) { length in
    .either(
      Form.text.map { name, field in
        { on in named(name, field, on).map { started($0, length, on) } ?? [] }
      },
      Form.only(false).does { _ in .endPreset },
      PresetRequest.form.happens { preset, on in
        var preset = preset
        preset.name = on.id
        return started(preset, length, on)
      })
  }

  /// The keys that say how long a preset runs.
  private struct PresetLength: Sendable {
    var until: Key<Instant?>
    var duration: Key<TimeSpan?>
    var indefinite: Key<Bool?>
  }

  private static func started(
    _ preset: PresetRequest, _ length: PresetLength, _ on: Occasion
  ) -> [ScenarioEvent] {
    var preset = preset
    if on.item[length.until.name].exists {
      guard let end = on.item[length.until], end > on.instant else {
        on.item[length.until.name].error("A preset ends after it starts.")
        return []
      }
      preset.duration = end - on.instant
    } else {
      preset.duration = on.item[length.duration] ?? preset.duration
    }
    if on.item[length.indefinite] == true { preset.duration = nil }
    return [on.event(.startPreset(preset))]
  }

  /// A preset of the therapy.
  private static func named(_ name: String, _ field: Field, _ on: Occasion) -> PresetRequest? {
    let therapy = on.root["therapy"]
    let presets = therapy["presets"]
    let names = (presets.exists ? presets.members() ?? [] : []).map(\.key)
    guard let name = field.choice(of: ["preMeal", "workout"] + names) else { return nil }
    guard name == "preMeal" || name == "workout" else {
      return PresetRequest.preset(presets[name], named: name)
    }
    let target = therapy["\(name)Target"]
    guard target.exists else {
      field.error("The preset \(name) needs \"therapy.\(name)Target\", which is missing.")
      return nil
    }
    return Form<GlucoseRange>.target.read(target).map {
      PresetRequest(
        name: name, kind: name == "preMeal" ? .preMeal : .workout, target: $0, insulinNeeds: 1,
        duration: name == "preMeal" ? preMealDuration : nil)
    }
  }

  /// How long the pre-meal range holds at most that the app's menu offers "Until I enter carbs"
  /// (LoopKit/Loop, `UIAlertController.swift`).
  private static let preMealDuration = TimeSpan.hours(1)
}

extension PresetRequest {
  /// A preset as `therapy.presets` and events describe it; its name stands elsewhere.
  static let form = Form<Self>.object { keys in
    let target = keys.optional(
      "target", .target, else: "the scheduled one", "The correction range meanwhile.")
    let needs = keys.key(
      "insulinNeeds", .number(0.1...2), default: "1.0", "The factor on insulin needs meanwhile.")
    return { field in
      Self(
        name: "", kind: .custom, target: field[target], insulinNeeds: field[needs], duration: nil)
    }
  }

  /// A preset by its name.
  static func preset(_ field: Field, named name: String) -> Self? {
    guard var preset = form.read(field) else { return nil }
    preset.name = name
    return preset
  }
}
