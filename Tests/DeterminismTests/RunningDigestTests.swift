import Determinism
import Testing

@Suite("The running digest")
struct RunningDigestTests {
  @Test(
    "bytes give the published FNV-1a values",
    arguments: [
      ("", 0xcbf2_9ce4_8422_2325 as UInt64), ("a", 0xaf63_dc4c_8601_ec8c),
      ("foobar", 0x8594_4171_f739_67e8),
    ])
  func published(text: String, expected: UInt64) {
    var digest = RunningDigest()
    digest.absorb(Array(text.utf8))
    #expect(digest.value == expected)
  }

  @Test("a last bit, a sign of zero and a boundary between texts all count")
  func distinctions() {
    func digest(_ feed: (inout RunningDigest) -> Void) -> UInt64 {
      var digest = RunningDigest()
      feed(&digest)
      return digest.value
    }
    #expect(digest { $0.absorb(1.0) } != digest { $0.absorb((1.0).nextUp) })
    #expect(digest { $0.absorb(0.0) } != digest { $0.absorb(-0.0) })
    #expect(
      digest {
        $0.absorb("ab"); $0.absorb("c")
      }
        != digest {
          $0.absorb("a"); $0.absorb("bc")
        })
    #expect(digest { $0.absorb(-1) } == digest { $0.absorb(UInt64.max) })
    #expect(digest { $0.absorb(true) } != digest { $0.absorb(false) })
  }

  @Test(
    "an integer is absorbed as its eight bytes, however small",
    arguments: [0, 1, 15, 254, 255, 256, 65_535, UInt64.max]
      + (1...7).flatMap { bytes -> [UInt64] in [1 << (8 * bytes), (255 << (8 * bytes)) + 7] })
  func integers(integer: UInt64) {
    var whole = RunningDigest()
    whole.absorb("before")
    var bytewise = whole
    whole.absorb(integer)
    for byte in 0..<8 { bytewise.absorb(UInt8(truncatingIfNeeded: integer >> UInt64(8 * byte))) }
    #expect(whole == bytewise)
  }

  @Test("letters in a word are absorbed as bytes, the lowest first", arguments: 0...8)
  func letters(count: Int) {
    var word = RunningDigest()
    word.absorb(letters: 0x6867_6665_6463_6261, count: count)
    var bytewise = RunningDigest()
    bytewise.absorb(Array("abcdefgh".utf8.prefix(count)))
    #expect(word == bytewise)
  }

  @Test("the digest is written as sixteen hexadecimal digits")
  func hexadecimal() {
    #expect(RunningDigest().hexadecimal == "cbf29ce484222325")
  }
}
