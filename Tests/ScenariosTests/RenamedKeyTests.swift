import StructuredText
import Testing

@testable import Scenarios

@Suite("Former names of keys")
struct RenamedKeyTests {
  private static let former = """
    { format: 'loopsim/1', clock: { duration: '24h' },
      patient: { model: 'uva-padova-s2008', name: 'adult#001' },
      healthStore: { "authorised": ['glucose'] }, // authorised
      events: [
        { id: 'b', at: '09:00', bolus: { units: 1, by: 'unauthorised' } },
        { id: 'm', at: '10:00', entry: { grams: 20, edits: [{ at: '11:00', at_meal: '10:30' }] } },
      ],
      faults: [{ user: { miss: { of: 'bolus', p: 0.5 } } }],
      variants: { all: { healthStore: { authorised: [] }, events: { $append: [
        { at: '12:00', bolus: { units: 1, by: 'unauthorised' } } ] } } },
    }

    """

  private static let present = former.replacing("\"authorised\"", with: "\"authorized\"")
    .replacing("'unauthorised'", with: "'unauthorized'")
    .replacing("authorised: []", with: "authorized: []")
    .replacing("at_meal", with: "eatenAt").replacing("p: 0.5", with: "probability: 0.5")

  @Test("A file with former names reads as with the present ones, with a warning for each")
  func reads() throws {
    let (_, sentences) = CheckTests.check(["old.json5": Self.former], "old.json5")
    let renamed = sentences.filter { $0.contains("now. \"loopsim check --fix\"") }
    #expect(renamed.count == 6, "\(sentences)")
    let (_, others) = CheckTests.check(["old.json5": Self.present], "old.json5")
    #expect(sentences.count - renamed.count == others.count, "\(sentences) \(others)")
    func tree(_ text: String) -> JSONNode? {
      var reader = ScenarioReader(files: MemoryFiles(["s.json5": text]))
      return reader.read("s.json5", problems: ProblemList())?.tree
    }
    let (old, new) = (try #require(tree(Self.former)), try #require(tree(Self.present)))
    #expect(JSONValue(old) == JSONValue(new))
  }

  @Test("The fix changes names and nothing else, and finds nothing to change after it")
  func fixes() throws {
    let fixed = try #require(RenamedKeys.fixed(Array(Self.former.utf8), file: "old.json5"))
    #expect(String(decoding: fixed.bytes, as: UTF8.self) == Self.present)
    #expect(fixed.count == 6)
    #expect(RenamedKeys.fixed(fixed.bytes, file: "old.json5") == nil)
  }

  @Test("A former name beside the present one, or elsewhere, is a key like any other")
  func elsewhere() {
    let both = "{ healthStore: { authorised: [], authorized: [] }, p: 1, meal: { at_meal: 1 } }"
    #expect(RenamedKeys.fixed(Array(both.utf8), file: "f.json5") == nil)
    #expect(RenamedKeys.fixed(Array("{ healthStore: {".utf8), file: "f.json5") == nil)
  }
}
