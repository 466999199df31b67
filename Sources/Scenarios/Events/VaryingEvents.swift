internal import Physiology
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// Events from which on something varies in the body for a while.
enum VaryingEvents {
  /// Illness, stress and a short night.
  static let kinds: [EventKind] = [
    EventKind(
      "illness", "An illness that comes and goes; the figures are assumptions.",
      .event {
        let severity = $0.required(
          "severity", .fraction, "At 1 insulin works half as well and the liver gives 30 % more.")
        let plateau = $0.key(
          "plateau", .duration(.zero...(.days(30))), default: "'3d'",
          "How long it lasts in full, after 12 hours of onset and before a day of recovery.")
        return { field, on throws(UnusableKey) in
          varying(
            Modulator.illness(
              severity: try field[severity], start: on.instant, plateau: field[plateau]), on)
        }
      }),
    EventKind(
      "stress", "Acute stress.",
      .event {
        let level = $0.required(
          "level", .number(0...0.4),
          "By which part the liver gives more at first; it halves every hour.")
        return { field, on throws(UnusableKey) in
          varying([.stress(level: try field[level], start: on.instant)], on)
        }
      }),
    EventKind(
      "shortNight", "Insulin works 21 % less for 16 hours, and less so for 8 more.",
      Form.mark.happens { _, on in varying([.shortNight(waking: on.instant)], on) }),
  ]

  private static func varying(_ modulators: [Modulator], _ on: Occasion) -> [ScenarioEvent] {
    [on.event(.apply(.variation(modulators), name: on.id))]
  }
}
