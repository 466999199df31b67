import Foundation
import Testing

@testable import loopsim

@Suite("A store that a command has changed is closed before anything is printed")
struct StoreClosedTests {
  @Test(
    "Where nobody can take the words, no log stays beside the store",
    arguments: [
      ["add", "BodyMass", "80", "--at", "2026-01-02T00:00:00Z"],
      ["authorize", "Loop", "BloodGlucose", "--read", "deny"],
      ["person", "WheelchairUse", "Yes"], ["unit", "BodyMass", "lb"],
      ["priority", "BloodGlucose", "Loop"],
    ])
  func fullOutput(words: [String]) throws {
    let fixture = try StoreFixture()
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let line = ["store", words[0], fixture.path] + words.dropFirst()
    let result = try Binary.run(line, output: full)
    #expect(result.code == 74, "\(result.error)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: fixture.folder) == ["health.sqlite"])
  }

  @Test("So it is of samples that are taken over from a file", arguments: ["import", "restore"])
  func fullOutputOfFiles(command: String) throws {
    let (fixture, other) = (try StoreFixture(), try StoreFixture())
    let file = other.folder + "/export.xml"
    #expect(try Binary.run(["store", "export", other.path, file]).code == 0)
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let result = try Binary.run(["store", command, fixture.path, file], output: full)
    #expect(result.code == 74, "\(result.error)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: fixture.folder) == ["health.sqlite"])
  }
}
