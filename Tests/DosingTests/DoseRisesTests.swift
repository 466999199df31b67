import Determinism
import Quantities
import Testing

@testable import Dosing

/// What is taken from a table is what would be computed anew, to the bit.
@Suite("Tables of insulin")
struct DoseRisesTests {
  @Test("A kept rise is the one that is computed anew", arguments: 1...10)
  func keptRise(seed: UInt64) {
    var stream = RandomStream(seed: seed, name: "rises")
    var kept = DoseRises()
    var elements: [DoseElement] = []
    for _ in 0..<200 {
      if elements.isEmpty || stream.unit() < 0.5 {
        let start = (stream.unit() * 100).rounded() * (stream.unit() < 0.7 ? 300 : 7.3)
        let duration = stream.unit() < 0.3 ? 0 : (stream.unit() * 40).rounded() * 60
        let models = InsulinModel.allCases
        let model = models[Int(stream.unit() * Double(models.count)) % models.count]
        elements.append(
          DoseElement(
            start: start, end: start + duration, volume: 1, scheduledRate: nil, model: model))
      }
      let element = elements.suffix(6)[
        elements.suffix(6).startIndex + Int(stream.unit() * 6) % min(6, elements.count)]
      let lattice = DoseLattice(element)
      var fresh = DoseRises()
      #expect(kept.rise(of: element, lattice) == fresh.rise(of: element, lattice))
    }
  }

  @Test("An exponential of the table is the one that is computed", arguments: InsulinModel.allCases)
  func exponential(model: InsulinModel) {
    let activity = InsulinActivity.of(model)
    for second in stride(from: -600.0, through: 24_000, by: 12.5) {
      #expect(activity.exponential(second) == PortableMath.exp(-second / activity.tau))
    }
    #expect(activity.exponential(.nan).isNaN)
  }

  @Test(
    "A fraction on board of the table is the one that is computed",
    arguments: InsulinModel.allCases)
  func onBoard(model: InsulinModel) {
    let activity = InsulinActivity.of(model)
    let table = ActivityTables.of(model).onBoard
    for duration in stride(from: 0.0, through: 4_500, by: 150) {
      for x in stride(from: 0.0, through: 60_000, by: 150) {
        let isWhole = duration.remainder(dividingBy: 300) == 0 && x.remainder(dividingBy: 300) == 0
        let fraction = table.fraction(x, of: duration)
        #expect((fraction != nil) == (isWhole && duration <= 3_600))
        if let fraction { #expect(fraction == activity.fractionOnBoard(x, of: duration)) }
      }
    }
    #expect(table.fraction(-300, of: 0) == nil)
    #expect(table.fraction(300.001, of: 0) == nil)
  }

  @Test(
    "A fraction remaining of the table is the one that a lattice computes",
    arguments: InsulinModel.allCases)
  func remaining(model: InsulinModel) {
    for first in [-900.0, 0, 300, 600, 899, 900, 901, 1_200] {
      var kept = Lattice(of: model)
      var computed = Lattice(.of(model))
      for k in 0..<90 {
        // Now and then a time lies beside the others.
        let x = first + Double(k) * 300 + (k == 40 ? 7 : 0)
        #expect(kept.remaining(x) == computed.computed(x))
      }
    }
  }

  @Test("Insulin on board against one rate is that of the annotated doses", arguments: 1...20)
  func oneRate(seed: UInt64) throws {
    var stream = RandomStream(seed: seed, name: "on board")
    let now = Instant(secondsSince1970: 1_767_225_600)
    let doses = (0..<60).map { _ in
      let start = now - .seconds(Int64(stream.unit() * 40_000))
      let isBolus = stream.unit() < 0.3
      return AlgorithmInput.InsulinDose(
        type: isBolus ? .bolus : .basal, startDate: start,
        endDate: isBolus ? start : start + .seconds(Int64(stream.unit() * 4_000)),
        volume: stream.unit(), insulinModel: stream.unit() < 0.9 ? .rapidActingAdult : .fiasp)
    }
    let basal = [
      AlgorithmInput.ScheduleEntry(startDate: now - .hours(9), endDate: now, value: 1.1)
    ]
    let annotated = try PrecomputedInsulin.annotate(doses: doses, basal: basal)
    #expect(
      try LoopAlgorithm.insulinOnBoard(of: doses, basal: basal, at: now)
        == insulinOnBoard(annotated.elements, at: annotated.axis.seconds(now)))
  }

  @Test("Of a dose that is passed over exactly nothing is on board", arguments: 1...6)
  func spentDoses(seed: UInt64) throws {
    var stream = RandomStream(seed: seed, name: "spent")
    let now = Instant(secondsSince1970: 1_770_000_000)
    let rate = AlgorithmInput.ScheduleEntry(
      startDate: now - .days(3), endDate: now + .hours(1), value: 1)
    var spent = 0
    for _ in 0..<3_000 {
      let unit = stream.unit() < 0.5 ? 300_000.0 : stream.unit() < 0.5 ? 1_000 : 7
      let lasted = Int64((stream.unit() * 4_500_000 / unit).rounded() * unit)
      let age = Int64((stream.unit() * 60_000_000 / unit).rounded() * unit)
      let end = now - .milliseconds(age)
      let models = InsulinModel.allCases
      let dose = AlgorithmInput.InsulinDose(
        type: stream.unit() < 0.5 ? .bolus : .basal, startDate: end - .milliseconds(lasted),
        endDate: end, volume: stream.unit() * 9,
        insulinModel: models[Int(stream.unit() * Double(models.count)) % models.count])
      guard dose.isSpent(at: now) else { continue }
      spent += 1
      // One by one nothing is passed over.
      var onBoard = InsulinOnBoardAtOneRate(against: rate, at: now, near: dose.startDate)
      onBoard.add(dose)
      #expect(onBoard.units == 0)
    }
    #expect(spent > 300)
  }
}
