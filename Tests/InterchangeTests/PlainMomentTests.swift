import Determinism
import Testing

@testable import Interchange

/// What tables mostly hold is read byte by byte, and says what it would say otherwise.
@Suite("Plain times and values of tables")
struct PlainMomentTests {
  /// A blank between date and time is read byte by byte, a comma part by part.
  @Test("A time is the same byte by byte as part by part", arguments: 0..<40 as Range<UInt64>)
  func sameEitherWay(seed: UInt64) {
    var stream = RandomStream(seed: seed, name: "moments")
    let odd = Array("0123456789-/:.+Zx\u{301}é٣".unicodeScalars.map(Character.init))
    for _ in 0..<200 {
      let mark = Bool.random(using: &stream) ? "-" : "/"
      func below(_ limit: Double) -> Int { Int(stream.unit() * limit) }
      func two(_ limit: Double) -> String {
        let number = below(limit)
        return number < 10 ? "0\(number)" : "\(number)"
      }
      let year = 1_880 + below(641)
      var text = Array("\(year)\(mark)\(two(14))\(mark)\(two(34)) \(two(26)):\(two(62))")
      if Bool.random(using: &stream) { text += Array(":\(two(62))") }
      if Bool.random(using: &stream) { text.append("Z") }
      if below(4) == 0 {
        let place = text.indices.filter { $0 != 10 }.randomElement(using: &stream) ?? 0
        text[place] = odd.randomElement(using: &stream) ?? "x"
      }
      let plain = String(text)
      let apart = String(text[..<10]) + "," + String(text[11...])
      #expect(TableMoment(plain) == TableMoment(apart), "\(plain)")
      text[10] = "T"
      #expect(TableMoment(String(text)) == TableMoment(apart), "\(plain)")
    }
  }

  /// Stores that were filled by earlier versions know their samples by it.
  @Test("The name of a value from which its identity follows is that which it always was")
  func identities() {
    let values: [(RecordTable.Value, String)] = [
      (.glucose(120), "glucose(120.0)"), (.meter(99.5), "meter(99.5)"),
      (.bolus(0.05), "bolus(0.05)"), (.longActing(12), "longActing(12.0)"),
      (.carbohydrates(1e-05), "carbohydrates(1e-05)"),
      (
        .basal(0.5, kind: .temp), "basal(0.5, kind: Interchange.RecordTable.BasalKind.temp)"
      ),
      (
        .basal(0, kind: .suspended), "basal(0.0, kind: Interchange.RecordTable.BasalKind.suspended)"
      ),
      (
        .basal(1, kind: .scheduled), "basal(1.0, kind: Interchange.RecordTable.BasalKind.scheduled)"
      ),
    ]
    for (value, name) in values {
      #expect(value.identity == name)
      #expect("\(value)" == name)
    }
  }

  @Test(
    "Blanks of any alphabet are taken from the ends, and nothing else",
    arguments: [
      ("", ""), (" ", ""), ("\t a b\r\n", "a b"), ("\u{a0}1\u{3000}", "1"), ("1", "1"),
      ("é", "é"), (" é", "é"), ("x\u{2028}", "x"),
      ("\u{1c}x", "\u{1c}x"), ("x\u{301} ", "x\u{301}"),
    ])
  func trims(text: String, trimmed: String) { #expect(text.trimmed == trimmed) }
}
