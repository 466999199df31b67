internal import ClosedLoop
public import Dosing
public import HealthStore
public import Quantities
internal import StructuredText

/// Judges the insulin record of one person: what contradicts itself, what is there twice or
/// missing, and what that does to the insulin on board.
///
/// A real person has no known truth; but several records of one person must agree with each other
/// and with arithmetic. Nothing is changed, and nothing is merged before it has been judged.
///
/// Not a medical device.
public struct Audit: Sendable {
  /// What the caller knows of the record.
  public struct Options: Sendable {
    /// From when on is judged; `nil` for the first sample.
    public var from: Instant?
    /// Until when is judged; `nil` for the last sample.
    public var to: Instant?
    /// The clock by which days begin.
    public var clock: WallClock
    /// The name of the time zone whose clock it is.
    public var zone: String
    /// The unit in which glucose is told.
    public var glucoseUnit: GlucoseUnit
    /// The pump's smallest amount, in U; inferred where `nil`.
    public var pulse: Double?
    /// The basal schedule, in U/h; that of the samples where `nil`.
    public var schedule: DailySchedule<Double>?
    /// The activity by which insulin counts.
    public var model: InsulinModel
    /// What is to be known of how the files were read: what was left out, and what was assumed.
    public var reading: [String]
    /// The order in which the health store of the record prefers its sources of insulin, those that
    /// are not in it last; the order that a store has by itself where `nil`.
    public var priority: [Source]?

    /// Creates a `Options` from its parts; see the properties.
    public init(
      from: Instant? = nil, to: Instant? = nil, clock: WallClock = .utc, zone: String = "UTC",
      glucoseUnit: GlucoseUnit = .milligramsPerDecilitre, pulse: Double? = nil,
      schedule: DailySchedule<Double>? = nil, model: InsulinModel = .rapidActingAdult,
      reading: [String] = [], priority: [Source]? = nil
    ) {
      self.from = from
      self.to = to
      self.clock = clock
      self.zone = zone
      self.glucoseUnit = glucoseUnit
      self.pulse = pulse
      self.schedule = schedule
      self.model = model
      self.reading = reading
      self.priority = priority
    }

    /// The same of a record that is judged from another time on.
    fileprivate func begun(at start: Instant) -> Options {
      var options = self
      options.from = start
      return options
    }

    /// The same of all of a record; `nil` where all of it is judged.
    fileprivate var ofWhole: Options? {
      guard from != nil || to != nil else { return nil }
      var options = self
      (options.from, options.to) = (nil, nil)
      return options
    }

    /// Whether a sample has a part in the time that is judged: what lasts and ends as that begins
    /// has none.
    func hold(_ sample: Sample) -> Bool {
      (from.map { sample.end > $0 || sample.start >= $0 } ?? true)
        && (to.map { sample.start < $0 } ?? true)
    }

    /// The share of a sample that lies within the time that is judged.
    func share(of sample: Sample) -> Double {
      guard sample.duration > .zero else { return 1 }
      let (start, end) = judged(sample.start, sample.end)
      return (end - start).seconds / sample.duration.seconds
    }

    /// The part of a stretch that lies within the time that is judged.
    func judged(_ start: Instant, _ end: Instant) -> (start: Instant, end: Instant) {
      (from.map { max($0, start) } ?? start, to.map { min($0, end) } ?? end)
    }
  }

  /// A source with what it wrote.
  public struct SourceSummary: Sendable {
    /// The name of the source.
    public var name: String
    /// How many samples of insulin, food and glucose it wrote.
    public var samples: Int
    /// Its basal, in U.
    public var basal: Double
    /// Its boluses, in U.
    public var bolus: Double
    /// What the audit took it for: the dosing app, a pen, a copy.
    public var role: SourceRole
  }

  /// What an audit takes a source for, in its words.
  public enum SourceRole: String, CaseIterable, Hashable, Sendable {
    /// It doses.
    case dosing = "dosing app"
    /// It repeats another source.
    case copies = "copies of another source"
    /// A person enters what it has.
    case byHand = "by hand"
    /// It has insulin of some other origin.
    case otherInsulin = "other insulin"
    /// It has none.
    case noInsulin = "no insulin"
  }

