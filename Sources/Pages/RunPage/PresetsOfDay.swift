internal import Quantities
internal import Reports
internal import Simulation

/// What is drawn of a preset on a day: the part of it that lies there.
struct PresetOfDay {
  /// What the preset is called.
  let name: String
  /// The correction range meanwhile; `nil` where it leaves that of the settings.
  let targets: GlucoseRange?
  /// From when it held.
  let start: Instant
  /// Until when it held.
  let end: Instant
}

extension RunReport {
  /// The presets that held on a day, earliest first.
  func presets(of day: RunDay) -> [PresetOfDay] {
    observation.presets.compactMap { preset in
      let (start, end) = (max(day.from, preset.start), min(day.to, preset.end ?? day.to))
      guard start < end else { return nil }
      return PresetOfDay(name: preset.name, targets: preset.targets, start: start, end: end)
    }
  }
}
