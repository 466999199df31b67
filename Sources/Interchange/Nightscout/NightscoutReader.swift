public import HealthStore
public import Quantities
public import StructuredText

/// Reads dumps of Nightscout: an object with `entries`, `treatments` and `profile`, or one of these
/// arrays or documents alone, also as the `result` of the third version of its interface.
///
/// Glucose, boluses (what was delivered, not what was programmed), carbohydrates and temp basals
/// become samples. Loop does not upload scheduled basal: between the first and the last temp basal
/// it is rebuilt from the profiles, and in a whole record also before the first and after the last,
/// for six hours at most, as a dump may hold the treatments of some days and the readings of many.
/// Where AndroidAPS switches profiles, the schedule is that of the switch; where a person does so
/// in Nightscout, it is that of the stored profile which is named. The pump and carb histories of
/// oref (OpenAPS, Trio) are read as well. `External Insulin` is of a pen, as a person entered it;
/// an `SMB` was given automatically. A `BG Check`, or glucose of a `Finger`, is a meter's value
/// where no entry has it. Events that state none of these are counted and left out, as are
/// documents that cannot be read. A key that is null is as good as absent. Field names are those of
/// `nightscout/cgm-remote-monitor`, `LoopKit/NightscoutKit` and `nightscout/AndroidAPS`.
public struct NightscoutReader {
  private let file: String
  private let zones: (String) -> WallClock?
  private var temps: [NightscoutTemp] = []
  /// Temp basals, suspensions and resumptions of an oref pump history by their times.
  var pumpEvents = OrefPumpEvents()
  private var profiles: [NightscoutProfile] = []
  private var switches: [NightscoutSwitch] = []
  private var namedSwitches = NamedSwitches()
  var checks = NightscoutChecks()
  private var samples: [RestoredSample] = []
  /// The documents of each identity: what they hold, and how many differ.
  private var seen: [SampleUUID: Set<JSONValue>] = [:]
  private var versions = NightscoutVersions()
  private var unreadable: [TextProblem] = []
  /// Who wrote the document that is being read.
  var author: ImportedSource.Author?
  private var sources = ImportedSources(program: "nightscout")
  /// Whether nothing else is known of the person, so that the schedule ran where the record begins
  /// and ends.
  private let isWholeRecord: Bool
  /// What came of the documents.
  public internal(set) var report: ImportReport

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - file: The file, or the files, for the report.
  ///   - isWholeRecord: Whether scheduled basal is rebuilt at the ends of the record too. Who adds
  ///     one dump to another leaves it out, since the next may have what happened there.
  ///   - zones: The clocks of time zones by their names.
  public init(
    file: String, isWholeRecord: Bool = false,
    zones: @escaping (String) -> WallClock? = { _ in nil }
  ) {
    self.file = file
    self.isWholeRecord = isWholeRecord
    self.zones = zones
    report = ImportReport(file: file)
  }

  /// The samples of a document, in the order of time.
  ///
  /// A document that cannot be read is left out and named. Where none can, that goes to the list of
  /// problems, and nothing is returned.
  public mutating func samples(
    of root: JSONNode, problems: ProblemList
  ) -> [RestoredSample]? {
    samples(of: [root], problems: problems)
  }

  /// The samples of the documents of several files, such as one with entries, one with treatments
  /// and one with profiles, in the order of time.
  ///
  /// They are read as one: the schedule under the temp basals of one file is in the profile of
  /// another. A file of which nothing can be read goes to the list of problems.
  public mutating func samples(
    of roots: [JSONNode], problems: ProblemList
  ) -> [RestoredSample]? {
    for root in roots { versions.add(fileOf: root) }
    for root in roots {
      let (before, known) = (unreadable.count, used)
      take(fileOf: JSONField(root, problems: problems))
      if used == known, roots.count > 1 { problems.add(Array(unreadable[before...])) }
    }
    let added = pumpEvents.temps(beside: temps)
    temps += added
    for temp in added { report.account.state(.basal, temp.stated ?? 0) }
    for lost in pumpEvents.lost(temps) { report.leaveOut(lost.reason, at: lost.position) }
    finishWizards()
    finishBasals()
    finishChecks()
    samples.sort { ($0.sample.start, $0.sample.uuid) < ($1.sample.start, $1.sample.uuid) }
    for restored in samples { report.count(restored.sample) }
    if samples.isEmpty { problems.add(unreadable) }
    return problems.hasErrors ? nil : samples
  }

  // MARK: - Documents

