public import Quantities

/// How someone sets the phone's clock.
public enum PhoneClockSetting: Hashable, Sendable {
  /// It shows so much more, or less, than before.
  case by(TimeSpan)
  /// It shows this instant.
  case to(Instant)
}
