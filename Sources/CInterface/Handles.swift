internal import Bridge
internal import ScenarioLanguage
internal import Synchronization

/// Elements at a place in memory that never moves.
final class Lent<Element: BitwiseCopyable>: Sendable {
  /// Where they begin.
  private let address: UInt
  /// How many there are.
  let count: Int

  init(_ elements: [Element]) {
    count = elements.count
    let room = UnsafeMutablePointer<Element>.allocate(capacity: max(1, count))
    for (index, element) in elements.enumerated() { unsafe room[index] = element }
    address = UInt(bitPattern: room)
  }

  /// The elements in their order.
  var elements: UnsafePointer<Element>? { unsafe UnsafePointer(bitPattern: address) }

  deinit { unsafe UnsafeMutablePointer<Element>(bitPattern: address)?.deallocate() }
}

extension Lent<CChar> {
  /// Lends a text, which is ended by a zero.
  convenience init(_ text: String) { self.init(text.utf8.map { CChar(bitPattern: $0) } + [0]) }
}

/// A session, which one thread uses at a time.
final class Session: Sendable {
  let serve: Mutex<ServeSession>

  init() {
    serve = Mutex(
      ServeSession(
        files: MachineFiles(), version: BridgeProtocol.loopsim,
        write: { _, _ in throw NoFiles() }))
  }

  /// The library writes no files; the program does.
  private struct NoFiles: Error, CustomStringConvertible {
    var description: String { "The library writes no files; use loopsim run." }
  }
}

/// A batch, which one thread uses at a time.
final class Batch: Sendable {
  let runs: Mutex<RunBatch>

  init(_ runs: RunBatch) { self.runs = Mutex(runs) }
}

/// What a handle stands for.
enum Handled: Sendable {
  case session(Session)
  case text(Lent<CChar>)
  case numbers(Lent<Double>)
  case batch(Batch)
}

/// The open handles of this process.
enum Handles {
  private static let table = Mutex<(next: Int64, open: [Int64: Handled])>((1, [:]))

  static func add(_ value: Handled) -> Int64 {
    table.withLock {
      let handle = $0.next
      $0.next += 1
      $0.open[handle] = value
      return handle
    }
  }

  static subscript(handle: Int64) -> Handled? { table.withLock { $0.open[handle] } }

  static func remove(_ handle: Int64) -> Bool {
    table.withLock { $0.open.removeValue(forKey: handle) } != nil
  }

  static var count: Int64 { table.withLock { Int64($0.open.count) } }
}
