import StructuredText
import Testing

@Suite("Lists of words in a sentence")
struct WordListTests {
  @Test("A long list names the first and says how many are left")
  func counts() {
    #expect(WordList.text([], atMost: 2) == "")
    #expect(WordList.text(["a", "b"], atMost: 2) == "a, b")
    #expect(WordList.text(["a", "b", "c"], atMost: 2) == "a, b and 1 more")
  }
}
