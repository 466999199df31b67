internal import Devices
internal import Quantities
internal import Scenarios
internal import StructuredText

/// Writes one simulation of Tidepool's simulator in our scenario format.
struct TidepoolScenarioWriter {
  let mode: ImportMode
  let problems: ProblemList
  let journal: ImportJournal

  /// The parts of a scenario that depend on the simulation: clock, patient, therapy, devices,
  /// events.
  func scenario(_ stated: TidepoolSimulation) -> JSONValue {
    let presets = TidepoolPresets(mode: mode, problems: problems).rewritten(stated)
    let simulation = presets.simulation
    let settings = TidepoolSettings(mode: mode, problems: problems)
    let controller = settings.controller(simulation)
    let rewritten = TidepoolWindows(mode: mode, problems: problems).rewritten(simulation)
    let pump = pump(simulation, programmed: rewritten.programmed.basal)
    let importer = TidepoolEvents(
      mode: mode, problems: problems, journal: journal,
      pulse: pump == nil ? Self.usual.pulse.units : nil)
    let events = importer.events(simulation)
    let past = importer.past(simulation)
    let sensor = sensor(simulation)
    var happenings = events + rewritten.events + presets.events
    happenings.sort { ($0.offset, $0.rank) < ($1.offset, $1.rank) }
    journal.account.makeTotals(
      ofEvents: happenings.map(\.value), doses: past.doses, carbs: past.carbs)
    return ImportText.object([
      ("tags", .array([.string("tidepool")] + TidepoolStage(simulation.name).tags)),
      ("clock", clock(simulation)),
      ("patient", patient(simulation)),
      ("therapy", therapy(simulation, programmed: rewritten.programmed, controller.therapy)),
      ("cgm", sensor.cgm),
      ("pump", pump),
      ("app", .object(controller.app)),
      ("history", history(simulation, past)),
      ("events", .array(happenings.map(\.value))),
      ("faults", sensor.faults.isEmpty ? nil : .array(sensor.faults)),
    ])
  }

  /// The pump that a scenario has when it names none.
  private static let usual = PumpProfile.generic50

  /// The original's pump gives any rate and any bolus; ours stays one of 0.05 U where that takes
  /// the schedule and the boluses.
  private func pump(
    _ simulation: TidepoolSimulation, programmed basal: TidepoolSimulation.Schedule
  ) -> JSONValue? {
    let fits = basal.allSatisfy { entry in
      let thousandths = entry.value * 1_000
      return (thousandths - thousandths.rounded()).magnitude < 5e-5
        && Self.usual.basalRates.contains(Int64(thousandths.rounded()))
        && entry.start.milliseconds % Self.usual.scheduleStep.milliseconds == 0
    }
    let largest = simulation.given.compactMap(\.units).max() ?? 0
    let isWithinLimit = largest * 1_000 <= Double(Self.usual.bolusVolumes.maximum)
    if mode == .asIntended, fits, isWithinLimit { return nil }
    if mode == .asIntended {
      let reason =
        fits
        ? "A bolus of \(JSONField.shortText(largest)) U is more than a 0.05 U pump gives"
        : "The basal schedule is not one of a 0.05 U pump"
      problems.add(
        .note, .decided, at: simulation.position, "\(reason), so the continuous pump is used.")
    }
    return .object([.init("model", "continuous")])
  }

  private func clock(_ simulation: TidepoolSimulation) -> JSONValue {
    ImportText.object([
      ("start", .string(simulation.start.description)),
      ("timeZone", "UTC"),
      ("duration", .string(ImportText.duration(simulation.duration))),
    ])
  }

  private func patient(_ simulation: TidepoolSimulation) -> JSONValue {
    let body = simulation.actual
    reportInsulin(simulation)
    let needs: [(String, JSONValue?)] = [
      ("basal", ImportText.schedule(body.basal)),
      ("sensitivity", ImportText.schedule(body.sensitivity)),
      ("carbRatio", ImportText.schedule(body.carbRatio)),
    ]
    let insulin = mode == .asIntended ? pumpInsulin(body) : nil
    return ImportText.object([
      ("model", "tidepool-simple"),
      ("initialGlucose", ImportText.number(simulation.initialGlucose)),
      ("insulinType", insulin == "rapidActingAdult" ? nil : insulin.map { .string($0) }),
      ("needs", ImportText.object(needs)), ("secretion", secretion(body, simulation)),
    ])
  }

  /// The insulin that truly is in the pump, which the imported simulator does not look at; nothing
  /// for one that no pump can hold.
  private func pumpInsulin(_ body: TidepoolSimulation.Metabolism) -> String? {
    guard let name = body.insulinType?.node?.string.flatMap({ TidepoolInsulin.name($0) }),
      Vocabulary.pumpedInsulins.contains(name)
    else { return nil }
    return name
  }

  /// Says what becomes of a stated insulin other than the one that everything assumes.
  private func reportInsulin(_ simulation: TidepoolSimulation) {
    guard let field = simulation.actual.insulinType, let node = field.node else { return }
    let name = node.string.flatMap { TidepoolInsulin.name($0) }
    guard name != "rapidActingAdult" else { return }
    let isUsed = mode == .asIntended && pumpInsulin(simulation.actual) != nil
    problems.add(
      isUsed ? .note : .warning, isUsed ? .ignored : .lost, at: node.position,
      "The original program ignores \"patient_insulin_type\": \(node.quoted)"
        + (isUsed
          ? "; here it is in the pump."
          : mode == .literal ? "." : ", which no pump here can hold; it is left out."))
  }

