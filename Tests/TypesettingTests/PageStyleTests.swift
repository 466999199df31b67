import Testing

@testable import Typesetting

/// The rules of the style sheet without which a page goes wrong.
@Suite("The style sheet of pages")
struct PageStyleTests {
  /// What is placed freely is cut off by a box that scrolls only where that box is its block: a
  /// word for screen readers in the head of a wide table would make the whole page scroll.
  @Test("What is placed in the head of a wide table stays in the table's box")
  func wideTables() {
    let sheet = PageStyle.sheet(isLandscape: false)
    #expect(sheet.contains(".vh{position:absolute!important;"))
    #expect(sheet.contains(".tw{overflow-x:auto;position:relative}"))
  }
}
