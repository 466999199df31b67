public import Quantities

/// Where all the insulin went, in exact integers.
///
/// Four accounts must balance at every instant: basal, boluses, the reservoir, and the body. None
/// is computed from another.
public struct DeliveryLedger: Hashable, Sendable {
  /// Basal: programmed + anticipated = delivered + discarded + pending.
  public struct Basal: Hashable, Sendable {
    /// What the rates of all programs have earned.
    public var programmed: AccruedInsulin = .zero
    /// Earned for time before a program took over, by the grid of its schedule entry (rule R4
    /// only).
    public var anticipated: AccruedInsulin = .zero
    /// What came out, in whole pulses.
    public var delivered: InsulinAmount = .zero
    /// Fractions of pulses that were forgotten, and pulses for which the reservoir had no insulin.
    public var discarded: AccruedInsulin = .zero
    /// The part of ``discarded`` for which the reservoir had no insulin.
    public var missed: AccruedInsulin = .zero
    /// The fraction of the next pulse.
    public var pending: AccruedInsulin = .zero
    /// How many times a fraction above zero was forgotten.
    public var discards: Int = 0
    /// How many of these times an alarm stopped the pump.
    public var discardsAtAlarms: Int = 0
    /// How many of these times the schedule came to an entry, or to midnight.
    public var discardsAtEntries: Int = 0
  }

  /// Boluses: asked = delivered + cancelled + lost + pending.
  public struct Boluses: Hashable, Sendable {
    /// What was asked for.
    public var asked: InsulinAmount = .zero
    /// What was given.
    public var delivered: InsulinAmount = .zero
    /// Not given because someone stopped the bolus.
    public var cancelled: InsulinAmount = .zero
    /// Not given because of an alarm or a fault.
    public var lost: InsulinAmount = .zero
    /// Still to come, of a running bolus.
    public var pending: InsulinAmount = .zero
  }

  /// The reservoir: filled = remaining + counted + unrequested + primed + removed.
  public struct Reservoir: Hashable, Sendable {
    /// What was put in.
    public var filled: InsulinAmount = .zero
    /// What is left.
    public var remaining: InsulinAmount = .zero
    /// What filled the tubing.
    public var primed: InsulinAmount = .zero
    /// Thrown away with a replaced reservoir, or gone by a fault.
    public var removed: InsulinAmount = .zero
    /// Given without a command.
    public var unrequested: InsulinAmount = .zero
  }

  /// What the pump's history says differently from what the pump did.
  public struct Reporting: Hashable, Sendable {
    /// Boluses and temp basals that were given and never reported.
    public var hidden: InsulinAmount = .zero
    /// Reported as given, but not given.
    public var overstated: InsulinAmount = .zero
  }

  /// The account of basal.
  public var basal = Basal()
  /// The account of boluses.
  public var boluses = Boluses()
  /// The account of the reservoir.
  public var reservoir = Reservoir()
  /// The account of what reaches the body.
  public var body = BodyLedger()
  /// What was reported, and what not yet.
  public var reporting = Reporting()

  /// Creates an account of nothing.
  public init() {}

  /// What the pump counts as given, basal and boluses together.
  public var delivered: InsulinAmount { basal.delivered + boluses.delivered }

  /// Checks that every account balances, and returns the first that does not.
  public func checkConservation() -> LedgerViolation? {
    let earned = basal.programmed + basal.anticipated
    let spent = AccruedInsulin(basal.delivered) + basal.discarded + basal.pending
    guard earned == spent else { return .basal(difference: earned - spent) }

    let ended = boluses.delivered + boluses.cancelled + boluses.lost + boluses.pending
    guard boluses.asked == ended else { return .bolus(difference: boluses.asked - ended) }

    let left =
      reservoir.remaining + reservoir.primed + reservoir.removed + reservoir.unrequested
      + delivered
    guard reservoir.filled == left else {
      return .reservoir(difference: reservoir.filled - left)
    }
    let counted = PhysicalInsulin(delivered)
    guard body.recorded == counted else {
      return .record(difference: counted - body.recorded)
    }
    let balance = body.balance
    guard balance == .zero else { return .body(difference: balance) }
    return nil
  }
}

