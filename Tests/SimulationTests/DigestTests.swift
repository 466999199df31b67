import ClosedLoop
import Determinism
import Devices
import HealthStore
import Physiology
import Quantities
import Testing

@testable import Simulation

@Suite("The digest of a result")
struct DigestTests {
  /// A change of one field, and the field's path from the result on.
  private struct Change {
    var path: String
    var carryOut: (inout RunResult) -> Void

    init(_ path: String, _ carryOut: @escaping (inout RunResult) -> Void) {
      self.path = path
      self.carryOut = carryOut
    }

    init(_ path: String, _ field: WritableKeyPath<RunResult, some Nudged>) {
      self.init(path) { $0[keyPath: field] = $0[keyPath: field].nudged }
    }
  }

  /// What the digest leaves out, as ``RunResult/digest`` says.
  private static let leftOut: Set = [
    "id", "seed", "digest", "stepCheck", "reactions", "carbsNotStoredAtEnd", "carbsCopiedAtEnd",
    "glucoseCopiedAtEnd", "cyclesOfTwoSources",
    "glucoseNotStoredAtEnd", "miscountedCarbs",
    "cyclesNotRun",
    "faultWindows.wrongInApp", "faultWindows.ownLength",
    "faultWindows.changesReadings", "wrongClocks", "datesByPumpClock",
    "injections.countedModel", "insulinDelivery.insulinType", "glucoseOfOthers", "appWarnings",
    "agreement.takenOff", "programs.scheduledRates", "boluses.sent",
    "trace.rowTraits", "trace.traits", "trace.happenings.notGiven",
    "steadyInsulin",
  ]

  /// The names of fields by those of what keeps them in fewer bytes.
  private static let packed = [
    "trace.rows.readingMgdL": "trace.rows.reading",
    "trace.rows.programmed": "trace.rows.programmedRate",
    "trace.rows.basal": "trace.rows.basalDelivered",
    "trace.rows.bolus": "trace.rows.bolusDelivered",
    "trace.rows.recommendation": "trace.rows.recommendation",
    "trace.happenings.name": "trace.happenings.name",
    "trace.happenings.text": "trace.happenings.text",
    "cycleOutcomes.reason": "cycleOutcomes.failure",
    "eventHistory.programmedRate": "eventHistory.rate",
    "eventHistory.asked": "eventHistory.programmed",
    "eventHistory.reported": "eventHistory.delivered",
    "insulinDelivery.scheduled": "insulinDelivery.scheduledRate",
  ]

  /// Two hours with something in every record.
  private static func result() throws -> RunResult {
    var fixture = Fixture()
    fixture.duration = .hours(2)
    fixture.glucose = 180
    fixture.isClosedLoop = true
    fixture.events = [
      ScenarioEvent(at: .at(0, 10), .bolus(BolusRequest(.units(1)))),
      ScenarioEvent(at: .at(0, 20), .inject(units: 1.5, formulation: .humalog, name: "humalog")),
      ScenarioEvent(
        at: .at(0, 30),
        .beginFault(Fault(id: "blocked", .pump(.occlusion(Occlusion(detection: .never)))))),
      ScenarioEvent(at: .at(1), .endFault(id: "blocked")),
    ]
    var result = try fixture.result()
    result.lethalEnd = LethalEnd(instant: .at(2), glucose: .mgdL(9), floor: .mgdL(10))
    result.modelExcursions = [
      ModelExcursion(
        start: .at(1), end: .at(2), lowest: .mgdL(9), highest: .mgdL(19), isClipped: false)
    ]
    result.violations = [InvariantViolation(name: "law", instant: .at(1), text: "Broken.")]
    return result
  }

