internal import ClosedLoop
internal import Devices
internal import Dosing
internal import Physiology
internal import Quantities
internal import Simulation
internal import StructuredText

extension RunBuilder {
  /// A meal and what the app learns of it.
  func meal(_ item: Field, at instant: Instant, id: String) -> [WorldEvent] {
    let field = item["meal"]
    field.allowOnly(["grams", "absorption", "name", "shape"])
    checkShape(field["shape"])
    guard let mass = field.required("grams").carbohydrate() else { return [] }
    let absorption =
      field.standard("absorption") { $0.duration() }
    let name = field["name"].text() ?? id
    let eaten = WorldEvent(
      at: instant, id: id,
      .eat(MealInput(grams: mass.grams, absorption: absorption), name: name))
    let typed = CarbEntryRequest(
      name: id, grams: mass.grams, absorption: absorption, eatenAt: instant)
    return [eaten] + entry(item["entry"], default: typed, at: instant, id: id)
  }

  /// Each body absorbs by its own published equations; nothing else would be that body.
  private func checkShape(_ field: Field) {
    guard field.exists, let shape = field.choice(of: ["firstOrder", "triangle", "model"]),
      shape != "model"
    else { return }
    field.error(
      """
      The shape "\(shape)" is not supported by this version: each body absorbs a meal by its own \
      published equations. Write 'model' and choose "absorption", or another patient.model.
      """)
  }

  /// A carb entry in the app; `default` is the meal that it stands beside.
  func entry(
    _ field: Field, default meal: CarbEntryRequest?, at instant: Instant, id: String
  ) -> [WorldEvent] {
    guard field.exists else {
      return meal.map { [WorldEvent(at: instant, id: id, .enterCarbs($0))] } ?? []
    }
    if field.node?.bool == false, meal != nil { return [] }
    guard field.node?.members != nil else {
      field.reportUnusable(expected: "false or an object such as { at: '+20m', grams: 45 }")
      return []
    }
    field.allowOnly(["at", "grams", "absorption", "id", "edits", "eatenAt"])
    let entered = field["at"].exists ? field["at"].timeInRun() : instant
    let mass = field["grams"].exists ? field["grams"].carbohydrate() : nil
    if meal == nil, !field["grams"].exists { _ = field.required("grams").carbohydrate() }
    guard let entered, let grams = mass?.grams ?? meal?.grams else { return [] }
    let name = field["id"].text() ?? id
    let absorption =
      field["absorption"].duration() ?? meal?.absorption
      ?? .hours(3)
    let eatenAt = field["eatenAt"].exists ? field["eatenAt"].time() : meal?.eatenAt ?? entered
    guard let eatenAt else { return [] }
    var events = [
      WorldEvent(
        at: entered, id: name,
        .enterCarbs(
          CarbEntryRequest(name: name, grams: grams, absorption: absorption, eatenAt: eatenAt)))
    ]
    for edit in field["edits"].exists ? field["edits"].items() ?? [] : [] {
      events += self.edit(edit, of: name)
    }
    return events
  }

  private func edit(_ field: Field, of name: String) -> [WorldEvent] {
    field.allowOnly(["at", "grams", "absorption", "eatenAt", "delete"])
    guard let instant = field.required("at").timeInRun() else { return [] }
    if field["delete"].bool() == true {
      return [WorldEvent(at: instant, id: name, .deleteCarbs(entry: name))]
    }
    return [
      WorldEvent(
        at: instant, id: name,
        .editCarbs(
          entry: name, grams: field["grams"].exists ? field["grams"].carbohydrate()?.grams : nil,
          absorption: field["absorption"].exists
            ? field["absorption"].duration() : nil,
          eatenAt: field["eatenAt"].exists ? field["eatenAt"].time() : nil))
    ]
  }

  // MARK: - Insulin by a person

  /// A bolus through the pump; one of which the record states another time is two events.
  func bolus(
    _ field: Field, at instant: Instant, id: String, name: String
  ) -> [WorldEvent] {
    guard var action = bolus(field, at: instant, name: name) else { return [] }
    let time = field["reported"]["at"]
    guard time.exists, case .bolus(var request) = action, let told = request.reported else {
      return [WorldEvent(at: instant, id: id, action)]
    }
    guard let recorded = time.timeInRun() else { return [] }
    request.reported = .zero
    action = .bolus(request)
    return [
      WorldEvent(at: instant, id: id, action),
      WorldEvent(at: recorded, id: id, .recordBolus(told)),
    ]
  }

