internal import HealthStore
internal import Quantities
internal import StructuredText

/// What an oref pump history says of temp basals, whose rate and duration are two records, and what
/// it and the treatments of Nightscout say of suspensions, whose beginning and end are two.
struct OrefPumpEvents {
  private struct Rate {
    var start: Instant
    var rate: Double?
    var percent: Double?
    var position: TextPosition
  }

  /// A pump that was stopped.
  struct Suspension {
    var start: Instant
    /// How long it lasted, where its record says so, as Loop's do.
    var span: TimeSpan?
    var author: ImportedSource.Author?
    var uuid: SampleUUID
    var position: TextPosition
  }

  /// What the calculator of a pump was told of food.
  struct Wizard {
    var start: Instant
    var grams: Double
    var event: JSONField
    var uuid: SampleUUID
  }

  private var rates: [Rate] = []
  /// The durations of temp basals by their times, in the order of the file.
  private var durations: [Instant: [(span: TimeSpan, position: TextPosition)]] = [:]
  private var suspensions: [Suspension] = []
  private var resumptions: [(instant: Instant, author: String?)] = []
  /// Food as the pump's calculator was told of it, whose bolus is a record of its own.
  private(set) var wizards: [Wizard] = []

  /// How many records there are.
  var count: Int {
    rates.count + durations.values.reduce(0) { $0 + $1.count } + suspensions.count
      + resumptions.count + wizards.count
  }

  /// How many suspensions and resumptions there are.
  typealias Mark = (suspensions: Int, resumptions: Int)

  /// How many there are so far.
  var mark: Mark { (suspensions.count, resumptions.count) }

  /// Forgets the suspensions and resumptions that came later.
  mutating func goBack(to mark: Mark) {
    suspensions.removeLast(suspensions.count - mark.suspensions)
    resumptions.removeLast(resumptions.count - mark.resumptions)
  }

  mutating func addWizard(
    _ grams: Double, at start: Instant, _ event: JSONField, _ uuid: SampleUUID
  ) {
    wizards.append(Wizard(start: start, grams: grams, event: event, uuid: uuid))
  }

  mutating func addRate(
    _ rate: Double?, percent: Double?, from start: Instant, at position: TextPosition
  ) {
    rates.append(Rate(start: start, rate: rate, percent: percent, position: position))
  }

  mutating func addDuration(
    _ span: TimeSpan, from start: Instant, at position: TextPosition
  ) {
    durations[start, default: []].append((span, position))
  }

  mutating func addSuspension(from start: Instant, at position: TextPosition) {
    add(
      Suspension(
        start: start, author: nil, uuid: Self.identity("PumpSuspend", start), position: position))
  }

  mutating func add(_ suspension: Suspension) { suspensions.append(suspension) }

  mutating func addResumption(at instant: Instant, by author: ImportedSource.Author? = nil) {
    resumptions.append((instant, author?.identifier))
  }

  /// The temp basals that have both records, and suspensions until the pump resumes, beside those
  /// that are known already.
  func temps(beside others: [NightscoutTemp]) -> [NightscoutTemp] {
    var temps: [NightscoutTemp] = []
    for (entry, span) in paired {
      guard let span else { continue }
      temps.append(
        NightscoutTemp(
          start: entry.start, end: entry.start + span, rate: entry.rate, percent: entry.percent,
          isSuspend: false, amount: nil, uuid: Self.identity("TempBasal", entry.start),
          author: nil, position: entry.position))
    }
    for (entry, end) in ended(others + temps) {
      guard let end else { continue }
      temps.append(
        NightscoutTemp(
          start: entry.start, end: end, rate: 0, percent: nil, isSuspend: true, isResumed: true,
          amount: nil,
          uuid: entry.uuid, author: entry.author, position: entry.position))
    }
    return temps
  }

  /// The rates, each with its duration: of several at one time, such as a temp basal that is
  /// cancelled and the next, both are in the same order.
  private var paired: [(entry: Rate, span: TimeSpan?)] {
    var places: [Instant: Int] = [:]
    return rates.map { entry in
      let place = places[entry.start, default: 0]
      places[entry.start] = place + 1
      let spans = durations[entry.start] ?? []
      return (entry, place < spans.count ? spans[place].span : nil)
    }
  }

