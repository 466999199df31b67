public import Devices
public import Quantities

/// A temp basal that the app commanded, for pumps that run another rate than they were asked for.
struct CommandedTemp: Sendable, Hashable {
  var rate: InsulinRate
  /// When it was sent, by true time.
  var sent: Instant
}

/// A command without a reply.
public struct UncertainCommand: Sendable, Hashable {
  /// The command.
  public var command: PumpCommand
  /// When it was sent, by the phone's clock.
  public var instant: Instant
  /// When it was sent by true time, by which the pump tells of itself.
  var sent: Instant
  /// When the pod that it was sent to had been put on; `nil` where that is no pod, or not known.
  var podActivation: Instant?

  /// Whether an event of the pump's history tells what became of the command.
  func isTold(by event: PumpEvent) -> Bool {
    guard event.start == sent else { return false }
    return switch command {
    case .startBolus: event.kind == .bolus
    case .startTempBasal: event.kind == .tempBasal
    case .suspend: event.kind == .suspend
    case .resume: event.kind == .resume
    case .cancelTempBasal, .cancelBolus, .replaceSchedule, .setClock: false
    }
  }

  /// What the phone's clock showed at a true instant, if it was as wrong as when the command was
  /// sent.
  func shown(_ instant: Instant) -> Instant { instant + (self.instant - sent) }
}
