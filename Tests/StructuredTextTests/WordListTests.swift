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
    #expect(WordList.counted(1, "entry") + WordList.counted(2, "entry") == "1 entry2 entries")
    #expect(WordList.counted(2, "day") == "2 days")
    #expect(WordList.counted(2, "bolus") == "2 boluses")
    #expect(WordList.counted(2, "stretch") == "2 stretches")
  }

  @Test(
    "What things do agrees with their number",
    arguments: [
      ("is", "are"), ("was", "were"), ("has", "have"), ("does", "do"), ("lies", "lie"),
      ("passes", "pass"), ("gives", "give"), ("takes", "take"),
    ])
  func verbs(one: String, several: String) {
    #expect(WordList.counted(1, "run", one) == "1 run \(one)")
    #expect(WordList.counted(0, "run", one) == "0 runs \(several)")
    #expect(WordList.verb(one, of: 2) == several)
  }
}
