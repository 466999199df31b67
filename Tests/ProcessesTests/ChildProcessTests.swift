import Foundation
import Processes
import Testing

@Suite("Child processes", .serialized)
struct ChildProcessTests {
  /// A child that runs a line of shell; it is given no time to end by itself where it would not.
  private static func shell(
    _ script: String, lineLimit: Int = 1 << 16
  ) throws(ChildProcess.Failure) -> ChildProcess {
    try ChildProcess(
      ["/bin/sh", "-c", script], in: "", environment: ["PATH=/usr/bin:/bin"],
      lineLimit: lineLimit,
      patience: .init(toEnd: .milliseconds(50), toTerminate: .milliseconds(50)))
  }

  /// Why an exchange with a child fails.
  private static func failure(
    of script: String, within limit: Duration = .seconds(20), lineLimit: Int = 1 << 16
  ) -> ChildProcess.Failure? {
    do throws(ChildProcess.Failure) {
      let child = try shell(script, lineLimit: lineLimit)
      defer { child.end() }
      _ = try child.exchangeLine("question", within: limit)
      return nil
    } catch {
      return error
    }
  }

  @Test("A line goes there and back, as often as wanted")
  func speaks() throws {
    let child = try Self.shell("while read -r line; do echo \"got $line\"; done")
    for number in 0..<50 {
      let answer = try child.exchangeLine("\(number)", within: .seconds(20))
      #expect(String(decoding: answer, as: UTF8.self) == "got \(number)")
    }
    child.end()
    #expect(RunningChildren.count == 0)
  }

  @Test("A line that comes beside the awaited one is there without waiting for it")
  func unasked() throws {
    let child = try Self.shell("read -r line; printf 'one\\ntwo\\nthr'; read -r line; echo ee")
    #expect(try child.exchangeLine("a", within: .seconds(20)) == Array("one".utf8))
    #expect(try child.unaskedLine() == Array("two".utf8))
    #expect(try child.unaskedLine() == nil)
    #expect(try child.exchangeLine("b", within: .seconds(20)) == Array("three".utf8))
    child.end()
  }

