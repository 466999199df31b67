import Devices
import Dosing
import Expectations
import Quantities
import ScenarioLanguage
import Simulation
import StructuredText

/// Rules that join several keys of a scenario: settings without effect, names that lead nowhere,
/// and combinations that cannot be.
struct ScenarioRules {
  let root: Field
  /// The names of the file's variants.
  let variants: [String]
  /// Where the values of the file's sweep stand.
  private let swept: Set<TextPosition>
  /// The most that a bolus may be, once for as many as there are.
  private let maximumBolus: (units: Double, isStated: Bool)

  /// The faults that other runs of the file may have.
  private let otherFaults: [JSONNode]

  init(
    root: Field, variants: [String], swept: Set<TextPosition>, otherFaults: [JSONNode] = []
  ) {
    self.root = root
    self.variants = variants
    self.swept = swept
    self.otherFaults = otherFaults
    maximumBolus = root.largestMaximumBolus
  }

  func check() {
    NameRules(root: root).check()
    checkClock()
    checkTherapy()
    checkDevices()
    let events = root["events"].listed
    for event in events { checkEvent(event) }
    checkDeletions(of: events)
    AbsorptionRules(root: root).check()
    let isContinuous = root["pump"]["model"].node?.string == PumpProfile.continuous.id
    for fault in root["faults"].listed {
      FaultRules(fault: fault, swept: swept, isContinuous: isContinuous).check()
    }
    IdleFaultRules(root: root, swept: swept).check()
    // In other runs it may be more likely.
    if variants.isEmpty { BehaviourRules(behaviour: root["behaviour"], swept: swept).check() }
    for expectation in root["expect"].listed { checkExpectation(expectation) }
  }

  // MARK: - Settings

  private func checkClock() {
    let clock = root["clock"]
    guard let every = clock["loopEvery"].span else { return }
    if let jitter = clock["loopJitter"].span, jitter >= every {
      clock["loopJitter"].error("loopJitter must be shorter than loopEvery ('\(every)').")
    } else if every <= LoopTrigger.interval, root.hasApp, !root["controller"].exists {
      clock["loopEvery"].warning(
        code: PlanWarnings.ofRun,
        "The Loop app begins no cycle within 4.2 minutes of the last; this run has one every "
          + "'\(every)'.")
    }
  }

  private func checkTherapy() {
    let therapy = root["therapy"]
    let needs = root["patient"]["needs"]
    for key in ["basal", "sensitivity", "carbRatio"]
    where !therapy[key].exists && !needs[key].exists
      && root["patient"]["model"].node?.string == "tidepool-simple"
    {
      root["patient"].error(
        """
        The model tidepool-simple has no \(key) of its own; write patient.needs.\(key).
        """)
    }
    let standard = TherapyBlock.standard.maximumBasalRate?.unitsPerHour
    let maximum = therapy["maxBasal"].node?.double ?? standard ?? .infinity
    for entry in therapy["basal"].listed {
      guard let written = entry[1].node?.double else { continue }
      let rate = scaledRate(written)
      guard rate > maximum else { continue }
      entry[1].warning(code: LimitWords.code, LimitWords.rate(rate, above: maximum))
    }
    guard let threshold = therapy["suspendThreshold"].node?.double else { return }
    for entry in therapy["target"].listed {
      guard let low = entry[1][0].node?.double, low < threshold else { continue }
      entry[1].warning(code: LimitWords.code, LimitWords.range(from: low, below: threshold))
    }
  }

  /// A scheduled rate in U/h as it is programmed, scaled and rounded down to what the pump can run.
  private func scaledRate(_ rate: Double) -> Double {
    guard let scale = root["therapy"]["scale"]["basal"].node?.double,
      let profile = PumpChoice.profile(of: root), (0...1_000).contains(rate * scale)
    else { return rate }
    let thousandths = Int64((rate * 1_000 * scale).rounded())
    return Double(profile.basalRates.floor(thousandths)) / 1_000
  }

