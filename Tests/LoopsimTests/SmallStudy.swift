@testable import loopsim

/// A study of two arms and five people, who live half an hour each.
enum SmallStudy {
  /// Writes the study, and the table of its people beside it as `people.csv`.
  ///
  /// - Returns: The path of the study.
  static func write(in scratch: Scratch) throws -> String {
    let file = scratch.file("study.json5")
    try Files.write("id,isf\na,40\nb,45\nc,50\nd,55\ne,60\n", to: scratch.file("people.csv"))
    try Files.write(
      """
      { format: 'loopsim/1', id: 'small', clock: { duration: '30m' },
        patient: { model: 'tidepool-simple', initialGlucose: 120, needs: { basal: [['00:00', 1]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        cohort: { from: 'people.csv', columns: { isf: 'patient.needs.sensitivity[0][1]' } },
        variants: { plain: {}, high: { therapy: { target: [['00:00', [140, 150]]] } } },
        study: { control: 'plain',
          primary: [{ id: 'mean', metric: 'mean', better: 'lower', noninferior: 10 }] } }
      """, to: file)
    return file
  }
}
