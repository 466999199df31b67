import FileSystem
import Foundation
import Testing

@testable import loopsim

@Suite("What a killed process leaves")
struct StaleOutputTests {
  /// The number of a process that has ended.
  private func deadProcess() throws -> pid_t {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "exit 0"]
    try process.run()
    process.waitUntilExit()
    return process.processIdentifier
  }

  private func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Files.write("{}", to: "\(path)/summary.json")
  }

  @Test("Leftovers of the dead go, those of the living and other names stay")
  func removesLeftovers() throws {
    let scratch = try Scratch()
    let dead = try deadProcess()
    let kept = [
      ".b.partial-\(getpid())", ".c.partial-x", ".e.partial-\(dead)@another",
      UnfinishedName.own("f"),
      "d",
    ]
    let host = UnfinishedName.host
    for name in kept + [".a.partial-\(dead)", ".g.partial-\(dead)@\(host)"] {
      try makeFolder(scratch.file(name))
    }
    OutdatedOutput.clean(scratch.path)
    #expect(try scratch.names == kept.sorted())
  }

  @Test("A former folder gets its name back when its successor never came, and else goes")
  func restoresFormer() throws {
    let scratch = try Scratch()
    let dead = try deadProcess()
    try makeFolder(scratch.file(".a.partial-\(dead)-former"))
    try makeFolder(scratch.file(".b.partial-\(dead)-former"))
    try makeFolder(scratch.file("b"))
    OutdatedOutput.clean(scratch.path)
    #expect(try scratch.names == ["a", "b"])
  }

  @Test("A former folder stays where only the beginning of its long name is known")
  func keepsFormerOfLongName() throws {
    let scratch = try Scratch()
    let dead = try deadProcess()
    let start = ".\(String(repeating: "a", count: 50))~~0123456789abcdef.partial-\(dead)"
    try makeFolder(scratch.file(start))
    try makeFolder(scratch.file("\(start)-former"))
    OutdatedOutput.clean(scratch.path)
    #expect(try scratch.names == ["\(start)-former"])
  }

  @Test("The next results written beside them clean up")
  func cleansOnWriting() throws {
    let scratch = try Scratch()
    try makeFolder(scratch.file("out/.old.partial-\(try deadProcess())"))
    let folder = try OutputFolder(at: scratch.file("out/new"))
    try folder.finish()
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.file("out")) == ["new"])
  }

  @Test("Names are told apart")
  func names() {
    #expect(UnfinishedName("adult#007") == nil)
    #expect(UnfinishedName(".partial-7") == nil)
    #expect(UnfinishedName(".x.partial-0") == nil)
    let leftover = UnfinishedName(".x.partial-1.partial-7@node-3-former")
    #expect(leftover?.name == "x.partial-1")
    #expect(leftover?.process == 7)
    #expect(leftover?.host == "node-3")
    #expect(leftover?.isFormer == true)
  }
}
