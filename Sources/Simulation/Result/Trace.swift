public import Quantities

/// What a run recorded: rows at most five minutes apart, and everything that happened between.
public struct Trace: Sendable {
  /// The rows, earliest first; the timeline that is written may sum several of them up.
  public var rows: [TraceRow] = []

  /// What happened, in the order of time.
  public var happenings: [Happening] = []

  /// What many rows have in common, and many happenings, which is kept once.
  private var rowTraits = SharedValues<TraceRow.Traits>()
  private var traits = SharedValues<Happening.Traits>()

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
    add(Happening(instant: now, kind: kind, name: name, text: text, notGiven: notGiven))
  }

  /// Adds to the list of what happened, after everything of the same instant.
  ///
  /// What the pump did by itself comes to light when it is next looked at, after the faults that
  /// took hold since.
  mutating func add(_ happening: Happening) {
    var happening = happening
    traits.share(&happening.traits)
    var place = happenings.count
    while place > 0, happenings[place - 1].instant > happening.instant { place -= 1 }
    happenings.insert(happening, at: place)
  }

  /// Adds a row.
  mutating func add(_ row: TraceRow) {
    var row = row
    rowTraits.share(&row.traits)
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
    get { traits.value.scheduledRate }
    set { traits.value.scheduledRate = newValue }
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
  private var programmed: Milliunits
  private var basal: Milliunits
  private var bolus: Milliunits
  /// What was eaten since the row before.
  public var carbsEaten: CarbohydrateMass {
    get { traits.value.carbsEaten }
    set { traits.value.carbsEaten = newValue }
  }
  /// What was entered in the app since the row before.
  public var carbsEntered: CarbohydrateMass {
    get { traits.value.carbsEntered }
    set { traits.value.carbsEntered = newValue }
  }
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
  public var recommendation: String {
    get { traits.value.recommendation.text }
    set { traits.value.recommendation = ExactText(newValue) }
  }
  /// Who decides about insulin.
  public var mode: LoopMode {
    get { traits.value.mode }
    set { traits.value.mode = newValue }
  }
  fileprivate var traits: Shared<Traits>

  /// What mostly stays the same from row to row.
  fileprivate struct Traits: Shareable {
    var scheduledRate: InsulinRate
    var carbsEaten: CarbohydrateMass
    var carbsEntered: CarbohydrateMass
    var recommendation: ExactText
    var mode: LoopMode

    var placeHash: UInt64 { recommendation.placeHash }
  }

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
    programmed = Milliunits(rate: programmedRate)
    basal = Milliunits(amount: basalDelivered)
    bolus = Milliunits(amount: bolusDelivered)
    self.insulinOnBoard = insulinOnBoard
    self.bodyInsulin = bodyInsulin
    self.carbsOnBoard = carbsOnBoard
    traits = Shared(
      Traits(
        scheduledRate: scheduledRate, carbsEaten: carbsEaten, carbsEntered: carbsEntered,
        recommendation: ExactText(recommendation), mode: mode))
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
  public var name: String {
    get { traits.value.name.text }
    set { traits.value.name = ExactText(newValue) }
  }
  /// One sentence for a person.
  public var text: String {
    get { traits.value.text.text }
    set { traits.value.text = ExactText(newValue) }
  }
  /// What is not given of a bolus, where the sentence tells of that.
  public internal(set) var notGiven: InsulinAmount? {
    get { traits.value.notGiven }
    set { traits.value.notGiven = newValue }
  }
  /// What kind of thing it was.
  public var kind: Kind {
    get { traits.value.kind }
    set { traits.value.kind = newValue }
  }
  fileprivate var traits: Shared<Traits>

  /// What is said of things that happen again and again.
  fileprivate struct Traits: Shareable {
    var kind: Kind
    var name: ExactText
    var text: ExactText
    var notGiven: InsulinAmount?

    var placeHash: UInt64 { text.placeHash }
  }

  /// Creates a `Happening` from its parts; see the properties.
  public init(instant: Instant, kind: Kind, name: String, text: String) {
    self.init(instant: instant, kind: kind, name: name, text: text, notGiven: nil)
  }

  /// Creates what happened with what is not given of a bolus for it.
  init(instant: Instant, kind: Kind, name: String, text: String, notGiven: InsulinAmount?) {
    self.instant = instant
    traits = Shared(
      Traits(kind: kind, name: ExactText(name), text: ExactText(text), notGiven: notGiven))
  }
}
