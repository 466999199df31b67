import StructuredText
import Testing

@testable import Formats

@Suite("Import of Tidepool tables")
struct TidepoolTableTests {
  /// A small table in the shape of the first risk scenarios.
  static let rows = [
    ["setting_name", "settings", "0", "1"],
    ["model", "[360.0, 55]"], ["suspend_threshold", "72"], ["max_basal_rate", "2.5"],
    ["max_bolus", "9"], ["retrospective_correction_enabled", "TRUE"],
    ["time_to_calculate_at", "", "2/3/2021 8:00:00"],
    ["basal_rate_start_times", "", "0:00:00"], ["basal_rate_values", "", ".6"],
    ["actual_basal_rates", "", "0.5"],
    ["carb_dates", "", "2/3/2021 8:00:00", "2/3/2021 8:15:00"], ["carb_values", "", "40", "40"],
    ["actual_carbs", "", "30", "0"], ["carb_absorption_times", "", "180", "180"],
    ["carb_ratio_start_times", "", "0:00:00"], ["carb_ratio_values", "", "20"],
    ["actual_carb_ratios", "", "20"],
    ["dose_types", "", "DoseType.bolus"], ["dose_start_times", "", "2/3/2021 8:00:00"],
    ["dose_end_times", "", "2/3/2021 8:00:00"], ["dose_values", "", "2"],
    ["actual_doses", "", "2"],
    ["sensitivity_ratio_start_times", "", "0:00:00"], ["sensitivity_ratio_values", "", "150"],
    ["actual_sensitivity_ratios", "", "140"],
    ["target_range_start_times", "", "0:00:00"], ["target_range_minimum_values", "", "100"],
    ["target_range_maximum_values", "", "120"],
    ["glucose_dates", "", "2/3/2021 7:55:00", "2/3/2021 8:00:00"],
    ["glucose_values", "", "110", "110"], ["actual_blood_glucose", "", "110", "110"],
  ]

  static func outcome(_ rows: [[String]], separator: String = "\t", file: String = "Scenario 1.tsv")
    -> ImportOutcome
  {
    let text = rows.map { row in
      row.map { $0.contains(separator) ? "\"\($0)\"" : $0 }.joined(separator: separator)
    }.joined(separator: "\n")
    return TidepoolTableImporter().importing(Array(text.utf8), file: file)
  }

  @Test("The programmed and the actual column of a table become therapy and patient")
  func importsATable() throws {
    let outcome = Self.outcome(Self.rows)
    let scenario = try #require(outcome.scenario)
    #expect(outcome.id == "scenario-1")
    #expect(scenario.at("clock", "duration") == "8h")
    #expect(scenario.at("therapy", "basal") == [["00:00", 0.6]])
    #expect(scenario.at("patient", "needs", "basal") == [["00:00", 0.5]])
    #expect(scenario.at("patient", "needs", "sensitivity") == [["00:00", 140]])
    #expect(scenario.at("therapy", "insulinModel") == "fiasp")
    #expect(scenario.at("app", "dosing") == "tempBasal")
    #expect(scenario.at("events")?.count == 3)
    #expect(scenario.at("events", "0", "meal", "grams") == 30)
    #expect(scenario.at("events", "0", "entry", "grams") == 40)
    #expect(scenario.at("events", "1", "bolus", "units") == 2)
    #expect(scenario.at("events", "2", "meal") == nil)
    #expect(scenario.at("history", "glucose", "flat") == 110)
  }

  @Test("Commas and tabs give the same scenario")
  func readsBothSeparators() {
    let tabs = Self.outcome(Self.rows)
    let commas = Self.outcome(Self.rows, separator: ",", file: "Scenario 1.csv")
    #expect(tabs.scenario == commas.scenario)
    #expect(tabs.scenario != nil)
  }

  @Test(
    "A table that cannot be used gives a located reason",
    arguments: [
      ("", ImportReason.syntax), ("a\tb\n", .syntax), ("setting_name\tsettings\n", .syntax),
      ("setting_name\tsettings\nmax_bolus\t3\n", .key),
    ])
  func refusesWithAReason(text: String, reason: ImportReason) {
    let outcome = TidepoolTableImporter().importing(Array(text.utf8), file: "x.tsv")
    #expect(outcome.scenario == nil)
    #expect(outcome.count(reason) == 1)
  }

  @Test("Unknown rows and surplus values are named")
  func namesWhatIsLost() {
    let unknown = Self.outcome(Self.rows + [["max_bolsu", "3"]])
    #expect(unknown.scenario != nil)
    #expect(unknown.problems.contains { $0.sentence.contains("Did you mean \"max_bolus\"?") })
    let surplus = Self.outcome(
      Self.rows.map { $0[0] == "carb_values" ? ["carb_values", "", "1", "2", "3"] : $0 })
    #expect(surplus.scenario == nil)
    #expect(surplus.count(.value) == 1)
  }
}