  /// A sample as a page draws it.
  public struct Mark: Sendable {
    /// The place of its source in ``Audit/sources``.
    public var source: Int
    /// Whether it is basal.
    public var isBasal: Bool
    /// Whether it is food, and not insulin.
    public var isFood: Bool
    /// Its start.
    public var start: Instant
    /// Its end.
    public var end: Instant
    /// The units or grams.
    public var amount: Double
    /// The rate that the source states for basal, in U/h: of a temp basal its own, 0 of a
    /// suspension, else that of the schedule; `nil` where it states none.
    public var rate: Double?
    /// What it is in words, such as `Temp basal`.
    public var kind: String
  }

  /// The findings, worst first.
  public let findings: [AuditFinding]
  /// The insulin of each local day.
  public let days: [AuditDay]
  /// Insulin and food by start, for drawing.
  public let marks: [Mark]
  /// The readings of glucose in mg/dL by time, for drawing.
  public let readings: [(instant: Instant, mgdL: Double)]
  /// The sources, with what they wrote.
  public let sources: [SourceSummary]
  /// How many of the sources have insulin.
  public var insulinSources: Int { sources.count { $0.role != .noInsulin } }
  /// The insulin on board of the record as it stands and of the reconciled record.
  public let insulinOnBoard: AuditInsulinOnBoard
  /// How much of the record is there, and whether it was there in time.
  public let completeness: AuditCompleteness
  /// What was not judged, and why.
  public let notJudged: [String]
  /// What is to be known of how the files were read: what was left out, and what was assumed.
  public let reading: [String]
  /// The start of what was judged.
  public let start: Instant
  /// The end of what was judged.
  public let end: Instant
  /// The parts of that without pauses of more than a month in which nothing is recorded.
  private let recorded: [(start: Instant, end: Instant)]
  /// The clock by which days begin.
  public let clock: WallClock
  /// The name of the time zone whose clock it is.
  public let zone: String
  /// The unit in which glucose is told.
  public let glucoseUnit: GlucoseUnit
  /// The pulse that boluses and segments were held against, in U; `nil` where none could be told.
  public let pulse: Double?
  /// Whether there is a pulse that was found out from the amounts.
  public let isPulseInferred: Bool
  /// How many samples of insulin, food and glucose were judged.
  public let counts: (insulin: Int, carbohydrates: Int, glucose: Int)

  /// Judges samples in any order.
  public init(_ samples: [RestoredSample], _ options: Options = Options()) {
    let book = AuditBook(samples, options)
    let ends = AuditEnds(book: book)
    var findings = AuditBasal(book: book).findings + ends.findings
    if let absence = ends.absence { findings.append(absence) }
    // One of two samples of a dose may lie outside of what is asked for.
    let whole = options.ofWhole.map { AuditBook(samples, $0) } ?? book
    let duplicates = AuditDuplicates(book: whole, judging: book)
    let copied = duplicates.copiedBoluses
    findings += duplicates.findings + AuditDoses(book: book, copiedBoluses: copied).findings
    findings += AuditGlucose(book: book).findings
    let repeats = duplicates.repeats
    // What was given before what is asked for still acts in it.
    let acting = options.from.map {
      AuditBook(samples, options.begun(at: AuditInsulinOnBoard.earliestStill(actingAt: $0)))
    }
    let onBoard = AuditInsulinOnBoard(
      acting ?? book, repeats: repeats, from: book.start, to: book.end)
    for index in findings.indices {
      findings[index].change = onBoard.change(of: findings[index])
    }
    self.findings = findings.compactMap { $0.within(options) }.sorted(by: Self.isWorse)
    days = AuditDay.days(of: book, repeats: repeats, copiedBoluses: copied)
    sources = book.judgedSources.map { book.summary(of: $0, duplicates.copies) }
    marks = book.records.map(Mark.init)
    readings = book.glucose.compactMap { entry in
      entry.sample.storedValue.map { (entry.sample.start, $0) }
    }
    insulinOnBoard = onBoard
    completeness = AuditCompleteness(of: book)
    notJudged = book.notJudged
    reading = options.reading
    start = book.start
    end = book.end
    recorded = book.recorded(from: start, to: end)
    clock = options.clock
    zone = options.zone
    glucoseUnit = options.glucoseUnit
    pulse = book.pulse
    isPulseInferred = options.pulse == nil && book.pulse != nil
    counts = (
      book.insulin.count, book.records.count { $0.kind == .carbohydrates }, book.glucose.count
    )
  }

