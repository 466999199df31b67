import Arguments
import Foundation
import StructuredText
import Testing

@testable import loopsim

@Suite("What run says of its files")
struct RunOfFilesTests {
  @Test("A run prints the warnings that check prints, and strictly they stop it")
  func warnings() async throws {
    let scratch = try Scratch()
    let file = scratch.file("night.json5")
    let text = scenario().replacingOccurrences(
      of: "closedLoop: false", with: "closedLoop: false, applicationFactor: 0.5")
    try Files.write(text, to: file)
    let out = scratch.file("out")
    let result = await program(["run", file, "--out", out])
    #expect(result.code == 0, "\(result.error)")
    #expect(result.error.contains("[W-NOEFFECT]"))
    #expect(result.error.split(separator: "\n").count == 1, "\(result.error)")
    let check = await program(["check", file])
    #expect(check.output == result.error)
    let junit = scratch.file("junit.xml")
    let strict = await program(
      ["run", file, "--strict", "--out", scratch.file("none"), "--junit", junit])
    #expect(strict.code == 65)
    #expect(!FileManager.default.fileExists(atPath: scratch.file("none")))
    #expect(try scratch.text(of: "junit.xml").contains("<error message="))
  }

  @Test("What is idle in one variant and acts in another stops no strict run")
  func idleInOneVariant() async throws {
    let scratch = try Scratch()
    let file = scratch.file("noise.json5")
    func text(_ other: String) -> String {
      """
      { format: 'loopsim/1', id: 'noise', clock: { duration: '1h' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001', insulinType: 'fiasp' },
        cgm: { model: 'ar1', noise: { sd: 5 } },
        variants: { \(other), exact: { cgm: { model: 'ideal' }, pump: { model: 'continuous' } } } }
      """
    }
    try Files.write(text("noisy: {}"), to: file)
    let out = scratch.file("out")
    let result = await program(["run", file, "--strict", "--out", out])
    #expect(result.code == 0, "\(result.output)\(result.error)")
    #expect(!result.error.contains("[W-NOEFFECT]"), "\(result.error)")
    let check = await program(["check", file, "--strict"])
    #expect(check.code == 0, "\(check.output)")
    // A single run is no other than it is among all.
    let only = await program(["run", file, "--strict", "--run", "noise/exact", "--out", out])
    #expect(only.code == 0, "\(only.error)")
    try Files.write(text("also: { cgm: { model: 'ideal' } }"), to: file)
    let refused = await program(["run", file, "--strict", "--out", scratch.file("none")])
    #expect(refused.code == 65)
    #expect(refused.error.contains(":3:31: warning: noise has no effect"), "\(refused.error)")
  }

  @Test("One bad file among others is one error, and the others run")
  func badFile() async throws {
    let scratch = try Scratch()
    try Files.write(scenario(), to: scratch.file("good.json5"))
    try Files.write("{ format: 'loopsim/1', clock: {", to: scratch.file("bad.json5"))
    let junit = scratch.file("junit.xml")
    let result = await program(
      ["run", scratch.path, "--out", scratch.file("out"), "--junit", junit])
    #expect(result.code == 65)
    #expect(FileManager.default.fileExists(atPath: scratch.file("out/quiet-night")))
    let xml = try scratch.text(of: "junit.xml")
    // The good file's run and its two expectations, and the bad file.
    #expect(xml.contains("tests=\"4\" failures=\"0\" errors=\"1\""), "\(xml)")
    // It is the first failure, at which a batch may stop.
    let stopped = await program(
      ["run", scratch.path, "--fail-fast", "--out", scratch.file("none"), "--junit", junit])
    #expect(stopped.code == 65 && stopped.error.contains("bad.json5:1:"), "\(stopped.error)")
    #expect(!FileManager.default.fileExists(atPath: scratch.file("none")))
    #expect(try scratch.text(of: "junit.xml").contains("tests=\"1\" failures=\"0\" errors=\"1\""))
  }
}
