import StructuredText
import Testing

@testable import ScenarioLanguage

@Suite("Former names of keys")
struct RenamedKeyTests {
  private static let former = """
    { format: 'loopsim/1', clock: { duration: '24h' },
      patient: { model: 'uva-padova-s2008', name: 'adult#001' },
      healthStore: { "authorised": ['glucose'] }, // authorised
      events: [
        { id: 'b', at: '09:00', bolus: { units: 1, by: 'unauthorised' } },
        { id: 'm', at: '10:00', entry: { grams: 20, edits: [{ at: '11:00', at_meal: '10:30' }] } },
        { at: '11:00', sickness: { scale: 1.5, duration: '6h' } },
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
    .replacing("sickness", with: "insulinResistance")

  @Test("A file with former names reads as with the present ones, with a warning for each")
  func reads() throws {
    let old = Read(["old.json5": Self.former], "old.json5")
    let new = Read(["new.json5": Self.present], "new.json5")
    #expect(new.sentences == [])
    #expect(old.sentences.count == 7)
    for sentence in old.sentences {
      #expect(sentence.contains("now. \"loopsim check --fix\""), "\(sentence)")
    }
    let (former, present) = (try #require(old.document), try #require(new.document))
    #expect(JSONValue(former.tree) == JSONValue(present.tree))
  }

  @Test("The fix changes names and nothing else, and finds nothing to change after it")
  func fixes() throws {
    let fixed = try #require(RenamedKeys.fixed(Array(Self.former.utf8), file: "old.json5"))
    #expect(String(decoding: fixed.bytes, as: UTF8.self) == Self.present)
    #expect(fixed.count == 7)
    #expect(RenamedKeys.fixed(fixed.bytes, file: "old.json5") == nil)
  }

  @Test("The lines of a file may end as they do on any system", arguments: ["\r\n", "\r"])
  func lineEnds(end: String) throws {
    let former = Self.former.replacing("\n", with: end)
    let fixed = try #require(RenamedKeys.fixed(Array(former.utf8), file: "old.json5"))
    #expect(
      String(decoding: fixed.bytes, as: UTF8.self) == Self.present.replacing("\n", with: end))
    #expect(fixed.count == 7)
  }

  @Test("A mark of the byte order moves no name, in quotes or without")
  func byteOrderMark() throws {
    for quote in ["", "'", "\""] {
      let former = "\u{FEFF}{ healthStore: { \(quote)authorised\(quote): [] } }"
      let fixed = try #require(RenamedKeys.fixed(Array(former.utf8), file: "f.json5"))
      let present = former.replacing("authorised", with: "authorized")
      #expect(fixed.count == 1 && fixed.bytes == Array(present.utf8))
    }
  }

  @Test("A former name beside the present one, or elsewhere, is a key like any other")
  func elsewhere() {
    let both = "{ healthStore: { authorised: [], authorized: [] }, p: 1, meal: { at_meal: 1 } }"
    #expect(RenamedKeys.fixed(Array(both.utf8), file: "f.json5") == nil)
    #expect(RenamedKeys.fixed(Array("{ healthStore: {".utf8), file: "f.json5") == nil)
  }
}