  private func checkDevices() {
    let cgm = root["cgm"]
    let model = cgm["model"].node?.string ?? "ideal"
    if model == "trace" {
      if !cgm["trace"].exists {
        cgm["model"].error("The model 'trace' shows recorded readings; write them as cgm.trace.")
      }
      for key in [
        "interval", "lag", "range", "rounding", "noise", "bias", "warmUp", "life", "site",
        "startedAt",
      ] {
        cgm[key].warnOfNoEffect("\(key) has no effect: recorded readings are shown unchanged.")
      }
    } else {
      cgm["trace"].warnOfNoEffect("trace has no effect on the model '\(model)', only on 'trace'.")
    }
    if model != "trace", root["patient"]["model"].node?.string == "tidepool-simple" {
      cgm["site"].warnOfNoEffect(
        "\"cgm.site\" has no effect: in tidepool-simple glucose is the same everywhere.")
    }
    if model == "ideal" {
      cgm["noise"].warnOfNoEffect(
        "noise has no effect on the ideal CGM. Choose a model such as 'ar1'.")
    }
    guard ["ideal", "trace"].contains(model) else { return }
    for fault in root["faults"].listed {
      fault["cgm"]["noise"]["sdScale"].warnOfNoEffect(
        "\"sdScale\" has no effect: the model '\(model)' has no noise of its own.")
    }
  }

  // MARK: - Events and faults

  private func checkEvent(_ event: Field) {
    let bolus = event["bolus"]
    if bolus.node?.members != nil {
      let amounts = ["units", "take", "calculator"].filter { bolus[$0].exists }
      if amounts.isEmpty {
        bolus.error("A bolus needs \"units\", take: 'recommended', or \"calculator\".")
      } else if amounts.count > 1 {
        bolus[amounts[1]].error(
          "A bolus has one of \"units\", \"take\" and \"calculator\", not \(amounts.count).")
      }
      checkLimit(of: bolus)
    }
    checkPreset(event)
    root.warnOfApplicationFactor(event["settings"])
    warnOfNothing(event)
    EventRules(event: event).check()
    let fixed = ["timeZone", "insulinResistance", "illness", "stress", "shortNight"]
    if event["if"].exists, let kind = fixed.first(where: { event[$0].exists }) {
      event["if"].error("\"\(kind)\" is settled before the run and cannot wait for a condition.")
    }
  }

  /// Checks that there is an event of each name by which something is deleted.
  ///
  /// The names are gathered once: a file may have thousands of such deletions.
  private func checkDeletions(of events: [Field]) {
    let made = events.map { $0["delete"]["match"]["id"] }.filter(\.exists)
    guard !made.isEmpty else { return }
    let names = KnownNames.events(of: root)
    for field in made { checkName(field, among: names, what: "event") }
  }

  /// Warns of an amount of nothing, unless a record tells of something, or other runs have more.
  private func warnOfNothing(_ event: Field) {
    guard variants.isEmpty, swept.isEmpty else { return }
    let entry = event["entry"]
    let told = entry["grams"].exists || entry["units"].exists || event["bolus"]["reported"].exists
    for (kind, key, sentence) in [
      ("meal", "grams", "A meal of 0 g is nothing to eat."),
      ("bolus", "units", "A bolus of 0 U gives nothing."),
      ("injection", "units", "An injection of 0 U gives nothing."),
    ] where event[kind][key].node?.double == 0 && !told {
      event[kind][key].warnOfNoEffect(sentence)
    }
    for (kind, key, nothing) in [
      ("insulinResistance", "scale", 1.0), ("illness", "severity", 0), ("stress", "level", 0),
      ("pump", "prime", 0),
    ] where event[kind][key].node?.double == nothing {
      let value = JSONField.shortText(nothing)
      event[kind][key].warnOfNoEffect("This changes nothing: \"\(key)\" is \(value).")
    }
    if event["clockSet"].span == .zero {
      event["clockSet"].warnOfNoEffect("This changes nothing: the clock goes on as it is.")
    }
    let bolus = event["bolus"]
    for key in ["scale", "cap"] where bolus[key].node?.double == 0 && !bolus["units"].exists {
      bolus[key].warnOfNoEffect("Nothing is taken of this bolus: \"\(key)\" is 0.")
    }
    for key in ["grant", "revoke"] where event["healthStore"][key].node?.items?.isEmpty == true {
      event["healthStore"][key].warnOfNoEffect("This changes nothing: \"\(key)\" names no data.")
    }
    if event["settings"].node?.statedMembers?.isEmpty == true {
      event["settings"].warnOfNoEffect("This changes nothing: no setting is named.")
    }
  }

