import Foundation
import Reports
import StructuredText
import TestSupport
import Testing

@testable import loopsim

@Suite("Figures of what a health store was told")
struct ReportingFiguresTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  private func reporting(of run: String?, in file: String) throws -> JSONValue {
    let planned = try RunSelection(run, in: Self.root + "/Scenarios/" + file).planned
    return try #require(ScenarioBatch.carryOut(planned, seed: nil).summary).reporting
  }

  @Test("Of a sample that began before the start only the rest tells of what came after it")
  func sampleAcrossTheStart() throws {
    // The sample of the pre-roll tells of eight hours at 0.4 U/h before the start.
    let told = try reporting(of: "reservoir-tells/history", in: "pump/reservoir-tells.json5")
    #expect(told["extra_U"] == .number(0))
    #expect(told["missing_U"] == .number(0))
  }

  @Test("A dose from outside at the first instant of a run is among what the store tells of")
  func doseAtTheStart() throws {
    let told = try reporting(of: "lethal-low/floor", in: "bodies/lethal-low.json5")
    #expect(told["external_U"] == .number(5))
  }

  @Test("A bolus that is assumed tells of the whole bolus, and no more than it was is extra")
  func assumedBolus() throws {
    let file = "risks/pod-lost-uncertain.json5"
    let expected = [("given", 0.0), ("part", 0.8), ("not", 2.0)]
    for (variant, extra) in expected {
      let told = try reporting(of: "pod-lost-uncertain/\(variant)", in: file)
      #expect(told["missing_U"] == .number(0), "\(variant)")
      #expect(told["extra_U"] == .number(extra), "\(variant)")
    }
  }
}
