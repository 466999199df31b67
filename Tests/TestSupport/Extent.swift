internal import Foundation

/// How much of what can be tried the tests try.
///
/// By itself `swift test` tries every law and every kind of thing with a few cases, as it is run
/// after each change. With `LOOPSIM_TESTS=whole` in the environment all seeds, bodies, scenarios
/// and days are tried, as `.ci/run` does before a change is accepted.
///
/// A test whose answer is a statistic has a bound for each of its sizes.
public enum Extent {
  /// Whether all of it is tried.
  public static let isWhole: Bool = {
    let asked = ProcessInfo.processInfo.environment["LOOPSIM_TESTS"]
    precondition(asked == nil || asked == "whole", "LOOPSIM_TESTS is \"whole\" or not set.")
    return asked != nil
  }()

  /// One size for every run of the tests, another where all is tried.
  public static func of<Size>(_ usual: Size, whole: Size) -> Size { isWhole ? whole : usual }

  /// The first of a list and then each so many-th, or the whole list where all is tried.
  public static func some<Element>(of list: [Element], every step: Int) -> [Element] {
    isWhole ? list : stride(from: 0, to: list.count, by: step).map { list[$0] }
  }
}
