internal import ClosedLoop
internal import Devices
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// What happens to the phone and its clock, and what comes to it from afar.
enum PhoneEvents {
  /// Its zone, its clock and its state, and commands from afar.
  static let kinds: [EventKind] = [
    EventKind(
      "timeZone",
      "The phone changes its zone. Times of the scenario stay those of `clock.timeZone`.",
      beside: {
        $0.key("pumpFollows", .bool, default: "false", "Whether the pump's clock is set too.")
      }
    ) { follows in
      Form.zone.happens { _, on in
        [on.event(.travel(on.travel, pumpFollows: on.item[follows]))]
      }
    },
    EventKind(
      "remote", "A carer sends a command to the app from afar; `at` is when it is sent.",
      RemoteCommands.form),
    EventKind(
      "clockSet", "The phone's clock is set by hand: how far, or to what.",
      clockSetting.does { .setPhoneClock($0) }),
    EventKind(
      "phone",
      "What happens to the phone and the app on it. A state lasts until the next: `on`, `off`, or "
        + "`bluetoothOff`, which is on without Bluetooth. `reboot` is `off` for two minutes, then "
        + "`on`; `reinstall` is a new installation of the app, without its records.",
      Form<@Sendable (Occasion) -> [ScenarioEvent]>.words([
        (
          "reboot",
          { [$0.event(.setPhone(.off)), $0.event(.setPhone(.on), at: $0.instant + .minutes(2))] }
        ),
        ("off", { [$0.event(.setPhone(.off))] }), ("on", { [$0.event(.setPhone(.on))] }),
        ("reinstall", { [$0.event(.reinstallApp)] }),
        ("bluetoothOff", { [$0.event(.setPhone(.bluetoothOff))] }),
      ]).happens { $0($1) }),
  ]

  /// How far the phone's clock is set, or to what.
  private static let clockSetting: Form<PhoneClockSetting> = {
    let shift = Form.duration(.days(-30)...(.days(30)))
    return Form(.either([shift.shape, .dateTime])) { field in
      switch field.node?.string.flatMap({ TimeText($0) }) {
      case .civil, .absolute: field.time().map { .to($0) }
      default: shift.read(field).map { .by($0) }
      }
    }
  }()
}
