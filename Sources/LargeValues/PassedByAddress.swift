/// Lets a large struct that has it be passed by its address wherever it is only read.
///
/// The compiler takes a struct for a value that it may load, however large. A method that only
/// reads is then given a copy of all of it, made anew for each call: an app of 2.6 KB for a look at
/// one of its properties. What holds an existential cannot be loaded, and nothing is copied unless
/// somebody keeps a copy; whatever has such a struct among its properties is passed so too.
///
/// It has no state: it is equal to every other.
@frozen
public struct PassedByAddress: Hashable, Sendable {
  @usableFromInline let existential: any Sendable = ()

  /// Creates the mark of a large struct.
  @inlinable
  public init() {}

  @inlinable
  public static func == (mark: Self, other: Self) -> Bool { true }

  @inlinable
  public func hash(into hasher: inout Hasher) {}
}
