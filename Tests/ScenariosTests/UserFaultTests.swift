import Physiology
import Quantities
import Scenarios
import Simulation
import TestSupport
import Testing

/// What a person does wrong: each slip is a named fault, and what is eaten stays as it is.
@Suite("Faults of the person")
struct UserFaultTests {
  private typealias Fixture = BehaviourFixture

  private static let events = """
    events: [
      { at: '08:00', id: 'breakfast', meal: { grams: 40 },
        entry: { edits: [{ at: '+1h', grams: 30 }] } },
      { at: '08:00', id: 'dose', bolus: { units: 4 } },
      { at: { daily: '12:00' }, id: 'lunch', meal: { grams: 50 } },
      { at: '20:00', id: 'snack', meal: { grams: 10 }, entry: false },
    ],
    """

  private static func built(_ fault: String, days: Int = 1) throws -> BuiltRun {
    try Fixture.built(
      Fixture.text("\(events) faults: [{ id: 'slip', \(fault) }]", days: days))
  }

  /// The events of a run but its faults, as `name kind at minutes: amount`.
  private static func plain(_ built: BuiltRun) -> [String] {
    built.setup.events.compactMap { event in
      let minutes = Int((event.instant - built.setup.start).minutes)
      switch event.action {
      case .eat(let meal, _): return "\(event.id) eaten \(minutes): \(meal.grams)"
      case .enterCarbs(let request): return "\(request.name) entered \(minutes): \(request.grams)"
      case .editCarbs(let name, _, _, _): return "\(name) edited \(minutes)"
      case .bolus(let request):
        guard case .units(let units) = request.amount else { return "\(request.name) \(minutes)" }
        return "\(request.name) given \(minutes): \(units)"
      default: return nil
      }
    }
  }

  private static let usual = [
    "breakfast eaten 480: 40.0", "breakfast entered 480: 40.0", "breakfast edited 540",
    "dose given 480: 4.0", "lunch eaten 720: 50.0", "lunch entered 720: 50.0",
    "snack eaten 1200: 10.0",
  ]

  @Test(
    "A slip changes what is done in the app and nothing else",
    arguments: [
      (
        "user: { miss: { match: 'breakfast' } }",
        ["breakfast entered 480: 40.0", "breakfast edited 540"], []
      ),
      ("user: { miss: { of: 'bolus' } }", ["dose given 480: 4.0"], []),
      (
        "user: { late: { match: ['breakfast'], by: '25m' } }",
        ["breakfast entered 480: 40.0", "breakfast edited 540"],
        ["breakfast entered 505: 40.0", "breakfast edited 565"]
      ),
      (
        "user: { late: { of: 'bolus', by: '30m' } }", ["dose given 480: 4.0"],
        ["dose given 510: 4.0"]
      ),
      ("user: { double: { of: 'bolus', by: '2m' } }", [], ["dose-again given 482: 4.0"]),
      ("user: { double: { match: 'lunch' } }", [], ["lunch-again entered 725: 50.0"]),
      (
        "user: { misestimate: { match: 'lunch', bias: 0.5 } }", ["lunch entered 720: 50.0"],
        ["lunch entered 720: 25.0"]
      ),
      (
        "user: { misestimate: { of: 'bolus', bias: 1.5 } }", ["dose given 480: 4.0"],
        ["dose given 480: 6.0"]
      ),
      ("during: ['11:00', '14:00'], user: { miss: {} }", ["lunch entered 720: 50.0"], []),
      ("user: { miss: { probability: 0 } }", [], []),
      ("probability: 0, user: { miss: {} }", [], []),
    ] as [(String, [String], [String])])
  func changes(fault: String, gone: [String], new: [String]) throws {
    let plain = Self.plain(try Self.built(fault))
    #expect(plain.filter { !Self.usual.contains($0) } == new)
    #expect(Self.usual.filter { !plain.contains($0) } == gone)
  }