  /// What is to be said of where the basal of a record begins and ends, worst first.
  ///
  /// Of the glucose only the samples that a ``GlucoseExtent`` keeps make a difference.
  public static func ends(of samples: [RestoredSample]) -> [AuditFinding] {
    AuditEnds(book: AuditBook(samples, Options())).findings.sorted(by: isWorse)
  }

  /// What a backtest counts more than once, within a source or across sources: of insulin that
  /// which an app reads.
  public static func copies(in samples: [RestoredSample]) -> [AuditFinding] {
    let counted = samples.filter {
      $0.sample.type != .insulinDelivery || DoseEntry($0.sample) != nil
    }
    let book = AuditBook(counted, Options())
    return AuditDuplicates(book: book, judging: book).findings
  }

  private static func isWorse(_ left: AuditFinding, _ right: AuditFinding) -> Bool {
    let (a, b) = (left.severity.rank, right.severity.rank)
    if a != b { return a < b }
    // Grams are no units: of findings alike in severity those of insulin come first.
    if left.quantity != right.quantity { return left.quantity == .insulin }
    if left.amount.magnitude != right.amount.magnitude {
      return left.amount.magnitude > right.amount.magnitude
    }
    return (left.start, left.kind.rawValue) < (right.start, right.kind.rawValue)
  }

  /// A sentence on days between the first and the last that are not among ``days``, as nothing is
  /// recorded for more than a month; `nil` where all are there.
  public var daysLeftOut: String? {
    let count = zip(days, days.dropFirst()).reduce(0) { sum, pair in
      // A day may have 23 or 25 hours.
      sum + Int(((pair.1.start - pair.0.end).hours / 24).rounded())
    }
    guard count > 0 else { return nil }
    return "\(WordList.counted(count, "day")) of stretches of more than a month in which nothing "
      + "is recorded \(WordList.verb("is", of: count)) left out."
  }

  /// The days on which there is insulin.
  public var insulinDays: [AuditDay] { days.filter { $0.plain > 5e-4 } }

  /// The days on which there is insulin and that the record covers: an amount a day is the mean
  /// over these.
  ///
  /// A record that begins or ends at most an hour within a day covers it; a date that is months off
  /// covers none.
  public var wholeDays: [AuditDay] {
    insulinDays.filter { day in
      recorded.contains { $0.start <= day.start + .hours(1) && day.end - .hours(1) <= $0.end }
    }
  }

  /// The insulin of a kind: a day's, or all of it where the record covers no whole day.
  public func amount(_ units: (AuditDay) -> Double) -> Double {
    let whole = wholeDays
    let sum = (whole.isEmpty ? insulinDays : whole).reduce(0) { $0 + units($1) }
    return sum / Double(max(1, whole.count))
  }

  /// Whether a finding is at least as bad as a severity.
  public func contains(_ severity: AuditFinding.Severity) -> Bool {
    findings.contains { $0.severity.rank <= severity.rank }
  }

  /// Whether there is a finding of a kind.
  public func contains(_ kind: AuditFinding.Kind) -> Bool { findings.contains { $0.kind == kind } }
}

extension Audit.Mark {
  /// What a page draws of a record.
  init(_ record: AuditRecord) {
    source = record.source
    isBasal = record.kind == .basal
    isFood = record.kind == .carbohydrates
    start = record.start
    end = record.end
    amount = record.amount
    let metadata = record.metadata
    switch record.kind {
    case .carbohydrates: (kind, rate) = ("Food", nil)
    case .bolus, .unlabelled: (kind, rate) = ("Bolus", nil)
    case .basal:
      if metadata.isSuspend == true {
        (kind, rate) = ("Suspension", 0)
      } else if let temp = metadata.programmedTempBasalRate {
        (kind, rate) = ("Temp basal", temp.unitsPerHour)
      } else {
        (kind, rate) = ("Basal", metadata.scheduledBasalRate?.unitsPerHour)
      }
    }
  }
}
