/// The attributes of a start tag, which stay while the scanner goes on.
///
/// They are kept as bytes, with references replaced, and become text only when asked for.
public struct XMLTag: Sendable {
  /// Where the tag stands.
  public let position: TextPosition
  private var bytes: [UInt8] = []
  private var attributes: [(name: Range<Int>, value: Range<Int>)] = []

  init(position: TextPosition) { self.position = position }

  /// Makes room for attributes that are so long together.
  mutating func reserve(_ count: Int, bytes length: Int) {
    attributes.reserveCapacity(count)
    bytes.reserveCapacity(length)
  }

  /// Appends an attribute.
  mutating func append(_ name: ArraySlice<UInt8>, _ appendValue: (inout [UInt8]) -> Void) {
    let start = bytes.count
    bytes += name
    let end = bytes.count
    appendValue(&bytes)
    attributes.append((start..<end, end..<bytes.count))
  }

  /// The value of an attribute as text.
  public subscript(name: StaticString) -> String? {
    self.bytes(of: name).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of the value of an attribute.
  public func bytes(of name: StaticString) -> ArraySlice<UInt8>? {
    for attribute in attributes where isNamed(attribute.name, name) {
      return bytes[attribute.value]
    }
    return nil
  }

  private func isNamed(_ range: Range<Int>, _ name: StaticString) -> Bool {
    guard range.count == name.utf8CodeUnitCount else { return false }
    return name.withUTF8Buffer { expected in
      for index in 0..<range.count
      where unsafe expected[index] != bytes[range.lowerBound + index] { return false }
      return true
    }
  }
}