  private static var changes: [Change] {
    [
      Change("clock", \.clock), Change("start", \.start), Change("end", \.end),
      Change("lethalEnd.instant", \.lethalEnd!.instant),
      Change("lethalEnd.glucose", \.lethalEnd!.glucose),
      Change("lethalEnd.floor", \.lethalEnd!.floor), Change("hasApp", \.hasApp),
      Change("modelExcursions.start", \.modelExcursions[0].start),
      Change("modelExcursions.end", \.modelExcursions[0].end),
      Change("modelExcursions.lowest", \.modelExcursions[0].lowest),
      Change("modelExcursions.highest", \.modelExcursions[0].highest),
      Change("modelExcursions.isClipped", \.modelExcursions[0].isClipped),
      Change("cycles.due", \.cycles.due), Change("cycles.completed", \.cycles.completed),
      Change("cycles.enacted", \.cycles.enacted),
      Change("violations.name", \.violations[0].name),
      Change("violations.instant", \.violations[0].instant),
      Change("violations.text", \.violations[0].text),
      Change("scheduledBasal", \.scheduledBasal),
      Change("referenceBasal", \.referenceBasal),
      Change("pumpInsulinModel", \.pumpInsulinModel), Change("basalNeed", \.basalNeed),
      Change("pulseSize", \.pulseSize),
      Change("limits.instant", \.limits[0].instant),
      Change("limits.maximumBasalRate", \.limits[0].maximumBasalRate),
      Change("limits.maximumBolus", \.limits[0].maximumBolus),
      Change("limits.neutralBasalRate", \.limits[0].neutralBasalRate),
      Change("faultWindows.id", \.faultWindows[0].id),
      Change("faultWindows.span", \.faultWindows[0].span),
      Change("faultWindows.slip", \.faultWindows[0].slip),
      Change("cycleOutcomes.instant", \.cycleOutcomes[0].instant),
      Change("cycleOutcomes.failure", \.cycleOutcomes[0].failure),
      Change("cycleOutcomes.insulinOnBoard", \.cycleOutcomes[0].insulinOnBoard),
      Change("dosingSwitches.instant", \.dosingSwitches[0].instant),
      Change("dosingSwitches.isOn", \.dosingSwitches[0].isOn),
    ] + traceChanges + recordChanges + pumpChanges + ledgerChanges + agreementChanges
  }

  private static var traceChanges: [Change] {
    [
      Change("trace.rows.instant", \.trace.rows[0].instant),
      Change("trace.rows.trueGlucose", \.trace.rows[0].trueGlucose),
      Change("trace.rows.reading", \.trace.rows[0].reading),
      Change("trace.rows.scheduledRate", \.trace.rows[0].scheduledRate),
      Change("trace.rows.programmedRate", \.trace.rows[0].programmedRate),
      Change("trace.rows.basalDelivered", \.trace.rows[0].basalDelivered),
      Change("trace.rows.bolusDelivered", \.trace.rows[0].bolusDelivered),
      Change("trace.rows.carbsEaten", \.trace.rows[0].carbsEaten),
      Change("trace.rows.carbsEntered", \.trace.rows[0].carbsEntered),
      Change("trace.rows.insulinOnBoard", \.trace.rows[0].insulinOnBoard),
      Change("trace.rows.bodyInsulin", \.trace.rows[0].bodyInsulin),
      Change("trace.rows.carbsOnBoard", \.trace.rows[0].carbsOnBoard),
      Change("trace.rows.recommendation", \.trace.rows[0].recommendation),
      Change("trace.rows.mode", \.trace.rows[0].mode),
      Change("trace.happenings.instant", \.trace.happenings[0].instant),
      Change("trace.happenings.kind", \.trace.happenings[0].kind),
      Change("trace.happenings.name", \.trace.happenings[0].name),
      Change("trace.happenings.text", \.trace.happenings[0].text),
    ]
  }

