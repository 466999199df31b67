import Testing

@Suite("The rows of a cohort's table")
struct CohortRowsTests {
  @Test(
    "A column with the name of a remark is refused, and a remark is none",
    arguments: [
      (
        "isf: 'patient.x', note: 'patient.y'",
        ":1:91: error: \"note\" is a remark here, and the table has a column of that name. Rename "
          + "the column."
      ), ("isf: 'patient.x', 'x-of': 'patient.y'", nil),
      ("isf: 'patient.x', note: 'Sensitivities of the trial.'", nil),
      ("isf: 'patient.x', note: ['what', 'each is']", nil),
    ])
  func remarks(columns: String, sentence: String?) {
    let read = Read([
      "Scenarios/c.csv": "id,isf,note\np0,40,7\np1,50,8\n",
      "Scenarios/a.json5":
        "{ format: 'loopsim/1', patient: {}, cohort: { from: 'c.csv', columns: { \(columns) } } }",
    ])
    let error = read.sentences.first { $0.contains("error") }
    #expect(error == sentence.map { "Scenarios/a.json5\($0)" })
  }

  @Test(
    "Where no row is left it is said why, at the key to change",
    arguments: [
      (
        "id,isf\np0,40\np1,50\n", "skip: 2,",
        ":1:68: error: \"cohort.skip\" is 2, and the table has 2 rows: nobody is left. Make it "
          + "smaller."
      ),
      ("id,isf\n", "", ":1:53: error: The table has no rows; it needs one for each patient."),
      ("id,isf\np0,40\np1,50\n", "skip: 1,", nil),
    ])
  func nobodyLeft(table: String, skip: String, sentence: String?) {
    let read = Read([
      "Scenarios/c.csv": table,
      "Scenarios/a.json5":
        "{ format: 'loopsim/1', patient: {}, cohort: { from: 'c.csv', \(skip) "
        + "columns: { isf: 'patient.x' } } }",
    ])
    #expect(
      read.sentences.first { $0.contains("error") } == sentence.map { "Scenarios/a.json5\($0)" })
  }
}