  @Test("A child that ends says how, and what it last wrote to standard error")
  func tellsOfTheEnd() throws {
    #expect(Self.failure(of: "exit 3") == .exited(3))
    #expect(Self.failure(of: "kill -9 $$") == .killed(signal: 9))
    let child = try Self.shell("read -r line; echo 'no such module' >&2; exit 1")
    #expect(throws: ChildProcess.Failure.exited(1)) {
      try child.exchangeLine("question", within: .seconds(20))
    }
    #expect(child.lastError == "no such module\n")
  }

  @Test("A child that ends without a newline behind its answer is told so")
  func lineWithoutEnd() {
    let failure = Self.failure(of: "read -r line; printf answer; exit 0")
    #expect(failure == .lineWithoutEnd(.exited(0)))
    #expect(
      failure?.description == "ended with exit status 0 before the newline that ends its line")
    #expect(
      Self.failure(of: "read -r line; printf answer; kill -9 $$")
        == .lineWithoutEnd(.killed(signal: 9)))
  }

  @Test("A child that never answers is given up and leaves nothing behind")
  func timesOut() {
    #expect(Self.failure(of: "exec sleep 1000", within: .milliseconds(50)) == .timedOut)
    #expect(RunningChildren.count == 0)
  }

  @Test("A child that dies while a grandchild holds its output is noticed, and both are gone")
  func grandchild() throws {
    let child = try Self.shell("sleep 1000 & echo $! >&2; exit 4")
    #expect(throws: ChildProcess.Failure.exited(4)) {
      try child.exchangeLine("question", within: .seconds(20))
    }
    let grandchild = try #require(Int32(child.lastError.dropLast()))
    child.end()
    #expect(RunningChildren.count == 0)
    // The kernel ends it in its own time; what waits for a parent's look has ended.
    let deadline = ContinuousClock.now + .seconds(10)
    while Self.isAlive(grandchild), ContinuousClock.now < deadline { usleep(1_000) }
    #expect(!Self.isAlive(grandchild))
  }

  private static func isAlive(_ process: Int32) -> Bool {
    let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    guard let state = stat?.split(separator: ")").last?.split(separator: " ").first else {
      return false
    }
    return state != "Z" && state != "X"
  }

  @Test("A flood on standard output is stopped at a line's limit")
  func floodOfOutput() {
    let flood = "while :; do printf '%01024d' 0; done"
    #expect(Self.failure(of: flood, lineLimit: 4_096) == .lineTooLong(limit: 4_096))
    #expect(RunningChildren.count == 0)
  }

  @Test("A flood on standard error does not stop the talk")
  func floodOfErrors() throws {
    let child = try Self.shell(
      "read -r line; i=0; while [ $i -lt 400 ]; do printf '%01024d\\n' $i >&2; i=$((i+1)); done; "
        + "echo done")
    let answer = try child.exchangeLine("question", within: .seconds(20))
    #expect(String(decoding: answer, as: UTF8.self) == "done")
    child.end()
    #expect(child.lastError.utf8.count <= ChildProcess.keptOfError)
  }

  @Test("A child that writes to standard error without end is given up when its time is over")
  func endlessErrors() {
    // What writes faster than is read leaves something to read at any time.
    let flood = "for i in 1 2 3; do cat /dev/zero >&2 & done; wait"
    let start = ContinuousClock.now
    #expect(Self.failure(of: flood, within: .milliseconds(200)) == .timedOut)
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(RunningChildren.count == 0)
  }

  @Test("A child that closes its input and goes on is no end of this process")
  func closedInput() throws {
    let child = try Self.shell("exec 0<&-; echo early; exec sleep 1000")
    let first = try child.exchangeLine("", within: .seconds(20))
    #expect(String(decoding: first, as: UTF8.self) == "early")
    #expect(throws: ChildProcess.Failure.timedOut) {
      try child.exchangeLine("question", within: .milliseconds(50))
    }
    child.end()
    #expect(RunningChildren.count == 0)
  }

  @Test("A child that reads late gets every line whole, also those given up")
  func readsLate() throws {
    let child = try Self.shell("sleep 1; while read -r line; do echo \"${#line}\"; done")
    // Of the second line a pipe of 64 KiB takes a part, and of the third nothing.
    for _ in 0..<3 {
      #expect(throws: ChildProcess.Failure.timedOut) {
        try child.exchangeLine(String(repeating: "x", count: 50_000), within: .milliseconds(20))
      }
    }
    var lengths = [
      String(decoding: try child.exchangeLine("end", within: .seconds(20)), as: UTF8.self)
    ]
    for _ in 0..<3 {
      let line = try child.exchangeLine("", within: .seconds(20))
      lengths.append(String(decoding: line, as: UTF8.self))
    }
    #expect(lengths == ["50000", "50000", "50000", "3"])
    child.end()
  }

  @Test("What cannot be started says why")
  func cannotStart() {
    #expect(throws: ChildProcess.Failure.cannotStart(reason: "No such file or directory")) {
      try ChildProcess(["loopsim-no-such-program"], in: "", environment: ["PATH=/usr/bin"])
    }
    #expect(throws: ChildProcess.Failure.cannotStart(reason: "Permission denied")) {
      try ChildProcess(["/etc/passwd"], in: "", environment: [])
    }
  }

  @Test("A child holds no descriptors but its own three")
  func descriptors() throws {
    let other = try Self.shell("while read -r line; do echo \"$line\"; done")
    let child = try Self.shell("read -r line; ls /proc/self/fd | tr '\\n' ' '; echo")
    let answer = try child.exchangeLine("question", within: .seconds(20))
    // The fourth is the folder that is listed.
    #expect(String(decoding: answer, as: UTF8.self) == "0 1 2 3 ")
    child.end()
    other.end()
  }
}