  private static var recordChanges: [Change] {
    [
      Change("basalSamples.start", \.basalSamples[0].start),
      Change("basalSamples.end", \.basalSamples[0].end),
      Change("basalSamples.rate", \.basalSamples[0].rate),
      Change("basalSamples.units", \.basalSamples[0].units),
      Change("basalSamples.kind", \.basalSamples[0].kind),
      Change("basalSamples.source", \.basalSamples[0].source),
      Change("basalSamples.writtenAt", \.basalSamples[0].writtenAt),
      Change("basalSamples.sampleID", \.basalSamples[0].sampleID),
      Change("eventHistory.instant", \.eventHistory[0].instant),
      Change("eventHistory.kind", \.eventHistory[0].kind),
      Change("eventHistory.end", \.eventHistory[0].end),
      Change("eventHistory.rate", \.eventHistory[0].rate),
      Change("eventHistory.programmed", \.eventHistory[0].programmed),
      Change("eventHistory.delivered", \.eventHistory[0].delivered),
      Change("eventHistory.isAutomatic", \.eventHistory[0].isAutomatic),
      Change("eventHistory.isMutable", \.eventHistory[0].isMutable),
      Change("eventHistory.identifier", \.eventHistory[0].identifier),
      Change("insulinDelivery.start", \.insulinDelivery[0].start),
      Change("insulinDelivery.end", \.insulinDelivery[0].end),
      Change("insulinDelivery.kind", \.insulinDelivery[0].kind),
      Change("insulinDelivery.units", \.insulinDelivery[0].units),
      Change("insulinDelivery.scheduledRate", \.insulinDelivery[0].scheduledRate),
      Change("insulinDelivery.isFromPump", \.insulinDelivery[0].isFromPump),
      Change("insulinDelivery.isMutable", \.insulinDelivery[0].isMutable),
      Change(
        "insulinDelivery.countsInInsulinOnBoard", \.insulinDelivery[0].countsInInsulinOnBoard),
      Change("insulinDelivery.sampleID", \.insulinDelivery[0].sampleID),
      Change("insulinDelivery.source", \.insulinDelivery[0].source),
      Change("insulinDelivery.identifier", \.insulinDelivery[0].identifier),
      Change("insulinSamples.start", \.insulinSamples[0].start),
      Change("insulinSamples.end", \.insulinSamples[0].end),
      Change("insulinSamples.units", \.insulinSamples[0].units),
      Change("insulinSamples.isBasal", \.insulinSamples[0].isBasal),
      Change("insulinSamples.isOwn", \.insulinSamples[0].isOwn),
      Change("insulinSamples.source", \.insulinSamples[0].source),
      Change("insulinSamples.writtenAt", \.insulinSamples[0].writtenAt),
      Change("insulinSamples.sampleID", \.insulinSamples[0].sampleID),
      Change("insulinSamples.syncIdentifier", \.insulinSamples[0].syncIdentifier),
    ]
  }

  private static var pumpChanges: [Change] {
    [
      Change("pulses.instant", \.pulses[0].instant),
      Change("pulses.recorded", \.pulses[0].recorded),
      Change("pulses.physicalUnits", \.pulses[0].physicalUnits),
      Change("pulses.channel", \.pulses[0].channel),
      Change("boluses.identifier", \.boluses[0].identifier),
      Change("boluses.start", \.boluses[0].start), Change("boluses.end", \.boluses[0].end),
      Change("boluses.asked", \.boluses[0].asked),
      Change("boluses.delivered", \.boluses[0].delivered),
      Change("boluses.isAutomatic", \.boluses[0].isAutomatic),
      Change("bolusRequests.instant", \.bolusRequests[0].instant),
      Change("bolusRequests.name", \.bolusRequests[0].name),
      Change("bolusRequests.requester", \.bolusRequests[0].requester),
      Change("bolusRequests.asked", \.bolusRequests[0].asked),
      Change("bolusRequests.aboveLimit", \.bolusRequests[0].aboveLimit),
      Change("bolusRequests.offGrid", \.bolusRequests[0].offGrid),
      Change("bolusRequests.misreported", \.bolusRequests[0].misreported),
      Change("bolusRequests.isRefused", \.bolusRequests[0].isRefused),
      Change("bolusRequests.hasStatedReport", \.bolusRequests[0].hasStatedReport),
      Change("boluses.isRunning", \.boluses[0].isRunning),
      Change("programs.start", \.programs[0].start), Change("programs.end", \.programs[0].end),
      Change("programs.kind", \.programs[0].kind), Change("programs.rate", \.programs[0].rate),
      Change("programs.isAutomatic", \.programs[0].isAutomatic),
      Change("programs.delivered", \.programs[0].delivered),
      Change("programs.sent", \.programs[0].sent),
      Change("programs.rateChanges") {
        $0.programs[0].rateChanges = [.init(instant: .at(1), rate: .zero)]
      },
      Change("injections.instant", \.injections[0].instant),
      Change("injections.units", \.injections[0].units),
      Change("injections.name", \.injections[0].name),
      Change("injections.model", \.injections[0].model),
    ]
  }

