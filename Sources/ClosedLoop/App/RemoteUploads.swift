/// How far remote services have been given the rows of each store.
///
/// Modification counters rise with every insertion, change and deletion, so that asking for the
/// rows above an anchor gives each change once. An anchor moves only after a successful upload;
/// each service and kind has its own (Loop, `RemoteDataServicesManager.swift`).
public struct RemoteUploads: Sendable, Hashable {
  /// The kinds of data that are uploaded, each in its own order.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Entries of carbohydrate.
    case carbs
    /// Rows of delivered insulin.
    case doses
    /// What each cycle decided.
    case dosingDecisions
    /// Glucose.
    case glucose
    /// Presets.
    case overrides
    /// Events of the pump.
    case pumpEvents
    /// Settings.
    case settings
  }

  private struct Queue: Sendable, Hashable {
    var service: String
    var kind: Kind
  }

  private var anchors: [Queue: Int64] = [:]

  /// Creates a state in which nothing was uploaded.
  public init() {}

  /// The counter of the last row of a kind that a service was given.
  public func anchor(of kind: Kind, for service: String) -> Int64 {
    anchors[Queue(service: service, kind: kind)] ?? 0
  }

  /// Forgets a service: added again it is given everything from the start.
  public mutating func remove(service: String) {
    for kind in Kind.allCases { anchors[Queue(service: service, kind: kind)] = nil }
  }

  /// Uploads everything of a kind that is new to a service, in batches.
  ///
  /// `query` gives the rows above a counter in the order of their counters, at most `limit` of
  /// them; `send` says whether a batch arrived. After one that did not the rest waits for the next
  /// call.
  ///
  /// - Returns: The number of rows that were uploaded.
  @discardableResult
  public mutating func upload<Row>(
    _ kind: Kind, to service: String, limit: Int = 500,
    query: (_ after: Int64, _ limit: Int) -> [Row], counter: (Row) -> Int64, send: ([Row]) -> Bool
  ) -> Int {
    precondition(limit > 0, "An upload takes at least one row at a time.")
    var count = 0
    while true {
      let rows = query(anchor(of: kind, for: service), limit)
      guard let last = rows.last, send(rows) else { return count }
      assert(counter(last) > anchor(of: kind, for: service), "A queue moves forward.")
      anchors[Queue(service: service, kind: kind)] = counter(last)
      count += rows.count
    }
  }
}
