import Arguments
import HealthStore
import HealthStoreSQLite
import Quantities
import Reports

/// The length of the stretches for which figures are worked out.
enum StatisticsInterval: String, ArgumentValue, CaseIterable {
  case all, hour, day, week, month

  var calendar: CalendarInterval? {
    switch self {
    case .all: nil
    case .hour: .hours(1)
    case .day: .days(1)
    case .week: .weeks(1)
    case .month: .months(1)
    }
  }
}

/// Works out figures about one type.
struct StoreStatisticsCommand: Command {
  static let name = "statistics"
  static let abstract = "Sum up or average the samples of one type."
  static let discussion = """
    Figures over all sources count what several sources recorded once, by the user's order of \
    sources. For insulin and carbohydrates of several sources read the lines of each source \
    instead: they are no duplicates.
    """

  var file = ""
  var kind = TypeWord(.insulinDelivery)
  var from: InstantWord?
  var end: InstantWord?
  var source: String?
  var unitWord: UnitWord?
  var interval = StatisticsInterval.all
  var zone = ZoneWord.utc
  var format = StoreFormat.text

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.positional("type", \.kind, help: "The type, such as InsulinDelivery.")
    it.option(
      "from", \.from, valueName: "time",
      help: "Only samples that overlap this time or later, \(InstantWord.formBesideZone).")
    it.option("to", \.end, valueName: "time", help: "Only samples that start before this time.")
    it.option("source", \.source, help: "Only samples of the source with this name or bundle.")
    it.option("unit", \.unitWord, help: "The unit to print figures in.")
    it.option("every", \.interval, valueName: "interval", help: "Stretches of time.")
    it.option("zone", \.zone, help: "The time zone whose days and weeks are meant.")
    it.option("format", \.format, help: "How to print.")
  }

  private var type: ObjectType { kind.type }

  func validate() throws { try StoreSelection.check(unitWord, of: type) }

  func run(to console: any Console) async throws {
    let store = try StoreFile.reading(file)
    console.note([from, end], on: zone.clock)
    let predicate = try StoreSelection.predicate(from, end, source, in: store, on: zone.clock)
    let options: StatisticsOptions =
      type.aggregation == .cumulative
      ? [.cumulativeSum, .duration, .separateBySource]
      : [.discreteAverage, .discreteMinimum, .discreteMaximum, .mostRecent, .separateBySource]
    let figures: [HealthStatistics]
    if let calendar = interval.calendar {
      figures = try store.statisticsCollection(
        of: type, matching: predicate, options: options, anchor: anchor(in: store, predicate),
        every: calendar, on: zone.clock, as: .user)
    } else {
      figures = [
        try store.statistics(of: type, matching: predicate, options: options, as: .user)
      ]
    }
    try table(of: figures, in: StoreSelection.unit(of: type, in: store))
      .print(as: format, to: console)
  }

  /// Where stretches begin: weeks on a Monday, months on their first day, and hours as the zone has
  /// them on the day of the first sample, which need not be those of 1970.
  private func anchor(in store: SQLiteHealthStore, _ predicate: SamplePredicate) throws -> Instant {
    var first = CivilTime(year: 1970, month: 1, day: interval == .week ? 5 : 1)
    if interval == .hour, type.kind == .quantity,
      let sample = try store.samples(of: type, matching: predicate, limit: 1, as: .user).first
    {
      first = CivilTime(dayNumber: zone.clock.civilTime(at: sample.start).dayNumber)
    }
    return zone.clock.reading(of: first).instant
  }

  private func table(of figures: [HealthStatistics], in preferred: HealthUnit?) throws -> StoreTable
  {
    let shown = unitWord?.unit ?? preferred ?? .count
    var table = StoreTable(columns: OutputGuide.storeStatistics.map(\.name))
    for entry in figures {
      try table.rows.append(row(entry, source ?? "all sources", entry.merged, shown))
      guard entry.bySource.count > 1 else { continue }
      for part in entry.bySource {
        try table.rows.append(row(entry, part.source.name, part.figures, shown))
      }
    }
    return table
  }

  private func row(
    _ entry: HealthStatistics, _ source: String, _ figures: StatisticsFigures, _ unit: HealthUnit
  ) throws -> [StoreCell] {
    func shown(_ value: Double?) throws -> StoreCell {
      guard let value, let own = type.unit else { return .nothing }
      return .number(try HealthQuantity(value, own).value(in: unit))
    }
    return [
      .text("\(entry.start)"), .text("\(entry.end)"), .text(source), .integer(figures.count),
      try shown(figures.sum), try shown(figures.average), try shown(figures.minimum),
      try shown(figures.maximum), try shown(figures.mostRecent),
      .text(StoreSelection.word(for: unit, in: format)),
    ]
  }
}