  /// Warns of a bolus that the app will cut.
  private func checkLimit(of bolus: Field) {
    let requester = bolus["by"].node?.string.flatMap { BolusRequester(rawValue: $0) } ?? .user
    guard requester.goesThroughApp, !bolus["reported"].exists,
      let units = bolus["units"].node?.double
    else { return }
    guard units > maximumBolus.units else { return }
    let shown = JSONField.shortText(maximumBolus.units)
    let limit = "\(shown) U\(maximumBolus.isStated ? "" : ", the default")"
    bolus["units"].warning(
      code: LimitWords.code,
      "The app takes no bolus above maxBolus (\(limit)); the rest is not given. Raise maxBolus, or "
        + "write by: 'pump' for a bolus on the pump itself.")
  }

  private func checkPreset(_ event: Field) {
    event.refuseSecond(of: ["until", "duration", "indefinite"], "A preset ends in one way")
    guard let name = event["preset"].node?.string else { return }
    let therapy = root["therapy"]
    let presets = therapy["presets"].node?.members?.map(\.key) ?? []
    if name == "preMeal" || name == "workout" {
      let key = "\(name)Target"
      guard !therapy[key].exists else { return }
      event["preset"].error("The preset \"\(name)\" needs therapy.\(key).")
    } else if !presets.contains(name) {
      event["preset"].error(
        """
        There is no preset "\(name)" in therapy.presets.\
        \(NearestName.suggestion(for: name, among: presets + ["preMeal", "workout"]))
        """)
    }
  }

  // MARK: - Expectations

  private func checkExpectation(_ expectation: Field) {
    for name in expectation["variants"].listedOrOne {
      checkName(name, among: variants, what: "variant")
    }
    let outside = expectation["outside"].listed.filter { $0.node?.nameOfFault != nil }
    if !outside.isEmpty {
      let faults = KnownNames.faults(of: root, others: otherFaults)
      for name in outside { checkName(name, among: faults, what: "fault") }
    }
    let compare = expectation["compare"]
    for key in ["this", "other"] {
      guard let word = compare[key].node?.string, CompareCheck.Other.isVariant(word) else {
        continue
      }
      checkName(compare[key], among: variants, what: "variant")
    }
    checkSubjects(of: expectation)
    let needs: [(String, [String])] = [
      ("metric", ["min", "max", "equals"]), ("series", ["never", "always", "within"]),
      ("timeline", ["equals", "matches"]), ("compare", ["difference", "ratio"]),
    ]
    for (kind, keys) in needs
    where expectation[kind].exists && !keys.contains(where: { expectation[$0].exists }) {
      expectation.error(
        "This expects nothing yet: beside \"\(kind)\" it needs \(keys.joined(separator: " or ")).")
    }
    for bounds in [expectation, expectation["difference"], expectation["ratio"]] {
      guard let low = bounds["min"].node?.double, let high = bounds["max"].node?.double,
        low > high
      else { continue }
      bounds["min"].error("Nothing can pass: \"min\" is above \"max\".")
    }
    checkStated(expectation)
    checkSeries(expectation)
    checkFailing(expectation)
  }

