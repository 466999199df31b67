/// Whether a process that ended said a sentence.
///
/// - Parameters:
///   - standardError: What it wrote to its standard error; `nil` if it did not end as it was to.
///   - sentence: What it is to have said.
/// - Returns: Whether the sentence is there.
public func says(_ standardError: [UInt8]?, _ sentence: String) -> Bool {
  String(decoding: standardError ?? [], as: UTF8.self).contains(sentence)
}
