/// Files that are no text, told by their first bytes, with what to export instead.
public enum UnreadableFile {
  /// What the file is and what helps; `nil` for what may be text.
  public static func sentence(of bytes: [UInt8]) -> String? {
    func begins(_ head: [UInt8]) -> Bool { bytes.starts(with: head) }
    if begins([0x50, 0x4b, 0x03, 0x04]) {
      return bytes.prefix(4_096).containsText("xl/")
        || bytes.prefix(4_096).containsText("[Content_Types].xml")
        ? "This is a workbook (.xlsx). Save its sheet as CSV, or export CSV or JSON instead."
        : "This is a ZIP archive. Unpack it first: an export of Apple Health holds export.xml."
    }
    if begins(Array("SQLite format 3".utf8)) {
      return
        "This is an SQLite database, such as a backup of xDrip. In xDrip export CSV (SiDiary), "
        + "or JSON for Nightscout."
    }
    if begins(Array("%PDF".utf8)) {
      return "This is a PDF report. Export the readings as CSV from the same program."
    }
    if begins([0xff, 0xfe]) || begins([0xfe, 0xff]) {
      return "This is UTF-16 text. Save it as UTF-8."
    }
    if begins([0x1f, 0x8b]) { return "This is compressed (gzip). Unpack it first." }
    if begins([0xd0, 0xcf, 0x11, 0xe0]) {
      return "This is an old workbook (.xls). Save its sheet as CSV."
    }
    return nil
  }

  /// What a text file is that looks like a log of a dosing app; `nil` for other text.
  public static func logSentence(of bytes: [UInt8]) -> String? {
    let head = bytes.prefix(4_096)
    if head.containsText("## LoopVersion") || head.containsText("# Generated\n")
      || head.containsText("## DeviceDataManager")
    {
      return "This is an issue report of Loop. Export Apple Health data, or Tidepool's or "
        + "Nightscout's JSON instead."
    }
    if head.containsText("DEV: ") || head.containsText("[Swift]") || head.containsText("oref0-") {
      return "This is a log of an oref system. Use its pumphistory and carbhistory JSON, or "
        + "Nightscout's treatments and entries instead."
    }
    return nil
  }
}

extension Collection<UInt8> {
  /// Whether the bytes hold a text.
  func containsText(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard let first = wanted.first, count >= wanted.count else { return false }
    var index = startIndex
    while let found = self[index...].firstIndex(of: first) {
      if self[found...].starts(with: wanted) { return true }
      index = self.index(after: found)
    }
    return false
  }
}