  private func bolus(_ field: Field, at instant: Instant, name: String) -> WorldEvent.Action? {
    field.allowOnly([
      "units", "take", "scale", "cap", "minUnits", "by", "cancelAt", "reported",
    ])
    var reported: InsulinAmount?
    if field["reported"].exists {
      field["reported"].allowOnly(["units", "at"])
      guard let told = field["reported"].required("units").units() else { return nil }
      reported = told
    }
    let by = field.standard("by") {
      $0.choice(of: BolusRequester.inPerson.map(\.rawValue)).flatMap {
        BolusRequester(rawValue: $0)
      }
    }
    var cancelAfter: TimeSpan?
    if field["cancelAt"].exists {
      guard let cancelled = field["cancelAt"].timeInRun() else { return nil }
      guard cancelled > instant else {
        field["cancelAt"].error("A bolus is cancelled after it is asked for.")
        return nil
      }
      cancelAfter = cancelled - instant
    }
    if field["take"].exists {
      guard field["take"].choice(of: ["recommended"]) != nil else { return nil }
      let scale = field.standard("scale") { $0.number() }
      let cap = field["cap"].exists ? field["cap"].units()?.units : nil
      return .bolus(
        BolusRequest(
          .recommended(scale: scale, cap: cap), by: by, cancelAfter: cancelAfter,
          reported: reported, minimumUnits: field["minUnits"].units()?.units ?? 0,
          name: name))
    }
    for key in ["scale", "cap", "minUnits"] where field[key].exists {
      field[key].warning(
        code: "W-NOEFFECT", "\"\(key)\" has no effect without take: 'recommended'.")
    }
    guard let amount = field.required("units").units() else { return nil }
    return .bolus(
      BolusRequest(
        .units(amount.units), by: by, cancelAfter: cancelAfter, reported: reported, name: name))
  }

  /// An injection with pen or syringe, and what the health store learns of it.
  func injection(_ item: Field, at instant: Instant, id: String) -> [WorldEvent] {
    let field = item["injection"]
    field.allowOnly(["units", "insulin", "site"])
    guard let amount = field.required("units").units() else { return [] }
    guard let insulin = insulin(field["insulin"]) else { return [] }
    let name = field["site"].text().map { "\(insulin.id) (\($0))" } ?? insulin.id
    var events = [
      WorldEvent(
        at: instant, id: id,
        .inject(units: amount.units, formulation: insulin, name: name))
    ]
    let entry = item["entry"]
    if entry.node?.bool == false { return events }
    if entry.exists, entry.node?.members == nil {
      entry.reportUnusable(expected: "false or an object such as { at: '+5m', units: 2 }")
      return []
    }
    if entry.exists { entry.allowOnly(["at", "units", "insulin", "in", "source"]) }
    let logged = entry["at"].exists ? entry["at"].timeInRun() : instant
    let units = entry["units"].exists ? entry["units"].units() : amount
    guard let logged, let units,
      let told = entry["insulin"].exists
        ? self.insulin(entry["insulin"]) : insulin
    else { return [] }
    let place = entry.standard("in") { $0.choice(of: ["healthStore", "app"]) }
    let source = entry.standard("source") { $0.text() }
    if place == "app" {
      return events
        + loggedInApp(told, units: units, taken: instant, at: logged, id: id, as: entry)
    }
    if source == "Loop" {
      entry["source"].warning(
        code: "W-LIMITS",
        "This is another app that is called Loop; what the person logs in the closed-loop app "
          + "itself is written in: 'app'.")
    }
    events.append(
      self.logged(told, units: units, taken: instant, at: logged, id: id, source: source))
    return events
  }

  /// Insulin from elsewhere as the person logs it in the closed-loop app, which knows fewer kinds.
  private func loggedInApp(
    _ insulin: InsulinFormulation, units: InsulinAmount, taken: Instant, at instant: Instant,
    id: String, as entry: Field
  ) -> [WorldEvent] {
    guard let type = InsulinType(rawValue: insulin.id) else {
      let known = InsulinType.allCases.map(\.rawValue).joined(separator: ", ")
      entry.error("\"\(insulin.id)\" cannot be logged in the app; it knows \(known).")
      return []
    }
    if entry["source"].exists {
      entry["source"].warning(
        code: "W-NOEFFECT", "\"source\" has no effect on a dose that is logged in the app.")
    }
    return [
      WorldEvent(
        at: instant, id: id, .logDose(units: units.units, takenAt: taken, insulin: type))
    ]
  }

  /// Insulin from elsewhere as another app logs it in the health store.
  func logged(
    _ insulin: InsulinFormulation, units: InsulinAmount, taken: Instant, at instant: Instant,
    id: String, source: String
  ) -> WorldEvent {
    let content: HealthStoreWrite.Content =
      insulin.countsAsInsulinOnBoard
      ? .bolus(units: units.units, insulin: InsulinType(rawValue: insulin.id)?.sampleName)
      : .basal(units: units.units, duration: .zero)
    return WorldEvent(
      at: instant, id: id,
      .writeToHealthStore(HealthStoreWrite(content, start: taken, source: source)))
  }
}
