internal import Outcomes
internal import RunPlans
internal import StructuredText

/// The tables of a study's results, as the bytes of files of comma-separated values.
public struct StudyTables {
  private let analysis: StudyAnalysis
  private var study: StudyProtocol { analysis.study }

  /// Takes the results of a study.
  public init(_ analysis: StudyAnalysis) { self.analysis = analysis }

  /// One row for each patient, comparison and end point.
  public var patients: [UInt8] {
    var writer = CSVWriter(header: StudyColumns.patients.map(\.name))
    for comparison in analysis.comparisons {
      for result in comparison.results {
        for patient in result.patients {
          let within = Statistics.standardDeviation(patient.replicates)
          writer.append(row: [
            patient.id, patient.group, Self.name(comparison), result.endPoint.id,
            CaseRow.text(patient.control), CaseRow.text(patient.treatment),
            CaseRow.text(patient.difference), "\(patient.benefit)",
            "\(patient.replicates.count)", within.map(CaseRow.text) ?? "",
            patient.harmed?.rawValue ?? "", result.endPoint.unit,
          ])
        }
      }
    }
    return writer.bytes
  }

  /// One row for each newly harmed patient and end point, the worst first.
  public var harms: [UInt8] {
    var writer = CSVWriter(header: StudyColumns.harms.map(\.name))
    for comparison in analysis.comparisons {
      for result in comparison.harms {
        for patient in result.newlyHarmed {
          writer.append(row: [
            Self.name(comparison), result.endPoint.id, result.endPoint.harm?.words ?? "",
            patient.id, patient.group, CaseRow.text(patient.control),
            CaseRow.text(patient.treatment), CaseRow.text(patient.difference),
            result.endPoint.unit,
          ])
        }
      }
    }
    return writer.bytes
  }

  /// One row for each point of a sweep, with the differences of the first end point; `nil` without
  /// one.
  public var surface: [UInt8]? {
    guard study.plan.points > 1 else { return nil }
    guard study.design.sampled == nil else { return points }
    let paths = study.sweptPaths
    var writer = CSVWriter(
      header: StudyColumns.surfaceHead.map(\.name) + paths
        + StudyColumns.surfaceRest.map(\.name))
    for comparison in analysis.comparisons {
      guard let first = comparison.results.first else { continue }
      let harm = comparison.harmed
      let newly = harm?.newly
      let share = harm.flatMap { ShareOfPatients(newly ?? 0, of: $0.count) }?
        .interval(confidence: study.design.confidence)
      let worst = first.patients.map(\.difference).sorted().last
      let least = first.patients.map(\.difference).sorted().first
      let isLowerBetter = first.endPoint.better == .lower
      let interval = first.toldInterval
      var row = ["\(comparison.point)", "\(comparison.treatment) - \(comparison.control)"]
      row += paths.map { path in comparison.settings.first { $0.path == path }?.value ?? "" }
      row += ["\(first.count)", newly.map { "\($0)" } ?? ""]
      row += [
        share?.lowerBound, share?.upperBound, first.differences?.mean, interval?.lower,
        interval?.upper, isLowerBetter ? worst : least,
      ].map { $0.map(CaseRow.text) ?? "" }
      row += [
        "\(comparison.lethalRuns.control)", "\(comparison.lethalRuns.treatment)",
        "\(comparison.isSafe)", first.endPoint.id, first.endPoint.unit,
      ]
      writer.append(row: row)
    }
    return writer.bytes
  }

  /// One row for each point of a sampled sweep: its settings, and the mean of every end point.
  ///
  /// It is all that other programs need to estimate indices of their own.
  private var points: [UInt8] {
    let paths = study.sweptPaths
    let places = ["point"] + paths
    var writer = CSVWriter(
      header: places + analysis.sensitivity.map { $0.endPoint.column(beside: places) })
    for point in 0..<study.plan.points {
      let settings = study.settings(at: point)
      let values = analysis.sensitivity.map {
        $0.values.isEmpty ? "" : CaseRow.text($0.values[point])
      }
      writer.append(row: ["\(point)"] + settings.map { StudyNumber.setting($0.value) } + values)
    }
    return writer.bytes
  }

  /// One row for each end point and setting of a sampled sweep; `nil` without one.
  public var sensitivity: [UInt8]? {
    guard let sampled = study.design.sampled else { return nil }
    let isOfEffects = sampled.method == .morris
    // Shares of a variance have no unit.
    let numbers = isOfEffects ? StudyColumns.effects.dropLast() : StudyColumns.indices
    let columns = isOfEffects ? StudyColumns.morris : StudyColumns.sobol
    var writer = CSVWriter(header: columns.map(\.name))
    for result in analysis.sensitivity {
      let figures = Self.figures(result)
      for place in sampled.sample.paths.indices {
        // Of an end point of which nothing can be told the cells are empty.
        let cells =
          figures.indices.contains(place)
          ? figures[place].map(CaseRow.text) : numbers.map { _ in "" }
        writer.append(
          row: [result.endPoint.id, sampled.sample.paths[place], sampled.laws[place]] + cells
            + (isOfEffects ? [result.endPoint.unit] : []))
      }
    }
    return writer.bytes
  }

  /// A comparison in one cell, with the point of the sweep at which it stands.
  private static func name(_ comparison: StudyComparison) -> String {
    "\(comparison.name) - \(comparison.control)"
  }

  /// The estimates of each setting as numbers, in the order of the columns of the table.
  private static func figures(_ result: SensitivityResult) -> [[Double]] {
    switch result.estimates {
    case .sobol(let indices):
      indices.map {
        [
          $0.first, $0.firstInterval.lowerBound, $0.firstInterval.upperBound, $0.total,
          $0.totalInterval.lowerBound, $0.totalInterval.upperBound,
        ]
      }
    case .morris(let effects): effects.map { [$0.meanSize, $0.standardDeviation] }
    case .none: []
    }
  }
}
