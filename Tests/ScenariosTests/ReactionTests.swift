import Quantities
import Scenarios
import Simulation
import TestSupport
import Testing

/// What a person does on seeing glucose: when, how much, and not too often.
@Suite("Reactions to glucose")
struct ReactionTests {
  private typealias Fixture = BehaviourFixture

  /// An open loop in which glucose rises with a meal that nobody enters.
  private static func high(_ correction: String, hours: Int = 6, seed: UInt64 = 1) -> String {
    """
    { format: 'loopsim/1', random: { seed: \(seed) },
      clock: { start: '2026-01-15T08:00:00', duration: '\(hours)h' },
      patient: { model: 'tidepool-simple', initialGlucose: 110, needs: { basal: [['00:00', 0.8]],
        sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
      therapy: { maxBolus: 12 }, app: { closedLoop: false },
      events: [{ at: '08:30', meal: { grams: 60 }, entry: false }],
      behaviour: { correction: { \(correction) } } }
    """
  }

  @Test("A correction comes its delay after the first reading above, with what is recommended")
  func correction() throws {
    let run = try Fixture.result(Self.high("above: 180, delay: '30m', lockout: '3h'"))
    let first = try #require(run.trace.rows.first { ($0.reading?.mgdL ?? 0) > 180 })
    let asked = run.happenings(.bolus, of: "correction")
    #expect(asked.first?.instant == first.instant + .minutes(30))
    #expect(asked.first?.text.hasPrefix("A bolus of") == true)
    #expect(run.boluses.first.map { $0.asked > .zero && !$0.isAutomatic } == true)
    #expect(run.reactions.map(\.name) == (1...run.reactions.count).map { "correction#\($0)" })
    for (one, next) in zip(run.reactions, run.reactions.dropFirst()) {
      #expect(next.instant - one.instant >= .hours(3))
    }
  }

  @Test("Below the limit nobody does anything")
  func nothing() throws {
    let run = try Fixture.result(Self.high("above: 400"))
    #expect(run.reactions.isEmpty)
    #expect(run.boluses.isEmpty)
  }

  @Test("A person sees what the app shows: with the phone off, nothing")
  func seesTheApp() throws {
    let text = Self.high("above: 180").replacing(
      "behaviour:", with: "faults: [{ during: ['08:15', '6h'], phone: { off: {} } }], behaviour:")
    #expect(try Fixture.result(text).reactions.isEmpty)
  }

  /// A fasting body with too much basal, which falls below 70 mg/dL.
  private static func low(_ rescue: String, seed: UInt64 = 1, faults: String = "") -> String {
    """
    { format: 'loopsim/1', random: { seed: \(seed) },
      clock: { start: '2026-01-15T08:00:00', duration: '12h' },
      patient: { model: 'tidepool-simple', initialGlucose: 110, needs: { basal: [['00:00', 0.8]],
        sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
      therapy: { basal: [['00:00', 1.2]] }, app: { closedLoop: false }, \(faults)
      behaviour: { rescue: { \(rescue) } } }
    """
  }

  @Test("Rescue carbs are eaten after the delay, never within the lockout, and not entered")
  func rescue() throws {
    let run = try Fixture.result(
      Self.low("below: 70, grams: { uniform: [5, 10] }, delay: '10m', lockout: '40m'"))
    let first = try #require(run.trace.rows.first { ($0.reading?.mgdL ?? 999) < 70 })
    let eaten = run.happenings(.meal, of: "rescue")
    #expect(eaten.count > 3)
    #expect(eaten.first?.instant == first.instant + .minutes(10))
    for (one, next) in zip(eaten, eaten.dropFirst()) {
      #expect(next.instant - one.instant >= .minutes(40))
    }
    #expect(run.happenings(.carbEntry).isEmpty)
    for case .rescue(let grams, let absorption, _) in run.reactions.map(\.action) {
      #expect((5...10).contains(grams))
      #expect(absorption == .minutes(30))
    }
    let bare = try Fixture.result(Self.low("below: 40, grams: 10"))
    let lowest = run.trace.rows.map(\.trueGlucose.mgdL).min() ?? 0
    #expect(lowest > (bare.trace.rows.map(\.trueGlucose.mgdL).min() ?? 0) + 5)
  }

  @Test("A false low of the sensor is treated by who looks at the app, and not by who feels")
  func sense() throws {
    func reactions(_ sense: String) throws -> Int {
      let text = Self.low(
        "below: 70, grams: 10, sense: '\(sense)'",
        faults: "faults: [{ during: ['08:20', '25m'], cgm: { bias: { offset: -60 } } }],")
      return try Fixture.result(text).reactions.count {
        $0.instant < Instant(secondsSince1970: 1_768_467_600)  // 09:00
      }
    }
    #expect(try reactions("cgm") > 0)
    #expect(try reactions("body") == 0)
  }

  @Test("Entered rescue carbs reach the app")
  func entered() throws {
    let run = try Fixture.result(Self.low("below: 70, grams: 8, entry: true"))
    #expect(run.happenings(.carbEntry, of: "rescue").count == run.reactions.count)
    #expect(!run.reactions.isEmpty)
  }

  @Test("A person reacts as often as the probability says, and what goes by is remarked")
  func probability() throws {
    let runs = Extent.of(4, whole: 16)
    var noticed = 0
    var reacted = 0
    for seed in 0..<UInt64(runs) {
      let run = try Fixture.result(
        Self.low("below: 70, grams: 4, probability: 0.4, lockout: '15m'", seed: seed))
      noticed += run.reactions.count
      reacted += run.happenings(.meal, of: "rescue").count
      let remarks = run.happenings(.note, of: "rescue")
      #expect(remarks.allSatisfy { $0.text == "The low goes unnoticed." })
      #expect(remarks.count + run.happenings(.meal, of: "rescue").count == run.reactions.count)
    }
    let share = Double(reacted) / Double(noticed)
    // Four standard deviations of the binomial law.
    let bound = 4 * (0.4 * 0.6 / Double(noticed)).squareRoot()
    #expect(noticed > runs * 25 / 2)
    #expect((share - 0.4).magnitude < bound, "\(reacted) of \(noticed)")
  }

  @Test("A correction moves no draw of the rescues, nor the other way round")
  func streams() throws {
    let rescue = "below: 70, grams: { uniform: [3, 9] }, lockout: '1h'"
    let alone = try Fixture.result(Self.low(rescue))
    let both = try Fixture.result(
      Self.low(rescue).replacing(
        "behaviour: {", with: "behaviour: { correction: { above: 300, probability: 0.5 },"))
    #expect(alone.reactions == both.reactions)
    #expect(alone.digest == both.digest)
  }

  @Test("A copied run goes on to the same reactions")
  func checkpoint() throws {
    let built = try Fixture.built(
      Self.low("below: 70, grams: { uniform: [3, 9] }, probability: 0.6, delay: '7m'"))
    var run = Run(built.setup)
    for _ in 0..<80 { _ = run.step() }
    var copy = run
    while run.step() {}
    while copy.step() {}
    let (first, second) = (run.finish(), copy.finish())
    #expect(first.reactions == second.reactions)
    #expect(first.digest == second.digest)
  }
}
