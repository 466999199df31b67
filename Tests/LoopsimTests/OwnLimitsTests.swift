import Foundation
import Testing

/// Limits within which the program cannot do its work: it says so, and neither waits for a thread
/// that never comes nor ends by a signal.
@Suite("Limits of the system")
struct OwnLimitsTests {
  private static func run(within limits: String) throws -> Binary.Result {
    let scratch = try Scratch()
    let text = """
      { format: 'loopsim/1', id: 'a', clock: { duration: '30m' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' } }
      """
    try Data(text.utf8).write(to: scratch.url.appendingPathComponent("a.json5"))
    let result = try Binary.run(
      ["run", "a.json5", "--out", "out", "-q"], in: scratch.url,
      through: "\(limits); exec \"$0\" \"$@\"")
    let names = try scratch.names
    #expect(names.contains("out") == (result.code == 0), "\(names)")
    return result
  }

  @Test(
    "What is too little is said",
    arguments: [
      ("ulimit -n 6", "Error: Too few files may be open at once. Raise the limit"),
      ("ulimit -v 200000", "Error: The limit on address space is 200000 kB, and "),
      // Threads with stacks of 2 GB each, of which there must be more than four.
      ("ulimit -s 2000000; ulimit -v 8000000", "threads that are needed. Raise the limit on "),
    ])
  func tooLittle(limits: String, words: String) throws {
    let result = try Self.run(within: limits)
    #expect(result.code == 74, "\(result)")
    #expect(result.error.contains(words), "\(result)")
  }

  @Test("Twenty files, and addresses enough, are enough", .timeLimit(.minutes(1)))
  func enough() throws {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    let addresses = (256 + 16 * processors) * 1_024
    for limits in ["ulimit -n 20", "ulimit -v \(addresses)"] {
      #expect(try Self.run(within: limits).code == 0, "\(limits)")
    }
  }
}