  /// The insulin of the patient's own; nothing where there is none.
  private func secretion(
    _ body: TidepoolSimulation.Metabolism, _ simulation: TidepoolSimulation
  ) -> JSONValue? {
    let schedules = [body.secretionSlope, body.production, body.basalGlucose]
    guard schedules.prefix(2).contains(where: { $0.contains { $0.value != 0 } }) else { return nil }
    if schedules.contains(where: { $0.count > 1 }) {
      problems.add(
        .warning, .lost, at: simulation.position,
        "Secretion that changes with the time of day is carried with its value at midnight.")
    }
    func first(_ schedule: TidepoolSimulation.Schedule) -> JSONValue? {
      schedule.first.map { ImportText.number($0.value) }
    }
    return ImportText.object([
      ("perGlucose", first(body.secretionSlope)), ("basalProduction", first(body.production)),
      ("basalGlucose", first(body.basalGlucose)),
    ])
  }

  private func therapy(
    _ simulation: TidepoolSimulation, programmed: TidepoolSimulation.Metabolism,
    _ limits: [JSONValue.Member]
  ) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("basal", ImportText.schedule(programmed.basal)),
      .init("sensitivity", ImportText.schedule(programmed.sensitivity)),
      .init("carbRatio", ImportText.schedule(programmed.carbRatio)),
    ]
    if !simulation.targets.isEmpty {
      let rows = simulation.targets.map {
        (
          start: $0.start,
          value: JSONValue.array([ImportText.number($0.low), ImportText.number($0.high)])
        )
      }
      members.append(.init("target", ImportText.schedule(rows)))
    }
    return .object(members + limits)
  }

  // MARK: - Sensor

  private func sensor(_ simulation: TidepoolSimulation) -> (cgm: JSONValue, faults: [JSONValue]) {
    var cgm: [(String, JSONValue?)] = [("model", "ideal"), ("range", [40, 400]), ("rounding", 1)]
    var faults = firstReading(simulation).map { [$0] } ?? []
    guard simulation.isNoisy else { return (ImportText.object(cgm), faults) }
    let parameters = simulation.sensorParameters
    let stated = parameters?["std_dev"]
    let isStated = stated?.node?.isNull == false
    let deviation = (isStated ? stated?.number(in: 0...400, unit: "mg/dL") : nil) ?? 5
    cgm[0] = ("model", "gaussian")
    cgm.append(("noise", ImportText.object([("sd", ImportText.number(deviation))])))
    if let parameters {
      faults += TidepoolSensorFaults(mode: mode, problems: problems).faults(parameters, simulation)
    }
    return (ImportText.object(cgm), faults)
  }

  /// The sensor's reading at the start, where it is not the true glucose.
  private func firstReading(_ simulation: TidepoolSimulation) -> JSONValue? {
    guard let first = simulation.sensorHistory.last(where: { $0.offset == .zero })
    else { return nil }
    let start = ImportText.moment(.zero, after: simulation.start)
    guard let mgdL = first.mgdL else {
      return ImportText.object([
        ("id", "first-reading"), ("during", .array([start, "1m"])),
        ("cgm", ["dropout": ["backfill": false]]),
      ])
    }
    guard mgdL.rounded() != simulation.initialGlucose.rounded() else { return nil }
    return ImportText.object([
      ("id", "first-reading"), ("during", .array([start, "1m"])),
      (
        "cgm",
        ImportText.object([("stuck", ImportText.object([("value", ImportText.number(mgdL))]))]
        )
      ),
    ])
  }

  // MARK: - History

  private func history(_ simulation: TidepoolSimulation, _ lived: TidepoolPast) -> JSONValue? {
    let members: [(String, JSONValue?)] = [
      ("glucose", glucose(simulation)),
      ("doses", lived.doses.isEmpty ? nil : .array(lived.doses)),
      ("carbs", lived.carbs.isEmpty ? nil : .array(lived.carbs)),
    ]
    // Not written as a choice between an object and nil, which would be the value null.
    guard members.contains(where: { $0.1 != nil }) else { return nil }
    return ImportText.object(members)
  }

  /// The readings before the start; where the sensor gave none there is no row.
  private func glucose(_ simulation: TidepoolSimulation) -> JSONValue? {
    let stated = simulation.sensorHistory.filter { $0.offset < .zero }
    let past = stated.filter { $0.mgdL != nil }
    guard let first = past.first?.mgdL else { return nil }
    if past.count < stated.count {
      problems.add(
        .note, .decided, at: simulation.position,
        stated.count - past.count == 1
          ? "1 reading before the start has no value; it is a gap."
          : "\(stated.count - past.count) readings before the start have no value; they are a gap.")
    }
    let later = simulation.sensorHistory.filter { $0.offset > .zero }
    if !later.isEmpty {
      problems.add(
        .warning, .time, at: simulation.position,
        "\(WordList.counted(later.count, "reading")) of the sensor's history "
          + "\(WordList.verb("lies", of: later.count)) after the start and "
          + "\(WordList.verb("is", of: later.count)) left out.")
    }
    if past.count == stated.count, past.allSatisfy({ $0.mgdL == first }) {
      return ImportText.object([("flat", ImportText.number(first))])
    }
    return .array(
      past.map { point -> JSONValue in
        .array([.string(ImportText.relative(point.offset)), ImportText.number(point.mgdL ?? first)])
      })
  }
}
