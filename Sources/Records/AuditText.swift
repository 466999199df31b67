internal import HealthStore
internal import Quantities
public import StructuredText

/// An audit as text, and the words that its parts share.
public enum AuditText {
  /// A number with at most two decimals, or as many as are said; with one more where it would
  /// be 0 and is not.
  public static func number(_ value: Double, decimals: Int = 2) -> String {
    let text = trimmed(value, decimals)
    return text == "0" ? trimmed(value, decimals + 1) : text
  }

  private static func trimmed(_ value: Double, _ decimals: Int) -> String {
    var text = FixedDecimal.text(value, decimals: decimals)
    if text.contains(".") {
      while text.hasSuffix("0") { text.removeLast() }
      if text.hasSuffix(".") { text.removeLast() }
    }
    return text == "-0" ? "0" : text
  }

  /// An amount of insulin: `2.4 U`.
  public static func units(_ value: Double) -> String { "\(number(value)) U" }

  /// The size of a pulse, which may be a thousandth of a unit: `0.025 U`.
  public static func pulse(_ value: Double) -> String { "\(number(value, decimals: 4)) U" }

  /// A number of times: `once`, `3 times`.
  static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  /// The headline: the worst of the record in one sentence.
  public static func headline(_ audit: Audit) -> String {
    if let worst = audit.days.max(by: { $0.twice < $1.twice }), worst.twice > 5e-4 {
      return "The samples of \(worst.date) add up to \(units(worst.plain)); "
        + "\(units(worst.twice)) of it are counted twice"
    }
    let faults = audit.findings.filter { $0.severity == .fault }
    if let worst = faults.first { return headline(of: faults, worst: worst) }
    let lacksSchedule = audit.contains(.scheduleMissing)
    let lacksBasal = audit.contains(.basalAbsent)
    let twice = audit.contains(.duplicateWithin) ? "no insulin twice" : "nothing twice"
    let sources =
      "from \(WordList.counted(audit.insulinSources, "source")), \(twice)"
      + (lacksSchedule ? ", without scheduled basal" : lacksBasal ? ", without any basal" : "")
      // What was left out may be insulin: the sum is that of the rest.
      + (audit.reading.isEmpty ? "" : "; see \"Reading the files\"")
    let checks = audit.findings.count { $0.severity == .check }
    return checks == 0
      ? "The record adds up: \(amount(of: audit)) \(sources)"
      : "The record has no fault and \(WordList.counted(checks, "thing")) to check; "
        + "\(amount(of: audit)) "
        + sources
  }

  /// What faults there are, where nothing of insulin is there twice.
  private static func headline(of faults: [AuditFinding], worst: AuditFinding) -> String {
    let basal = faults.filter(\.kind.isMissingBasal)
    let missing = basal.reduce(0) { $0 - $1.amount }
    if missing > 5e-4 {
      let others = faults.count - basal.count
      return "The record lacks \(units(missing)) of basal"
        + (others == 0 ? "" : ", and has \(WordList.counted(others, "other fault"))")
    }
    let title = worst.title.prefix(1).lowercased() + worst.title.dropFirst()
    return
      "The record has \(WordList.counted(faults.count, "fault"))"
      + (faults.count == 1 ? "" : ", the worst")
      + ": \(title)"
  }

  /// The insulin of a record: a day's, or all of it where the record covers no whole day.
  private static func amount(of audit: Audit) -> String {
    let sum = units(audit.amount(\.plain))
    guard audit.wholeDays.isEmpty else { return "\(sum) a day" }
    return audit.end > audit.start ? "\(sum) in \(audit.end - audit.start)" : sum
  }

