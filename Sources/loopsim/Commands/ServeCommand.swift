import Arguments
import Bridge
import FileSystem
import FoundationEssentials
import Glibc
import ScenarioLanguage
import Scenarios
import Synchronization

/// Lets another program live through runs: a line in, a line out.
struct ServeCommand: Command {
  static let name = "serve"
  static let abstract = "Let another program live through runs, by lines of JSON."
  static let discussion = """
    One JSON object on each line of standard input is a request, and each is answered by one \
    line, or two where a run begins. Nothing else is printed; what is wrong with a request is its \
    answer, and nothing has changed then. The end of standard input ends the program.

    The messages are described in Scenarios/BRIDGE.md.

    loopsim is not a medical device.
    """

  var usesStandardStreams = false

  static func describe(_ it: inout Parameters<Self>) {
    it.flag(
      "stdio", \.usesStandardStreams,
      help: "Speak on standard input and output; it must be given.")
  }

  func validate() throws {
    guard usesStandardStreams else {
      throw Failure(.usage, "Say where to speak: loopsim serve --stdio.")
    }
  }

  func run(to console: any Console) async throws {
    // A reader that has gone is an error of writing, which ends the program with its code.
    PartialOutput.diesOfBrokenPipe.store(false, ordering: .relaxed)
    var session = ServeSession(
      files: MachineFiles(), version: Loopsim.version ?? "",
      write: { result, folder in
        let working = FileManager.default.currentDirectoryPath
        let scenario = result.keepsScenario ? result.scenario(in: folder, from: working) : nil
        let files = scenario.map { [(OwnScenario.name, OwnScenario.text($0.text))] } ?? []
        try RunFolder.write(FinishedRun(result), into: folder, and: files)
        return scenario?.omissions ?? []
      })
    var lines = try RequestLines()
    while let line = try lines.next() {
      for answer in session.reply(to: line) { console.write(answer + "\n", to: .output) }
    }
  }
}

/// The lines of standard input.
private struct RequestLines {
  private let part: () throws -> [UInt8]
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  init() throws { part = try Files.parts(of: "-") }

  /// The next line without its end that has more than blanks; `nil` after the last.
  ///
  /// Of a line that is too long, as much is kept as shows that it is.
  mutating func next() throws -> [UInt8]? {
    var isSkipping = false
    while true {
      if let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
        var line = Array(buffer[start..<end])
        start = end + 1
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        if isSkipping { return Self.tooLong }
        if Self.isBlank(line) { continue }
        return line
      }
      buffer.removeFirst(start)
      start = 0
      if buffer.count > BridgeProtocol.longestRequest {
        isSkipping = true
        buffer.removeAll(keepingCapacity: true)
      }
      if isAtEnd {
        defer { buffer = [] }
        if isSkipping { return Self.tooLong }
        return Self.isBlank(buffer) ? nil : buffer
      }
      let bytes = try part()
      if bytes.isEmpty { isAtEnd = true }
      buffer += bytes
    }
  }

  /// What stands for a line that is longer than any request.
  private static var tooLong: [UInt8] {
    [UInt8](repeating: 0x20, count: BridgeProtocol.longestRequest + 1)
  }

  private static func isBlank(_ line: [UInt8]) -> Bool {
    line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }
}
