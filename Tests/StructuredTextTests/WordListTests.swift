import StructuredText
import Testing

@Suite("Lists and numbers of things in a sentence")
struct WordListTests {
  @Test("A long list names the first and says how many are left")
  func counts() {
    #expect(WordList.text([], atMost: 2) == "")
    #expect(WordList.text(["a", "b"], atMost: 2) == "a, b")
    #expect(WordList.text(["a", "b", "c"], atMost: 2) == "a, b and 1 more")
  }

  @Test("A number of things has its noun in the right form")
  func counted() {
    #expect(WordList.counted(0, "sample") == "0 samples")
    #expect(WordList.counted(1, "sample") == "1 sample")
    #expect(WordList.counted(2, "sync identifier") == "2 sync identifiers")
  }
}
