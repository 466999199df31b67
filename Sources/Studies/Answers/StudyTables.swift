internal import Outcomes
internal import Scenarios
internal import StructuredText

extension StudyAnalysis {
  /// One row for each patient, comparison and end point.
  public var patientsTable: [UInt8] {
    var writer = CSVWriter(header: [
      "patient", "group", "comparison", "endpoint", "control", "treatment", "difference",
      "better", "replicates", "sd_within", "harmed",
    ])
    for comparison in comparisons {
      for result in comparison.results {
        for patient in result.patients {
          let within = Statistics.standardDeviation(patient.replicates)
          writer.append(row: [
            patient.id, patient.group, Self.name(comparison), result.endPoint.id,
            CaseRow.text(patient.control), CaseRow.text(patient.treatment),
            CaseRow.text(patient.difference), "\(patient.benefit)",
            "\(patient.replicates.count)", within.map(CaseRow.text) ?? "",
            patient.harmed?.rawValue ?? "",
          ])
        }
      }
    }
    return writer.bytes
  }

  /// One row for each newly harmed patient and end point, the worst first.
  public var harmsTable: [UInt8] {
    var writer = CSVWriter(header: [
      "comparison", "endpoint", "rule", "patient", "group", "control", "treatment", "difference",
    ])
    for comparison in comparisons {
      for result in comparison.harms {
        for patient in result.newlyHarmed {
          writer.append(row: [
            Self.name(comparison), result.endPoint.id, result.endPoint.harm?.words ?? "",
            patient.id, patient.group, CaseRow.text(patient.control),
            CaseRow.text(patient.treatment), CaseRow.text(patient.difference),
          ])
        }
      }
    }
    return writer.bytes
  }

  /// One row for each point of a sweep; `nil` without one.
  public var surfaceTable: [UInt8]? {
    guard study.plan.points > 1 else { return nil }
    guard study.design.sampled == nil else { return pointsTable }
    let paths = study.sweptPaths
    var writer = CSVWriter(
      header: ["point", "comparison"] + paths + [
        "n", "newly_harmed", "harmed_lower", "harmed_upper", "mean_difference", "lower", "upper",
        "worst_difference", "lethal_control", "lethal_treatment", "safe",
      ])
    for comparison in comparisons {
      guard let first = comparison.results.first else { continue }
      let harm = comparison.harms.first
      let newly = harm?.newlyHarmed.count
      let share = harm.flatMap { ShareOfPatients(newly ?? 0, of: $0.count) }?
        .interval(confidence: study.design.confidence)
      let worst = first.patients.map(\.difference).sorted().last
      let least = first.patients.map(\.difference).sorted().first
      let isLowerBetter = first.endPoint.better == .lower
      var row = ["\(comparison.point)", Self.name(comparison)]
      row += paths.map { path in comparison.settings.first { $0.path == path }?.value ?? "" }
      row += ["\(first.count)", newly.map { "\($0)" } ?? ""]
      row += [
        share?.lowerBound, share?.upperBound, first.differences?.mean, first.interval?.lower,
        first.interval?.upper, isLowerBetter ? worst : least,
      ].map { $0.map(CaseRow.text) ?? "" }
      row += [
        "\(comparison.lethalRuns.control)", "\(comparison.lethalRuns.treatment)",
        "\(isSafe(comparison))",
      ]
      writer.append(row: row)
    }
    return writer.bytes
  }

  /// Whether the first primary goal is met at the shared level and no run more was lethal.
  public func isSafe(_ comparison: Comparison) -> Bool {
    comparison.results.first?.test?.isMet == true
      && comparison.lethalRuns.treatment <= comparison.lethalRuns.control
  }

  static func name(_ comparison: Comparison) -> String {
    "\(comparison.treatment) - \(comparison.control)"
  }
}

extension EndPointResult {
  /// The newly harmed patients, the worst first.
  public var newlyHarmed: [PatientResult] {
    patients.filter { $0.harmed == .newly }.sorted { left, right in
      left.difference == right.difference
        ? left.id < right.id : left.difference.magnitude > right.difference.magnitude
    }
  }
}
