import FileSystem
import Foundation
import Synchronization

/// What a process that was killed left behind: unfinished folders and files beside the results.
///
/// They are named `.NAME.partial-PID`, and a former folder that was being replaced
/// `.NAME.partial-PID-former`. Nobody will finish them once the process is gone.
enum StaleOutput {
  private static let cleaned = Mutex<Set<String>>([])

  /// Cleans a folder, once in the life of this process.
  static func cleanOnce(_ folder: String) {
    let isFirst = cleaned.withLock { $0.insert(folder).inserted }
    if isFirst { clean(folder) }
  }

  /// Removes what processes that are gone have left in a folder.
  ///
  /// A former folder whose successor never came gets its name back.
  static func clean(_ folder: String) {
    for name in NewFolder.names(in: folder) {
      guard let leftover = Leftover(name), !isAlive(leftover.process) else { continue }
      let place = "\(folder)/\(leftover.name)"
      if leftover.isFormer, !FileManager.default.fileExists(atPath: place),
        (try? FileCalls.rename("\(folder)/\(name)", to: place)) != nil
      {
        continue
      }
      try? NewFolder.removeTree("\(folder)/\(name)")
    }
  }

  /// Whether a process lives; one of somebody else does as well.
  private static func isAlive(_ process: pid_t) -> Bool {
    kill(process, 0) == 0 || errno != ESRCH
  }

  /// The parts of a leftover's name.
  struct Leftover: Equatable {
    var name: String
    var process: pid_t
    var isFormer: Bool

    init?(_ text: String) {
      guard text.hasPrefix("."),
        let mark = text.dropFirst().range(of: ".partial-", options: .backwards)
      else { return nil }
      var number = text[mark.upperBound...]
      isFormer = number.hasSuffix("-former")
      if isFormer { number = number.dropLast("-former".count) }
      guard let process = pid_t(number), process > 0 else { return nil }
      self.process = process
      name = String(text[text.index(after: text.startIndex)..<mark.lowerBound])
      if name.isEmpty { return nil }
    }
  }
}
