import Foundation
import Testing

/// The program that this build made, started as a process of its own.
enum Binary {
  struct Result: Equatable {
    var code: Int32
    var output: String
    var error: String
  }

  /// Runs the program with some words in a folder, and waits for its end.
  ///
  /// The given variables are added to, or replace, those of this process. A script of the shell
  /// starts the program, where one is given: it is `$0`, and its words are `$@`.
  static func run(
    _ words: [String], environment: [String: String] = [:], in folder: URL? = nil,
    input: FileHandle = .nullDevice, output given: FileHandle? = nil, through script: String? = nil
  ) throws -> Result {
    let process = Process()
    process.executableURL = script == nil ? program : URL(fileURLWithPath: "/bin/sh")
    process.arguments = (script.map { ["-c", $0, program.path] } ?? []) + words
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment
      .merging(["COLUMNS": "80"]) { $1 }.merging(environment) { $1 }
    let streams = try Scratch()
    process.standardInput = input
    process.standardOutput = try given ?? streams.handle(named: "output")
    process.standardError = try streams.handle(named: "error")
    try process.run()
    process.waitUntilExit()
    return Result(
      code: process.terminationStatus,
      output: given == nil ? try streams.text(of: "output") : "",
      error: try streams.text(of: "error"))
  }

  /// Runs the program in a folder as a person does, not as CI, who may keep results.
  static func runByHand(
    _ words: [String], in scratch: Scratch, environment: [String: String] = [:]
  ) throws -> Result {
    try run(words, environment: ["CI": ""].merging(environment) { $1 }, in: scratch.url)
  }

  /// The program itself.
  static var program: URL { products.appendingPathComponent("loopsim") }

  /// The folder in which this build puts its products: where the test runner itself lies.
  private static var products: URL {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/",
      !FileManager.default.fileExists(atPath: folder.appendingPathComponent("loopsim").path)
    {
      folder.deleteLastPathComponent()
    }
    return folder
  }
}

/// A folder that goes away with the value.
final class Scratch: Sendable {
  let url: URL
  var path: String { url.path }

  init() throws {
    let template =
      FileManager.default.temporaryDirectory.path + "/loopsim-tests-"
      + String(repeating: "X", count: 6)
    var bytes = Array(template.utf8CString)
    let name = unsafe mkdtemp(&bytes)
    guard unsafe name != nil else { throw CocoaError(.fileWriteUnknown) }
    url = URL(
      fileURLWithPath: String(decoding: bytes.dropLast().map(UInt8.init), as: UTF8.self))
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// What lies in the folder, hidden files too.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  func file(_ name: String) -> String { url.appendingPathComponent(name).path }

  func text(of name: String) throws -> String {
    try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
  }

  /// The lines of a program that greets with some members, and says the same at every question.
  static func program(_ answer: String, at question: String, hello: String) -> String {
    """
    #!/bin/sh
    while read -r line; do
      case $line in
        '{"type":"hello"'*) echo '{"type":"hello","protocol":1,\(hello)}' ;;
        '{"type":"begin"'*) echo '{"type":"ready"}' ;;
        '{"type":"\(question)"'*) \(answer) ;;
        *) exit 0 ;;
      esac
    done
    """
  }

  /// Writes a program that can be started.
  func writeProgram(_ text: String, named name: String) throws {
    try Data(text.utf8).write(to: url.appendingPathComponent(name))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file(name))
  }

  /// A file that a process can write to.
  func handle(named name: String) throws -> FileHandle {
    try Data().write(to: url.appendingPathComponent(name))
    return try FileHandle(forWritingTo: url.appendingPathComponent(name))
  }
}
