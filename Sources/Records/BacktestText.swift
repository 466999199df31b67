internal import Quantities
public import StructuredText

/// A backtest as text and as tables.
public enum BacktestText {
  /// The errors of one or more therapies, held beside one another.
  public static func lines(_ backtests: [Backtest]) -> [String] {
    var lines: [String] = []
    for backtest in backtests {
      let failed = backtest.rows.count { $0.error != nil }
      lines.append(
        "\(backtest.name): \(backtest.rows.count) cycles"
          + (failed > 0 ? ", \(failed) without a prediction" : ""))
      lines.append(
        "  prediction minus reading, mg/dL   ahead      n     bias     RMSE      MAE")
      for group in backtest.errors {
        for horizon in group.horizons where horizon.count > 0 {
          let figures = [horizon.bias, horizon.rootMeanSquare, horizon.meanAbsolute].map {
            pad(FixedDecimal.text($0, decimals: 1), to: 8)
          }
          lines.append(
            "  " + padEnd("\(group.group) (\(group.cycles) cycles)", to: 32)
              + pad("\(Int(horizon.ahead.minutes)) min", to: 7)
              + pad("\(horizon.count)", to: 7) + " " + figures.joined(separator: " "))
        }
      }
    }
    lines += [
      "Errors are those of the prediction under what was really given. What another dose would",
      "have done is not known. Not a medical device; no figure here is an advice.",
    ]
    return lines
  }

  /// The cycles as a table.
  public static func table(_ backtest: Backtest) -> [UInt8] {
    let ahead = Backtest.horizons.map { "\(Int($0.minutes))min" }
    var writer = CSVWriter(
      header: ["time", "glucose_mgdL", "iob_U", "cob_g"] + ahead.map { "predicted_\($0)_mgdL" }
        + ahead.map { "observed_\($0)_mgdL" }
        + ["temp_basal_U_per_h", "automatic_bolus_U", "delivered_next_5min_U", "error"])
    for row in backtest.rows {
      writer.field(row.instant.description)
      writer.field(row.glucose, decimals: 1)
      writer.field(row.insulinOnBoard, decimals: 4)
      writer.field(row.carbsOnBoard, decimals: 2)
      for value in row.predicted { writer.field(value, decimals: 2) }
      for value in row.observed { writer.field(value, decimals: 1) }
      writer.field(row.tempBasal, decimals: 3)
      writer.field(row.bolus, decimals: 3)
      writer.field(row.delivered, decimals: 4)
      writer.field(row.error ?? "")
    }
    return writer.bytes
  }

  /// The errors as JSON.
  public static func json(_ backtests: [Backtest]) -> JSONValue {
    [
      "format": "loopsim-backtest/1",
      "therapies": .array(
        backtests.map { backtest in
          [
            "name": .string(backtest.name), "cycles": .integer(Int64(backtest.rows.count)),
            "errors": .array(backtest.errors.map(json)),
          ]
        }),
    ]
  }

  private static func json(_ errors: PredictionErrors) -> JSONValue {
    [
      "group": .string(errors.group), "cycles": .integer(Int64(errors.cycles)),
      "horizons": .array(
        errors.horizons.map { horizon in
          [
            "minutes": .integer(Int64(horizon.ahead.minutes)),
            "count": .integer(Int64(horizon.count)), "bias_mgdL": .number(horizon.bias),
            "rmse_mgdL": .number(horizon.rootMeanSquare),
            "mae_mgdL": .number(horizon.meanAbsolute),
          ]
        }),
    ]
  }

  private static func pad(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private static func padEnd(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
