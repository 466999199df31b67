internal import Foundation

/// SplitMix64 (Steele, Lea and Flood 2014), and damage done with it.
public struct Chance {
  private var state: UInt64

  public init(state: UInt64) { self.state = state }

  /// How many cases `LOOPSIM_MUTATIONS` asks for; without it, those of every run of the tests.
  public static func cases(orElse usual: Int) -> Int {
    ProcessInfo.processInfo.environment["LOOPSIM_MUTATIONS"].flatMap(Int.init) ?? usual
  }

  /// A number from 0, below a bound.
  public mutating func below(_ bound: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int((bits ^ (bits >> 31)) % UInt64(max(bound, 1)))
  }

  /// The bytes with some of them changed, removed or doubled, and values replaced by `words`.
  public mutating func damaged(_ original: [UInt8], _ words: [String]) -> [UInt8] {
    var bytes = original
    for _ in 0...below(4) where !bytes.isEmpty {
      let place = below(bytes.count)
      let end = min(bytes.count, place + 1 + below(40))
      switch below(7) {
      case 0: bytes[place] = UInt8(below(256))
      case 1: bytes[place] ^= UInt8(1 << below(8))
      case 2: bytes.removeSubrange(place..<end)
      case 3: bytes.insert(contentsOf: bytes[place..<end], at: below(bytes.count))
      case 4: bytes.removeSubrange(place...)
      default:
        // A value between quotes, or after a colon, is what readers look into.
        let marks: Set<UInt8> = [0x22, 0x27, 0x3a, 0x2c, 0x5b, 0x3d]
        guard let start = bytes[place...].firstIndex(where: marks.contains) else { continue }
        let stop = bytes[(start + 1)...].firstIndex(where: marks.contains) ?? bytes.count
        bytes.replaceSubrange((start + 1)..<stop, with: Array(words[below(words.count)].utf8))
      }
    }
    return bytes
  }
}
