import Foundation
import Processes
import TestSupport
import Testing

@testable import loopsim

@Suite("A batch that ends before its runs do")
struct EndedBatchTests {
  private static let scenario = """
    { format: 'loopsim/1', clock: { duration: '30m' },
      patient: { model: 'uva-padova-s2008', name: 'adult#001' },
      expect: [{ id: 'low', metric: 'mean', max: 1 }] }
    """

  @Test(
    "What there is of the reports is written when the batch is interrupted",
    arguments: [SIGTERM, SIGHUP, SIGUSR1, SIGXCPU])
  func interrupted(signal: Int32) throws {
    // Under nohup children go on when they are hung up.
    guard !OwnSignals.isIgnored(signal) else { return }
    let scratch = try Scratch()
    let long = Self.scenario.replacing("30m", with: Extent.of("12h", whole: "2d")).replacing(
      "patient:", with: "random: { replicates: 60 }, patient:")
    try Files.write(long, to: scratch.file("long.json5"))
    let process = Process()
    process.executableURL = Binary.program
    process.arguments = ["run", "long.json5", "--out", "out", "--junit", "j.xml", "-j1"]
    process.currentDirectoryURL = scratch.url
    let (output, error) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = error
    try process.run()
    // The first line is there when the first run is over.
    _ = output.fileHandleForReading.availableData
    // Not SIGINT: where a shell starts the tests in the background, children ignore that.
    _ = kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == signal)
    let said = String(decoding: error.fileHandleForReading.availableData, as: UTF8.self)
    #expect(said.contains("of 60 runs."))
    // Who reads the report alone must not take it for that of a whole batch.
    let report = try scratch.text(of: "j.xml")
    #expect(report.contains("errors=\"1\">\n  <testsuite"))
    #expect(report.hasSuffix("</testsuite>\n</testsuites>\n"))
    let words = try #require(said.split(separator: "\n").first { $0.hasPrefix("Interrupted") })
    #expect(report.contains("<error message=\"\(words)\" type=\"run\">"))
    #expect(try scratch.names.filter { $0.contains("partial") }.isEmpty)
  }

  @Test("A run whose program is killed as the batch is interrupted has not failed")
  func interruptedPrograms() throws {
    let scratch = try Scratch()
    try Files.write(
      Self.scenario.replacing("patient:", with: "random: { replicates: 2 }, patient:"),
      to: scratch.file("two.json5"))
    try Files.write(
      """
      while read -r line; do
        case $line in
          '{"type":"hello"'*) echo '{"type":"hello","protocol":1,"role":"controller"}' ;;
          '{"type":"begin"'*) echo '{"type":"ready"}' ;;
          *) echo asked >>asked; exec sleep 1000 ;;
        esac
      done
      """, to: scratch.file("slow.sh"))
    let process = Process()
    process.executableURL = Binary.program
    process.arguments = [
      "run", "two.json5", "--out", "out", "--junit", "j.xml", "-j2", "--controller",
      "sh \(scratch.file("slow.sh"))",
    ]
    process.currentDirectoryURL = scratch.url
    let error = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = error
    try process.run()
    let deadline = ContinuousClock.now + .seconds(60)
    while (try? scratch.text(of: "asked").count) != 12, ContinuousClock.now < deadline {
      usleep(10_000)
    }
    _ = kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    let said = String(decoding: error.fileHandleForReading.availableData, as: UTF8.self)
    #expect(said.contains("Interrupted after 0 of 2 runs."), "\(said)")
    #expect(!said.contains("signal"), "\(said)")
    let report = try scratch.text(of: "j.xml")
    #expect(report.contains("tests=\"1\" failures=\"0\" errors=\"1\">\n  <testsuite"), "\(report)")
    #expect(!report.contains("signal"), "\(report)")
    // The batch does not go on to say that its runs came to nothing.
    for name in ["runs.csv", "batch.json"] {
      #expect(!FileManager.default.fileExists(atPath: scratch.file("out/\(name)")), "\(name)")
    }
    #expect(try !scratch.names.contains { $0.contains("partial") })
  }

  @Test("No program is left that was being started when the batch was interrupted")
  func interruptedStarts() throws {
    let scratch = try Scratch()
    try Files.write(
      Self.scenario.replacing("30m", with: "10m").replacing(
        "patient:", with: "random: { replicates: 400 }, patient:"),
      to: scratch.file("many.json5"))
    // It ends when it is told that its run is over, and not where it hears no more.
    try Files.write(
      """
      echo $$ >>started
      while read -r line; do
        case $line in
          '{"type":"hello"'*) echo '{"type":"hello","protocol":1,"role":"controller"}' ;;
          '{"type":"begin"'*) echo '{"type":"ready"}' ;;
          '{"type":"decide"'*) echo '{"type":"act"}' ;;
          *) exit 0 ;;
        esac
      done
      sleep 1000
      """, to: scratch.file("stays.sh"))
    for round in 0..<Extent.of(4, whole: 20) {
      let process = Process()
      process.executableURL = Binary.program
      process.arguments = [
        "run", "many.json5", "-q", "--out", "out\(round)", "-j4", "--controller",
        "sh \(scratch.file("stays.sh"))",
      ]
      process.currentDirectoryURL = scratch.url
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      usleep(UInt32(500_000 + 20_000 * round))
      _ = kill(process.processIdentifier, SIGTERM)
      process.waitUntilExit()
    }
    let started = try scratch.text(of: "started").split(separator: "\n").compactMap { Int32($0) }
    #expect(!started.isEmpty)
    // The kernel ends them in its own time.
    let deadline = ContinuousClock.now + .seconds(10)
    func left() -> [Int32] {
      started.filter {
        let words = try? String(contentsOfFile: "/proc/\($0)/cmdline", encoding: .utf8)
        return words?.contains(scratch.file("stays.sh")) == true
      }
    }
    while !left().isEmpty, ContinuousClock.now < deadline { usleep(10_000) }
    #expect(left().isEmpty)
    for process in left() { _ = kill(process, SIGKILL) }
  }

  // Whoever starts the tests may ignore SIGPIPE, and a child inherits that: each case says which.
  @Test(
    "Nothing unfinished is left where the output cannot be written",
    arguments: [
      ("env --default-signal=PIPE \"$0\" \"$@\" | head -n 1", 0, "Interrupted after "),
      ("env --ignore-signal=PIPE \"$0\" \"$@\" | head -n 1", 0, "cannot be written: Broken pipe"),
      ("exec \"$0\" \"$@\" >/dev/full", 74, "cannot be written: No space left on device"),
    ])
  func unwritable(script: String, code: Int32, said: String) throws {
    let scratch = try Scratch()
    let long = Self.scenario.replacing("30m", with: "7d").replacing(
      "patient:", with: "random: { replicates: 8 }, patient:")
    try Files.write(long, to: scratch.file("long.json5"))
    let command = ["run", "long.json5", "--out", "out", "--junit", "j.xml", "-j2"]
    let result = try Binary.run(command, in: scratch.url, through: script)
    #expect(result.code == code)
    // Only a reader that has gone interrupts; what cannot be written says itself why it ends.
    let interrupted = said.hasPrefix("Interrupted")
    let report = try scratch.text(of: "j.xml")
    for text in [result.error, report] {
      #expect(text.contains(said), "\(text)")
      #expect(text.contains("Interrupted after ") == interrupted, "\(text)")
      #expect(text.contains("Standard output cannot be written") == !interrupted, "\(text)")
    }
    let words = interrupted ? "Interrupted" : "Broken off"
    #expect(report.contains("<error message=\"\(words) after "), "\(report)")
    #expect(report.contains(" of 8 runs"))
    let left = try #require(FileManager.default.enumerator(atPath: scratch.file("out")))
    #expect(left.compactMap { $0 as? String }.filter { $0.contains("partial") } == [])
  }

  @Test(
    "A batch that was started to ignore a terminal that is gone, or Ctrl-C, goes on",
    arguments: [("HUP", SIGHUP), ("INT", SIGINT)])
  func ignores(name: String, number: Int32) throws {
    let scratch = try Scratch()
    let long = Self.scenario.replacing("max: 1", with: "min: 1").replacing(
      "patient:", with: "random: { replicates: 20 }, patient:")
    try Files.write(long, to: scratch.file("long.json5"))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments =
      ["-c", "trap '' \(name); exec \"$0\" \"$@\"", Binary.program.path]
      + ["run", "long.json5", "--out", "out", "-j1"]
    process.currentDirectoryURL = scratch.url
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let first = output.fileHandleForReading.availableData
    _ = kill(process.processIdentifier, number)
    let said = first + output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
    #expect(String(decoding: said, as: UTF8.self).contains("20 runs, 20 expectations hold"))
  }
}
