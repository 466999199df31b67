import Devices
import Quantities
import StructuredText

/// An accuracy report for a program; shares are in percent.
enum AccuracyJSON {
  static func json(
    _ report: AccuracyReport, title: String, interval: ClosedRange<Double>?,
    persistence: ErrorPersistence? = nil
  ) -> JSONValue {
    let all = report.all
    let persisting = persistence.map(lasting) ?? .null
    return [
      "format": "loopsim-accuracy/1", "title": .string(title), "pairs": integer(all.count),
      "low": integer(report.lowCount), "high": integer(report.highCount),
      "mard_percent": percent(all.mard), "median_ard_percent": percent(all.medianARD),
      "mean_relative_difference_percent": percent(all.relativeBias),
      "mard_interval_percent": interval.map {
        [percent($0.lowerBound), percent($0.upperBound)]
      } ?? .null,
      "persistence": persisting, "all": group("all", all),
      "by_range": .array(report.byRange.map { group($0.name, $0.summary) }),
      "by_day": .array(report.byDay.map { group($0.name, $0.summary) }),
      "icgm": .array(report.controls.map(control)), "clarke_percent": zones(report.clarke),
      "parkes1_percent": zones(report.parkes1), "parkes2_percent": zones(report.parkes2),
      "surveillance_percent": report.surveillance.map { .array($0.map(percent)) } ?? .null,
      "rates": rates(report),
    ]
  }

  private static func lasting(_ persistence: ErrorPersistence) -> JSONValue {
    let correlations = ErrorPersistence.spans.map { span -> JSONValue in
      [
        "minutes": .integer(span.quotient(by: .minutes(1))),
        "correlation": persistence.autocorrelation(after: span).map { .number($0) } ?? .null,
      ]
    }
    return [
      "autocorrelation": .array(correlations), "readings_due": integer(persistence.due),
      "readings_missing": integer(persistence.missing),
      "missing_percent": persistence.missingShare.map(percent) ?? .null,
    ]
  }

  private static func group(_ name: String, _ summary: AccuracyReport.Summary) -> JSONValue {
    let limits = AccuracyReport.Summary.agreementLimits
    // Of no pairs there is no figure, and of one no deviation.
    func known(_ figure: JSONValue, from least: Int = 1) -> JSONValue {
      summary.count >= least ? figure : .null
    }
    let within = zip(limits, summary.agreement).map { limit, share in
      JSONValue.Member("within_\(Int(limit))_percent", known(percent(share)))
    }
    return .object(
      [
        .init("name", .string(name)), .init("n", integer(summary.count)),
        .init("mard_percent", known(percent(summary.mard))),
        .init("bias_mgdL", known(.number(summary.bias))),
        .init("sd_mgdL", known(.number(summary.deviation), from: 2)),
      ] + within)
  }

  private static func control(_ result: ContinuousMonitorControls.Result) -> JSONValue {
    let bounds = result.bounds.map { bounds -> JSONValue in
      [
        "normal": percent(bounds.normal), "wilson": percent(bounds.wilson),
        "exact": percent(bounds.exact),
      ]
    }
    return [
      "criterion": .string(result.criterion.rawValue), "rule": .string(result.rule),
      "n": integer(result.count), "share_percent": result.share.map(percent) ?? .null,
      "lower_bounds_percent": bounds ?? .null, "limit_percent": percent(result.limit),
      "met": result.isMet.map { .bool($0) } ?? .null, "few_pairs": .bool(result.isThin),
    ]
  }

  private static func zones(_ shares: [Double]) -> JSONValue {
    .object(
      zip(["A", "B", "C", "D", "E"], shares).map { JSONValue.Member($0, percent($1)) })
  }

  /// The table of rates: rows of the reading, columns of the reference, from falling to rising.
  private static func rates(_ report: AccuracyReport) -> JSONValue {
    .array(
      zip(report.rateCounts, report.rates).map { count, shares -> JSONValue in
        ["n": integer(count), "percent": count > 0 ? .array(shares.map(percent)) : .null]
      })
  }

  private static func integer(_ count: Int) -> JSONValue { .integer(Int64(count)) }

  private static func percent(_ share: Double) -> JSONValue { .number(share * 100) }
}
