internal import HealthStore
internal import Quantities
internal import StructuredText

/// What an oref pump history says of temp basals, whose rate and duration are two records.
struct OrefPumpEvents {
  private struct Rate {
    var start: Instant
    var rate: Double?
    var percent: Double?
    var position: TextPosition
  }

  private var rates: [Rate] = []
  private var durations: [Instant: TimeSpan] = [:]
  private var suspensions: [(start: Instant, position: TextPosition)] = []
  private var resumptions: [Instant] = []

  /// How many records there are.
  var count: Int { rates.count + durations.count + suspensions.count + resumptions.count }

  mutating func addRate(
    _ rate: Double?, percent: Double?, from start: Instant, at position: TextPosition
  ) {
    rates.append(Rate(start: start, rate: rate, percent: percent, position: position))
  }

  mutating func addDuration(_ span: TimeSpan, from start: Instant) { durations[start] = span }

  mutating func addSuspension(from start: Instant, at position: TextPosition) {
    suspensions.append((start, position))
  }

  mutating func addResumption(at instant: Instant) { resumptions.append(instant) }

  /// The temp basals that have both records, and suspensions until the pump resumes.
  var temps: [NightscoutTemp] {
    var temps: [NightscoutTemp] = []
    for entry in rates {
      guard let span = durations[entry.start] else { continue }
      temps.append(
        NightscoutTemp(
          start: entry.start, end: entry.start + span, rate: entry.rate, percent: entry.percent,
          isSuspend: false, amount: nil, uuid: Self.identity("TempBasal", entry.start),
          author: nil, position: entry.position))
    }
    for entry in suspensions {
      guard let end = end(of: entry.start) else { continue }
      temps.append(
        NightscoutTemp(
          start: entry.start, end: end, rate: 0, percent: nil, isSuspend: true, amount: nil,
          uuid: Self.identity("PumpSuspend", entry.start), author: nil, position: entry.position))
    }
    return temps
  }

  /// The last suspension from which the pump does not resume within the history.
  var unresumed: Instant? {
    suspensions.map(\.start).filter { end(of: $0) == nil }.max()
  }

  /// Records without their counterpart.
  var lost: [(reason: String, position: TextPosition)] {
    var lost: [(reason: String, position: TextPosition)] = []
    for entry in rates where durations[entry.start] == nil {
      lost.append(("the temp basal has no record of its duration", entry.position))
    }
    for entry in suspensions where end(of: entry.start) == nil {
      lost.append(("the pump does not resume within the history", entry.position))
    }
    return lost
  }

  private func end(of suspension: Instant) -> Instant? {
    resumptions.filter { $0 > suspension }.min()
  }

  private static func identity(_ kind: String, _ start: Instant) -> SampleUUID {
    SampleUUID(named: ["oref", kind, "\(start.millisecondsSince1970)"])
  }
}

extension NightscoutReader {
  /// Reads a record of an oref pump history; why it is left out where it is.
  ///
  /// Source: openaps/oref0 `lib/iob/history.js`, nightscout/Trio `PumpHistoryEvent`.
  mutating func readPumpEvent(_ event: JSONField) -> String? {
    guard let type = event["_type"].text(), let instant = instant(of: event, "timestamp") else {
      return nil
    }
    switch type {
    case "Bolus": return readPumpBolus(event, at: instant)
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
      pumpEvents.addDuration(.milliseconds(Int64((minutes * 60_000).rounded())), from: instant)
    case "PumpSuspend": pumpEvents.addSuspension(from: instant, at: event.position)
    case "PumpResume": pumpEvents.addResumption(at: instant)
    default: return "pump events '\(type)' are not read"
    }
    return nil
  }

  private mutating func readPumpBolus(_ event: JSONField, at instant: Instant) -> String? {
    guard let units = event.required("amount").looseNumber(in: 0...100, unit: "U") else {
      return nil
    }
    guard units > 0 else { return "the bolus delivered nothing" }
    guard let uuid = identity(of: event, ["Bolus", "\(instant)"]) else {
      return "the same document is there twice"
    }
    let span = NightscoutTemp.duration(event) ?? .zero
    var metadata = Metadata()
    metadata.isAutomaticallyIssued = event["isSMB"].bool() == true ? true : nil
    add(
      .insulinDelivery(
        units: units, reason: .bolus, start: instant, end: instant + span, uuid: uuid,
        metadata: metadata), part: event["isExternal"].bool() == true ? "pen" : "pump")
    return nil
  }
}
