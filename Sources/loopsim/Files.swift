import Foundation

/// Why a file could not be read or written.
struct FileProblem: ClassifiedError, CustomStringConvertible {
  enum Attempt: Equatable {
    case read
    case write
  }

  let attempt: Attempt
  let path: String
  let reason: String
  /// Whether the file is missing or too large, which is a mistake in what we were given.
  let isInputMistake: Bool

  var exitCode: ExitCode { isInputMistake ? .badInput : .inputOutput }

  var description: String {
    switch attempt {
    case .read: "\(path): cannot be read: \(reason)."
    case .write: "\(path): cannot be written: \(reason)."
    }
  }
}

/// Reading whole files, and writing them so that nobody ever sees half of one.
enum Files {
  /// The most that is read of one file into memory unless a command says otherwise: 256 MiB.
  static let sizeLimit = 256 << 20

  /// The bytes of a file, or of standard input for `-`.
  static func read(_ path: String, limit: Int = sizeLimit) throws(FileProblem) -> [UInt8] {
    let isInput = path == "-"
    let descriptor = isInput ? STDIN_FILENO : try openForReading(path, limit: limit)
    defer { if !isInput { close(descriptor) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes { buffer in
        unsafe Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      }
      if count == 0 { return bytes }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw problem(.read, path, errno)
      }
      guard bytes.count + count <= limit else {
        throw tooLarge(path, limit)
      }
      bytes.append(contentsOf: chunk.prefix(count))
    }
  }

  /// The bytes of a file, or of standard input for `-`, part by part; empty at the end.
  static func parts(
    of path: String, size: Int = 1 << 20
  ) throws(FileProblem) -> () throws -> [UInt8] {
    let isInput = path == "-"
    let descriptor = isInput ? STDIN_FILENO : try openForReading(path, limit: .max)
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: !isInput)
    return {
      do {
        return try file.read(upToCount: size).map { Array($0) } ?? []
      } catch {
        throw problem(.read, path, errno)
      }
    }
  }

  /// Opens a file that has an end: a regular one within the limit, or a pipe.
  ///
  /// A pipe to which nobody writes is empty, and nothing waits for it.
  private static func openForReading(_ path: String, limit: Int) throws(FileProblem) -> Int32 {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw problem(.read, path, errno) }
    var status = stat()
    let isKnown = unsafe fstat(descriptor, &status) == 0
    let reason: String?
    switch status.st_mode & S_IFMT {
    case _ where !isKnown: reason = systemReason(errno)
    case S_IFDIR: reason = systemReason(EISDIR)
    case S_IFREG where status.st_size > limit:
      close(descriptor)
      throw tooLarge(path, limit)
    case S_IFREG, S_IFIFO: reason = nil
    case S_IFCHR where isatty(descriptor) == 1: reason = nil
    default: reason = "it is a device or a socket, which may have no end; give a file or a pipe"
    }
    guard let reason else {
      _ = fcntl(descriptor, F_SETFL, O_RDONLY)
      return descriptor
    }
    close(descriptor)
    throw FileProblem(attempt: .read, path: path, reason: reason, isInputMistake: true)
  }

  static func tooLarge(_ path: String, _ limit: Int = sizeLimit) -> FileProblem {
    FileProblem(
      attempt: .read, path: path,
      reason: "it is larger than the limit of \(limit >> 20) MiB; give a smaller file",
      isInputMistake: true)
  }

  /// Writes a file part by part under a temporary name, and gives it its own when it is complete.
  static func write(
    to path: String, _ body: (_ part: ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    let temporary = "\(path).partial-\(getpid())"
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw problem(.write, path, errno) }
    do {
      try body { part in
        guard let reason = writeAll(part, to: descriptor) else { return }
        throw problem(.write, path, reason)
      }
    } catch {
      close(descriptor)
      _ = unsafe unlink(temporary)
      throw error
    }
    guard close(descriptor) == 0, unsafe rename(temporary, path) == 0 else {
      let reason = errno
      _ = unsafe unlink(temporary)
      throw problem(.write, path, reason)
    }
  }

  /// Writes a file under a temporary name beside it, and gives it its own name when it is complete.
  static func write(_ bytes: [UInt8], to path: String) throws(FileProblem) {
    let temporary = "\(path).partial-\(getpid())"
    do {
      try writeInPlace(bytes, to: temporary)
    } catch {
      _ = unsafe unlink(temporary)
      throw FileProblem(
        attempt: .write, path: path, reason: error.reason, isInputMistake: false)
    }
    guard unsafe rename(temporary, path) == 0 else {
      let reason = errno
      _ = unsafe unlink(temporary)
      throw problem(.write, path, reason)
    }
  }

  /// Writes text as UTF-8; see ``write(_:to:)-([UInt8],_)``.
  static func write(_ text: String, to path: String) throws(FileProblem) {
    try write(Array(text.utf8), to: path)
  }

  static func problem(
    _ attempt: FileProblem.Attempt, _ path: String, _ number: Int32
  ) -> FileProblem {
    let isMissing = number == ENOENT || number == ENOTDIR || number == EISDIR
    return FileProblem(
      attempt: attempt, path: path, reason: systemReason(number),
      isInputMistake: attempt == .read && isMissing)
  }

  private static func writeInPlace(_ bytes: [UInt8], to path: String) throws(FileProblem) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw problem(.write, path, errno) }
    if let reason = writeAll(bytes, to: descriptor) {
      close(descriptor)
      throw problem(.write, path, reason)
    }
    guard close(descriptor) == 0 else { throw problem(.write, path, errno) }
  }

  /// Writes all bytes to a descriptor; the system's error number when it cannot.
  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    var start = 0
    while start < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Foundation.write(
          descriptor, buffer.baseAddress?.advanced(by: start), buffer.count - start)
      }
      guard count >= 0 || errno == EINTR else { return errno }
      start += max(count, 0)
    }
    return nil
  }
}
