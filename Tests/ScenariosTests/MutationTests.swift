import Foundation
import ScenarioLanguage
import Scenarios
import StructuredText
import TestSupport
import Testing

@Suite("Damaged scenario files")
struct MutationTests {
  /// How many files are damaged; `LOOPSIM_MUTATIONS` asks for more.
  static let count =
    ProcessInfo.processInfo.environment["LOOPSIM_MUTATIONS"].flatMap(Int.init)
    ?? Extent.of(12, whole: 100)

  @Test("Whatever is done to a file, checking ends and every problem has a place in a file")
  func survives() throws {
    var generator = Mixer(state: 2_026)
    let path = "Scenarios/tour.json5"
    let tour = Array(try #require(Tour.files[path]).utf8)
    for _ in 0..<Self.count {
      let bytes = generator.damaged(tour)
      let problems = ProblemList()
      var reader = ScenarioReader(files: Damaged(path: path, bytes: bytes))
      let plan = ScenarioCheck.plan(path, reader: &reader, problems: problems)
      if plan == nil { #expect(problems.hasErrors) }
      let lines = bytes.count { $0 == 0x0a || $0 == 0x0d } + 1
      for problem in problems.problems {
        #expect(Tour.files[problem.position.file] != nil, "\(problem)")
        #expect(problem.position.line >= 1 && problem.position.column >= 1)
        if problem.position.file == path { #expect(problem.position.line <= lines, "\(problem)") }
      }
    }
  }
}

/// The files of the tour with one of them replaced by bytes.
struct Damaged: ScenarioFiles {
  let path: String
  let bytes: [UInt8]

  func bytes(of path: String) throws(FileTrouble) -> [UInt8] {
    path == self.path ? bytes : try MemoryFiles(Tour.files).bytes(of: path)
  }

  func canonicalPath(of path: String) -> String { path }
}

/// SplitMix64, and damage done with it to a scenario.
struct Mixer {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int((bits ^ (bits >> 31)) % UInt64(max(bound, 1)))
  }

  static let extremes = [
    "0", "-1", "1e308", "-1e308", "9223372036854775807", "-9223372036854775808", "1e-320", "0.0005",
    "null", "true",
    "'x'", "[]", "{}", "[[[]]]", "'99999999d'", "'d9999 23:59'", "'-36500d'",
    "'2200-12-31T23:59:59'", "'~2'", "''",
    "{ $remove: true }", "{ $append: [1] }", "NaN", "99999999999999999999",
  ]

  /// The bytes with bytes flipped, tokens dropped, stretches doubled, or numbers at the limits.
  mutating func damaged(_ original: [UInt8]) -> [UInt8] {
    var bytes = original
    for _ in 0...below(3) where bytes.count > 1 {
      let place = below(bytes.count)
      switch below(6) {
      case 0: bytes[place] = UInt8(below(256))
      case 1: bytes[place] ^= UInt8(1 << below(8))
      case 2: drop(&bytes, near: place)
      case 3:
        let end = min(bytes.count, place + 1 + below(60))
        bytes.insert(contentsOf: bytes[place..<end], at: place)
      default: replaceValue(&bytes, near: place)
      }
    }
    return bytes
  }

  /// Removes a word, a number or a mark.
  private mutating func drop(_ bytes: inout [UInt8], near place: Int) {
    var end = place + 1
    while end < bytes.count, Self.isWord(bytes[end]) { end += 1 }
    bytes.removeSubrange(place..<end)
  }

  /// Replaces the value after the next colon or bracket by an extreme one.
  private mutating func replaceValue(_ bytes: inout [UInt8], near place: Int) {
    guard let mark = bytes[place...].firstIndex(where: { $0 == 0x3a || $0 == 0x5b }) else { return }
    var end = mark + 1
    while end < bytes.count, bytes[end] == 0x20 { end += 1 }
    while end < bytes.count, Self.isWord(bytes[end]) || bytes[end] == 0x27 { end += 1 }
    bytes.replaceSubrange((mark + 1)..<end, with: Array(" \(Self.extremes[below(24)])".utf8))
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20) || byte == 0x2e
  }
}
