import Testing

@Suite("Values of a sweep")
struct SweepValuesTests {
  @Test(
    "What is no list and no range says what is missing of it",
    arguments: [
      // A setting as it stands outside of a sweep.
      (
        "therapy: { maxBasal: [1, 2] }",
        "\"maxBasal\" says nothing of the values of \"therapy\". A setting within it is swept by "
          + "its whole path: 'therapy.maxBasal'."
      ),
      (
        "zip: { 'therapy.scale': { basal: [1, 2] } }",
        "\"basal\" says nothing of the values of \"therapy.scale\". A setting within it is swept "
          + "by its whole path: 'therapy.scale.basal'."
      ),
      (
        "'therapy.maxBasal': { from: 1, to: 5 }",
        "A range needs a \"step\", or \"n\" for how many values it has."
      ),
      (
        "'therapy.maxBasal': { from: 1, to: 5, scale: 'log' }",
        "\"sweep.therapy.maxBasal.n\" is missing"
      ),
    ])
  func missing(sweep: String, sentence: String) {
    let sentences = Read("therapy: {}, sweep: { \(sweep) }").sentences
    #expect(sentences.count == 1, "\(sentences)")
    #expect(sentences.first?.contains("error: \(sentence)") == true, "\(sentences)")
  }

  @Test("A law of which no points are drawn is no setting within a setting")
  func laws() {
    let sentences = Read("therapy: {}, sweep: { 'therapy.x': { uniform: [1, 2] } }").sentences
    #expect(
      sentences.contains { $0.contains("\"uniform\" is not a known key in \"sweep.therapy.x\"") },
      "\(sentences)")
  }
}
