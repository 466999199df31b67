import Testing

@testable import Simulation

struct SharedTextsTests {
  @Test("a text comes out as it went in, byte for byte, however often and in whatever spelling")
  func bytesStay() {
    var texts = SharedTexts()
    let composed = "A preset named Caf\u{E9} begins."
    let decomposed = "A preset named Cafe\u{301} begins."
    #expect(composed == decomposed)
    for text in [composed, decomposed, composed, "", "short", decomposed] {
      #expect(Array(texts.shared(text).utf8) == Array(text.utf8))
    }
  }

  @Test("a run that says more than is kept says it all")
  func moreThanIsKept() {
    var texts = SharedTexts()
    for number in 0..<(3 * SharedTexts.most) {
      let text = "This is the sentence with the number \(number)."
      #expect(texts.shared(text) == text)
    }
  }
}
