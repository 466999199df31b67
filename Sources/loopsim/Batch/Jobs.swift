/// How many runs a command lives through at a time.
enum Jobs {
  /// Checks a number that was asked for.
  ///
  /// - Throws: ``Failure`` where it is none from 1 to 1024.
  static func check(_ jobs: Int) throws {
    guard (1...1_024).contains(jobs) else {
      throw Failure(.usage, "The number of jobs must be from 1 to 1024.")
    }
  }
}
