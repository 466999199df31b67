import FileSystem
import Foundation
import Synchronization
import Testing

@testable import loopsim

@Suite("What an interruption removes")
struct UnfinishedPathsTests {
  @Test("It removes what is unfinished, and nothing that is finished")
  func removes() throws {
    let scratch = try Scratch()
    let paths = UnfinishedPaths()
    let finished = try OutputFolder(at: scratch.file("done"), among: paths)
    try finished.write("{}", named: "summary.json")
    try finished.finish()
    try paths.begin(scratch.file(".half.partial-\(getpid())"))
    paths.removeAll()
    #expect(try scratch.names == ["done"])
  }

  @Test("A folder whose files it has removed does not appear")
  func interruptedFolder() throws {
    let scratch = try Scratch()
    let paths = UnfinishedPaths()
    let folder = try OutputFolder(at: scratch.file("half"), among: paths)
    paths.removeAll()
    do {
      try folder.finish()
      Issue.record("A folder without its files has appeared.")
    } catch {
      #expect(error.reason == "the program was interrupted")
    }
    #expect(try scratch.names.isEmpty)
  }

  @Test("It waits for a folder that is being given its name")
  func waitsForNames() throws {
    let scratch = try Scratch()
    let paths = UnfinishedPaths()
    let working = scratch.file(".whole.partial-\(getpid())")
    try paths.begin(working)
    var ending: SideWork?
    let isThere = try paths.publish(working) { () throws(FileFault) in
      ending = SideWork { paths.removeAll() }
      try FileCalls.rename(working, to: scratch.file("whole"))
    }
    #expect(isThere)
    ending?.wait()
    #expect(try scratch.names == ["whole"])
    #expect(try paths.publish(working) { () throws(FileFault) in } == false)
  }
}
