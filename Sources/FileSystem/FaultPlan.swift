internal import CFileSystem
internal import Glibc
internal import Synchronization

/// Which call to the system fails, in a build for tests that is told so.
///
/// `LOOPSIM_FAULT=KIND@N` makes the N-th call of the process fail in one of these ways:
///
/// - `ENOSPC`, `EIO`, `EINTR`: with that error;
/// - `short`: from there on each writing call takes one byte (files of results only);
/// - `crash`: the process is killed instead of the call;
/// - `powerloss`: the same, and of every file only what was synced is left;
/// - `lostnames`: the same, and names that were not synced are what they were before.
///
/// With `LOOPSIM_FAULT_LOG=FILE` the call that failed is written to that file, so that who counts
/// knows when there is no N-th call any more. In the program that is handed out
/// nothing of this exists (`FAULTS` is not defined; see Package.swift).
public enum FaultPlan {
  #if FAULTS
  private enum Kind: Equatable {
    case error(Int32)
    case short, crash, powerLoss, lostNames
  }

  private struct Rename {
    var from: String
    var to: String
    var isExchange: Bool
  }

  private struct State {
    var count = 0
    var hasFired = false
    /// The files that were written and not synced.
    var unsynced: Set<String> = []
    /// The names that were given and not synced, oldest first.
    var renames: [Rename] = []
  }

  private static let plan: (kind: Kind, number: Int)? = {
    guard let text = unsafe getenv("LOOPSIM_FAULT").map({ unsafe String(cString: $0) }) else {
      return nil
    }
    let parts = text.split(separator: "@")
    guard parts.count == 2, let number = Int(parts[1]) else { return nil }
    let kinds: [Substring: Kind] = [
      "ENOSPC": .error(ENOSPC), "EIO": .error(EIO), "EINTR": .error(EINTR), "short": .short,
      "crash": .crash, "powerloss": .powerLoss, "lostnames": .lostNames,
    ]
    return kinds[parts[0]].map { ($0, number) }
  }()

  private static let state = Mutex(State())
  #endif

  /// Whether there is a plan at all.
  public static var isActive: Bool {
    #if FAULTS
    plan != nil
    #else
    false
    #endif
  }

  /// The number of the error with which a call must fail; nothing when it is made.
  public static func failure(_ call: FileCall, _ path: String) -> Int32? {
    #if FAULTS
    guard let plan else { return nil }
    let isDue = state.withLock { state in
      state.count += 1
      guard state.count == plan.number else { return false }
      state.hasFired = true
      return true
    }
    guard isDue else { return nil }
    tell(call, path)
    switch plan.kind {
    case .error(let number): return number
    case .short: return nil
    case .crash: end()
    // The process ends before another thread can go on, which would rename what is empty now.
    case .powerLoss:
      state.withLock { state in
        dropContents(state)
        end()
      }
    case .lostNames:
      state.withLock { state in
        dropContents(state)
        for rename in state.renames.reversed() { undo(rename) }
        end()
      }
    }
    return nil
    #else
    return nil
    #endif
  }

  /// Whether a writing call takes only one byte.
  static func isShort(_ call: FileCall, _ path: String) -> Bool {
    #if FAULTS
    guard let plan, plan.kind == .short else { return false }
    return state.withLock(\.hasFired)
    #else
    return false
    #endif
  }

  static func noteWrite(_ path: String) {
    #if FAULTS
    guard plan != nil else { return }
    state.withLock { _ = $0.unsynced.insert(path) }
    #endif
  }

  static func noteSync(_ path: String) {
    #if FAULTS
    guard plan != nil else { return }
    state.withLock { state in
      state.unsynced.remove(path)
      state.renames.removeAll { folder(of: $0.to) == path }
    }
    #endif
  }

  static func noteRename(_ path: String, _ target: String, isExchange: Bool) {
    #if FAULTS
    guard plan != nil else { return }
    state.withLock { state in
      state.renames.append(Rename(from: path, to: target, isExchange: isExchange))
      state.unsynced = Set(
        state.unsynced.map { file in
          if file == path || file.hasPrefix(path + "/") {
            return target + file.dropFirst(path.count)
          }
          guard isExchange, file == target || file.hasPrefix(target + "/") else { return file }
          return path + file.dropFirst(target.count)
        })
    }
    #endif
  }

  #if FAULTS
  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(path[..<slash])
  }

  private static func dropContents(_ state: State) {
    for file in state.unsynced { _ = unsafe truncate(file, 0) }
  }

  private static func undo(_ rename: Rename) {
    if rename.isExchange {
      _ = unsafe cfilesystem_exchange(rename.from, rename.to)
    } else {
      _ = unsafe Glibc.rename(rename.to, rename.from)
    }
  }

  /// Writes down which call failed.
  private static func tell(_ call: FileCall, _ path: String) {
    guard let log = unsafe getenv("LOOPSIM_FAULT_LOG") else { return }
    let descriptor = unsafe Glibc.open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return }
    defer { Glibc.close(descriptor) }
    let line = Array("\(call.rawValue) \(path)\n".utf8)
    _ = unsafe line.withUnsafeBytes {
      unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
    }
  }

  private static func end() {
    kill(getpid(), SIGKILL)
  }
  #endif
}
