import StructuredText
import Testing

@Suite("Shares in per cent")
struct PercentTextTests {
  @Test("A share that is there is never written as none, nor one short of all as all")
  func shares() {
    let cases = [
      (0.0, "0.0", "0"), (0.03, "<0.1", "<1"), (0.06, "0.1", "<1"), (0.4, "0.4", "<1"),
      (0.5, "0.5", "1"), (50.04, "50.0", "50"), (99.4, "99.4", "99"), (99.7, "99.7", ">99"),
      (99.96, ">99.9", ">99"), (100, "100.0", "100"),
    ]
    for (share, text, whole) in cases {
      #expect(PercentText.number(share, decimals: 1) == text)
      #expect(PercentText.number(share, decimals: 0) == whole)
    }
    #expect(PercentText.number(0.004, decimals: 2) == "<0.01")
  }

  @Test("What several add up to decides on the number, and not on whether it is none or all")
  func together() {
    #expect(PercentText.whole(0.4, rounded: 0) == "<1")
    #expect(PercentText.whole(33.4, rounded: 34) == "34")
    #expect(PercentText.whole(99.6, rounded: 100) == ">99")
    #expect(PercentText.whole(100, rounded: 100) == "100")
    #expect(PercentText.whole(0, rounded: 0) == "0")
  }
}
