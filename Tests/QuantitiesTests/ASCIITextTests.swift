import Determinism
import Testing

@testable import Quantities

/// What is put together byte by byte is what strings would say.
@Suite("Texts put together byte by byte")
struct ASCIITextTests {
  @Test("Whole numbers are written as a string has them")
  func numbers() {
    var stream = RandomStream(seed: 1, name: "numbers")
    var numbers: [Int64] = [0, 1, -1, 9, 10, -10, 99, 100, .min, .max, .min + 1]
    for _ in 0..<400 {
      numbers.append(Int64(truncatingIfNeeded: stream.next() >> (stream.next() % 64)))
    }
    for number in numbers {
      #expect(ASCIIText { $0.append(number) }.text == "\(number)")
    }
  }

  @Test("Hexadecimal has as many digits as are asked for, the last ones")
  func hexadecimal() {
    var stream = RandomStream(seed: 2, name: "hexadecimal")
    for word in [0, 0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210, .max, stream.next()] {
      for digits in 1...16 {
        let small = String(word, radix: 16)
        let all = String(repeating: "0", count: 16 - small.count) + small
        let last = String(all.suffix(digits))
        let lower = ASCIIText {
          $0.append(hexadecimal: word, digits: digits, letters: UInt8(ascii: "a"))
        }
        let upper = ASCIIText {
          $0.append(hexadecimal: word, digits: digits, letters: UInt8(ascii: "A"))
        }
        #expect(lower.text == last)
        #expect(upper.text == last.uppercased())
      }
    }
  }

  @Test("Rates have two decimals, or three where the third is not zero")
  func rates() {
    for (thousandths, text) in [
      (0, "0.00 U/h"), (5, "0.005 U/h"), (50, "0.05 U/h"), (-50, "-0.05 U/h"),
      (400, "0.40 U/h"), (1_250, "1.25 U/h"), (1_025, "1.025 U/h"), (35_000, "35.00 U/h"),
      (-12_345, "-12.345 U/h"), (999_999, "999.999 U/h"), (100_100, "100.10 U/h"),
    ] {
      let rate = InsulinRate(milliunitsPerHour: Int64(thousandths))
      #expect(ASCIIText { $0.append(rate) }.text == text)
      #expect("\(rate)" == text)
    }
  }

  @Test("The longest line that is written has room")
  func room() {
    let farthest = Instant(millisecondsSince1970: .min + 1)
    let text = ASCIIText {
      $0.append(Int64.min)
      $0.append("-")
      $0.append(Int64.min)
      $0.append("-")
      $0.append(farthest)
    }.text
    #expect(text == "\(Int64.min)-\(Int64.min)-\(farthest)")
  }
}
