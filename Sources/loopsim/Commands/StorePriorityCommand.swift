import Arguments
import HealthStore
import HealthStoreSQLite

/// Shows and sets the order in which sources count in figures.
struct StorePriorityCommand: Command {
  static let name = "priority"
  static let abstract = "Show or set the order in which sources count for a type."
  static let discussion = """
    Where several sources recorded the same, figures over all of them take it from the first. \
    Sources that are not named follow in the usual order: what was typed in, watches, phones, and \
    other apps as they came.
    """

  var file = ""
  var kind = TypeWord(.stepCount)
  var sources: [String] = []

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.positional("type", \.kind, help: "The type, such as StepCount.")
    it.positional(
      "sources", \.sources, isRequired: false, help: "The names or bundles, the first first.")
  }

  func run(to console: any Console) async throws {
    if !sources.isEmpty {
      var store = try StoreFile.writing(file)
      let named = try sources.map { try found($0, in: store) }
      for (place, source) in named.enumerated() where named[..<place].contains(source) {
        throw Failure(
          .badInput, "The source '\(sources[place])' is named twice; name each source once.")
      }
      try store.setPriority(of: named, for: kind.type)
    }
    for source in try StoreFile.reading(file).registry.prioritizedSources(for: kind.type) {
      console.print("\(source.name) (\(source.bundleIdentifier))")
    }
  }

  private func found(_ word: String, in store: SQLiteHealthStore) throws -> Source {
    let known = store.registry.sources
    if let source = known.first(where: { $0.name == word || $0.bundleIdentifier == word }) {
      return source
    }
    throw StoreSelection.unknownSource(word, among: known)
  }
}