  /// How many documents have come to something so far.
  private var used: Int {
    samples.count + temps.count + profiles.count + switches.count + namedSwitches.count
      + pumpEvents.count + checks.count
  }

  /// How many of each the documents have come to.
  private typealias Mark = (
    samples: Int, temps: Int, switches: Int, namedSwitches: Int, checks: Int,
    pump: OrefPumpEvents.Mark
  )

  /// How much the documents have come to so far.
  private var mark: Mark {
    (
      samples: samples.count, temps: temps.count, switches: switches.count,
      namedSwitches: namedSwitches.count, checks: checks.count, pump: pumpEvents.mark
    )
  }

  /// Forgets what a document came to that cannot be read as a whole.
  private mutating func goBack(to mark: Mark) {
    samples.removeLast(samples.count - mark.samples)
    temps.removeLast(temps.count - mark.temps)
    switches.removeLast(switches.count - mark.switches)
    namedSwitches.removeLast(namedSwitches.count - mark.namedSwitches)
    checks.removeLast(checks.count - mark.checks)
    pumpEvents.goBack(to: mark.pump)
  }

  private mutating func take(fileOf field: JSONField) {
    for node in NightscoutDump.documents(of: field) where !node.isNull { take(node.withoutNulls) }
    for (list, document) in NightscoutDump.unread(of: field) {
      report.countRecord()
      report.leaveOut("documents of '\(list)' are not read", at: document.position)
    }
  }

  private mutating func take(_ document: JSONNode) {
    report.countRecord()
    guard document.members != nil else {
      return report.leaveOut("it is no object in braces", at: document.position)
    }
    let own = ProblemList(limit: 4)
    author = Self.author(of: document)
    let before = mark
    let stated = NightscoutAmounts.stated(document)
    for (quantity, amount) in stated { report.account.state(quantity, amount) }
    let isReplaced = versions.replaced.contains(document.position)
    let reason =
      isReplaced ? NightscoutVersions.reason : read(JSONField(document, problems: own))
    let problem = own.problems.first
    if let problem {
      goBack(to: before)
      unreadable.append(problem)
    }
    guard let left = problem.map({ "it cannot be read: \($0.kind)" }) ?? reason else { return }
    let position = problem?.position ?? document.position
    report.leaveOut(left, at: position)
    for (quantity, amount) in stated {
      report.account.change(quantity, by: -amount, because: left, at: position)
    }
  }

  /// Reads a document; why it is left out where it is.
  private mutating func read(_ document: JSONField) -> String? {
    if document["isValid"].bool() == false { return "it was deleted (isValid is false)" }
    if document["store"].exists {
      if let profile = NightscoutProfile(document, zones) {
        profiles.append(profile)
        namedSwitches.store(
          NightscoutProfile.stored(in: document, from: profile.start, zones), from: profile.start)
        if let zone = profile.timeZone { report.name(timeZone: zone) }
      }
      let isTreatment = document.node.map { !NightscoutAmounts.stated($0).isEmpty } ?? false
      return isTreatment ? "it is a profile, and a treatment at once" : nil
    }
    if document["loop"].exists || document["openaps"].exists {
      return "it says what the loop itself thought, which is no sample"
    }
    if document.node.map(OrefDose.isPumpEvent) == true { return readPumpEvent(document) }
    let isTreatment = ["eventType", "carbs", "insulin"].contains { document[$0].exists }
    return isTreatment ? readTreatment(document) : readEntry(document)
  }

  private mutating func readEntry(_ entry: JSONField) -> String? {
    let type = entry["type"].text() ?? "sgv"
    guard type == "sgv" || type == "mbg" else { return "entries of type '\(type)' are not read" }
    guard let value = entry.required(type).looseNumber(in: 0...1_000, unit: "mg/dL"),
      let instant = instant(of: entry, "dateString")
    else { return nil }
    guard value >= 39 else {
      return value == value.rounded()
        ? ImportReport.sensorError
        : "a value below 39 with a fraction is in mmol/L, and Nightscout's are in mg/dL"
    }
    guard let uuid = identity(of: entry, [type, "\(instant)"]) else {
      return "the same document is there twice"
    }
    if type == "mbg" { checks.note(entryAt: instant) }
    add(
      .bloodGlucose(.mgdL(value), at: instant, uuid: uuid), part: type == "sgv" ? "cgm" : "meter")
    return nil
  }

  // MARK: - Treatments