/// What became of the insulin that a pump counted on its way to the body, in whole microunits.
///
/// recorded + unrequested + gained = absorbed + lost + held back, each loss by its name.
public struct BodyLedger: Hashable, Sendable {
  /// Why recorded and absorbed insulin differ.
  public enum Difference: String, Hashable, Sendable, CaseIterable {
    /// The accuracy of single pulses.
    case scatter
    /// A delivery that is wrong by a factor.
    case scale
    /// Air in the tubing.
    case airBubble
    /// Insulin that ran out beside the site.
    case leak
    /// Insulin blocked by an occlusion and lost.
    case occlusion
    /// Insulin that a failing site no longer takes up.
    case siteFailure
  }

  /// What the pump counted.
  public var recorded: PhysicalInsulin = .zero
  /// What it gave without a command.
  public var unrequested: PhysicalInsulin = .zero
  /// What reached the body.
  public var absorbed: PhysicalInsulin = .zero
  /// What waits behind an occlusion.
  public var heldBack: PhysicalInsulin = .zero
  /// What reached the body beyond what was counted, where the delivery was wrong by a factor.
  ///
  /// ``subscript(_:)`` has it taken off what did not reach the body for the same reason.
  public var excess: PhysicalInsulin = .zero
  private var scatter: PhysicalInsulin = .zero
  private var scale: PhysicalInsulin = .zero
  private var airBubble: PhysicalInsulin = .zero
  private var leak: PhysicalInsulin = .zero
  private var occlusion: PhysicalInsulin = .zero
  private var siteFailure: PhysicalInsulin = .zero

  /// Creates an account of nothing.
  public init() {}

  /// How much less than counted reached the body for one reason; negative when it was more.
  public subscript(difference: Difference) -> PhysicalInsulin {
    get {
      switch difference {
      case .scatter: scatter
      case .scale: scale
      case .airBubble: airBubble
      case .leak: leak
      case .occlusion: occlusion
      case .siteFailure: siteFailure
      }
    }
    set {
      switch difference {
      case .scatter: scatter = newValue
      case .scale: scale = newValue
      case .airBubble: airBubble = newValue
      case .leak: leak = newValue
      case .occlusion: occlusion = newValue
      case .siteFailure: siteFailure = newValue
      }
    }
  }

  /// Notes that `lost` less than was counted goes on to the body; more where it is negative.
  mutating func note(_ lost: PhysicalInsulin, for difference: Difference) {
    self[difference] += lost
    // Pulses scatter both ways by their nature.
    if difference != .scatter, lost < .zero { excess = excess - lost }
  }

  /// What went in less what came out: nothing, unless the program is wrong.
  public var balance: PhysicalInsulin {
    var rest = recorded + unrequested - absorbed - heldBack
    for difference in Difference.allCases { rest = rest - self[difference] }
    return rest
  }
}

/// An account of the ledger that does not balance.
public enum LedgerViolation: Error, Hashable, Sendable {
  /// Basal does not balance, by so much.
  case basal(difference: AccruedInsulin)
  /// Boluses do not balance, by so much.
  case bolus(difference: InsulinAmount)
  /// The reservoir does not balance, by so much.
  case reservoir(difference: InsulinAmount)
  /// What was counted and what moved do not balance, by so much.
  case record(difference: PhysicalInsulin)
  /// What moved and what reached the body do not balance, by so much.
  case body(difference: PhysicalInsulin)
}

extension LedgerViolation: CustomStringConvertible {
  public var description: String {
    switch self {
    case .basal(let difference):
      "Basal insulin is not conserved: programmed differs from delivered, discarded and pending by "
        + "\(difference.milliunitMillisecondsPerHour) mU/h·ms."
    case .bolus(let difference):
      "Bolus insulin is not conserved: asked differs from delivered, cancelled, lost and pending "
        + "by \(difference)."
    case .reservoir(let difference):
      "The reservoir does not balance: \(difference) more went in than is accounted for."
    case .record(let difference):
      "The pump's record and its totals differ by \(difference.microunits) microunits."
    case .body(let difference):
      "Insulin between pump and body is not conserved: \(difference.microunits) microunits have no "
        + "name."
    }
  }
}
