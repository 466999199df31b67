/// What is wrong with several files of one command, so that a person is told of all at once.
struct RefusedFiles {
  private var failures: [any ClassifiedError] = []

  /// What is read of a file, or `nil` where the file cannot be used, which ``check()`` tells.
  ///
  /// - Throws: What says nothing of the file's content: the next one would meet it too.
  mutating func reading<Content>(_ read: () throws -> Content) throws -> Content? {
    do {
      return try read()
    } catch let failure as any ClassifiedError where failure.exitCode == .badInput {
      failures.append(failure)
      return nil
    }
  }

  /// Refuses the files of which one cannot be used.
  ///
  /// - Throws: The only thing that is wrong, or a ``Failure`` that says all of it.
  func check() throws {
    guard let first = failures.first else { return }
    guard failures.count > 1 else { throw first }
    throw Failure(.badInput, failures.map { "\($0)" }.joined(separator: "\n"))
  }
}
