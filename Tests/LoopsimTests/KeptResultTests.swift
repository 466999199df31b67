import Foundation
import Testing

@testable import loopsim

@Suite("Where results are kept")
struct KeptResultTests {
  @Test(
    "The folders are those below Scenarios, the last of that name, however the file is named",
    arguments: [
      ("/home/a/Scenarios/meals/late.json5", "kept/meals/x"),
      ("/home/a/Scenarios/late.json5", "kept/x"),
      ("/Scenarios/old/Scenarios/a/b/late.json5", "kept/a/b/x"),
      ("/home/a/Scenarios/meals/../pump/late.json5", "kept/pump/x"),
      ("/home/a/cases/late.json5", "kept/x"), ("/home/a/Scenarios.json5", "kept/x"),
    ])
  func folders(file: String, folder: String) {
    #expect(KeptResult.folder(of: "x", file: file, below: "kept") == folder)
  }

  @Test("A file is found again from any folder in which the command is given")
  func anywhere() throws {
    let scratch = try Scratch()
    let folder = scratch.url.appendingPathComponent("Scenarios/meals")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Files.write(
      """
      { format: 'loopsim/1', clock: { duration: '1h' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' } }
      """, to: folder.appendingPathComponent("late.json5").path)
    let update = ["verify", "--update"]
    let environment = ["CI": ""]
    #expect(try Binary.run(update, environment: environment, in: scratch.url).code == 0)
    #expect(try scratch.text(of: "Results/meals/late/summary.json").contains("\"digest\""))
    let within = try Binary.run(
      ["verify", "late.json5", "--results", scratch.file("Results")], in: folder)
    #expect(within.code == 0, "\(within.output)")
  }
}
