import Arguments
import Foundation
import Synchronization
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

  @Test("So it is when a warning is told of a fact that was another")
  func warnings() async throws {
    let fixture = try StoreFixture()
    func words(_ birth: String) throws -> [String] {
      let path = "\(fixture.folder)/\(birth).xml"
      try """
      <HealthData locale="en_US">
      <Me HKCharacteristicTypeIdentifierDateOfBirth="\(birth)"/>
      </HealthData>
      """.write(toFile: path, atomically: true, encoding: .utf8)
      return ["store", "import", fixture.path, path]
    }
    let first = await program(try words("1990-05-17"))
    #expect(first.code == 0, "\(first.error)")
    let console = FolderConsole(fixture.folder)
    #expect(await Loopsim.run(try words("1991-05-17"), to: console) == 0)
    let told = console.told
    #expect(told.contains { $0.text.contains("the DateOfBirth was 1990-05-17 here") })
    for (text, names) in told {
      #expect(names == ["1990-05-17.xml", "1991-05-17.xml", "health.sqlite"], "\(text)")
    }
  }
}

/// A console that keeps what lies in a folder whenever something is written to it.
private final class FolderConsole: Console {
  private let folder: String
  private let entries = Mutex<[(text: String, names: [String])]>([])
  let width = 80

  init(_ folder: String) { self.folder = folder }

  var told: [(text: String, names: [String])] { entries.withLock { $0 } }

  func write(_ text: String, to stream: ConsoleStream) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
    entries.withLock { $0.append((text, names)) }
  }

  func isTerminal(_ stream: ConsoleStream) -> Bool { false }
}