  /// The lines of the audit.
  public static func lines(_ audit: Audit, file: String) -> [String] {
    var lines = [headline(audit) + ".", ""]
    let clock = audit.clock
    lines.append(
      "\(file): \(clock.iso8601(audit.start)) to \(clock.iso8601(audit.end)), "
        + "\(WordList.counted(audit.counts.insulin, "sample")) of insulin, "
        + "\(audit.counts.carbohydrates) of "
        + "food, "
        + "\(audit.counts.glucose) of glucose. Days and times are those of \(audit.zone).")
    if let pulse = audit.pulse {
      lines.append(
        "Pulse: \(Self.pulse(pulse))\(audit.isPulseInferred ? ", inferred from the amounts" : "").")
    }
    lines += completenessLines(audit.completeness)
    if let worst = audit.insulinOnBoard.largest {
      lines.append(
        "Insulin on board is wrong by up to \(units(worst.all - worst.reconciled)), at "
          + "\(clock.iso8601(worst.instant)): \(units(worst.all)) with all samples, "
          + "\(units(worst.reconciled)) without what is there twice.")
    }
    lines += ["", "Findings, worst first:"]
    if audit.findings.isEmpty { lines.append("  none") }
    for (index, finding) in audit.findings.enumerated() {
      lines += findingLines(finding, number: index + 1, clock)
    }
    lines += ["", "Totals by day (U):"]
    var days = TerminalTable(
      header: ["date", "plain sum", "store's own", "reconciled"], [.left, .right, .right, .right])
    for day in audit.days {
      days.rows.append(
        [day.date]
          + [day.plain, day.storeOwn, day.reconciled].map { FixedDecimal.text($0, decimals: 2) })
    }
    lines += days.lines
    if let left = audit.daysLeftOut { lines.append("  \(left)") }
    lines += ["", "Sources:"]
    for source in audit.sources {
      lines.append(
        "  \(source.name): \(WordList.counted(source.samples, "sample")), "
          + "basal \(units(source.basal)), bolus "
          + "\(units(source.bolus)), \(source.role.rawValue)")
    }
    if !audit.reading.isEmpty {
      lines += ["", "Reading the files:"]
      lines += audit.reading.map { "  \($0)" }
    }
    lines += ["", "Not judged:"]
    lines += audit.notJudged.map { "  \($0)" }
    lines += ["", "Not a medical device. Do not use these figures to decide about therapy."]
    return lines
  }

  /// The share of the time that basal covers: `99.0 %`.
  public static func covered(_ share: Double) -> String {
    "\(PercentText.number(share * 100, decimals: 1)) %"
  }

  private static func completenessLines(_ found: AuditCompleteness) -> [String] {
    var lines: [String] = []
    if let share = found.basalCovered {
      lines.append("Basal covers \(covered(share)) of the time.")
    }
    if let written = found.writtenInTime {
      lines.append(
        "Written within two cycles after their end: \(written.count) of "
          + "\(WordList.counted(written.of, "bolus")).")
    }
    return lines
  }

  /// The most places of a finding that are listed.
  private static let maximumPlaces = 5

  private static func findingLines(
    _ finding: AuditFinding, number: Int, _ clock: WallClock
  ) -> [String] {
    let amount =
      finding.amount.magnitude < 5e-4
      ? ""
      : ", \(finding.amount < 0 ? "" : "+")\(AuditText.number(finding.amount)) "
        + finding.quantity.unit
    let sources = finding.sources.isEmpty ? "" : " (\(finding.sources.joined(separator: ", ")))"
    var lines = [
      "  \(number). \(finding.title) [\(finding.severity.rawValue), \(finding.kind.rawValue)]"
        + "\(amount)\(sources)",
      "     \(finding.cause) \(finding.consequence)",
    ]
    if let change = finding.change {
      lines.append(
        "     Insulin on board: \(change.units < 0 ? "" : "+")\(units(change.units)) at "
          + "\(clock.iso8601(change.instant)).")
    }
    for place in finding.occurrences.prefix(maximumPlaces) {
      let own =
        place.amount.magnitude < 5e-4
        ? "" : ", \(AuditText.number(place.amount)) \(finding.quantity.unit)"
      let end = place.end == place.start ? "" : " to \(clock.iso8601(place.end))"
      lines.append("     \(clock.iso8601(place.start))\(end)\(own)")
    }
    let more = finding.occurrences.count - maximumPlaces
    if more > 0 { lines.append("     and \(more) more") }
    return lines
  }
}

