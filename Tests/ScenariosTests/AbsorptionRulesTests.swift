import Scenarios
import TestSupport
import Testing

@Suite("How long food takes, where nobody heeds it")
struct AbsorptionRulesTests {
  /// What is said of an absorption in a body, and where in the text that follows the therapy.
  private static func warnings(
    _ rest: String, model: String = "'uva-padova-s2008', name: 'adult#001'"
  ) -> [String] {
    let text = """
      { format: 'loopsim/1', id: 'food', patient: { model: \(model) },
        therapy: { basal: [['00:00', 1]], sensitivity: [['00:00', 40]],
          carbRatio: [['00:00', 10]] },
      \(rest) }
      """
    return CheckTests.check(["s.json5": text], "s.json5").1.filter { $0.contains("\"absorption\"") }
  }

  private static let notTold = "no app is told of this meal."

  @Test(
    "A body with a stomach knows it itself: what is not typed as it stands has no effect",
    arguments: [
      (
        """
        events: [{ at: '02:00', entry: { absorption: '3h' },
          meal: { grams: 9, absorption: '2h' } }]
        """, "5:33", "the app is told what \"entry.absorption\" says."
      ),
      (
        "history: { carbs: [{ at: '-1h', grams: 9, entered: false, absorption: '2h' }] }", "4:71",
        notTold
      ),
      (
        "app: 'none', history: { carbs: [{ at: '-1h', grams: 9, absorption: '2h' }] }", "4:68",
        notTold
      ),
      ("behaviour: { rescue: { below: 70, grams: 9, absorption: '2h' } }", "4:57", notTold),
      (
        "behaviour: { rescue: { below: 70, grams: 9, entry: false, absorption: '2h' } }", "4:71",
        notTold
      ),
      (
        """
        app: 'none', behaviour: {
          meals: [{ window: ['07:00', '08:00'], grams: 9, absorption: '2h' }] }
        """, "5:63", notTold
      ),
      (
        """
        behaviour: { announce: { probability: 0 },
          meals: [{ window: ['07:00', '08:00'], grams: 9, absorption: { uniform: ['2h', '4h'] } }] }
        """, "5:63", notTold
      ),
      (
        """
        behaviour: { announce: { absorption: '3h' },
          meals: [{ window: ['07:00', '08:00'], grams: 9, absorption: '2h' }] }
        """, "5:63", "the app is told what \"announce.absorption\" says."
      ),
    ])
  func idle(rest: String, place: String, reason: String) {
    for model in ["uva-padova-s2008", "uva-padova-s2013"] {
      let found = Self.warnings(rest, model: "'\(model)', name: 'adult#001'")
      #expect(
        found == [
          "s.json5:\(place): warning: \"absorption\" has no effect: the model \(model) knows "
            + "itself how fast food is taken up, and \(reason) [W-NOEFFECT]"
        ])
    }
    // The chains of a minimal model take up a meal as fast as it says.
    #expect(Self.warnings(rest, model: "'bergman'") == [])
  }

  @Test(
    "What the app is told, or acts in another run of the file, has an effect",
    arguments: [
      "events: [{ at: '02:00', meal: { grams: 9, absorption: '2h' }, entry: { grams: 5 } }]",
      "history: { carbs: [{ at: '-1h', grams: 9, eaten: false, absorption: '2h' }] }",
      "behaviour: { rescue: { below: 70, grams: 9, entry: true, absorption: '2h' } }",
      "behaviour: { meals: [{ window: ['07:00', '08:00'], grams: 9, absorption: '2h' }] }",
      """
      behaviour: { rescue: { below: 70, grams: 9, absorption: '2h' } },
      variants: { told: { behaviour: { rescue: { entry: true } } }, untold: {},
        chains: { patient: { model: 'bergman', name: { $remove: true } } } }
      """,
    ])
  func told(rest: String) {
    let found = Self.warnings(rest)
    #expect(found == [], "\(found)")
  }
}
