public import Quantities

/// A disturbance of a pump, its tubing, its site or its radio that a scenario asks for.
public enum PumpFault: Hashable, Sendable {
  /// Insulin is blocked between pump and body.
  case occlusion(Occlusion)
  /// A part of each pulse runs out beside the site.
  case leak(fraction: Double)
  /// The site takes up less and less: a fraction remains, which is approached with a time constant.
  case siteFailure(fraction: Double, timeConstant: TimeSpan)
  /// Basal and bolus deliveries are wrong by factors.
  case scale(basal: Double, bolus: Double)
  /// What reaches the body of a bolus is what the pump counts times a factor; all else is right.
  case misreportedBolus(factor: Double)
  /// Single pulses vary: each is multiplied by `max(0, 1 + deviation · z)`.
  case scatter(deviation: Double)
  /// The next insulin is air.
  case airBubble(InsulinAmount)
  /// The reservoir is empty although the pump believes otherwise until its next pulse.
  case empty
  /// An alarm, as from a battery or the pump itself; delivery stops if the alarm stops it.
  case alarm(PumpAlarm)
  /// App and pump lose contact.
  case communicationLoss(CommunicationLoss)
  /// Commands that the pump rejects although they are in order.
  case reject(Set<PumpCommand.Name>)
  /// The reply to a command is lost.
  case uncertainDelivery(UncertainDelivery)
  /// The fraction of a pulse is forgotten when a temp basal starts, whatever the pump's rule.
  case dropPulses
  /// The pump gives insulin without a command, and does not know of it.
  case unrequested(InsulinAmount)
  /// The pump's clock gains time every day, of several such faults all of it together, but never
  /// more or less than ``clockDrifts``.
  case clockDrift(perDay: TimeSpan)
  /// The pump's clock jumps.
  case clockError(TimeSpan)

  /// What a pump's clock can gain in a day: one that gains or loses more is not a clock.
  public static let clockDrifts = TimeSpan.hours(-12)...TimeSpan.hours(12)

  /// Whether other insulin can reach the body than the pump counts for its programs.
  public var changesWhatArrives: Bool {
    switch self {
    case .occlusion, .leak, .siteFailure, .scale, .misreportedBolus, .scatter, .airBubble: true
    case .alarm, .empty, .uncertainDelivery, .communicationLoss, .reject, .dropPulses, .unrequested,
      .clockDrift, .clockError:
      false
    }
  }
}

/// A blockage between pump and body.
public struct Occlusion: Hashable, Sendable {
  /// What tells the pump of it.
  public enum Detection: Hashable, Sendable {
    /// The pressure of an amount that was held back.
    case heldBack(InsulinAmount)
    /// The pressure of an amount drawn anew for each event, from 2 to 5 U.
    case drawn
    /// A time after the start.
    case after(TimeSpan)
    /// Nothing does.
    case never
  }

  /// The part of each pulse that still gets through, 0 to 1.
  public var deliveredFraction: Double
  /// What tells the pump of it.
  public var detection: Detection
  /// The part of the held-back insulin that comes free when the blockage ends, 0 to 1.
  public var releasedFraction: Double
  /// The part of each pulse that runs out before the blockage, 0 to 1; it builds up no pressure.
  public var leakedFraction: Double

  /// Creates a `Occlusion` from its parts; see the properties.
  public init(
    deliveredFraction: Double = 0, detection: Detection = .heldBack(.milliunits(3_000)),
    releasedFraction: Double = 0, leakedFraction: Double = 0
  ) {
    self.deliveredFraction = deliveredFraction
    self.detection = detection
    self.releasedFraction = releasedFraction
    self.leakedFraction = leakedFraction
  }
}

/// A time without contact between app and pump.
public struct CommunicationLoss: Hashable, Sendable {
  /// What becomes of commands.
  public enum Commands: Hashable, Sendable {
    /// They never reach the pump, and the app knows.
    case fail
    /// They reach the pump later; the app gets no reply.
    case late(TimeSpan)
  }

  /// What becomes of the pump's history.
  public enum History: Hashable, Sendable {
    /// Events that finished without contact are never reported.
    case none
    /// They are reported when contact returns.
    case late
  }

  /// What becomes of commands.
  public var commands: Commands
  /// What becomes of the pump's history.
  public var history: History

  /// Creates a `CommunicationLoss` from its parts; see the properties.
  public init(commands: Commands = .fail, history: History = .late) {
    self.commands = commands
    self.history = history
  }
}

/// Commands whose reply is lost.
public struct UncertainDelivery: Hashable, Sendable {
  /// What the pump's history says of them afterwards.
  public enum Reported: String, Hashable, Sendable, CaseIterable {
    /// That everything was given; of a command that was not carried out, a bolus alone is so told.
    case full
    /// Nothing: the command does not appear.
    case none
    /// Nothing until it is resolved, and then the truth.
    case unknown
  }

  /// The part of a bolus that is truly given, 0 to 1; other commands are carried out unless it is
  /// 0.
  public var trulyDelivered: Double
  /// What the pump says later.
  public var reported: Reported
  /// How long nobody can find out.
  public var resolveAfter: TimeSpan

  /// Creates a `UncertainDelivery` from its parts; see the properties.
  public init(
    trulyDelivered: Double, reported: Reported = .unknown, resolveAfter: TimeSpan = .zero
  ) {
    self.trulyDelivered = trulyDelivered
    self.reported = reported
    self.resolveAfter = resolveAfter
  }

  /// The pump carries the command out, and no reply comes back.
  public static let lostReply = Self(trulyDelivered: 1)
  /// The command never reaches the pump, and no reply comes back.
  public static let lostCommand = Self(trulyDelivered: 0)

  /// What an app assumes of an unacknowledged command when the pump can never be asked again, as
  /// Omnipod's drivers do: insulin counts as given when in doubt.
  ///
  /// A bolus counts as given, a temp basal above the schedule as running, one below as not;
  /// stopping counts as failed, unless it would have ended a temp basal below the schedule. So says
  /// OmniBLE (`PodState.swift`, "in the direction of positive net delivery"), whose code ends one
  /// above the schedule instead, against its own comment.
  public static func isAssumedCarriedOut(
    _ command: PumpCommand, scheduled: InsulinRate, runningTempBasal: InsulinRate? = nil
  ) -> Bool {
    switch command {
    case .startBolus: true
    case .startTempBasal(let rate, _, _): rate > scheduled
    case .cancelTempBasal: runningTempBasal.map { $0 < scheduled } ?? false
    case .suspend, .cancelBolus, .resume, .replaceSchedule, .setClock: false
    }
  }
}
