public import Dosing
import Quantities
public import StructuredText

/// Reads the algorithm's input as LoopAlgorithm's runner does: one JSON object.
///
/// Glucose is in mg/dL, volumes in units of insulin, absorption times in seconds. A key that is
/// null is as good as absent. LoopAlgorithm's runner ignores the keys that it does not know; here
/// each has a warning, once for all items of a list, and so has what nobody can have, such as a
/// dose that ends before it starts: a simulated fault makes such inputs too, and they have an
/// answer. Problems carry their place in the file.
///
/// ``text(_:)`` writes an input so that reading gives the same one back; the keys that it needs
/// beyond the original's begin with `loopsim`.
///
/// Source: LoopKit/LoopAlgorithm, `AlgorithmInputFixture.swift`.
public enum AlgorithmInputFile {
  /// What reading gave.
  public struct Reading {
    /// The input; nothing where the file cannot be used.
    public var input: AlgorithmInput?
    /// What was wrong, in the order of the file.
    public var problems: [TextProblem]
  }

  /// Reads an input from the bytes of a file, whose name appears in problems.
  public static func read(_ bytes: [UInt8], file: String) -> Reading {
    let json = JSONReader.read(bytes, file: file)
    let problems = ProblemList()
    problems.add(json.problems)
    guard let root = json.root else { return Reading(input: nil, problems: problems.sorted) }
    let input = AlgorithmInput(JSONField(root, problems: problems))
    if input != nil { UnusualAlgorithmInput(JSONField(root, problems: problems)).warn() }
    return Reading(input: problems.hasErrors ? nil : input, problems: problems.sorted)
  }
}

private typealias OwnKey = AlgorithmInputFile.OwnKey

extension AlgorithmInput {
  private static let keys = [
    "predictionStart", "glucoseHistory", "doses", "carbEntries", "basal", "sensitivity",
    "carbRatio", "target", "maxBolus", "maxBasalRate", "recommendationType",
    "recommendationInsulinType", "suspendThreshold", "maxActiveInsulinMultiplier",
    "automaticBolusApplicationFactor", "gradualTransitionsThreshold",
    "useIntegralRetrospectiveCorrection", "includePositiveVelocityAndRC", "useMidAbsorptionISF",
    OwnKey.recommendationInsulinModel, OwnKey.carbAbsorptionModel, OwnKey.generation,
    OwnKey.limitFactor,
  ]

  fileprivate init?(_ root: JSONField) {
    guard root.node?.members != nil else {
      root.reportUnusable(expected: "an object in braces")
      return nil
    }
    if root.node?["basal"] == nil, root.node?["settings"]?.members != nil {
      root.error(
        "This is the older input of LoopKit's tests, whose schedules stand under \"settings\". "
          + "Move them to the top, and write basal, sensitivity, carbRatio and target as lists "
          + "with startDate and endDate.")
      return nil
    }
    [root].warnOfKeys(beyond: Self.keys)
    let start = root.required("predictionStart").instant()
    let glucose = root.required("glucoseHistory").list(of: GlucoseSample.keys, GlucoseSample.init)
    let doses = root.required("doses").list(of: InsulinDose.keys, InsulinDose.init)
    let carbs = root.required("carbEntries").list(of: CarbEntry.keys, CarbEntry.init)
    let basal = root.required("basal").list(of: ScheduleEntry.keys, ScheduleEntry.init)
    let sensitivity = root.required("sensitivity")
      .list(of: ScheduleEntry.keys, ScheduleEntry.init)
    let carbRatio = root.required("carbRatio").list(of: ScheduleEntry.keys, ScheduleEntry.init)
    let target = root.required("target").list(of: TargetEntry.keys, TargetEntry.init)
    let bolus = root.required("maxBolus").number(unit: "U")
    let rate = root.required("maxBasalRate").number(unit: "U/h")
    let type = root.given("recommendationType")?.choice(RecommendationType.self)
    let insulin = root.given("recommendationInsulinType")?.choice(InsulinType.self)
    let threshold = root.given("suspendThreshold")?.number(unit: "mg/dL")
    let multiplier = root.given("maxActiveInsulinMultiplier")?.number()
    let factor = root.given("automaticBolusApplicationFactor")?.number()
    let gate = root.given("gradualTransitionsThreshold")?.number(unit: "mg/dL")
    let isIntegral = root.given("useIntegralRetrospectiveCorrection")?.bool()
    let includesPositive = root.given("includePositiveVelocityAndRC")?.bool()
    let isMid = root.given("useMidAbsorptionISF")?.bool()
    let isChild = root.given(OwnKey.recommendationInsulinModel)?.choice(of: [OwnKey.child]) != nil
    let curve = root.given(OwnKey.carbAbsorptionModel)?.choice(CarbAbsorptionModel.self)
    let generation = root.given(OwnKey.generation)?.choice(LoopGeneration.self)
    let limitFactor = root.given(OwnKey.limitFactor)?.number()
    guard let start, let glucose, let doses, let carbs, let basal, let sensitivity, let carbRatio,
      let target, let bolus, let rate
    else { return nil }
    self.init(
      predictionStart: start, glucoseHistory: glucose, doses: doses, carbEntries: carbs,
      basal: basal, sensitivity: sensitivity, carbRatio: carbRatio, target: target,
      suspendThreshold: threshold.map { .mgdL($0) }, maximumBolus: bolus, maximumBasalRate: rate,
      maximumActiveInsulinMultiplier: multiplier,
      useIntegralRetrospectiveCorrection: isIntegral ?? false,
      includePositiveVelocityAndRC: includesPositive ?? true, useMidAbsorptionISF: isMid ?? false,
      carbAbsorptionModel: curve ?? .piecewiseLinear,
      recommendationInsulinModel: isChild ? .rapidActingChild : (insulin ?? .novolog).model(),
      recommendationType: type ?? .automaticBolus, automaticBolusApplicationFactor: factor,
      automaticBolusLimitFactor: limitFactor,
      gradualTransitionsThreshold: .init(mgdL: gate ?? 40), generation: generation ?? .current)
  }
}

