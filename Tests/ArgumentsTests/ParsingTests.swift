import Arguments
import Testing

@Suite("Parsing")
struct ParsingTests {
  @Test(
    "Words become values in every spelling",
    arguments: [
      ("run a", "a 1 text"),
      ("run a b c", "a,b,c 1 text"),
      ("run a --seed 7", "a 7 text"),
      ("run --seed=7 a", "a 7 text"),
      ("run -s 7 a", "a 7 text"),
      ("run -s=7 a", "a 7 text"),
      ("run -s7 a", "a 7 text"),
      ("run -qs 7 a", "a 7 text quiet"),
      ("run -qs=7 a", "a 7 text quiet"),
      ("run --seed 7 -s 7 -qq --quiet a", "a 7 text quiet"),
      ("run --no-noise --no-noise a", "a 1 text silent"),
      ("run --noise a", "a 1 text"),
      ("run - --format json", "- 1 json"),
      ("run -- -s 7", "-s,7 1 text"),
      ("r a", "a 1 text"),
      ("run run", "run 1 text"),
      ("data sum 1", "1.0 - -"),
      ("data sum 1 2 --unit grams", "3.0 grams -"),
      ("data sum 1 -m 2 --more=-5 --day sun", "-2.0 - sun"),
      ("data sum --more 3 1e1", "13.0 - -"),
    ])
  func reads(line: String, expected: String) async {
    #expect(await sample(line) == Outcome(code: 0, output: "\(expected)\n"))
  }

  @Test("The largest seed is read exactly")
  func readsLargestSeed() async {
    let outcome = await sample("run a --seed 18446744073709551615")
    #expect(outcome.output == "a 18446744073709551615 text\n")
  }

  @Test(
    "A command that fails says so on standard error, without usage",
    arguments: [
      ("fail", Outcome(code: 1, error: "Error: It broke.\n")),
      ("fail plain", Outcome(code: 1, error: "Error: It broke.\n")),
      ("fail speaking", Outcome(code: 74, error: "Error: The disk is full. Make room.\n")),
      ("fail code", Outcome(code: 75)),
      ("fail clean", Outcome(code: 0, output: "Nothing to do.\n")),
    ])
  func fails(line: String, expected: Outcome) async {
    #expect(await sample(line) == expected)
  }

  @Test("Any words at all give an answer on one stream", arguments: 0..<40 as Range<UInt64>)
  func survivesAnyWords(seed: UInt64) async {
    let pieces = [
      "run", "r", "data", "sum", "fail", "help", "--", "-", "--seed", "-s", "-q", "--seed=7", "=",
      "--=", "-=", "--quiet=", "-qs", "a", "7", "--no-noise", "-é", "--é=ü", "", "--format", "json",
    ]
    var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    for _ in 0..<50 {
      var words: [String] = []
      for _ in 0..<6 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        words.append(pieces[Int(state % UInt64(pieces.count))])
      }
      let console = RecordedConsole()
      let code = await Sample.run(words, to: console)
      #expect(console.output.isEmpty != console.error.isEmpty, "\(words)")
      #expect([0, 1, 64].contains(code), "\(words)")
      #expect((code == 0) == console.error.isEmpty, "\(words)")
    }
  }
}
