internal import HealthStore
internal import Quantities
internal import StructuredText

/// What a treatment, or an event of a pump's history, says of its bolus beside the amount.
struct NightscoutBolusTraits {
  /// Whether a person injected it.
  var isExternal = false
  /// Its insulin, and whether a loop asked for it.
  var metadata = Metadata()

  /// Nothing is said.
  init() {}

  /// Reads them.
  init(_ treatment: JSONField) {
    let event = treatment["_type"].text() ?? treatment["eventType"].text()
    isExternal = event == OrefDose.external || treatment["isExternal"].bool() == true
    let isSMB = event == "SMB" || treatment["isSMB"].bool() == true
    metadata.isAutomaticallyIssued = treatment["automatic"].bool() ?? (isSMB ? true : nil)
    metadata.insulinType = treatment["insulinType"].text()
    if isExternal { metadata[.wasUserEntered] = .flag(true) }
  }
}

/// The food of a treatment, or of an event of a pump's history.
struct NightscoutFood {
  /// In grams; 0 where there is none.
  var grams = 0.0
  /// What it is, and over which time it is absorbed.
  var metadata = Metadata()
  /// Where it is stated that it is eaten over a time; `nil` for what is eaten at once.
  private(set) var extended: TextPosition?

  /// The events whose duration, where there is no insulin beside, is that of the food.
  private static let events: Set = ["Carb Correction", "Meal Bolus", "Snack Bolus"]

  /// No food.
  init() {}

  /// Reads what is said of the food beside the amount, where there is any.
  init(grams: Double, of treatment: JSONField) {
    guard grams > 0 else { return }
    self.grams = grams
    if let food = treatment["foodType"].text() { metadata[.foodType] = .text(food) }
    if let minutes = treatment["absorptionTime"].looseNumber(in: 0...1_440, unit: "min") {
      metadata[.absorptionTime] = .number(minutes * 60)
    }
    // AndroidAPS, CarbsExtension.kt: in milliseconds.
    let event = treatment["eventType"].node?.string ?? "Carb Correction"
    func isAny(_ key: String) -> Bool { NightscoutAmounts.number(treatment[key].node) ?? 0 > 0 }
    guard Self.events.contains(event), !isAny("insulin"), isAny("duration") else { return }
    extended = treatment["duration"].position
  }
}

/// The insulin of a treatment, and over which time it is given.
struct NightscoutDose {
  /// What is given at once, or over the span where there is nothing else, in units.
  var now = 0.0
  /// What of a bolus of two parts is given over the span, in units.
  var extended = 0.0
  /// What a person injected of which the kind is stated.
  var pens: NightscoutPens?
  /// Over which time it is given.
  var span = TimeSpan.zero
  /// Whether it is a bolus of two parts.
  var isCombined = false
  /// Whether it lists injections, and not all of them can be read.
  var isUnreadable = false
  /// What is said of it beside the amount.
  var traits = NightscoutBolusTraits()

  /// No insulin.
  init() {}

  /// Reads a treatment.
  init(_ treatment: JSONField) {
    let combined = NightscoutCombo(treatment)
    pens = combined == nil ? NightscoutPens(treatment) : nil
    now =
      combined?.now ?? pens?.rapid ?? treatment["insulin"].looseNumber(in: 0...100, unit: "U") ?? 0
    extended = combined?.extended ?? 0
    isCombined = combined != nil
    isUnreadable = treatment.node.map(NightscoutPens.hasUnreadable) ?? false
    guard isAny else { return }
    span = NightscoutTemp.duration(treatment) ?? .zero
    traits = NightscoutBolusTraits(treatment)
  }

  /// Whether there is insulin.
  var isAny: Bool { now > 0 || extended > 0 || pens != nil }
}

/// The insulin and the food of a treatment, each as far as it can be read.
struct NightscoutParts {
  /// The insulin.
  private(set) var dose: NightscoutDose
  /// The food.
  private(set) var food: NightscoutFood
  /// What cannot be read where the other part stays.
  private(set) var lost: (noun: String, of: Set<ImportAccount.Quantity>, problem: TextProblem)?

