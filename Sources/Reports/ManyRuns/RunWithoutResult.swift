/// A run of a batch that came to no result.
///
/// Its scenario has a mistake, its program failed, its time was used up, or the batch stopped
/// before it. Of a scenario that cannot be read it stands for all its runs.
public struct RunWithoutResult: Hashable, Sendable {
  /// The run.
  public var id: String
  /// Why it has none.
  public var reason: String

  /// Creates a `RunWithoutResult` from its parts; see the properties.
  public init(id: String, reason: String) {
    self.id = id
    self.reason = reason
  }
}
