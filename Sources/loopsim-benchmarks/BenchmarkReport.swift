import Foundation
import WorkCounting

/// Measurements as a table for people and as JSON for programs.
struct BenchmarkReport {
  let results: [Measurement]
  let walls: [WallMeasurement]
  /// The machine's load average before and after the measurements.
  let load: (before: Double, after: Double)

  private var build: String { Machine.isOptimised ? "release" : "debug" }

  var table: String {
    let header = ["case", "best", "median", "unit", "checksum"]
    let rows = results.map { result in
      [
        "\(result.suite)/\(result.benchmark.name)", decimal(result.best, 2),
        decimal(result.median, 2), "ns/\(result.benchmark.unit)", hexadecimal(result.checksum),
      ]
    }
    let widths = header.indices.map { column in
      ([header] + rows).map { $0[column].count }.max() ?? 0
    }
    let lines = ([header] + rows).map { row in
      row.indices.map { column in
        let gap = String(repeating: " ", count: widths[column] - row[column].count)
        let isNumber = column == 1 || column == 2
        return isNumber ? gap + row[column] : row[column] + gap
      }.joined(separator: "  ")
    }
    let machine =
      "\(build) build, \(Machine.processors) processors, load average "
      + "\(decimal(load.before, 2)) before and \(decimal(load.after, 2)) after"
    let cohorts = walls.map { wall in
      "\(wall.name): \(decimal(wall.seconds, 2)) s on the wall with \(wall.tasks) tasks, "
        + "\(decimal(wall.processorSeconds, 2)) s of processor time, "
        + "peak \(decimal(wall.peakMegabytes, 0)) MB, \(hexadecimal(wall.checksum))"
    }
    let table = results.isEmpty ? [] : lines + [""]
    let list = cohorts.isEmpty ? [] : cohorts + [""]
    let ratios = ClosedLoopSuite.ratioToBody(results)
    let beside = ratios.isEmpty ? [] : ratios + [""]
    return (table + beside + list + [machine]).joined(separator: "\n")
  }

  var json: String {
    let rows = results.map { result in
      """
          {"case": "\(result.suite)/\(result.benchmark.name)", "unit": "\(result.benchmark.unit)", \
      "best_ns": \(decimal(result.best, 3)), "median_ns": \(decimal(result.median, 3)), \
      "units": \(result.benchmark.units), "rows": \(result.work.rows), \
      "points": \(result.work.points), "checksum": "\(hexadecimal(result.checksum))"}
      """
    }
    let cohorts = walls.map { wall in
      """
          {"case": "\(wall.name)", "seconds": \(decimal(wall.seconds, 4)), \
      "processor_seconds": \(decimal(wall.processorSeconds, 4)), "tasks": \(wall.tasks), \
      "peak_MB": \(decimal(wall.peakMegabytes, 1)), "checksum": "\(hexadecimal(wall.checksum))"}
      """
    }
    return """
      {
        "build": "\(build)",
        "processors": \(Machine.processors),
        "load_average": [\(decimal(load.before, 2)), \(decimal(load.after, 2))],
        "cases": [
      \(rows.joined(separator: ",\n"))
        ],
        "cohorts": [
      \(cohorts.joined(separator: ",\n"))
        ]
      }
      """
  }

  private func decimal(_ number: Double, _ places: Int) -> String {
    String(format: "%.\(places)f", number)
  }

  private func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
