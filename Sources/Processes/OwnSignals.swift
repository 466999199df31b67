internal import CProcess

/// What the program itself does on a signal.
public enum OwnSignals {
  /// Whether a signal is ignored, as `nohup` starts a program with SIGHUP.
  public static func isIgnored(_ number: Int32) -> Bool { cprocess_ignores(number) != 0 }
}
