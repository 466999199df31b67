import StructuredText
import Testing

@Suite("Tables for a terminal")
struct TerminalTableTests {
  @Test("Columns of a table line up, numbers to the right")
  func alignsColumns() {
    var table = TerminalTable(header: ["insulin", "U"], [.left, .right])
    table.rows = [["basal", "12.00"], ["bolus", "3.5"]]
    #expect(table.lines == ["  insulin      U", "  basal    12.00", "  bolus      3.5"])
  }

  @Test("Columns line up behind letters of two columns, pictures and marks above letters")
  func wideLetters() {
    var table = TerminalTable(header: ["source", "U"], [.left, .right])
    table.indent = 0
    // Four letters of two columns and two of one; three people joined are one picture; a mark of
    // its own above an e takes none.
    table.rows = [["李小龙的iP", "1"], ["👩‍👩‍👧", "2"], ["caf\u{65}\u{301}", "3"], ["ｗide", "4"]]
    #expect(
      table.lines == [
        "source      U", "李小龙的iP  1", "👩‍👩‍👧          2",
        "caf\u{65}\u{301}        3", "ｗide       4",
      ])
  }

  @Test("A column is as wide as its widest entry, so that nothing is cut")
  func isWideEnough() {
    var table = TerminalTable(header: ["", "tempBasal", "difference"], [.left, .right, .left])
    table.indent = 0
    table.gap = 1
    table.rows = [["lows", "123456.78", "+9009.33"], ["a longer name", "1"]]
    #expect(
      table.lines == [
        "              tempBasal difference", "lows          123456.78 +9009.33",
        "a longer name         1",
      ])
  }
}