  @Test("Each slip is a row of its own in the timeline, with its id, and a fault in the result")
  func isNamed() throws {
    let days = Extent.of(2, whole: 3)
    let names = ["slip", "slip#2", "slip#3"].prefix(days)
    let run = Fixture.result(try Self.built("user: { miss: { match: 'lunch' } }", days: days))
    let rows = run.happenings(.fault)
    #expect(rows.map(\.name) == Array(names))
    #expect(rows.map(\.text).first == "The entry of the meal lunch#1 is forgotten.")
    #expect(
      rows.map { run.clock.timeOfDay(at: $0.instant).hoursAndMinutes }
        == Array(repeating: "12:00", count: days))
    #expect(run.faultWindows.map(\.id) == Array(names))
    #expect(run.happenings(.meal, of: "lunch").count == days)
    #expect(run.happenings(.carbEntry, of: "lunch").isEmpty)
  }

  @Test("A late bolus is a fault until it is given")
  func window() throws {
    let run = Fixture.result(try Self.built("user: { late: { of: 'bolus', by: '40m' } }"))
    let window = try #require(run.faultWindows.first)
    #expect(window.span.upperBound - window.span.lowerBound == .minutes(40))
    #expect(run.happenings(.bolus, of: "dose").first?.instant == window.span.upperBound)
  }

  @Test("Slips happen as often, and are as large, as their laws say")
  func laws() throws {
    let days = 900
    let missed = try Self.built("user: { miss: { match: 'lunch', probability: 0.3 } }", days: days)
    let entered = Self.plain(missed).count { $0.hasPrefix("lunch") && $0.contains("entered") }
    // Three standard deviations of the binomial law are 41.
    #expect((entered - 630).magnitude < 41)
    let misjudged = try Self.built(
      "user: { misestimate: { match: 'lunch', bias: 0.8, sd: 0.2 } }", days: days)
    var grams: [Double] = []
    for case .enterCarbs(let request) in misjudged.setup.events.map(\.action)
    where request.name.hasPrefix("lunch") {
      grams.append(request.grams)
    }
    let mean = grams.reduce(0, +) / Double(grams.count)
    #expect((mean - 40).magnitude < 1, "\(mean)")
    let variance = grams.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(grams.count)
    #expect((variance.squareRoot() - 10).magnitude < 0.85)
  }

  @Test("An event that is added moves no other draw")
  func streams() throws {
    func forgotten(_ more: String) throws -> [String] {
      let text = Fixture.text(
        """
        events: [\(more) { at: { daily: '12:00' }, id: 'lunch', meal: { grams: 50 } }],
        faults: [{ id: 'slip', user: { miss: { probability: 0.5 } } }]
        """, days: 40)
      return Self.plain(try Fixture.built(text)).filter { $0.hasPrefix("lunch#") }
    }
    let more = "{ at: { daily: '07:00' }, id: 'tea', meal: { grams: 5 } },"
    #expect(try forgotten("") == forgotten(more))
  }

  @Test("A time that is written in another way moves no draw of what has no id")
  func sameTime() throws {
    func grams(_ at: String, days: Int = 1) throws -> [Double] {
      let built = try Fixture.built(
        Fixture.text(
          """
          events: [{ at: \(at), meal: { grams: 50 } }],
          faults: [{ id: 'slip', user: { misestimate: { sd: 0.4 } } }]
          """, days: days))
      return built.setup.events.compactMap {
        if case .enterCarbs(let request) = $0.action { request.grams } else { nil }
      }
    }
    let first = try grams("'12:00'")
    #expect(first.count == 1 && first != [50])
    for at in [
      "'12:00:00'", "'d0 12:00'", "'+12h'", "'2026-01-15T12:00'", "'2026-01-15T18:00:00Z'",
      "['+720m']", "{ daily: '12:00:00' }",
    ] {
      #expect(try grams(at) == first, "\(at)")
    }
    #expect(try grams("'12:01'") != first)
    let later = try grams("'d1 09:30'", days: 2)
    #expect(try grams("'+33.5h'", days: 2) == later)
    #expect(try grams("{ daily: '9:30' }", days: 2).count == 2)
    #expect(try grams("['09:30', '+33.5h']", days: 2) == grams("{ daily: '9:30' }", days: 2))
  }

  @Test("Behaviour's meals and boluses can go wrong like any other")
  func behaviour() throws {
    let built = try Fixture.built(
      Fixture.text(
        """
        behaviour: { meals: [{ name: 'tea', window: ['16:00', '17:00'], grams: 20 }], bolus: {} },
        faults: [{ user: { miss: { match: 'tea#2' } } },
          { user: { double: { of: 'bolus', match: 'tea-bolus' } } }]
        """))
    let plain = Self.plain(built)
    #expect(plain.count { $0.contains("entered") } == 2)
    #expect(plain.count { $0.hasPrefix("tea-bolus#") } == 6)
  }

  @Test("A bolus that is not taken may be named, and nothing of it goes wrong", arguments: [0, 1])
  func declined(probability: Int) throws {
    let text = Fixture.text(
      """
      events: [{ at: '09:00', id: 'dose', bolus: { take: 'recommended' } }],
      faults: [{ user: { double: { of: 'bolus', match: 'dose' } } }]
      """, days: 1, app: "manualBolusAccept: { probability: \(probability) }")
    let (built, problems) = Fixture.attempt(text)
    #expect(problems == [])
    let events = try #require(built).setup.events
    #expect(events.map(\.id).contains("dose"))
    #expect(events.contains { $0.id == "dose-again" } == (probability == 1))
  }

  @Test(
    "What cannot be is one located sentence",
    arguments: [
      ("faults: [{ user: { mis: {} } }]", "Did you mean \"miss\"?"),
      ("faults: [{ user: { miss: { match: 'lunhc' } } }]", "Did you mean \"lunch\"?"),
      ("faults: [{ user: { miss: { match: 'snack' } } }]", "no meal \"snack\""),
      ("faults: [{ at: '09:00', user: { miss: {} } }]", "at"),
      ("faults: [{ user: { miss: { by: '5m' } } }]", "by"),
      ("faults: [{ user: { late: { by: '0s' } } }]", "'1s'"),
      ("faults: [{ user: { misestimate: { bias: 0 } } }]", "bias"),
      ("faults: [{ user: { miss: { probability: 1.5 } } }]", "probability\""),
      ("behaviour: { meals: [{ window: ['07:00', '08:00'], grams: -5 }] }", "grams"),
      ("behaviour: { meals: [{ window: ['07:00'], grams: 5 }] }", "two times of day"),
      ("behaviour: { meals: [{ window: ['07:00', '08:00'] }] }", "grams\" is missing"),
      (
        "behaviour: { meals: [{ name: 'lunch', window: ['07:00', '08:00'], grams: 5 }] }",
        "is there already"
      ),
      (
        """
        behaviour: { meals: [{ window: ['07:00', '08:00'],
          grams: { normal: { mean: 900, sd: 5, max: 50 } } }] }
        """, "one draw in a thousand"
      ),
      ("behaviour: { correction: { delay: '5m' } }", "above\" is missing"),
      ("behaviour: { rescue: { below: 70 } }", "grams\" is missing"),
      ("behaviour: { rescue: { below: 70, grams: 5, delay: '-5m' } }", "delay"),
      ("behaviour: { corrections: {} }", "Did you mean \"correction\"?"),
    ])
  func reports(rest: String, part: String) {
    let (built, problems) = Fixture.attempt(Fixture.text("\(Self.events) \(rest)"))
    #expect(built == nil)
    #expect(problems.contains { $0.contains(part) }, "\(problems)")
    for problem in problems { #expect(problem.hasPrefix("s.json5:"), "\(problem)") }
  }

  @Test(
    "What has no effect is a warning",
    arguments: [
      "faults: [{ during: ['03:00', '1h'], user: { miss: {} } }]",
      "behaviour: { announce: { bias: 0.8 } }", "behaviour: { bolus: {} }",
      "random: { seed: 1, replicates: 2, replicate: 1 }",
    ])
  func warns(rest: String) {
    let text = Fixture.text("\(Self.events) \(rest)").replacing("random: { seed: 1 },", with: "")
    let (built, problems) = Fixture.attempt(text)
    #expect(built != nil, "\(problems)")
    #expect(problems.contains { $0.contains("W-NOEFFECT") }, "\(problems)")
  }
}
