/// The eight hexadecimal digits of a number, made all at once.
package struct HexadecimalDigits {
  /// The digits as bytes of ASCII, the first of them the lowest of the word.
  package let letters: UInt64

  /// Makes the digits of a number; `letters` is the byte of its letter A.
  package init(of number: UInt32, letters: UInt8) {
    // Each digit gets a byte of its own.
    var spread = UInt64(number)
    spread = (spread | spread &<< 16) & 0x0000_FFFF_0000_FFFF
    spread = (spread | spread &<< 8) & 0x00FF_00FF_00FF_00FF
    spread = (spread | spread &<< 4) & 0x0F0F_0F0F_0F0F_0F0F
    // 1 in the byte of every digit that is a letter.
    let isLetter = (spread &+ 0x0606_0606_0606_0606) &>> 4 & 0x0101_0101_0101_0101
    let zero = UInt8(ascii: "0")
    let written =
      spread &+ 0x0101_0101_0101_0101 &* UInt64(zero)
      &+ isLetter &* UInt64(letters &- 10 &- zero)
    self.letters = written.byteSwapped
  }
}
