internal import Glibc

/// The variables of the program's own environment.
public enum EnvironmentVariable {
  /// The value of a variable; `nil` where it is not set.
  ///
  /// One is looked up, and not all of them read, as the start of the program is measured in
  /// milliseconds.
  public static func value(of name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
