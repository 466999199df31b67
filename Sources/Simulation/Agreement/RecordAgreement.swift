/// Whether the records of a run's insulin agree, and where they do not.
///
/// Four tell of the same insulin: the body that got it, the pump that counted it, the app that
/// computes insulin on board from it, and the health store that other programs read. Without an app
/// there are the first two; see ``records``.
public struct RecordAgreement: Hashable, Sendable {
  /// The answer to "Do the records agree?".
  public enum Answer: String, Hashable, Sendable, CaseIterable {
    /// Every dose is in every record, to within 0.0005 U.
    case yes
    /// Every difference has a cause that was found in the run.
    case explained
    /// A record is wrong, or lacks insulin for no reason that is known.
    case no
  }

  /// Who tells of insulin.
  public enum Record: String, Hashable, Sendable, CaseIterable {
    /// One of the four that tell of insulin.
    case body, pump, app, healthStore
  }

  /// Where insulin comes from: the rows of the table of records.
  public enum Origin: String, Hashable, Sendable, CaseIterable {
    /// By a command to the pump, or by its schedule.
    case basal, bolus
    /// Not by a command to the pump: a pen, a syringe, an inhaler, another app's samples, or a pump
    /// that gives what nobody asked for.
    case elsewhere
  }

  /// The units of one origin in each record.
  public struct Totals: Hashable, Sendable {
    /// What entered the body.
    public var body: Double
    /// What the pump counted as given; `nil` for insulin that no pump counts.
    public var pump: Double?
    /// What the app counts as given: for insulin from elsewhere, what counts in insulin on board;
    /// `nil` where there is no app.
    public var app: Double?
    /// What the health store holds; `nil` where there is no app.
    public var healthStore: Double?

    /// Creates a `Totals` from its parts; see the properties.
    public init(
      body: Double = 0, pump: Double? = nil, app: Double? = 0, healthStore: Double? = 0
    ) {
      self.body = body
      self.pump = pump
      self.app = app
      self.healthStore = healthStore
    }

    /// The units in one record; `nil` where the record does not tell of such insulin.
    public subscript(record: Record) -> Double? {
      switch record {
      case .body: body
      case .pump: pump
      case .app: app
      case .healthStore: healthStore
      }
    }

    /// What the other records are held against: the pump, and the body where no pump counts.
    public var reference: Double { pump ?? body }
  }

  /// Scheduled basal, temp basals and suspensions.
  public var basal = Totals(pump: 0)
  /// Boluses of the pump.
  public var bolus = Totals(pump: 0)
  /// Insulin that no command to the pump gave.
  public var elsewhere = Totals()
  /// What the pump gave while it was taken off, in units, which is not of the body's.
  public var takenOff = 0.0
  /// The differences and what else is worth knowing, the worst first, then by time.
  public var differences: [RecordDifference] = []

  /// Who tells of insulin in the run: body and pump alone where there is no app.
  public var records: [Record] { Record.allCases.filter { basal[$0] != nil } }

  /// Creates records without insulin and without differences.
  public init() {}

  /// Two amounts differ when they are further apart than half a milliunit.
  public static let tolerance = 0.0005

  /// The units of one origin in each record.
  public subscript(origin: Origin) -> Totals {
    switch origin {
    case .basal: basal
    case .bolus: bolus
    case .elsewhere: elsewhere
    }
  }

  /// Whether the records agree.
  public var answer: Answer {
    if differences.contains(where: { $0.severity == .fault }) { return .no }
    return differences.contains(where: \.isDifference) ? .explained : .yes
  }

  /// Adds differences and keeps the order: the worst first, then by time.
  mutating func add(_ more: [RecordDifference]) {
    differences += more
    differences.sort {
      ($0.severity, $0.start, $0.kind.rawValue) < ($1.severity, $1.start, $1.kind.rawValue)
    }
  }
}
