/// Which devices a person replaces in time, so that a run does not go on without insulin or
/// readings.
public struct Supplies: Hashable, Sendable {
  /// Whether the reservoir or the pod is replaced: at the age at which it asks for it, or when
  /// little insulin is left.
  public var replacesPump: Bool
  /// Whether the sensor is replaced at the end of its life.
  public var replacesSensor: Bool

  /// Creates a `Supplies` from its parts; see the properties.
  public init(replacesPump: Bool, replacesSensor: Bool) {
    self.replacesPump = replacesPump
    self.replacesSensor = replacesSensor
  }

  /// Nothing is replaced by itself.
  public static let none = Supplies(replacesPump: false, replacesSensor: false)
  /// Everything is replaced when it is due.
  public static let automatic = Supplies(replacesPump: true, replacesSensor: true)
}
