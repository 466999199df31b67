public import Quantities

/// Two devices of one person that both have readings of a sensor in the same time, as two sensors
/// worn at once, or a phone and a reader that both keep what one sensor measured.
public struct DevicePair: Sendable {
  /// What the devices are called.
  public let names: (String, String)
  /// From when both go on, and until when, in milliseconds since 1970.
  public let span: ClosedRange<Int64>

  /// How long both go on.
  public var length: TimeSpan { TimeSpan(milliseconds: span.upperBound - span.lowerBound) }

  /// The most pairs that are named, of those of one person.
  public static let mostNamed = 3

  /// What is less than this within the time of both is a change of devices.
  private static let fewest = 10

  /// The pairs among devices with the times of their readings, the longest first.
  public static func all(among times: [String: [Int64]]) -> [DevicePair] {
    let names = times.keys.sorted()
    var pairs: [DevicePair] = []
    for (place, one) in names.enumerated() {
      for other in names[(place + 1)...] {
        guard let first = times[one], let second = times[other],
          let start = [first.min(), second.min()].compactMap(\.self).max(),
          let end = [first.max(), second.max()].compactMap(\.self).min(), start < end
        else { continue }
        let counts = [first, second].map { $0.count { (start...end).contains($0) } }
        guard counts.allSatisfy({ $0 >= fewest }) else { continue }
        pairs.append(DevicePair(names: (one, other), span: start...end))
      }
    }
    return pairs.sorted { $0.length > $1.length }
  }
}