  /// The last suspension from which the pump does not resume within the history.
  func unresumed(_ temps: [NightscoutTemp]) -> Instant? {
    ended(temps).filter { $0.end == nil }.map(\.suspension.start).max()
  }

  /// Records without their counterpart.
  func lost(_ temps: [NightscoutTemp]) -> [(reason: String, position: TextPosition)] {
    var lost: [(reason: String, position: TextPosition)] = []
    for (entry, span) in paired where span == nil {
      lost.append(("the temp basal has no record of its duration", entry.position))
    }
    let counts = rates.reduce(into: [Instant: Int]()) { $0[$1.start, default: 0] += 1 }
    for (start, own) in durations.sorted(by: { $0.key < $1.key }) {
      for duration in own.dropFirst(counts[start] ?? 0) {
        lost.append(("the duration has no record of its temp basal", duration.position))
      }
    }
    for (entry, end) in ended(temps) where end == nil {
      lost.append(("the pump does not resume within the history", entry.position))
    }
    return lost
  }

  /// The suspensions, each with when it ended: as the pump resumed, else as its record says, and at
  /// the latest where the same app began a temp basal, which a pump that is stopped takes none of.
  ///
  /// A resumption after another suspension is that one's, where the record says how long this one
  /// lasted.
  private func ended(
    _ temps: [NightscoutTemp]
  ) -> [(suspension: Suspension, end: Instant?)] {
    let resumed = Self.times(resumptions.map { ($0.author, $0.instant) })
    let stopped = Self.times(suspensions.map { ($0.author?.identifier, $0.start) })
    let begun = Self.times(
      temps.filter { $0.end > $0.start && !$0.isSuspend }.map { ($0.author?.identifier, $0.start) })
    return suspensions.map { suspension in
      func first(_ times: [String?: [Instant]]) -> Instant? {
        let own = times[suspension.author?.identifier] ?? []
        let place = own.partitioningIndex { $0 > suspension.start }
        return place < own.count ? own[place] : nil
      }
      let stated = suspension.span.map { suspension.start + $0 }
      let (again, next) = (first(resumed), first(stopped))
      let isOfNext = again.map { again in next.map { $0 < again } ?? false } ?? false
      let end = isOfNext ? stated ?? again : again ?? stated
      return (suspension, [end, first(begun)].compactMap(\.self).min())
    }
  }

  /// The times of each app in their order.
  private static func times(_ all: [(app: String?, time: Instant)]) -> [String?: [Instant]] {
    Dictionary(grouping: all, by: \.app).mapValues { $0.map(\.time).sorted() }
  }

  private static func identity(_ kind: String, _ start: Instant) -> SampleUUID {
    SampleUUID(named: ["oref", kind, "\(start.millisecondsSince1970)"])
  }
}

/// The records of an oref history that state insulin or food themselves.
///
/// Pumps and their drivers know a `Bolus`, and Medtronic's a meal marker; Trio has a type for each
/// kind of bolus, and what people enter in Nightscout comes with the names of its form.
enum OrefDose {
  /// Trio's word for insulin that no pump gave.
  static let external = "External Insulin"

  static let types: Set = [
    "Bolus", "SMB", "Meal Bolus", "Correction Bolus", "Snack Bolus", "Bolus Wizard",
    external, "Carb Correction", "JournalEntryMealMarker",
  ]

  /// Whether a document is a record of a history, and no treatment that keeps its type.
  static func isPumpEvent(_ document: JSONNode) -> Bool {
    guard document["_type"] != nil else { return false }
    return document["eventType"] == nil
      || (document["insulin"] == nil && document["carbs"] == nil)
  }

  /// The key under which a record has its units.
  static func unitsKey(_ event: JSONNode) -> String {
    event["amount"] == nil && event["insulin"] != nil ? "insulin" : "amount"
  }

  /// The key under which a record has its food.
  static func gramsKey(_ event: JSONNode) -> String {
    event["carbs"] == nil ? "carb_input" : "carbs"
  }

