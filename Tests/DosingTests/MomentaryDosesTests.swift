import Dosing
import Quantities
import TestSupport
import Testing

@Suite("What is on board of doses given at once, at instants that come one after the other")
struct MomentaryDosesTests {
  private typealias Dose = (units: Double, instant: Instant)

  private func at(_ hour: Int64, _ minute: Int64 = 0) -> Instant {
    Instant(secondsSince1970: 1_767_225_600) + .minutes(hour * 60 + minute)
  }

  private func plain(_ doses: [Dose], at now: Instant, _ model: InsulinModel) -> Double {
    doses.reduce(0) { sum, dose in
      let age = (now - dose.instant).seconds
      return sum + dose.units * LoopAlgorithm.fractionOnBoard(of: model, secondsAfter: age)
    }
  }

  @Test(
    "It is the sum over the doses, for every insulin, with gaps in doses and in questions",
    arguments: InsulinModel.allCases)
  func isSumOfDoses(model: InsulinModel) {
    var chance = Chance(state: 20_261_126 + UInt64(model.rawValue))
    var now = at(0)
    var doses: [Dose] = []
    var kept = MomentaryDoses(of: model)
    for _ in 0..<Extent.of(600, whole: 4_000) {
      // Mostly some minutes on; now and then hours, or a day after which all has acted.
      let longest = chance.below(20) == 0 ? 100_000_000 : 900_000
      let next = now + .milliseconds(Int64(chance.below(longest)))
      let pieces = (0..<chance.below(6)).map { _ in
        now + .milliseconds(Int64(chance.below(Int((next - now).milliseconds) + 1)))
      }
      for instant in pieces.sorted() {
        let units = chance.below(30) == 0 ? 12.3 : 0.05 * Double(1 + chance.below(4))
        doses.append((units, instant))
        kept.append(units, at: instant)
      }
      now = next
      doses.removeAll { (now - $0.instant).seconds > InsulinModel.longestEffectDuration }
      let units = doses.reduce(1) { $0 + $1.units }
      let difference = kept.onBoard(at: now) - plain(doses, at: now, model)
      #expect(abs(difference) < 1e-12 * units, "\(now)")
    }
  }

  @Test("No rounding is left when all has acted, and none is added in the delay")
  func isExactAtBothEnds() {
    var doses = MomentaryDoses(of: .fiasp)
    for minute in 0..<500 as Range<Int64> {
      doses.append(0.1, at: at(0, minute))
      _ = doses.onBoard(at: at(0, minute))
    }
    #expect(doses.onBoard(at: at(0, 499) + .hours(7)) == 0)
    doses.append(0.3, at: at(30))
    #expect(doses.onBoard(at: at(30)) == 0.3)
    #expect(doses.onBoard(at: at(30, 9)) == 0.3)
    #expect(doses.onBoard(at: at(30, 11)) < 0.3)
  }

  @Test("A dose that is still to be given counts nothing until then, to half a millisecond")
  func laterDoses() {
    var doses = MomentaryDoses(of: .rapidActingAdult)
    doses.append(1, at: at(1), plus: 0.5)
    #expect(doses.onBoard(at: at(0, 59)) == 0)
    #expect(doses.onBoard(at: at(1)) == 0)
    #expect(doses.onBoard(at: at(1) + .milliseconds(1)) == 1)
    let later = LoopAlgorithm.fractionOnBoard(of: .rapidActingAdult, secondsAfter: 3_599.9995)
    #expect(abs(doses.onBoard(at: at(2)) - later) < 1e-14)
  }
}
