import Testing

@testable import loopsim

/// Hours with little insulin are told by each body's own kinetics.
@Suite("Hours with little insulin on board")
struct LittleInsulinTests {
  /// Each body begins with the insulin of its own need, and then lives two days on a part of it,
  /// where its insulin settles: Hovorka's on 0.207 of 0.377 U/h (55 %) and on 0.170 (45 %),
  /// Bergman's on 0.339 of 0.721 U/h (47 %), the adult of UVA/Padova on 0.570 of 1.267 U/h (45 %)
  /// and on 0.700 (55 %), and a body of added effects that needs 1 U/h from eight o'clock on 0.45
  /// and on 0.55.
  @Test(
    "More than half of what the need would hold is no such hour, and less is one",
    arguments: [
      ("model: 'hovorka'", "0.207", false), ("model: 'hovorka'", "0.170", true),
      ("model: 'bergman'", "0.339", true),
      ("model: 'uva-padova-s2008', name: 'adult#001'", "0.570", true),
      ("model: 'uva-padova-s2008', name: 'adult#001'", "0.700", false),
      (Self.added, "0.45", true), (Self.added, "0.55", false),
    ])
  func half(body: String, rate: String, isLittle: Bool) async throws {
    let scratch = try Scratch()
    let file = scratch.file("body.json5")
    try Files.write(
      """
      { format: 'loopsim/1', id: 'body', random: { seed: 1 },
        clock: { start: '2026-01-15T08:00:00', timeZone: 'UTC', duration: '48h' },
        patient: { \(body) },
        therapy: {
          basal: [['00:00', \(rate)]], sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]],
          target: [['00:00', [100, 115]]], maxBasal: 5, maxBolus: 10 },
        cgm: { model: 'ideal' }, pump: { model: 'continuous' }, app: { closedLoop: false },
        output: { save: [] },
        expect: [{ metric: 'dkaHours', \(isLittle ? "min: 36" : "max: 0") }] }
      """, to: file)
    let told = await program(["run", file, "--out", scratch.file("out")])
    #expect(told.code == 0, "\(told.output) \(told.error)")
  }

  private static let added = """
    model: 'tidepool-simple', needs: { basal: [['00:00', 3], ['08:00', 1]],
      sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] }
    """
}