extension AlgorithmInput.GlucoseSample {
  fileprivate static let keys = [
    "date", "value", "provenanceIdentifier", "isDisplayOnly", "wasUserEntered",
  ]

  fileprivate init?(_ field: JSONField) {
    let date = field.required("date").instant()
    let value = field.required("value").number(unit: "mg/dL")
    let provenance = field.given("provenanceIdentifier")?.text()
    let isCalibration = field.given("isDisplayOnly")?.bool()
    let wasTyped = field.given("wasUserEntered")?.bool()
    guard let date, let value else { return nil }
    self.init(
      date: date, quantity: .mgdL(value), provenanceIdentifier: provenance ?? "com.LoopKit.Loop",
      isDisplayOnly: isCalibration ?? false, wasUserEntered: wasTyped ?? false)
  }
}

extension AlgorithmInput.InsulinDose {
  fileprivate static let keys = [
    "type", "startDate", "endDate", "volume", "insulinType", OwnKey.insulinModel,
  ]

  fileprivate init?(_ field: JSONField) {
    let word = field.required("type").choice(of: ["bolus", "basal"])
    let start = field.required("startDate").instant()
    let end = field.required("endDate").instant()
    let volume = field.required("volume").number(unit: "U")
    let insulin = field.given("insulinType")?.choice(InsulinType.self)
    let isChild = field.given(OwnKey.insulinModel)?.choice(of: [OwnKey.child]) != nil
    guard let word, let type = AlgorithmInput.DeliveryType(rawValue: word), let start, let end,
      let volume
    else { return nil }
    self.init(
      type: type, startDate: start, endDate: end, volume: volume,
      insulinModel: isChild ? .rapidActingChild : insulin?.model() ?? .rapidActingAdult)
  }
}

extension AlgorithmInput.CarbEntry {
  fileprivate static let keys = ["date", "grams", "absorptionTime"]

  fileprivate init?(_ field: JSONField) {
    let date = field.required("date").instant()
    let grams = field.required("grams").number(unit: "g")
    let time = field.given("absorptionTime")
    let seconds = time?.number(unit: "s")
    let span = seconds.flatMap { TimeSpan(roundingSeconds: $0) }
    if let time, seconds != nil, span == nil {
      time.reportUnusable(expected: "a number of seconds within 100,000 years")
    }
    guard let date, let grams else { return nil }
    self.init(date: date, quantity: .init(grams: grams), absorptionTime: span)
  }
}

extension AlgorithmInput.ScheduleEntry {
  fileprivate static let keys = ["startDate", "endDate", "value"]

  fileprivate init?(_ field: JSONField) {
    let start = field.required("startDate").instant()
    let end = field.required("endDate").instant()
    let value = field.required("value").number()
    guard let start, let end, let value else { return nil }
    self.init(startDate: start, endDate: end, value: value)
  }
}

extension AlgorithmInput.TargetEntry {
  fileprivate static let keys = ["startDate", "endDate", "lowerBound", "upperBound"]

  fileprivate init?(_ field: JSONField) {
    let start = field.required("startDate").instant()
    let end = field.required("endDate").instant()
    let lower = field.required("lowerBound").number(unit: "mg/dL")
    let upper = field.required("upperBound").number(unit: "mg/dL")
    guard let start, let end, let lower, let upper else { return nil }
    self.init(
      startDate: start, endDate: end, lowerBound: .mgdL(lower), upperBound: .mgdL(upper))
  }
}

extension JSONField {
  /// The value of a key, unless it is absent or null.
  fileprivate func given(_ key: String) -> JSONField? {
    let field = self[key]
    return field.node?.isNull == false ? field : nil
  }

  fileprivate func instant() -> Instant? {
    guard let text = node?.string, let instant = Instant(iso8601: text) else {
      reportUnusable(expected: "a date and time such as 2024-06-01T12:02:30Z")
      return nil
    }
    return instant
  }

  /// The items of a list; nothing when the list or one of them is unusable.
  fileprivate func list<Item>(of keys: [String], _ read: (JSONField) -> Item?) -> [Item]? {
    guard let fields = items() else { return nil }
    fields.warnOfKeys(beyond: keys)
    let items = fields.compactMap { field -> Item? in
      guard field.node?.members != nil else {
        field.reportUnusable(expected: "an object in braces")
        return nil
      }
      return read(field)
    }
    return items.count == fields.count ? items : nil
  }
}

extension [JSONField] {
  /// Warns of the keys that nothing reads, of each once, at the first place where it stands.
  fileprivate func warnOfKeys(beyond known: [String]) {
    var counts: [String: Int] = [:]
    var firsts: [(owner: JSONField, member: JSONMember)] = []
    for owner in self {
      for member in owner.node?.members ?? []
      where !known.contains(member.key) && !JSONField.isCarried(member.key) {
        if counts[member.key] == nil { firsts.append((owner, member)) }
        counts[member.key, default: 0] += 1
      }
    }
    for (owner, member) in firsts {
      let place = owner.path.isEmpty ? "the algorithm's input" : "\"\(owner.path)\""
      let count = counts[member.key] ?? 1
      let alike = count > 1 ? ", of \(count) alike" : ""
      owner.problems.warning(
        at: member.keyPosition,
        "\"\(member.key)\" is not a known key in \(place)\(alike), "
          + "and has no effect.\(NearestName.suggestion(for: member.key, among: known))")
    }
  }
}