  /// What a record states.
  static func stated(_ event: JSONNode) -> [(ImportAccount.Quantity, Double)] {
    guard let type = event["_type"]?.string else { return [] }
    var stated: [(ImportAccount.Quantity, Double)] = []
    if types.contains(type), let units = NightscoutAmounts.number(event[unitsKey(event)]) {
      stated.append((.bolus, units))
    }
    if types.contains(type) || type == "BolusWizard",
      let grams = NightscoutAmounts.number(event[gramsKey(event)]), grams != 0
    {
      stated.append((.carbohydrates, grams))
    }
    return stated
  }
}

extension NightscoutReader {
  /// Reads a record of an oref pump history; why it is left out where it is.
  ///
  /// Source: openaps/oref0 `lib/iob/history.js` and `lib/meal/history.js`, nightscout/Trio
  /// `PumpHistoryEvent`.
  mutating func readPumpEvent(_ event: JSONField) -> String? {
    guard let type = event["_type"].text(),
      let instant = instant(of: event, "timestamp", "created_at")
    else {
      return nil
    }
    switch type {
    case _ where OrefDose.types.contains(type): return readPumpDose(event, type, at: instant)
    case "BolusWizard": return readWizard(event, at: instant)
    case "TempBasal":
      let isPercent = event["temp"].text() == "percent"
      let rate = event.required("rate").looseNumber(in: 0...1_000, unit: "U/h")
      guard let rate else { return nil }
      pumpEvents.addRate(
        isPercent ? nil : rate, percent: isPercent ? rate - 100 : nil, from: instant,
        at: event.position)
    case "TempBasalDuration":
      let field = event["duration (min)"].exists ? event["duration (min)"] : event["durationMin"]
      guard let minutes = field.looseNumber(in: 0...10_080, unit: "min") else {
        event.required("duration (min)").reportMissing(expected: "a number of minutes")
        return nil
      }
      pumpEvents.addDuration(
        .milliseconds(Int64((minutes * 60_000).rounded())), from: instant, at: event.position)
    case "PumpSuspend": pumpEvents.addSuspension(from: instant, at: event.position)
    case "PumpResume": pumpEvents.addResumption(at: instant)
    default: return "pump events '\(type)' are not read"
    }
    return nil
  }

  /// Reads a bolus, or food, or both.
  private mutating func readPumpDose(
    _ event: JSONField, _ type: String, at instant: Instant
  ) -> String? {
    guard let node = event.node else { return nil }
    let key = OrefDose.unitsKey(node)
    let field = type == "Bolus" ? event.required(key) : event[key]
    let units = field.looseNumber(in: 0...100, unit: "U")
    if type == "Bolus", units == nil { return nil }
    let grams = event[OrefDose.gramsKey(node)].looseNumber(in: 0...1_000, unit: "g") ?? 0
    guard let insulin = units ?? (grams > 0 ? 0 : nil) else {
      return "pump events '\(type)' without insulin and carbohydrates"
    }
    guard insulin > 0 || grams > 0 else { return "the bolus delivered nothing" }
    guard let uuid = identity(of: event, [type, "\(instant)"]) else {
      return "the same document is there twice"
    }
    if insulin > 0 {
      let span = NightscoutTemp.duration(event) ?? .zero
      addBolus(insulin, NightscoutBolusTraits(event), at: instant, for: span, uuid)
    }
    if grams > 0 {
      addCarbs(
        NightscoutFood(grams: grams, of: event), at: instant,
        SampleUUID(named: ["\(uuid)", "carbs"]))
    }
    return nil
  }

  /// Reads what the pump's calculator was told, whose bolus is a record of its own.
  private mutating func readWizard(_ event: JSONField, at instant: Instant) -> String? {
    guard let node = event.node else { return nil }
    let grams = event[OrefDose.gramsKey(node)].looseNumber(in: 0...1_000, unit: "g") ?? 0
    guard grams > 0 else { return "a calculation of the pump without food" }
    guard let uuid = identity(of: event, ["BolusWizard", "\(instant)"]) else {
      return "the same document is there twice"
    }
    pumpEvents.addWizard(grams, at: instant, event, SampleUUID(named: ["\(uuid)", "carbs"]))
    return nil
  }
}
