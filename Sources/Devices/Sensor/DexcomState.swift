/// A state that a Dexcom transmitter reports with each value.
///
/// The codes are those of LoopKit/CGMBLEKit (G5 and G6) and LoopKit/G7SensorKit.
public struct DexcomState: Hashable, Sendable {
  /// Which transmitters report the state.
  public enum Family: String, Hashable, Sendable {
    /// The G5 and the G6.
    case g5AndG6
    /// The G7.
    case g7
  }

  /// Which transmitters report it.
  public var family: Family
  /// The number that they report.
  public var code: UInt8

  /// Creates a `DexcomState` from its parts; see the properties.
  public init(family: Family, code: UInt8) {
    self.family = family
    self.code = code
  }

  /// Whether Loop stores the value that comes with the state.
  public var givesReading: Bool {
    switch family {
    case .g5AndG6: code == 6 || code == 7 || code == 14
    case .g7: code == 6
    }
  }

  /// Whether the sensor is warming up.
  public var isWarmUp: Bool { code == 2 }

  /// Whether the sensor has failed and will not come back.
  public var isFailure: Bool {
    switch family {
    case .g5AndG6: [11, 12, 15, 16, 17].contains(code)
    case .g7: [11, 12, 16, 17, 19, 20, 21, 22, 25].contains(code)
    }
  }

  /// Whether the sensor's run is over by age.
  public var isExpired: Bool { family == .g7 && [15, 24, 26].contains(code) }
}
