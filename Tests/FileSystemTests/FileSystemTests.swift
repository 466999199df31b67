import Foundation
import TestSupport
import Testing

@testable import FileSystem

@Suite("Files and folders")
struct FileSystemTests {
  private let folder: String

  /// Writes a whole file.
  private func write(_ bytes: [UInt8], to path: String) throws {
    let file = try NewFile(path)
    try file.write(bytes)
    try NewFile.publish([file])
  }

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/files-\(UUID().uuidString)"
    try NewFolder.makeAll(folder + "/a/b")
  }

  @Test(
    "What has a legal name, however long, is written under one that is no longer",
    arguments: [
      String(repeating: "n", count: 250), String(repeating: "n", count: 255),
      String(repeating: "é", count: 127), String(repeating: "👩‍👩‍👧‍👦", count: 10),
    ])
  func longNames(name: String) throws {
    defer { try? NewFolder.removeTree(folder) }
    let unfinished = UnfinishedName.own(name)
    #expect(unfinished.utf8.count + "-former".utf8.count <= 143)
    #expect(UnfinishedName(unfinished)?.process == getpid())
    #expect(UnfinishedName(unfinished)?.isFormer == false)
    // The whole name cannot be told from it.
    #expect(UnfinishedName(unfinished) != nil && UnfinishedName(unfinished)?.name == nil)
    try write([1, 2], to: folder + "/a/" + name)
    #expect(try InputFile.bytes(of: folder + "/a/" + name, limit: 10) == [1, 2])
    #expect(NewFolder.names(in: folder + "/a").count == 2)
  }

  @Test("Two files whose long names differ at their ends alone are written at once")
  func longNamesOfOneBeginning() throws {
    defer { try? NewFolder.removeTree(folder) }
    let start = folder + "/a/" + String(repeating: "n", count: 249)
    let files = [try NewFile(start + "1"), try NewFile(start + "2")]
    for (byte, file) in files.enumerated() { try file.write([UInt8(byte)]) }
    try NewFile.publish(files)
    #expect(try InputFile.bytes(of: start + "1", limit: 10) == [0])
    #expect(try InputFile.bytes(of: start + "2", limit: 10) == [1])
  }

  @Test("A file appears whole, replaces another, and leaves nothing beside it")
  func wholeFiles() throws {
    defer { try? NewFolder.removeTree(folder) }
    let path = folder + "/a/file"
    for size in [0, 1, 100_000] {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
      let file = try NewFile(path)
      try file.write(bytes)
      #expect(NewFolder.names(in: folder + "/a").contains(UnfinishedName.own("file")))
      try NewFile.publish([file])
      #expect(try InputFile.bytes(of: path, limit: 1 << 20) == bytes)
    }
    let unwanted = try NewFile(path)
    try unwanted.write([1])
    unwanted.discard()
    #expect(try InputFile.bytes(of: path, limit: 1 << 20).count == 100_000)
    #expect(NewFolder.names(in: folder + "/a") == ["b", "file"])
    #expect(throws: InputFile.Refusal.tooLarge(limit: 10)) {
      try InputFile.bytes(of: path, limit: 10)
    }
  }

  @Test("A name with a zero is refused, and not taken for what stands before it")
  func zeroInName() throws {
    defer { try? NewFolder.removeTree(folder) }
    try write([1], to: folder + "/a/file")
    let path = folder + "/a/file\u{0}.csv"
    let fault = FileFault(.open, path, EINVAL)
    #expect(fault.reason == "a name cannot hold the character U+0000")
    #expect(throws: InputFile.Refusal.fault(fault)) {
      try InputFile.bytes(of: path, limit: 10)
    }
    #expect(throws: FileFault(.makeFolder, path, EINVAL)) { try FileCalls.makeFolder(path) }
    #expect(throws: FileFault.self) { try write([2], to: path) }
    #expect(NewFolder.names(in: folder + "/a") == ["b", "file"])
    #expect(try InputFile.bytes(of: folder + "/a/file", limit: 10) == [1])
  }

  @Test("A folder changes its name with the one that stands there")
  func exchange() throws {
    defer { try? NewFolder.removeTree(folder) }
    try write([1], to: folder + "/a/old")
    try NewFolder.makeAll(folder + "/.a.partial-1")
    try write([2], to: folder + "/.a.partial-1/new")
    let former = try #require(try NewFolder.publish(folder + "/.a.partial-1", as: folder + "/a"))
    #expect(NewFolder.names(in: folder + "/a") == ["new"])
    #expect(NewFolder.names(in: former) == ["b", "old"])
    try NewFolder.removeTree(former)
    #expect(NewFolder.names(in: folder) == ["a"])
    try NewFolder.makeAll(folder + "/working")
    #expect(try NewFolder.publish(folder + "/working", as: folder + "/fresh") == nil)
    #expect(NewFolder.names(in: folder) == ["a", "fresh"])
  }

  @Test("A file takes the place of a file or of a link to one, and of no device, pipe or socket")
  func replacing() throws {
    defer { try? NewFolder.removeTree(folder) }
    let (file, pipe) = (folder + "/a/file", folder + "/a/pipe")
    try write([1], to: file)
    #expect(unsafe mkfifo(pipe, 0o644) == 0)
    #expect(unsafe symlink(file, folder + "/a/link") == 0)
    #expect(unsafe symlink(pipe, folder + "/a/way") == 0)
    #expect(unsafe symlink(folder + "/none", folder + "/a/lost") == 0)
    for name in ["new", "file", "link", "lost"] {
      #expect(NewFile.mayReplace(folder + "/a/" + name), "\(name)")
    }
    for path in [pipe, folder + "/a/way", "/dev/null", "/dev/stdout", "/proc/self/fd/0"] {
      #expect(!NewFile.mayReplace(path), "\(path)")
    }
  }

  @Test("What is removed is the link, and not what it leads to")
  func links() throws {
    defer { try? NewFolder.removeTree(folder) }
    try write([1], to: folder + "/a/kept")
    try NewFolder.makeAll(folder + "/c")
    #expect(unsafe symlink(folder + "/a", folder + "/c/link") == 0)
    try NewFolder.removeTree(folder + "/c")
    #expect(NewFolder.names(in: folder + "/a") == ["b", "kept"])
  }

  @Test("What lies below a folder is told up to a limit, and links are not followed")
  func tree() throws {
    defer { try? NewFolder.removeTree(folder) }
    try write([1], to: folder + "/a/b/file")
    try write([1], to: folder + "/other")
    #expect(unsafe symlink(folder + "/a", folder + "/a/b/loop") == 0)
    let paths = FolderTree.paths(below: folder)
    #expect(paths.sorted() == ["a", "a/b", "a/b/file", "a/b/loop", "other"])
    #expect(FolderTree.paths(below: folder + "/a") == ["b", "b/file", "b/loop"])
    #expect(FolderTree.paths(below: folder, atMost: 3) == Array(paths.prefix(3)))
    // Who names a folder by a link to it means the folder.
    #expect(FolderTree.paths(below: folder + "/a/b/loop") == ["b", "b/file", "b/loop"])
    for none in ["/other", "/missing"] {
      #expect(FolderTree.paths(below: folder + none).isEmpty)
    }
    #expect(InputFile.isRegular(folder + "/other"))
    #expect(!InputFile.isRegular(folder) && !InputFile.isRegular("/dev/null"))
  }

  @Test("A folder that cannot be read is named with the reason")
  func unread() throws {
    defer { try? NewFolder.removeTree(folder) }
    #expect(FolderTree.listing(below: folder).unread == [:])
    for none in ["/missing", "/a/b/loop"] {
      #expect(FolderTree.listing(below: folder + none).unread == [:])
    }
    let deep = DeepFolder(below: folder)
    let listing = FolderTree.listing(below: folder)
    let (path, fault) = try #require(listing.unread.first)
    #expect(listing.unread.count == 1)
    #expect(fault.number == ENAMETOOLONG)
    #expect(listing.paths.contains(path))
    #expect(FolderTree.paths(below: folder) == listing.paths)
    _ = consume deep
  }

  @Test("Devices, folders and what is missing are told apart; an idle pipe is empty")
  func refusals() throws {
    defer { try? NewFolder.removeTree(folder) }
    #expect(throws: InputFile.Refusal.isDevice) { try InputFile("/dev/zero") }
    #expect(throws: InputFile.Refusal.isFolder) { try InputFile(folder) }
    let missing = folder + "/missing"
    #expect(throws: InputFile.Refusal.fault(FileFault(.open, missing, ENOENT))) {
      try InputFile(missing)
    }
    #expect(unsafe mkfifo(folder + "/pipe", 0o644) == 0)
    #expect(try InputFile.bytes(of: folder + "/pipe", limit: 10).isEmpty)
    let fault = try #require(throws: FileFault.self) { try NewFile(folder + "/none/file") }
    #expect(fault.number == ENOENT)
    #expect(fault.reason == "No such file or directory")
    try write([], to: folder + "/plain")
    #expect(throws: FileFault(.makeFolder, folder + "/plain", ENOTDIR)) {
      try NewFolder.makeAll(folder + "/plain/under")
    }
  }

  @Test("Files that are waited for together are whole, also one that a library wrote")
  func pendingFiles() throws {
    defer { try? NewFolder.removeTree(folder) }
    let files = PendingFiles()
    try files.write([1, 2], to: folder + "/d")
    try files.write([], to: folder + "/e")
    try files.write(to: folder + "/g") { (append) throws(FileFault) in
      try append([5, 6])
      try append([7])
    }
    try write([3], to: folder + "/c")
    try files.add(folder + "/c")
    try files.makeFolder(folder + "/h")
    try files.write([8], to: folder + "/h/i")
    #expect(throws: FileFault(.makeFolder, folder + "/h", EEXIST)) {
      try files.makeFolder(folder + "/h")
    }
    #expect(throws: FileFault(.open, folder + "/none/f", ENOENT)) {
      try files.write([4], to: folder + "/none/f")
    }
    try files.sync()
    try files.sync()
    #expect(try InputFile.bytes(of: folder + "/d", limit: 10) == [1, 2])
    #expect(try InputFile.bytes(of: folder + "/e", limit: 10).isEmpty)
    #expect(try InputFile.bytes(of: folder + "/g", limit: 10) == [5, 6, 7])
    #expect(try InputFile.bytes(of: folder + "/h/i", limit: 10) == [8])
    #expect(NewFolder.names(in: folder) == ["a", "c", "d", "e", "g", "h"])
  }

  @Test("Files are published together; where one cannot be, those before it stay")
  func publishesTogether() throws {
    defer { try? NewFolder.removeTree(folder) }
    func begun(_ name: String) throws -> NewFile {
      let file = try NewFile(folder + "/" + name)
      try file.write(Array(name.utf8))
      return file
    }
    try NewFile.publish([try begun("one"), try begun("two")])
    #expect(NewFolder.names(in: folder) == ["a", "one", "two"])
    try NewFolder.makeAll(folder + "/taken/by")
    let files = [try begun("three"), try begun("taken"), try begun("four")]
    let fault = try #require(throws: FileFault.self) { try NewFile.publish(files) }
    #expect(fault.path == folder + "/taken")
    #expect(NewFolder.names(in: folder) == ["a", "one", "taken", "three", "two"])
    #expect(try InputFile.bytes(of: folder + "/three", limit: 10) == Array("three".utf8))
  }
}
