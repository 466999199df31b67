internal import Quantities

extension BacktestText {
  /// The columns of the table of cycles, each with what it means.
  public static var columns: [(name: String, meaning: String)] {
    let ahead = Backtest.horizons.map { Int($0.minutes) }
    return [
      ("time", "of the cycle, in UTC"), ("glucose_mgdL", "the reading that began it, mg/dL"),
      ("iob_U", "net insulin on board by what was known, U; empty where nothing could be reckoned"),
      ("cob_g", "carbohydrates on board, g; empty alike"),
    ]
      + ahead.map {
        ("predicted_\($0)min_mgdL", "the prediction for \($0) minutes later, mg/dL; empty alike")
      }
      + ahead.map {
        ("observed_\($0)min_mgdL", "the reading then, mg/dL; empty where there is none")
      } + [
        ("temp_basal_U_per_h", "the rate that is recommended, U/h; empty where nothing is"),
        ("automatic_bolus_U", "the bolus that is recommended, U; empty where none is"),
        (
          "delivered_next_5min_U",
          "what the record says was given in the five minutes from the cycle on, all boluses too, U"
        ), ("error", "why nothing is recommended; else empty"),
      ]
  }

  /// The columns of the table of the linear estimate, each with what it means.
  public static let estimateColumns: [(name: String, meaning: String)] = [
    ("time", "of the cycle, in UTC"), ("observed_mgdL", "the reading, mg/dL"),
    ("estimated_mgdL", "what it might have been under the therapy, mg/dL"),
    (
      "given_by_loop_U",
      "basal and automatic boluses until the next cycle, or for fifteen minutes where that is "
        + "later, with scheduled basal where the record does not say what basal was given, U"
    ), ("given_by_therapy_U", "what the therapy would have given in that time, U"),
  ]
}
