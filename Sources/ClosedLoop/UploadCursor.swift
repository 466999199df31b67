/// How far a remote service has been given the rows of each store.
///
/// Modification counters rise with every insertion, change and deletion, so that asking for the rows
/// above an anchor gives each change once. The anchor moves only after a successful upload (Loop,
/// `RemoteDataServicesManager.swift`).
public struct UploadCursors: Sendable, Hashable {
  /// The kinds of data that are uploaded, each in its own order.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case carbs
    case doses
    case glucose
    case pumpEvents
    case settings
  }

  private var anchors: [Kind: Int64] = [:]

  public init() {}

  /// The counter of the last row of a kind that was uploaded.
  public func anchor(of kind: Kind) -> Int64 { anchors[kind] ?? 0 }

  /// Uploads everything of a kind that is new, in batches.
  ///
  /// `query` gives the rows above a counter in the order of their counters, at most `limit` of them;
  /// `upload` sends a batch and says whether it arrived.
  ///
  /// - Returns: The number of rows that were uploaded.
  @discardableResult
  public mutating func upload<Row>(
    _ kind: Kind, limit: Int = 500, query: (_ after: Int64, _ limit: Int) -> [Row],
    counter: (Row) -> Int64, upload: ([Row]) -> Bool
  ) -> Int {
    var count = 0
    while true {
      let rows = query(anchor(of: kind), limit)
      guard let last = rows.last, upload(rows) else { return count }
      anchors[kind] = counter(last)
      count += rows.count
    }
  }
}
