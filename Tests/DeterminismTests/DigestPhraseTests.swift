import Determinism
import TestSupport
import Testing

@Suite("A phrase that digests absorb")
struct DigestPhraseTests {
  @Test("A phrase gives a digest what its parts give it one after the other")
  func partByPart() {
    let bytes: [UInt8] = [0, 0, 1, 255]
    let integers: [UInt64] = [0, 1, 255, 256, 0xFF00_0000_0000_0000, 0x00FF_0000_FF00_0000, .max]
    let numbers: [Double] = [0, -0.0, 1, 120, 0.1, -.infinity]
    let texts = ["", "a", "\u{0}", "IU/hr", "größer", "a\u{0}\u{0}b"]
    var chance = Chance(state: 7)
    for _ in 0..<200 {
      var phrase = DigestPhrase()
      var whole = RunningDigest()
      whole.absorb(chance.below(1_000))
      var partwise = whole
      for _ in 0..<chance.below(12) {
        switch chance.below(5) {
        case 0:
          let byte = bytes[chance.below(bytes.count)]
          phrase.append(byte)
          partwise.absorb(byte)
        case 1:
          let integer = integers[chance.below(integers.count)]
          phrase.append(integer)
          partwise.absorb(integer)
        case 2:
          let number = numbers[chance.below(numbers.count)]
          phrase.append(number)
          partwise.absorb(number)
        case 3:
          let flag = chance.below(2) == 0
          phrase.append(flag)
          partwise.absorb(flag)
        default:
          let text = texts[chance.below(texts.count)]
          phrase.append(text)
          partwise.absorb(text)
        }
      }
      whole.absorb(phrase)
      #expect(whole == partwise)
    }
  }

  @Test("A phrase that is absorbed often does to every digest what it does when it is new")
  func repeated() {
    var chance = Chance(state: 11)
    for length in [0, 1, 2, 3, 40] {
      var phrase = DigestPhrase()
      for _ in 0..<length { phrase.append(UInt8(chance.below(256))) }
      phrase.append("")
      var repeated = RepeatedPhrase(phrase)
      for count in 0..<2_000 {
        var stepwise = RunningDigest()
        stepwise.absorb(count)
        stepwise.absorb(chance.below(1 << 40))
        var quick = stepwise
        stepwise.absorb(phrase)
        quick.absorb(&repeated)
        #expect(quick == stepwise)
      }
    }
  }
}