extension Audit {
  /// The audit as JSON, every number unrounded, times in UTC.
  public func json(file: String) -> JSONValue {
    [
      "format": "loopsim-audit/1", "file": .string(file),
      "headline": .string(AuditText.headline(self)),
      "from": .string(start.description), "to": .string(end.description),
      "timeZone": .string(zone),
      "samples": [
        "insulin": .integer(Int64(counts.insulin)),
        "carbohydrates": .integer(Int64(counts.carbohydrates)),
        "glucose": .integer(Int64(counts.glucose)),
      ],
      "pulse": pulse.map { .number($0) } ?? .null, "pulseInferred": .bool(isPulseInferred),
      "findings": .array(findings.map(Self.json)),
      "days": .array(
        days.map { day in
          [
            "date": .string(day.date), "basal": .number(day.basal),
            "manualBolus": .number(day.manualBolus),
            "automaticBolus": .number(day.automaticBolus), "otherBolus": .number(day.otherBolus),
            "foreign": .number(day.foreign), "plain": .number(day.plain),
            "storeOwn": .number(day.storeOwn), "reconciled": .number(day.reconciled),
            "twice": .number(day.twice), "readings": .integer(Int64(day.readings)),
          ]
        }),
      "sources": .array(
        sources.map { source in
          [
            "name": .string(source.name), "samples": .integer(Int64(source.samples)),
            "basal": .number(source.basal), "bolus": .number(source.bolus),
            "role": .string(source.role.rawValue),
          ]
        }),
      "insulinOnBoard": [
        "countsBasal": .bool(insulinOnBoard.countsBasal),
        "largestDifference": insulinOnBoard.largest.map { Self.json($0) } ?? .null,
        "points": .array(
          insulinOnBoard.points.map { point in
            [.string(point.instant.description), .number(point.all), .number(point.reconciled)]
          }),
      ],
      "reading": .array(reading.map { .string($0) }),
      "notJudged": .array(notJudged.map { .string($0) }),
      "basalCoveredPercent": completeness.basalCovered.map { .number($0 * 100) } ?? .null,
      "bolusesWrittenWithinTwoCycles": completeness.writtenInTime.map { written in
        ["count": .integer(Int64(written.count)), "of": .integer(Int64(written.of))]
      } ?? .null,
    ]
  }

  private static func json(_ point: AuditInsulinOnBoard.Point) -> JSONValue {
    [
      "time": .string(point.instant.description), "all": .number(point.all),
      "reconciled": .number(point.reconciled),
    ]
  }

  private static func json(_ finding: AuditFinding) -> JSONValue {
    [
      "kind": .string(finding.kind.rawValue), "severity": .string(finding.severity.rawValue),
      "title": .string(finding.title), "cause": .string(finding.cause),
      "consequence": .string(finding.consequence),
      "sources": .array(finding.sources.map { .string($0) }),
      "from": .string(finding.start.description), "to": .string(finding.end.description),
      finding.quantity.key: .number(finding.amount),
      "insulinOnBoard": finding.change.map { change in
        ["units": .number(change.units), "time": .string(change.instant.description)]
      } ?? .null,
      "places": .array(
        finding.occurrences.map { place in
          [
            "from": .string(place.start.description), "to": .string(place.end.description),
            finding.quantity.key: .number(place.amount),
            "samples": .array(place.samples.map { .string($0.description) }),
          ]
        }),
    ]
  }
}

extension AuditFinding.Quantity {
  /// The key of amounts in JSON.
  fileprivate var key: String { self == .insulin ? "units" : "grams" }
}
