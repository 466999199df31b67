import Testing

@testable import Pages
@testable import Typesetting

/// Holds from which zoom on the words of doses show against rooms worked out by hand.
///
/// At 11 px "M 1.00" has (0.98 + 0.34 + 3 · 0.63 + 0.34) · 11 = 39.05 of the 900 px that a chart
/// has at least, and 6 stay free after it: the next word stands 45.05 px on, or later.
@Suite("Words of doses")
struct DoseWordsTests {
  private func words(_ pixels: [Double]) -> [DoseWord] {
    pixels.map { DoseWord(text: "▼ 1.00", plain: "M 1.00", x: $0 / 900) }
  }

  @Test("What shows at a zoom covers nothing at any higher one")
  func oneRow() {
    // The second has room from the zoom of four on, 88 px after the first. The third would have it
    // from that of two on, with 46 px, and would stand 4 px after the second at the next.
    var drawing = Drawing(height: 80)
    let hidden = DoseWords(words([0, 22, 23]), y: 0.5, style: .bold, shift: 0).draw(in: &drawing)
    #expect(drawing.words.map(\.zoom) == [1, 4])
    #expect(hidden.map { ($0.x * 900).rounded() } == [22, 23])
  }

  @Test("A word without room in the first row stands in the second, before it waits for a zoom")
  func twoRows() {
    var drawing = Drawing(height: 80)
    let hidden = DoseWords(words([0, 22, 23]), y: 0.3, 0.7, style: .bold, shift: 0)
      .draw(in: &drawing)
    #expect(drawing.words.map(\.zoom) == [1, 1, 2])
    #expect(drawing.words.map(\.y) == [0.3, 0.7, 0.3])
    #expect(hidden.map { ($0.x * 900).rounded() } == [23])
  }
}
