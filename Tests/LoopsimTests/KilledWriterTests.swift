import Foundation
import HealthStore
import HealthStoreSQLite
import Quantities
import TestSupport
import Testing

/// A process of the program that is fed and read through pipes, and killed without warning.
private final class Victim {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread = Data()

  init(_ words: [String]) throws {
    process.executableURL = Binary.program
    process.arguments = words
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // Without our copies of the ends that it holds, a pipe ends when the process does.
    try? input.fileHandleForReading.close()
    try? output.fileHandleForWriting.close()
  }

  func write(_ bytes: Data) throws { try input.fileHandleForWriting.write(contentsOf: bytes) }

  /// The next line of the output; nothing at its end.
  func line() -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread = Data(unread[(end + 1)...]) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { return nil }
      unread += more
    }
  }

  /// Kills the process, which cannot prevent it, and waits for its end.
  func kill() -> Bool {
    _ = Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
  }

  func finish() throws -> Int32 {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    return process.terminationStatus
  }
}

/// A small generator (Steele, Lea and Flood 2014), which draws the moments of killing.
private struct Moments {
  var state: UInt64

  mutating func next(below bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }
}

@Suite("A writer that is killed")
struct KilledWriterTests {
  private static let start = Instant(secondsSince1970: 1_770_000_000)

  private static func uuid(_ number: Int) -> SampleUUID {
    SampleUUID(high: 7, low: UInt64(number))
  }

  /// A store with forty samples of steps, a minute apart.
  private func store(at path: String) throws {
    var store = try SQLiteHealthStore(path: path)
    let phone = try store.register(
      HealthClient(bundleIdentifier: "com.apple.health.phone", name: "Phone"), granting: .full)
    let steps = try (0..<40).map { number in
      try Sample(
        .stepCount, quantity: HealthQuantity(Double(number), .count),
        start: Self.start + .minutes(Int64(number)), uuid: Self.uuid(number))
    }
    try store.save(steps, as: phone, at: Self.start)
  }

  @Test(
    "H188 H176 What was acknowledged stays acknowledged, and nothing else, wherever it is killed",
    arguments: 0..<Extent.of(2, whole: 8) as Range<UInt64>)
  func acknowledgements(seed: UInt64) throws {
    let scratch = try Scratch()
    let path = scratch.file("health.sqlite")
    try store(at: path)
    let words = ["store", "upload", path, "-", "--history", "--at", "2026-02-03T00:00:00Z"]
    let ok = Data("ok\n".utf8)
    var moments = Moments(state: seed)
    var (acknowledged, sent) = (0, 0)
    // Killed three times on its way, each time after another line.
    for _ in 0..<3 {
      let victim = try Victim(words)
      let last = moments.next(below: 10)
      for step in 0...last {
        let line = try #require(victim.line())
        #expect(line.contains("\(Self.uuid(acknowledged + step))"))
        if step < last { try victim.write(ok) }
      }
      // With the answer on its way the kill may come before, in or after the commit.
      let isAnswered = moments.next(below: 2) == 0
      if isAnswered { try victim.write(ok) }
      #expect(victim.kill())
      sent += last + 1
      #expect(try SQLiteBackend.damage(inFileAt: path).isEmpty)
      let kept = try SQLiteHealthStore(path: path)
      let waiting = try kept.backend.uploads(of: "upload", limit: .max).map(\.uuid)
      let most = acknowledged + last + (isAnswered ? 1 : 0)
      #expect((acknowledged + last...most).contains(40 - waiting.count))
      acknowledged = 40 - waiting.count
      #expect(waiting == (acknowledged..<40).map(Self.uuid))
      #expect(try kept.samples(of: .stepCount, as: .user).count == 40)
    }
    let rest = try Victim(words)
    for number in acknowledged..<40 {
      #expect(rest.line()?.contains("\(Self.uuid(number))") == true)
      try rest.write(ok)
    }
    #expect(rest.line() == nil)
    #expect(try rest.finish() == 0)
    let kept = try SQLiteHealthStore(path: path)
    #expect(try kept.backend.uploads(of: "upload", limit: .max).isEmpty)
    #expect(sent <= acknowledged + 3)
  }

  /// An export of Apple Health with heart beats a minute apart, one line each of the same length.
  private static func export(of count: Int) -> (text: Data, header: Int, line: Int) {
    var text = "<HealthData>\n"
    let header = text.utf8.count
    for number in 0..<count {
      let time = "\(start + .minutes(Int64(number)))"
      let date = "\(time.prefix(10)) \(time.dropFirst(11).prefix(8)) +0000"
      text += """
         <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" \
        startDate="\(date)" endDate="\(date)" value="\(60 + number % 40)"/>

        """
    }
    let line = (text.utf8.count - header) / count
    return (Data((text + "</HealthData>\n").utf8), header, line)
  }

  @Test("H188 An import killed anywhere has taken over whole batches, and those it was done with")
  func imports() throws {
    let batch = 5_000
    let (text, header, line) = Self.export(of: Extent.of(2, whole: 3) * batch)
    // What is in the pipe or in the part that is being read was not taken over yet for certain, nor
    // was the batch that is stored while the next one is read.
    let underWay = (1 << 16) + (1 << 20) + 2 * line * batch
    var moments = Moments(state: 3)
    let scratch = try Scratch()
    let every = [text.count - 1, moments.next(below: text.count), text.count / 2]
    for moment in Extent.some(of: every, every: 3) {
      let path = scratch.file("\(moment).sqlite")
      let victim = try Victim(["store", "import", path, "-", "--format", "apple-health"])
      try victim.write(text.prefix(moment))
      #expect(victim.kill())
      guard FileManager.default.fileExists(atPath: path) else { continue }
      let kept = try SQLiteHealthStore(path: path)
      #expect(try SQLiteBackend.damage(inFileAt: path).isEmpty)
      let found = try kept.samples(of: .heartRate, as: .user)
      let done = max(0, moment - underWay - header) / (line * batch) * batch
      #expect(found.count % batch == 0)
      #expect(found.count >= done)
      #expect(kept.lastRow == Int64(found.count))
      for (number, sample) in found.enumerated() {
        guard sample.start == Self.start + .minutes(Int64(number)),
          sample.storedValue == Double(60 + number % 40)
        else {
          Issue.record("Sample \(number) is not what was imported.")
          break
        }
      }
    }
  }
}
