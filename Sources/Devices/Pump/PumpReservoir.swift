import Quantities

/// The reservoir of a pump: what is in it, where the rest went, and which warning was given last.
struct PumpReservoir: Hashable, Sendable {
  /// What was put in, and what became of it, but for the pulses that basal and boluses count.
  private(set) var account = DeliveryLedger.Reservoir()
  /// The levels at which the pump warns, highest first.
  private let warningLevels: [InsulinAmount]
  /// The lowest of them that has been given.
  private var warnedAt: InsulinAmount?

  /// Creates a reservoir that begins with an amount; levels it is already below are known.
  init(holding amount: InsulinAmount, warningLevels: [InsulinAmount]) {
    self.warningLevels = warningLevels
    account.filled = amount
    account.remaining = amount
    skipWarnings()
  }

  /// What is left.
  var remaining: InsulinAmount { account.remaining }

  /// As many of the pulses that are due as there is insulin for.
  func pulses(atMost due: Int64, of pulse: InsulinAmount) -> Int64 {
    min(due, remaining.milliunits / pulse.milliunits)
  }

  /// Takes pulses out, which basal or boluses count.
  mutating func take(_ amount: InsulinAmount) {
    assert(amount > .zero, "A pump gives more than nothing.")
    assert(amount <= remaining, "A pump gives no more than it holds.")
    account.remaining = remaining - amount
  }

  /// Takes out what nobody asked for, in whole pulses and no more than there is; returns it.
  mutating func takeUnrequested(_ amount: InsulinAmount, of pulse: InsulinAmount) -> InsulinAmount {
    let given = min(max(amount, .zero), remaining).flooredToMultiple(of: pulse)
    guard given > .zero else { return .zero }
    assert(given <= remaining, "A pump gives no more than it holds.")
    account.remaining = remaining - given
    account.unrequested += given
    return given
  }

  /// Takes out what fills tubing or cannula.
  mutating func prime(_ amount: InsulinAmount) {
    account.remaining = remaining - amount
    account.primed += amount
  }

  /// Throws away what is left, and puts a new filling in; warnings are as before it.
  mutating func replace(with amount: InsulinAmount) {
    account.removed += remaining
    account.filled += amount
    account.remaining = amount
  }

  /// Loses everything that is left.
  mutating func drain() {
    account.removed += remaining
    account.remaining = .zero
  }

  /// The level of a warning that has come due, which is then given.
  mutating func takeWarning() -> InsulinAmount? {
    guard let level = warningLevels.last(where: { $0 >= remaining }),
      warnedAt.map({ level < $0 }) ?? true
    else { return nil }
    warnedAt = level
    return level
  }

  /// Takes the levels that the reservoir is already below as known.
  mutating func skipWarnings() {
    warnedAt = warningLevels.last { $0 >= remaining }
  }

  /// What the pump says is left, by the way it reports.
  func reading(_ reporting: ReservoirReporting) -> ReservoirReading {
    switch reporting {
    case .exact: .amount(remaining)
    case .rounded(let step): .amount(remaining.flooredToMultiple(of: step))
    case .upTo(let level): remaining > level ? .moreThan(level) : .amount(remaining)
    }
  }
}
