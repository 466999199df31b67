public import Quantities

/// What a run recorded: rows at most five minutes apart, and everything that happened between.
public struct Trace: Sendable {
  /// The rows, earliest first; the timeline that is written may sum several of them up.
  public var rows: [TraceRow] = []

  /// What happened, in the order of time.
  public var happenings: [Happening] = []

  /// The sentences of both, which are kept once.
  private var texts = SharedTexts()

  /// The longest time between two rows: as long as a reading is the newest.
  static let longestInterval = TimeSpan.minutes(5)

  /// The time between two rows of a run that writes one of its timeline at every interval.
  ///
  /// It is that interval, or the longest whole part of it that is no longer than five minutes: what
  /// a run says of itself does not depend on how much of it is written down.
  public static func interval(forOutputEvery interval: TimeSpan) -> TimeSpan {
    precondition(interval > .zero, "Rows of the timeline are some time apart.")
    let whole = interval.milliseconds
    let longest = longestInterval.milliseconds
    var parts = (whole + longest - 1) / longest
    while whole % parts != 0 { parts += 1 }
    return TimeSpan(milliseconds: whole / parts)
  }

  /// Makes room for the rows of a run, so that they need not move while it grows.
  mutating func expectRows(from start: Instant, to end: Instant, every interval: TimeSpan) {
    rows.reserveCapacity(min(1 << 20, Int((end - start).quotient(by: interval)) + 2))
  }

  /// Adds to the list of what happened.
  mutating func note(
    _ kind: Happening.Kind, _ name: String, _ text: String, notGiven: InsulinAmount? = nil,
    at now: Instant
  ) {
    var happening = Happening(instant: now, kind: kind, name: name, text: text)
    happening.notGiven = notGiven
    add(happening)
  }

  /// Adds to the list of what happened, after everything of the same instant.
  ///
  /// What the pump did by itself comes to light when it is next looked at, after the faults that
  /// took hold since.
  mutating func add(_ happening: Happening) {
    var happening = happening
    happening.text = texts.shared(happening.text)
    var place = happenings.count
    while place > 0, happenings[place - 1].instant > happening.instant { place -= 1 }
    happenings.insert(happening, at: place)
  }

  /// Adds a row.
  mutating func add(_ row: TraceRow) {
    var row = row
    row.recommendation = texts.shared(row.recommendation)
    rows.append(row)
  }
}

/// The state of a run at an instant.
///
/// Amounts are those since the row before.
public struct TraceRow: Hashable, Sendable {
  /// When the row was written.
  public var instant: Instant
  /// The glucose that an ideal meter would read in blood.
  public var trueGlucose: GlucoseConcentration
  /// The latest reading that the app, or without one the sensor's receiver, received since the row
  /// before; nothing when none came.
  public var reading: GlucoseConcentration? {
    get { readingMgdL.map { .mgdL($0) } }
    set { readingMgdL = newValue?.mgdL }
  }
  @OptionalNumber private var readingMgdL: Double?
  /// The time to which the reading belongs; nothing where there is none.
  ///
  /// It is the reading's own where that lies after the row before and after the reading before, and
  /// that of the row for one that came later than that.
  public var readingInstant: Instant? {
    get { reading == nil ? nil : instant - .milliseconds(Int64(readingAge)) }
    set { readingAge = newValue.map { Int32(clamping: (instant - $0).milliseconds) } ?? 0 }
  }
  /// How much older than the row its reading is, in milliseconds; no part of the digest.
  private var readingAge: Int32 = 0
  /// The scheduled basal rate that the pump holds for this time.
  public var scheduledRate: InsulinRate {
    get { scheduled.rate }
    set { scheduled.rate = newValue }
  }
  /// The rate that the pump is running: scheduled, temp basal, or zero while suspended.
  public var programmedRate: InsulinRate {
    get { programmed.rate }
    set { programmed.rate = newValue }
  }
  /// Basal that the pump counted since the row before.
  public var basalDelivered: InsulinAmount {
    get { basal.amount }
    set { basal.amount = newValue }
  }
  /// Bolus that the pump counted since the row before.
  public var bolusDelivered: InsulinAmount {
    get { bolus.amount }
    set { bolus.amount = newValue }
  }
  private var scheduled: Milliunits
  private var programmed: Milliunits
  private var basal: Milliunits
  private var bolus: Milliunits
  /// What was eaten since the row before.
  public var carbsEaten: CarbohydrateMass
  /// What was entered in the app since the row before.
  public var carbsEntered: CarbohydrateMass
  /// The net insulin on board that the app believes in, in units; `nil` before its first
  /// computation.
  @OptionalNumber public var insulinOnBoard: Double?
  /// The insulin that the body's model still holds, in U.
  ///
  /// It follows the kinetics of the model; `nil` where the model does not know it.
  @OptionalNumber public var bodyInsulin: Double?
  /// The carbs on board that the app believes in, in grams; nothing before its first computation.
  @OptionalNumber public var carbsOnBoard: Double?
  /// What the latest cycle since the row before recommended; empty when no cycle ran.
  public var recommendation: String
  /// Who decides about insulin.
  public var mode: LoopMode

