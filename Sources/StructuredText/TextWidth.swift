/// How wide text is on a terminal, whose letters stand in columns of one width.
public enum TextWidth {
  /// The columns that a text takes: two for a letter that is as wide as it is high, as those of
  /// Chinese, Japanese and Korean are, and for a picture; none for what only changes another.
  ///
  /// Source: Unicode Standard Annex 11, the classes W and F.
  public static func columns(of text: String) -> Int {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text.utf8.count }
    return text.reduce(0) { $0 + columns(of: $1) }
  }

  /// The columns that a character takes, with all that belongs to it.
  private static func columns(of character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    let isPicture =
      scalar.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}")
    return isPicture || isWide(scalar) ? 2 : 1
  }

  /// Whether a letter is of the wide scripts, or a full-width form of another.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF,
      0x4E00...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
      0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1_6FE0...0x1_B2FF,
      0x1_F200...0x1_F265, 0x2_0000...0x3_FFFD:
      true
    default: false
    }
  }
}
