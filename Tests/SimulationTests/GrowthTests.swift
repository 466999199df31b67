import ClosedLoop
import Devices
import Physiology
import Quantities
import Simulation
import TestSupport
import Testing
import WorkCounting

/// The work of a day, in rows and points, on the days of a long run.
@Suite("A day costs what it cost before, however long the run")
struct GrowthTests {
  /// A life in which something piles up.
  enum Life: String, CaseIterable, CustomTestStringConvertible {
    case meals, automaticBolus, adviceOnly, emptyPump, suspended, pens, sensorApp, withoutNeed

    var testDescription: String { rawValue }

    static let days: Int64 = Extent.of(30, whole: 365)

    /// Three meals a day, entered and with the bolus that the app recommends.
    private var meals: [ScenarioEvent] {
      (0..<Self.days).flatMap { day in
        [(7, 45.0), (12, 70), (19, 60)].flatMap { hour, grams in
          let instant = Instant.at(24 * day + Int64(hour))
          let name = "meal \(day) \(hour)"
          return [
            ScenarioEvent(
              at: instant, id: name,
              .eat(MealInput(grams: grams, absorption: .hours(3)), name: name)),
            ScenarioEvent(
              at: instant, id: name,
              .enterCarbs(
                CarbEntryRequest(
                  name: name, grams: grams, absorption: .hours(3), eatenAt: instant))),
            ScenarioEvent(
              at: instant, id: name,
              .bolus(BolusRequest(.recommended(scale: 1, cap: nil), name: name))),
          ]
        }
      }
    }

    func setup() throws -> Setup {
      var fixture = Fixture()
      fixture.basal = [(0, 800), (6, 1_100), (12, 900), (18, 1_000)]
      fixture.duration = .days(Self.days)
      fixture.isClosedLoop = self != .adviceOnly
      fixture.keepsRecords = true
      fixture.sensor = .mard9
      fixture.events = meals
      switch self {
      case .meals, .adviceOnly: break
      // The loop sets a temp basal of zero, again and again.
      case .withoutNeed: (fixture.glucose, fixture.bodyBasal, fixture.events) = (60, 0, [])
      case .automaticBolus: fixture.strategy = .automaticBolus
      case .emptyPump: fixture.reservoir = .milliunits(20_000)
      case .suspended: fixture.events.append(ScenarioEvent(at: .at(20), .suspend))
      case .pens:
        // 27 a day: 10,000 in a year.
        for dose in 0..<(Self.days * 10_000 / 365) {
          let instant = Instant.at(0, 52 * dose, 34 * dose % 60)
          fixture.events.append(
            ScenarioEvent(
              at: instant,
              .writeToHealthStore(
                HealthStoreWrite(.bolus(units: 0.5, insulin: nil), start: instant, source: "Pen")))
          )
        }
      case .sensorApp: fixture.sensorPolicy = .dexcomApp
      }
      if self != .emptyPump {
        for day in 0..<Self.days {
          fixture.events.append(
            ScenarioEvent(at: .at(24 * day + 3), .pump(.replaceReservoir(nil))))
        }
      }
      return try fixture.setup()
    }
  }

  /// The work of each day of a life.
  private static func work(of life: Life) throws -> [Work] {
    var run = Run(try life.setup())
    var days: [Work] = []
    var before = Work.done
    while run.step() {
      guard run.progress * Double(Life.days) >= Double(days.count + 1) else { continue }
      days.append(Work.done - before)
      before = Work.done
    }
    return days
  }

  /// The cycles of a week.
  private static let cycles = 7 * 288

  @Test("The last week costs what the second did", arguments: Life.allCases)
  func staysFlat(life: Life) throws {
    let work = try Self.work(of: life)
    #expect(work.count == Int(Life.days))
    let second = Self.sum(work[7..<14])
    let last = Self.sum(work.suffix(7))
    // Meals, and what a sensor makes of them, differ from week to week by less.
    #expect(last.rows <= second.rows * 11 / 10)
    #expect(last.points <= second.points * 11 / 10)
    // Sixteen hours of doses and of glucose are what a cycle can look at.
    #expect(last.rows <= 1_500 * Self.cycles)
    #expect(last.points <= 1_000 * Self.cycles)
    // A count that stands still would say nothing.
    #expect(second.rows > 100 * Self.cycles)
    #expect(second.points > 100 * Self.cycles)
  }

  private static func sum(_ days: ArraySlice<Work>) -> Work {
    days.reduce(Work()) { Work(rows: $0.rows + $1.rows, points: $0.points + $1.points) }
  }
}