  /// Why a bolus is left out that AndroidAPS calls `PRIMING`.
  private static let priming = "insulin that filled tubing or cannula did not enter the body"

  /// The events with which Loop tells that the pump was stopped, and goes on, and others' names.
  private static let suspensions: Set = [
    "Suspend Pump", "Pump Suspend", "PumpSuspend", "Basal Suspension",
  ]
  private static let resumptions: Set = [
    "Resume Pump", "Pump Resume", "PumpResume", "Basal Resume",
  ]

  private mutating func readTreatment(_ treatment: JSONField) -> String? {
    let event = treatment["eventType"].text() ?? "Carb Correction"
    guard let instant = instant(of: treatment, "created_at", "timestamp") else { return nil }
    if treatment["type"].text() == "PRIMING" { return Self.priming }
    let isTemp = event == "Temp Basal"
    let isSwitch = event == "Profile Switch" && readSwitch(treatment, at: instant)
    let isStop = Self.suspensions.contains(event)
    let canBeParted = !isTemp && !isStop && !isSwitch
    let parts = NightscoutParts(treatment, canBeParted: canBeParted)
    let (dose, food) = (parts.dose, parts.food)
    let isResumption = Self.resumptions.contains(event)
    if isResumption { pumpEvents.addResumption(at: instant, by: author) }
    guard isTemp || isStop || dose.isAny || food.grams > 0 else {
      if isSwitch || isResumption { return nil }
      if NightscoutChecks.isOne(treatment), treatment["glucose"].exists {
        return readCheck(treatment, at: instant)
      }
      if dose.isUnreadable { return Self.noKind }
      let isEmpty =
        treatment["insulin"].exists || treatment["carbs"].exists || event.hasSuffix("Bolus")
      return "events '\(event)'\(isEmpty ? " without insulin and food" : "") are not read"
    }
    guard let uuid = identity(of: treatment, [event, "\(instant)"]) else {
      return "the same document is there twice"
    }
    leaveOutLost(of: parts, in: treatment)
    if isStop {
      let span = NightscoutTemp.duration(treatment).flatMap { $0 > .zero ? $0 : nil }
      pumpEvents.add(
        .init(
          start: instant, span: span, author: author, uuid: uuid, position: treatment.position))
    }
    if isTemp { readTemp(treatment, at: instant, uuid) }
    let span = isTemp ? .zero : dose.span
    if dose.extended > 0, span == .zero {
      report.remark(ImportReport.noDuration, at: treatment.position)
    }
    if dose.now > 0 {
      addBolus(dose.now, dose.traits, at: instant, for: dose.isCombined ? .zero : span, uuid)
    }
    if let pens = dose.pens { add(pens, at: instant, SampleUUID(named: ["\(uuid)", "pen"])) }
    if dose.extended > 0 {
      let uuid = dose.now > 0 ? SampleUUID(named: ["\(uuid)", "extended"]) : uuid
      addBolus(dose.extended, dose.traits, at: instant, for: span, uuid)
    }
    if dose.isUnreadable { remarkOnPens(of: treatment) }
    if food.grams > 0 {
      addCarbs(food, at: instant, SampleUUID(named: ["\(uuid)", "carbs"]))
    }
    if NightscoutChecks.isOne(treatment) { readCheck(of: treatment, at: instant, beside: uuid) }
    return nil
  }

  /// Reads the switch to a profile that a treatment is; false for one that names none.
  private mutating func readSwitch(_ treatment: JSONField, at instant: Instant) -> Bool {
    guard treatment["profileJson"].exists else {
      return namedSwitches.add(treatment, at: instant)
    }
    if let change = NightscoutSwitch(treatment, at: instant, zones) { switches.append(change) }
    return true
  }

  private mutating func readTemp(
    _ treatment: JSONField, at instant: Instant, _ uuid: SampleUUID
  ) {
    guard let span = NightscoutTemp.duration(treatment) else {
      return treatment.required("duration").reportMissing(expected: "a number of minutes")
    }
    let field = treatment["absolute"].exists ? treatment["absolute"] : treatment["rate"]
    let percent = treatment["percent"].looseNumber(in: -100...1_000, unit: "%")
    let rate = field.looseNumber(in: 0...100, unit: "U/h")
    guard rate != nil || percent != nil || span == .zero else {
      return treatment.error("A temp basal needs 'absolute', 'rate' or 'percent'.")
    }
    temps.append(
      NightscoutTemp(
        start: instant, end: instant + span, rate: rate, percent: percent,
        isSuspend: treatment["reason"].text() == "suspend",
        amount: treatment["amount"].looseNumber(in: 0...100, unit: "U"), uuid: uuid,
        author: author, position: treatment.position))
  }