  private static var ledgerChanges: [Change] {
    [
      Change("ledger.basal.programmed", \.ledger.basal.programmed),
      Change("ledger.basal.anticipated", \.ledger.basal.anticipated),
      Change("ledger.basal.delivered", \.ledger.basal.delivered),
      Change("ledger.basal.discarded", \.ledger.basal.discarded),
      Change("ledger.basal.pending", \.ledger.basal.pending),
      Change("ledger.basal.missed", \.ledger.basal.missed),
      Change("ledger.basal.discards", \.ledger.basal.discards),
      Change("ledger.basal.discardsAtAlarms", \.ledger.basal.discardsAtAlarms),
      Change("ledger.basal.discardsAtEntries", \.ledger.basal.discardsAtEntries),
      Change("ledger.boluses.asked", \.ledger.boluses.asked),
      Change("ledger.boluses.delivered", \.ledger.boluses.delivered),
      Change("ledger.boluses.cancelled", \.ledger.boluses.cancelled),
      Change("ledger.boluses.lost", \.ledger.boluses.lost),
      Change("ledger.boluses.pending", \.ledger.boluses.pending),
      Change("ledger.reservoir.filled", \.ledger.reservoir.filled),
      Change("ledger.reservoir.remaining", \.ledger.reservoir.remaining),
      Change("ledger.reservoir.primed", \.ledger.reservoir.primed),
      Change("ledger.reservoir.removed", \.ledger.reservoir.removed),
      Change("ledger.reservoir.unrequested", \.ledger.reservoir.unrequested),
      Change("ledger.body.recorded", \.ledger.body.recorded),
      Change("ledger.body.unrequested", \.ledger.body.unrequested),
      Change("ledger.body.absorbed", \.ledger.body.absorbed),
      Change("ledger.body.heldBack", \.ledger.body.heldBack),
      Change("ledger.body.excess", \.ledger.body.excess),
      Change("ledger.reporting.hidden", \.ledger.reporting.hidden),
      Change("ledger.reporting.overstated", \.ledger.reporting.overstated),
    ]
      + BodyLedger.Difference.allCases.map { difference in
        Change("ledger.body.\(difference)") {
          $0.ledger.body[difference] = $0.ledger.body[difference].nudged
        }
      }
  }

  private static var agreementChanges: [Change] {
    [
      Change("agreement.basal.body", \.agreement.basal.body),
      Change("agreement.basal.pump", \.agreement.basal.pump),
      Change("agreement.basal.app", \.agreement.basal.app),
      Change("agreement.basal.healthStore", \.agreement.basal.healthStore),
      Change("agreement.bolus.body", \.agreement.bolus.body),
      Change("agreement.bolus.pump", \.agreement.bolus.pump),
      Change("agreement.bolus.app", \.agreement.bolus.app),
      Change("agreement.bolus.healthStore", \.agreement.bolus.healthStore),
      Change("agreement.elsewhere.body", \.agreement.elsewhere.body),
      Change("agreement.elsewhere.pump", \.agreement.elsewhere.pump),
      Change("agreement.elsewhere.app", \.agreement.elsewhere.app),
      Change("agreement.elsewhere.healthStore", \.agreement.elsewhere.healthStore),
      Change("agreement.differences.severity", \.agreement.differences[0].severity),
      Change("agreement.differences.kind", \.agreement.differences[0].kind),
      Change("agreement.differences.origin", \.agreement.differences[0].origin),
      Change("agreement.differences.records", \.agreement.differences[0].records),
      Change("agreement.differences.start", \.agreement.differences[0].start),
      Change("agreement.differences.end", \.agreement.differences[0].end),
      Change("agreement.differences.units", \.agreement.differences[0].units),
      Change("agreement.differences.text", \.agreement.differences[0].text),
    ]
  }

  /// The paths of all fields of a value, those of a list by its first element.
  private func fields(of value: Any, at path: String) -> Set<String> {
    if value is any Nudged || value is InMemoryHealthStore || value is OptionalNumber
      || value is OptionalInstant
    {
      return [path]
    }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .collection || mirror.displayStyle == .optional {
      return mirror.children.first.map { fields(of: $0.value, at: path) } ?? [path]
    }
    return mirror.children.reduce(into: []) { found, child in
      // A wrapper keeps its property under a name with a line before it.
      let label = String((child.label ?? "?").trimmingPrefix("_"))
      let place = path.isEmpty ? label : "\(path).\(label)"
      guard !Self.leftOut.contains(place) else { return }
      if let name = Self.packed[place] { return found.formUnion([name]) }
      // What is shared stands for the fields that it has.
      found.formUnion(fields(of: child.value, at: label == "traits" ? path : place))
    }
  }