  /// Reads a treatment.
  ///
  /// Where one part cannot be read, the other stays. Where nothing is left, or the treatment is
  /// more than these two, the problem is that of the whole treatment.
  init(_ treatment: JSONField, canBeParted: Bool) {
    (dose, food) = (NightscoutDose(), NightscoutFood())
    guard let node = treatment.node else { return }
    let (ofDose, ofFood) = (ProblemList(limit: 1), ProblemList(limit: 1))
    dose = NightscoutDose(JSONField(node, problems: ofDose))
    let field = JSONField(node, problems: ofFood)
    food = NightscoutFood(
      grams: field["carbs"].looseNumber(in: 0...1_000, unit: "g") ?? 0, of: field)
    let isParted = canBeParted && !treatment.problems.hasErrors
    switch (ofDose.problems.first, ofFood.problems.first) {
    case (nil, nil): break
    case (let problem?, nil) where isParted && food.grams > 0:
      dose = NightscoutDose()
      lost = ("insulin", [.bolus, .basal], problem)
    case (nil, let problem?) where isParted && dose.isAny:
      food = NightscoutFood()
      lost = ("carbohydrates", [.carbohydrates], problem)
    case (let first, let second):
      treatment.problems.add([first, second].compactMap(\.self))
    }
  }
}

extension NightscoutReader {
  /// Says what of a document cannot be read, of which the rest is taken over.
  mutating func leaveOutLost(of parts: NightscoutParts, in document: JSONField) {
    guard let lost = parts.lost, let node = document.node else { return }
    let reason = "\(lost.noun) that cannot be read: \(lost.problem.kind)"
    report.remark(reason, at: lost.problem.position)
    for (quantity, amount) in NightscoutAmounts.stated(node) where lost.of.contains(quantity) {
      report.account.change(quantity, by: -amount, because: reason, at: lost.problem.position)
    }
  }

  /// Adds a bolus of a treatment or of a pump's history: of the pump, or from elsewhere where its
  /// event says so.
  mutating func addBolus(
    _ units: Double, _ traits: NightscoutBolusTraits, at instant: Instant, for span: TimeSpan,
    _ uuid: SampleUUID
  ) {
    add(
      .insulinDelivery(
        units: units, reason: .bolus, start: instant, end: instant + span, uuid: uuid,
        metadata: traits.metadata), part: traits.isExternal ? "pen" : "pump")
  }

  /// The remark on food of which an app takes a part every few minutes.
  private static let extendedFood =
    "carbohydrates that were entered as eaten over a time: taken as eaten at once"

  mutating func addCarbs(_ food: NightscoutFood, at instant: Instant, _ uuid: SampleUUID) {
    if let position = food.extended { report.remark(Self.extendedFood, at: position) }
    add(
      .dietaryCarbohydrates(
        CarbohydrateMass(grams: food.grams), at: instant, uuid: uuid, metadata: food.metadata),
      part: "food")
  }

  /// Reads the value of a meter; why it is left out where it is.
  mutating func readCheck(_ treatment: JSONField, at instant: Instant) -> String? {
    guard let uuid = identity(of: treatment, ["BG Check", "\(instant)"]) else {
      return "the same document is there twice"
    }
    return checks.add(treatment, at: instant, by: author, uuid)
  }

  /// Adds the values of meters that no entry states.
  mutating func finishChecks() {
    let resolved = checks.resolved()
    for check in resolved.samples {
      author = check.author
      add(check.sample, part: "meter")
    }
    for position in resolved.repeated {
      report.leaveOut("an entry of the same minute states this check too", at: position)
    }
  }

  /// Reads the value of a meter that stands beside insulin or food, which stay whatever it is.
  mutating func readCheck(
    of treatment: JSONField, at instant: Instant, beside uuid: SampleUUID
  ) {
    guard treatment["glucose"].exists, !treatment.problems.hasErrors, let node = treatment.node
    else { return }
    let problems = ProblemList(limit: 1)
    let reason = checks.add(
      JSONField(node, problems: problems), at: instant, by: author,
      SampleUUID(named: ["\(uuid)", "check"]))
    guard let left = problems.problems.first?.kind ?? reason else { return }
    report.remark(
      "a meter's value beside insulin or food that is not read: \(left)", at: treatment.position)
  }
}