  // MARK: - What needs the whole

  /// Adds the food of the pump's calculator where the bolus of the same time was given.
  private mutating func finishWizards() {
    author = nil
    let boluses = Set(
      samples.lazy.filter { $0.sample.metadata.insulinDeliveryReason == .bolus }
        .map(\.sample.start))
    for wizard in pumpEvents.wizards {
      if boluses.contains(wizard.start) {
        addCarbs(
          NightscoutFood(grams: wizard.grams, of: wizard.event), at: wizard.start, wizard.uuid)
      } else {
        let reason = "no bolus was given for this calculation of the pump"
        report.leaveOut(reason, at: wizard.event.position)
        report.account.change(
          .carbohydrates, by: -wizard.grams, because: reason, at: wizard.event.position)
      }
    }
  }

  private mutating func finishBasals() {
    let times = samples.map(\.sample.start)
    let span = times.min().flatMap { first in times.max().map { first...$0 } }
    let zoned = profiles.filter { $0.timeZone != nil }.sorted { $0.start < $1.start }
    switches = switches.map { $0.onClock(of: zoned) }
    for zone in switches.compactMap(\.profile.timeZone) { report.name(timeZone: zone) }
    let named = namedSwitches.resolved(beside: switches)
    for position in named.unknown {
      report.leaveOut("the profile that it switches to is stored nowhere", at: position)
    }
    let made = NightscoutBasal.made(
      temps, NightscoutSwitch.held(profiles, switches + named.switches),
      within: isWholeRecord ? span : nil,
      stopped: pumpEvents.unresumed(temps))
    for change in made.changes {
      report.account.change(
        .basal, by: change.amount, because: change.reason, at: change.position)
      if change.leavesOut { report.leaveOut(change.reason, at: change.position) }
    }
    for piece in made.pieces {
      author = piece.author
      add(
        BasalSample.make(
          rate: piece.rate, delivered: piece.delivered, scheduled: piece.scheduled,
          isTemp: piece.isTemp, isSuspend: piece.isSuspend, start: piece.start, end: piece.end,
          uuid: piece.uuid), part: "pump")
    }
  }

  // MARK: - Parts

  /// A smaller time in milliseconds is one in seconds: this is March 1973, and Nightscout younger.
  private static let earliest: Int64 = 100_000_000_000

  /// The time of a document: the number where there is one, else a text with any offset.
  func instant(of document: JSONField, _ names: String...) -> Instant? {
    if let milliseconds = document.node.flatMap(NightscoutVersions.milliseconds) {
      let instant = Instant(millisecondsSince1970: milliseconds)
      guard milliseconds >= Self.earliest, Instant.yearsOfFourDigits.contains(instant) else {
        document["date"].reportUnusable(expected: "a time in milliseconds since 1970")
        return nil
      }
      return instant
    }
    for name in names {
      guard let text = document[name].text() else { continue }
      if let instant = Instant(nightscout: text) { return instant }
      document[name].reportUnusable(expected: "a time such as 2026-02-03T06:15:00Z")
      return nil
    }
    document.error("A time is needed: 'date' or '\(names[0])'.")
    return nil
  }

  /// The identity of a document; `nil` where the same one was there before.
  ///
  /// Documents that share an identity at different times, such as the two parts of a divided temp
  /// basal, are all kept.
  mutating func identity(of document: JSONField, _ content: [String]) -> SampleUUID? {
    let name = document.node.flatMap(NightscoutVersions.name)
    let parts = ["nightscout"] + (name.map { [$0] } ?? content)
    let uuid = SampleUUID(named: parts)
    guard let node = document.node else { return uuid }
    let value = JSONValue(node)
    guard seen[uuid, default: []].insert(value).inserted else { return nil }
    let others = seen[uuid, default: []].count - 1
    return others == 0 ? uuid : SampleUUID(named: parts + content + ["\(others)"])
  }

  mutating func add(_ sample: Sample, part: String) {
    samples.append(sources.restored(sample, part: part, by: author))
  }

  /// The app that a document names; Loop writes its own with a scheme.
  private static func author(of document: JSONNode) -> ImportedSource.Author? {
    let name = document["enteredBy"]?.string ?? document["device"]?.string
    return ImportedSource.Author(name: name.map { $0.replacing("loop://", with: "") })
  }
}