  /// Reports what holds of every run: no row that is to be found, and no event or more.
  private func checkFailing(_ expectation: Field) {
    let mode = expectation["mode"].node?.string ?? TimelineCheck.Mode.exact.rawValue
    if expectation["timeline"].exists, mode != TimelineCheck.Mode.exact.rawValue {
      // The rows of a file stand below its header.
      for (rows, key, none) in [("equals", "equals", 0), ("rows", "matches", 1)]
      where expectation[key].exists && expectation[rows].node?.items?.count == none {
        expectation[key].error(
          "Nothing can fail: with mode '\(mode)' there is no row to find. Write some, or leave out "
            + "\"mode\" where there are to be none.")
      }
    }
    let others = ["max", "count", "order", "eachDuration"]
    guard ["event", "events"].contains(where: { expectation[$0].exists }),
      expectation["min"].node?.double == 0, !others.contains(where: { expectation[$0].exists })
    else { return }
    expectation["min"].error("Nothing can fail: there are always 0 events or more.")
  }

  /// Reports a value or a number of events that the limits beside it let nothing pass with.
  private func checkStated(_ expectation: Field) {
    let slack = expectation["tolerance"].node?.double ?? 0
    for key in ["equals", "count"] {
      guard let stated = expectation[key].node?.double else { continue }
      if let low = expectation["min"].node?.double, stated + slack < low {
        expectation[key].error("Nothing can pass: \"\(key)\" is below \"min\".")
      } else if let high = expectation["max"].node?.double, stated - slack > high {
        expectation[key].error("Nothing can pass: \"\(key)\" is above \"max\".")
      }
    }
  }

  /// Reports limits of a series that nothing keeps to, where no breach is too short to count.
  private func checkSeries(_ expectation: Field) {
    let (never, always) = (expectation["never"], expectation["always"])
    let within = expectation["within"]
    let floors = [never["below"], always["above"], within[0]].compactMap(\.node?.double)
    let ceilings = [never["above"], always["below"], within[1]].compactMap(\.node?.double)
    guard expectation["series"].exists, !expectation["forAtLeast"].exists,
      let low = floors.max(), let high = ceilings.min(), low > high,
      // Two bounds in the wrong order are told as such.
      within.node?.items == nil || floors.count + ceilings.count > 2
    else { return }
    expectation["series"].error(
      "Nothing can pass: no value is from \(JSONField.shortText(low)) on and at most "
        + "\(JSONField.shortText(high)).")
  }

  /// Reports an expectation that is held against no run.
  private func checkSubjects(of expectation: Field) {
    let chosen = expectation["variants"]
    if chosen.node?.items?.isEmpty == true {
      chosen.error("No variant is left to look at. Name one, or remove \"variants\" for all.")
      return
    }
    let compare = expectation["compare"]
    guard let other = compare["other"].node?.string else { return }
    let this = compare["this"].node?.string
    if let this, this == other {
      compare["this"].error("\"\(this)\" is not compared with itself. Name another variant.")
      return
    }
    let named = chosen.exists ? chosen.listedOrOne.compactMap { $0.node?.string } : variants
    let known = (named + [this, other].compactMap(\.self)).allSatisfy {
      variants.contains($0) || !CompareCheck.Other.isVariant($0)
    }
    guard known, !variants.isEmpty else { return }
    guard !named.contains(where: { $0 != other && (this ?? $0) == $0 }) else { return }
    (chosen.exists ? chosen : compare["other"]).error(
      this.map { "No run is left to compare: \"variants\" lacks \"\($0)\"." }
        ?? "No run is left to compare: there is no variant beside \"\(other)\".")
  }

  private func checkName(_ field: Field, among names: [String], what: String) {
    guard let name = field.node?.string, !names.contains(name) else { return }
    field.error(
      "There is no \(what) \"\(name)\".\(NearestName.suggestion(for: name, among: names))")
  }

  private func checkName(_ field: Field, among names: KnownNames, what: String) {
    guard let name = field.node?.string, !names.contains(name) else { return }
    checkName(field, among: names.written, what: what)
  }
}
