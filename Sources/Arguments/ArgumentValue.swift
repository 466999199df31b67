internal import StructuredText

/// A type that one word on the command line can stand for.
public protocol ArgumentValue {
  /// Reads a word; nothing when it does not stand for a value.
  init?(argument: String)

  /// Every word there is, for a closed set of values; empty for an open one.
  static var allowedWords: [String] { get }

  /// Words among which the nearest is offered for one that is wrong, where there are too many to
  /// list them all.
  static var knownWords: [String] { get }

  /// What a word must be, such as `a number`, where neither list nor help says it.
  static var expectation: String? { get }

  /// The word that stands for this value.
  var word: String { get }
}

extension ArgumentValue {
  public static var allowedWords: [String] { [] }
  public static var knownWords: [String] { [] }
  public static var expectation: String? { nil }
}

extension ArgumentValue where Self: LosslessStringConvertible {
  public init?(argument: String) { self.init(argument) }
  public var word: String { description }
}

extension ArgumentValue where Self: RawRepresentable, RawValue == String {
  public init?(argument: String) { self.init(rawValue: argument) }
  public var word: String { rawValue }
}

extension ArgumentValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  public static var allowedWords: [String] { allCases.map(\.rawValue) }
}

extension String: ArgumentValue {
  public init?(argument: String) { self = argument }
  public var word: String { self }
}

extension ArgumentValue where Self: FixedWidthInteger {
  public static var expectation: String? {
    isSigned ? "a whole number" : "a whole number from 0 to \(max)"
  }
}

extension Int: ArgumentValue {}
extension Int64: ArgumentValue {}
extension UInt64: ArgumentValue {}

extension Double: ArgumentValue {
  public static var expectation: String? { "a number, such as 0.05" }

  /// Reads a finite number, in decimal as whole numbers are.
  public init?(argument: String) {
    self.init(decimal: argument)
  }
}
