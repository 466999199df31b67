import Quantities
import Testing

@testable import Simulation

struct SharedTests {
  @Test("a text comes out as it went in, byte for byte, however often and in whatever spelling")
  func bytesStay() {
    var texts = SharedValues<ExactText>()
    let composed = "A preset named Caf\u{E9} begins."
    let decomposed = "A preset named Cafe\u{301} begins."
    #expect(composed == decomposed)
    #expect(ExactText(composed) != ExactText(decomposed))
    for text in [composed, decomposed, composed, "", "short", decomposed] {
      var shared = Shared(ExactText(text))
      texts.share(&shared)
      #expect(Array(shared.value.text.utf8) == Array(text.utf8))
    }
  }

  @Test("a run that says more than is kept says it all")
  func moreThanIsKept() {
    var texts = SharedValues<ExactText>()
    for number in 0..<(3 * SharedValues<ExactText>.most) {
      let text = "This is the sentence with the number \(number)."
      var shared = Shared(ExactText(text))
      texts.share(&shared)
      #expect(shared.value.text == text)
    }
  }

  @Test("a change in one place leaves the others")
  func changesAreOfOnePlace() {
    var trace = Trace()
    for minute in 0..<Int64(3) { trace.note(.note, "n", "The same sentence.", at: .at(0, minute)) }
    trace.happenings[1].text = "Another sentence."
    #expect(
      trace.happenings.map(\.text) == [
        "The same sentence.", "Another sentence.", "The same sentence.",
      ])
    #expect(trace.happenings.map(\.name) == ["n", "n", "n"])
    trace.add(TraceRow(instant: .at(0), trueGlucose: .mgdL(100), recommendation: "none"))
    trace.add(TraceRow(instant: .at(0, 5), trueGlucose: .mgdL(101), recommendation: "none"))
    trace.rows[0].mode = .suspended
    trace.rows[0].carbsEaten = .init(grams: 20)
    #expect(trace.rows.map(\.mode) == [.suspended, .openLoop])
    #expect(trace.rows.map(\.carbsEaten.grams) == [20, 0])
    #expect(trace.rows.map(\.recommendation) == ["none", "none"])
  }

  @Test("a row, a happening and an outcome of a run of years take few bytes")
  func sizes() {
    #expect(MemoryLayout<TraceRow>.stride == 72)
    #expect(MemoryLayout<Happening>.stride == 16)
    #expect(MemoryLayout<CycleOutcome>.stride == 24)
  }
}
