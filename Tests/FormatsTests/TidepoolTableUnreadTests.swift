import StructuredText
import Testing

@testable import Formats

@Suite("Cells of Tidepool tables that have no effect")
struct TidepoolTableUnreadTests {
  /// The table of the other suite with rows in place of those of their names, or after them.
  private func outcome(_ changed: [[String]], literal: Bool = false) -> ImportOutcome {
    var rows = TidepoolTableTests.rows
    for row in changed {
      if let index = rows.firstIndex(where: { $0[0] == row[0] }) {
        rows[index] = row
      } else {
        rows.append(row)
      }
    }
    let text = rows.map { $0.joined(separator: "\t") }.joined(separator: "\n")
    return TidepoolTableImporter(mode: literal ? .literal : .asIntended)
      .importing(Array(text.utf8), file: "Scenario 1.tsv")
  }

  private func warnings(_ outcome: ImportOutcome) -> [String] {
    outcome.problems.filter { $0.severity == .warning }.map(\.sentence)
  }

  @Test(
    "A cell is named that says something else than those that are read",
    arguments: [
      (
        ["time_to_calculate_at", "", "2/3/2021 8:00:00", "2/3/2021 9:00:00"], "one value, the first"
      ),
      (["offset_applied_to_dates", "", "0", "7200"], "one value, the first"),
      (["dose_end_times", "", "2/3/2021 10:00:00"], "this end has no effect"),
      (["basal_rate_minutes", "", "60"], "\"basal_rate_minutes\" has no effect"),
      (["sensitivity_ratio_end_times", "", "6:00:00"], "\"sensitivity_ratio_end_times\" has no"),
      (["target_range_end_times", "", "", "0:00:00"], "\"target_range_end_times\" has no effect"),
      (["", "", "2/3/2021 9:00:00", "50"], "no name in its first column"),
      (
        ["dose_start_times", "", "2/3/2021 8:00:00", "2/3/2021 9:00:00"],
        "has a time in a column in which no row has an amount"
      ),
    ])
  func namesWhatHasNoEffect(row: [String], words: String) {
    let outcome = outcome([row])
    #expect(outcome.scenario != nil)
    let found = warnings(outcome)
    #expect(found.count == 1 && found.allSatisfy { $0.contains(words) }, "\(found)")
  }

  @Test("A word that is neither yes nor no is named", arguments: ["on", "enabled", "FALSE", "T"])
  func words(word: String) {
    let found = warnings(outcome([["dynamic_carb_absorption_enabled", word]]))
    let isNamed = found.contains { $0.contains("takes \"\(word)\" for no") }
    #expect(isNamed == ["on", "enabled"].contains(word), "\(found)")
  }

  @Test("Ends and lengths that are those of the starts are no news")
  func endsThatAgree() {
    let outcome = outcome([
      ["basal_rate_start_times", "", "0:00:00", "6:00:00"], ["basal_rate_values", "", ".6", ".8"],
      ["actual_basal_rates", "", ".6", ".8"],
      // Six hours, and the eighteen until midnight.
      ["basal_rate_minutes", "", "360", "1080"], ["sensitivity_ratio_end_times", "", "0:00:00"],
      ["target_range_end_times", "", "0:00:00"], ["offset_applied_to_dates", "", "0"],
    ])
    #expect(outcome.scenario != nil)
    #expect(warnings(outcome).isEmpty, "\(warnings(outcome))")
  }

  @Test("A value of a schedule in a column without a start is refused, and not given to another")
  func misplacedPart() {
    let rows = [
      ["basal_rate_start_times", "", "0:00:00", "6:00:00"],
      ["basal_rate_values", "", ".6", "", ".9"], ["actual_basal_rates", "", ".6", ".8"],
    ]
    let intended = outcome(rows)
    #expect(intended.scenario == nil)
    #expect(
      intended.problems.contains {
        $0.sentence.contains("\"basal_rate_values\" has a value in a column in which")
      }, "\(intended.problems.map(\.sentence))")
    let literal = outcome(rows, literal: true)
    #expect(literal.scenario != nil)
    #expect(warnings(literal).contains { $0.contains("closes up the empty cells") })
  }

  @Test("Each reading has the unit of its column, and one without has the first")
  func unitsOfReadings() throws {
    let rows = [
      ["glucose_dates", "", "2/3/2021 7:50:00", "2/3/2021 7:55:00", "2/3/2021 8:00:00"],
      ["glucose_values", "", "108", "6", "108"],
      ["actual_blood_glucose", "", "108", "6", "108"],
      ["glucose_units", "", "mg/dL", "mmol/L"],
    ]
    let readings = try #require(outcome(rows).scenario?.at("history", "glucose"))
    #expect(readings.at("0") == ["-10m", 108])
    // 6 mmol/L of glucose, of 180.156 g/mol, are 108.1 mg/dL.
    guard case .number(let second)? = readings.at("1", "1") else {
      Issue.record("The second reading is no number: \(readings)")
      return
    }
    #expect(abs(second - 108.1) < 0.05)
    let literal = outcome(rows, literal: true)
    #expect(warnings(literal).contains { $0.contains("in \"mg/dL\", the first unit") })
  }
}
