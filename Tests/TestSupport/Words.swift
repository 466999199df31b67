/// Whether a process that ended said a sentence.
///
/// - Parameters:
///   - standardError: What it wrote to its standard error; `nil` if it did not end as it was to.
///   - sentence: What it is to have said.
/// - Returns: Whether the sentence is there.
public func says(_ standardError: [UInt8]?, _ sentence: String) -> Bool {
  String(decoding: standardError ?? [], as: UTF8.self).contains(sentence)
}

/// Whether what is tested checks its preconditions with words, as a build for debugging does.
///
/// A build for release traps without a word, and leaves out what is only asserted: what a process
/// said when it ended cannot be asked there.
public let hasAssertions: Bool = {
  #if DEBUG
  true
  #else
  false
  #endif
}()