  /// Creates a row; what is not given is nothing.
  public init(
    instant: Instant, trueGlucose: GlucoseConcentration, reading: GlucoseConcentration? = nil,
    scheduledRate: InsulinRate = .zero, programmedRate: InsulinRate = .zero,
    basalDelivered: InsulinAmount = .zero, bolusDelivered: InsulinAmount = .zero,
    carbsEaten: CarbohydrateMass = .init(grams: 0),
    carbsEntered: CarbohydrateMass = .init(grams: 0), insulinOnBoard: Double? = nil,
    bodyInsulin: Double? = nil, carbsOnBoard: Double? = nil, recommendation: String = "",
    mode: LoopMode = .openLoop
  ) {
    self.instant = instant
    self.trueGlucose = trueGlucose
    readingMgdL = reading?.mgdL
    scheduled = Milliunits(rate: scheduledRate)
    programmed = Milliunits(rate: programmedRate)
    basal = Milliunits(amount: basalDelivered)
    bolus = Milliunits(amount: bolusDelivered)
    self.carbsEaten = carbsEaten
    self.carbsEntered = carbsEntered
    self.insulinOnBoard = insulinOnBoard
    self.bodyInsulin = bodyInsulin
    self.carbsOnBoard = carbsOnBoard
    self.recommendation = recommendation
    self.mode = mode
  }
}

/// An amount or a rate of insulin in four bytes, which hold two million units.
private struct Milliunits: Hashable, Sendable {
  private var count: Int32

  init(amount: InsulinAmount) { count = Int32(amount.milliunits) }
  init(rate: InsulinRate) { count = Int32(rate.milliunitsPerHour) }

  var amount: InsulinAmount {
    get { .milliunits(Int64(count)) }
    set { self = Self(amount: newValue) }
  }

  var rate: InsulinRate {
    get { InsulinRate(milliunitsPerHour: Int64(count)) }
    set { self = Self(rate: newValue) }
  }
}

/// Who decides about insulin.
public enum LoopMode: String, Hashable, Sendable, CaseIterable {
  /// The app doses automatically.
  case closedLoop
  /// The app recommends, and a person decides.
  case openLoop
  /// The pump is suspended.
  case suspended
  /// The app or the phone is not running, or there is none.
  case off
}

/// Something that happened in a run, for the timeline.
public struct Happening: Hashable, Sendable {
  /// What kind of thing happened.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// What the body met, or the pump did.
    case meal, carbEntry, bolus, injection, externalDose, tempBasal, suspend, resume, closedLoop
    /// What was changed, deleted or put right.
    case preset, exercise, settings, deletion, restore, healthStore, pump, cgm, timeZone, phone
    /// What went wrong, or is worth knowing.
    case fault, alert, warning, note, cycleFailed
    /// Glucose left the range of the patient model, or came back.
    case model
    /// A guard of the app changed a command of a program, or did not send it.
    case guarded = "guard"
    /// Glucose fell below what the scenario says can be survived; nothing comes after it.
    case lethal
  }

  /// When it happened.
  public var instant: Instant
  /// The name of the thing: a fault's id, an alarm's name, an event's id.
  public var name: String
  /// One sentence for a person.
  public var text: String
  /// What is not given of a bolus, where the sentence tells of that.
  public internal(set) var notGiven: InsulinAmount?
  /// What kind of thing it was.
  public var kind: Kind

  /// Creates a `Happening` from its parts; see the properties.
  public init(instant: Instant, kind: Kind, name: String, text: String) {
    self.instant = instant
    self.kind = kind
    self.name = name
    self.text = text
  }
}
