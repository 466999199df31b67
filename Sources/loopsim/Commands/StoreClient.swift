import Arguments
import HealthStore
import HealthStoreSQLite

/// A client of a store that a word on the command line names.
struct StoreClient {
  /// The number under which the client calls.
  let id: ClientID
  let client: HealthClient

  /// Finds the client with a name or bundle.
  ///
  /// - Throws: `Failure` with the names there are if there is no such client.
  init(_ word: String, in store: SQLiteHealthStore) throws {
    let known = store.registry.clients.enumerated().compactMap { number, entry in
      entry.map { (number, $0) }
    }
    guard let found = known.first(where: { $1.name == word || $1.bundleIdentifier == word })
    else {
      let names = known.dropFirst().map { "'\($0.1.name)'" }.joined(separator: ", ")
      throw Failure(
        .badInput, "The store has no client '\(word)'. It has \(names.isEmpty ? "none" : names).")
    }
    id = ClientID(number: found.0)
    client = found.1
  }
}