  @Test("A change of any field of any record changes it")
  func isOfEverything() throws {
    let result = try Self.result()
    #expect(result.digest != 0)
    let digest = result.computedDigest
    for change in Self.changes {
      var changed = result
      change.carryOut(&changed)
      #expect(changed.computedDigest != digest, "\(change.path)")
    }
    let expected = fields(of: result, at: "").subtracting(["store"])
    #expect(Set(Self.changes.map(\.path)) == expected)
  }

  @Test("What is missing is no number: nothing differs from -1 and from 0")
  func nothingIsNoNumber() throws {
    var result = try Self.result()
    var digests: Set<UInt64> = []
    for value in [nil, -1.0, 0, -1e9] {
      result.trace.rows[0].insulinOnBoard = value
      digests.insert(result.computedDigest)
    }
    for value in [nil, GlucoseConcentration.mgdL(-1), .mgdL(0)] {
      result.trace.rows[0].reading = value
      digests.insert(result.computedDigest)
    }
    #expect(digests.count == 7)
  }

  @Test("A row more or less changes it, also where it is all zero")
  func countsRecords() throws {
    let result = try Self.result()
    var shorter = result
    shorter.pulses = PumpPulses(shorter.pulses.dropLast())
    var moved = result
    moved.limits.append(try #require(result.limits.last))
    #expect(Set([result, shorter, moved].map(\.computedDigest)).count == 3)
  }

  // MARK: - The health store

  private static func sample(
    _ number: UInt64 = 1, type: ObjectType = .bloodGlucose, start: Instant = .at(1),
    end: Instant = .at(1),
    value: SampleValue = .quantity(HealthQuantity(100, .milligramPerDecilitre)),
    device: Device? = Device(name: "CGM"), metadata: Metadata = [.wasUserEntered: .flag(false)]
  ) -> Sample {
    Sample(
      restoring: SampleUUID(high: 1, low: number), type: type, start: start, end: end,
      value: value, device: device, metadata: metadata)
  }

  private static func digest(_ value: some Digestible) -> UInt64 {
    var digest = RunningDigest()
    digest.absorb(value)
    return digest.value
  }

  @Test("A change of any part of a sample changes it")
  func isOfSamples() {
    let samples = [
      Self.sample(), Self.sample(2), Self.sample(type: .heartRate), Self.sample(start: .at(0)),
      Self.sample(end: .at(2)), Self.sample(value: .category(100)),
      Self.sample(value: .quantity(HealthQuantity((100.0).nextUp, .milligramPerDecilitre))),
      Self.sample(value: .quantity(HealthQuantity(100, .count))),
      Self.sample(value: .correlation([])), Self.sample(value: .correlation([Self.sample()])),
      Self.sample(device: nil), Self.sample(device: Device(model: "CGM")),
      Self.sample(metadata: .none), Self.sample(metadata: [.wasUserEntered: .flag(true)]),
      Self.sample(metadata: [.wasUserEntered: .number(0)]),
      Self.sample(metadata: [.wasUserEntered: .text("0")]),
      Self.sample(metadata: [.syncVersion: .flag(false)]),
    ]
    #expect(Set(samples.map(Self.digest)).count == samples.count)
    let stored = StoredSample(
      row: 1, sample: Self.sample(), revision: 1, source: 1, created: .at(1))
    var others = Array(repeating: stored, count: 6)
    others[1].row = 2
    others[2].revision = 2
    others[3].source = 2
    others[4].created = .at(2)
    others[5].parent = 1
    #expect(Set(others.map(Self.digest)).count == others.count)
  }

  @Test("A deletion from the health store changes it")
  func isOfDeletions() throws {
    let result = try Self.result()
    var deleted = result
    let uuid = try #require(result.insulinSamples.first?.sampleID)
    try deleted.store.delete([uuid], as: .user, at: .at(2))
    #expect(deleted.computedDigest != result.computedDigest)
    var again = result
    try again.store.delete([uuid], as: .user, at: .at(2, 1))
    #expect(again.computedDigest != deleted.computedDigest)
  }
}
