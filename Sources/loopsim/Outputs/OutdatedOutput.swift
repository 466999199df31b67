import FileSystem
import FoundationEssentials
import Synchronization

/// What a process that was killed left behind: unfinished folders and files beside the results.
///
/// Nobody will finish them once the process is gone. Those of other machines stay: a folder may be
/// shared, and whether their processes live cannot be told here.
enum OutdatedOutput {
  private static let cleaned = Mutex<Set<String>>([])

  /// Cleans a folder, once in the life of this process.
  static func cleanOnce(_ folder: String) {
    let isFirst = cleaned.withLock { $0.insert(folder).inserted }
    if isFirst { clean(folder) }
  }

  /// Removes what processes that are gone have left in a folder.
  ///
  /// A former folder whose successor never came gets its name back; one of which only the
  /// beginning of the name is known stays, as its successor cannot be looked for.
  static func clean(_ folder: String) {
    for name in NewFolder.names(in: folder) {
      guard let leftover = UnfinishedName(name), leftover.isAbandoned else { continue }
      if leftover.isFormer {
        guard let place = leftover.name.map({ "\(folder)/\($0)" }) else { continue }
        if !FileManager.default.fileExists(atPath: place),
          (try? FileCalls.rename("\(folder)/\(name)", to: place)) != nil
        {
          continue
        }
      }
      try? NewFolder.removeTree("\(folder)/\(name)")
    }
  }
}
