internal import Glibc

/// Folders within folders, until the path is longer than the system takes: nobody, root neither,
/// can look into the innermost one by its path.
public struct DeepFolder: ~Copyable {
  private static let name = String(repeating: "d", count: 200)
  /// The folders that are open, the outermost first.
  private var places: [Int32]

  /// Makes the folders below one that is there.
  public init(below folder: String) {
    places = [unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)]
    for _ in 0..<22 {
      let outer = places[places.count - 1]
      _ = unsafe mkdirat(outer, Self.name, 0o755)
      places.append(unsafe openat(outer, Self.name, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    }
    precondition(places.allSatisfy { $0 >= 0 }, "The folders are there.")
  }

  deinit {
    for place in places.dropLast().reversed() {
      _ = unsafe unlinkat(place, Self.name, AT_REMOVEDIR)
    }
    for place in places { _ = close(place) }
  }
}
