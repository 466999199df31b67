import Arguments
import Foundation
import StructuredText
import Testing

@testable import loopsim

@Suite("The predict command")
struct PredictCommandTests {
  private func run(_ text: String, _ words: [String] = []) async throws -> (
    code: Int32, output: String, error: String
  ) {
    let folder = try Scratch()
    let path = folder.file("input.json")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return await program(["predict", path] + words)
  }

  private static func input(glucose: String) -> String {
    let dates = #""startDate": "2024-06-01T06:00:00Z", "endDate": "2024-06-02T06:00:00Z""#
    return """
      {"predictionStart": "2024-06-01T12:02:30Z", "glucoseHistory": [\(glucose)],
       "doses": [], "carbEntries": [],
       "basal": [{\(dates), "value": 1}], "sensitivity": [{\(dates), "value": 50}],
       "carbRatio": [{\(dates), "value": 10}],
       "target": [{\(dates), "lowerBound": 100, "upperBound": 110}],
       "suspendThreshold": 75, "maxBolus": 5, "maxBasalRate": 4}
      """
  }

  private static let sample = #"{"date": "2024-06-01T12:00:00Z", "value": 155}"#

  @Test("A lone glucose above the range asks for 1 U to the middle, and gives 0.4 of it")
  func recommendation() async throws {
    let result = try await run(Self.input(glucose: Self.sample))
    #expect(result.code == 0 && result.error.isEmpty)
    let root = JSONReader.read(text: result.output, file: "output").root
    let bolus = root?["recommendation"]?["automatic"]?["bolusUnits"]?.double
    #expect(bolus.map { abs($0 - 0.4) < 1e-12 } == true)
  }

  @Test("The text format explains the same decision")
  func explanation() async throws {
    let result = try await run(Self.input(glucose: Self.sample), ["--format", "text"])
    #expect(result.code == 0)
    #expect(result.output.contains("Recommended: a bolus of 0.40 U"))
    #expect(result.output.contains("Not a medical device"))
  }

  @Test("An error of the algorithm is an output with exit code 0")
  func algorithmError() async throws {
    let result = try await run(Self.input(glucose: ""))
    #expect(result.code == 0)
    #expect(result.output.contains("\"error\" : \"missingGlucose\""))
  }

  @Test("A malformed file exits 65 with the place of each problem, and prints no output")
  func malformed() async throws {
    let result = try await run(Self.input(glucose: #"{"date": "noon", "value": 155}"#))
    #expect(result.code == 65 && result.output.isEmpty)
    #expect(result.error.contains(":1:73: error: \"glucoseHistory[0].date\" must be a date"))
  }
}
