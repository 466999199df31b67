/// Texts of which each is kept once, however often it is written down.
///
/// A run says some hundred sentences many thousand times. Which text comes out is the text that
/// went in, byte for byte; only its storage is another's.
struct SharedTexts: Sendable {
  /// How many texts are known at the most; a run that says more begins anew.
  static let most = 1_000

  private var known: Set<String> = []

  /// The same text, with the storage of one that came before where there was one.
  mutating func shared(_ text: String) -> String {
    // What is shorter lies in the string itself.
    guard text.utf8.count > 15 else { return text }
    if known.count >= Self.most { known.removeAll(keepingCapacity: true) }
    let first = known.insert(text).memberAfterInsert
    // Equal are also two spellings of one character.
    return Self.areSame(first.utf8Span.span, text.utf8Span.span) ? first : text
  }

  /// Whether two texts have the same bytes; the iterator of a string takes eight times as long.
  private static func areSame(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
    guard one.count == other.count else { return false }
    for index in one.indices where one[index] != other[index] { return false }
    return true
  }
}
