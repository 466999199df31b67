import Devices
import Dosing
import Quantities
import Testing

@testable import ClosedLoop

@Suite("Insulin from the level of the reservoir")
struct ReservoirTests {
  /// Levels in milliunits, each some minutes after midnight.
  static func history(_ levels: [(minutes: Int64, milliunits: Int64)]) -> ReservoirHistory {
    var history = ReservoirHistory()
    for level in levels {
      history.add(.init(.milliunits(level.milliunits), at: midnight + .minutes(level.minutes)))
    }
    return history
  }

  @Test("D83: a drop of 1.0 U in 20 minutes is one dose of 1.0 U over them")
  func drop() throws {
    let history = Self.history([(0, 100_000), (20, 99_000)])
    let dose = try #require(history.doses(from: midnight).first)
    #expect(history.doses(from: midnight).count == 1)
    #expect(dose.kind == .tempBasal)
    #expect(dose.start == midnight)
    #expect(dose.end == midnight + .minutes(20))
    #expect(dose.deliveredUnits == 1.0)
    #expect(history.isContinuous(from: midnight))
  }

  @Test("D83: a gap of 31 minutes breaks continuity, one of 30 does not", arguments: [30, 31])
  func gap(minutes: Int64) {
    let history = Self.history([(0, 100_000), (minutes, 99_000), (minutes + 5, 98_900)])
    #expect(history.isContinuous(from: midnight) == (minutes == 30))
    #expect(history.isContinuous(from: midnight + .minutes(minutes)))
  }

  @Test(
    "D84: a rise of 1.5 U breaks continuity, one of 1.0 U does not",
    arguments: [(1_000, true), (1_001, false), (1_500, false)])
  func rise(milliunits: Int64, isContinuous: Bool) {
    let history = Self.history([(0, 50_000), (5, 50_000 + milliunits), (10, 50_000)])
    #expect(history.isContinuous(from: midnight) == isContinuous)
    // A rise is no insulin, and neither is it taken back.
    #expect(history.doses(from: midnight).map(\.start) == [midnight + .minutes(5)])
  }

  @Test("Values that begin too late, or are zero, say nothing")
  func useless() {
    #expect(!ReservoirHistory().isContinuous(from: midnight))
    #expect(!Self.history([(1, 50_000)]).isContinuous(from: midnight))
    #expect(Self.history([(0, 50_000), (5, 0), (10, 0)]).isContinuous(from: midnight) == false)
    #expect(Self.history([(0, 0), (5, 900)]).isContinuous(from: midnight) == false)
  }

  @Test("No pump delivers more than 6.5 U a minute", arguments: [(6_500, 1), (6_501, 0)])
  func fastest(milliunits: Int64, doses: Int) {
    let history = Self.history([(0, 50_000), (1, 50_000 - milliunits)])
    #expect(history.doses(from: midnight).count == doses)
  }

  @Test("A value out of order, or one that contradicts the last, makes the others worthless")
  func outOfOrder() {
    let late = Self.history([(0, 50_000), (10, 49_000), (5, 49_500)])
    #expect(late.values.map(\.amount) == [.milliunits(49_500)])
    let contradicting = Self.history([(0, 50_000), (10, 49_000), (10, 48_000)])
    #expect(contradicting.values.map(\.amount) == [.milliunits(48_000)])
    let repeated = Self.history([(0, 50_000), (10, 49_000), (10, 49_000)])
    #expect(repeated.values.count == 2)
  }

  @Test("Values are kept for a day")
  func retention() {
    let hours = (0...30 as ClosedRange<Int64>).map { ($0 * 60, 100_000 - $0) }
    #expect(Self.history(hours).values.first?.date == midnight + .hours(6))
  }

  /// A bench at 0.6 U/h, whose app goes by the reservoir or by the history.
  static func bench(_ source: InsulinDataSource) throws -> Bench {
    try Bench(schedule: [(0, 600)]) { $0.insulinDataSource = source }
  }

  @Test("Insulin without a command is seen in the reservoir, and not in the history")
  func unrequested() throws {
    var seen: [InsulinDataSource: Double] = [:]
    for source in InsulinDataSource.allCases {
      var bench = try Self.bench(source)
      try bench.run(until: at(8))
      bench.now = at(8, 2)
      _ = bench.pump.advance(to: bench.now)
      bench.pump.begin(.unrequested(.milliunits(2_000)), id: "leak", at: bench.now)
      try bench.run(until: at(8, 5))
      seen[source] = bench.app.insulinOnBoard(at: bench.now)
    }
    // Within ten minutes of its delay nothing of the insulin has acted; scheduled pulses differ
    // from the schedule by less than one of 0.05 U.
    #expect(seen[.pumpHistory] == 0)
    #expect(abs(try #require(seen[.reservoir]) - 2) < 0.05)
  }

  @Test("The doses of a day add up to what left the reservoir, and a pen dose counts beside them")
  func conservation() throws {
    var bench = try Self.bench(.reservoir)
    try bench.run(until: at(7))
    try bench.send(.startBolus(.milliunits(3_000), automatic: false), at: at(7, 2))
    try bench.send(
      .startTempBasal(
        InsulinRate(milliunitsPerHour: 1_200), duration: .minutes(30), automatic: false),
      at: at(8, 1))
    _ = bench.app.logDose(units: 1.5, insulin: .novolog, date: at(8, 10), at: at(8, 10))
    try bench.run(until: at(9))
    let values = bench.app.pump.reservoirHistory.values
    let first = try #require(values.first)
    let last = try #require(values.last)
    let doses = bench.app.counted(from: midnight, to: bench.now)
    let fromPump = doses.filter { !$0.isManuallyEntered }
    #expect(
      abs(fromPump.reduce(0) { $0 + ($1.deliveredUnits ?? 0) } - (first.amount - last.amount).units)
        < 1e-9)
    #expect(doses.filter(\.isManuallyEntered).map(\.programmedUnits) == [1.5])
    #expect(last.amount == bench.pump.reservoir)
  }

  @Test("Beside a pen dose the level of the reservoir is told in order, and the algorithm can run")
  func order() throws {
    var bench = try Self.bench(.reservoir)
    try bench.run(until: at(12))
    _ = bench.app.logDose(units: 1.5, insulin: .novolog, date: at(12), at: at(12))
    try bench.run(until: at(20))
    let input = bench.app.algorithmInput(at: bench.now, for: .tempBasal)
    #expect(input.doses.count { $0.type == .bolus } == 1)
    #expect(input.doses.map(\.startDate) == input.doses.map(\.startDate).sorted())
    // The window of doses reaches 16 h 10 min back, and a drop of the level reaches into it.
    #expect(try #require(input.sensitivity.first).startDate <= at(3, 50))
    #expect(bench.decisions.allSatisfy { $0.refusal == nil })
  }

  @Test("What the level tells of a time that the app's clock has not come to does not count yet")
  func ahead() throws {
    var bench = try Self.bench(.reservoir)
    try bench.run(until: at(20))
    let input = bench.app.algorithmInput(at: at(19, 53), for: .tempBasal)
    #expect(input.doses.map(\.endDate).max() == at(19, 53))
    // 0.6 U/h are a pulse of 0.05 U in 5 minutes, of which 3 minutes count.
    #expect(abs(try #require(input.doses.last).volume - 0.03) < 1e-9)
  }

  @Test("Nothing that the history dates ahead of the app's clock counts for a dose by the loop")
  func aheadInHistory() throws {
    var bench = try Self.bench(.pumpHistory)
    try bench.run(until: at(8))
    try bench.send(
      .startTempBasal(
        InsulinRate(milliunitsPerHour: 1_200), duration: .minutes(30), automatic: false),
      at: at(8, 1))
    try bench.run(until: at(8, 20))
    try bench.send(.startBolus(.milliunits(1_000), automatic: false), at: at(8, 22))
    try bench.run(until: at(10))
    // The phone is set back to 08:16: half of the temp basal lies ahead, and all of the bolus.
    let now = at(8, 16)
    func doses(_ type: RecommendationType) -> [AlgorithmInput.InsulinDose] {
      bench.app.algorithmInput(at: now, for: type).doses
    }
    let ran = try #require(doses(.manualBolus).first { $0.startDate == at(8, 1) })
    #expect(ran.endDate == at(8, 31))
    let counted = try #require(doses(.tempBasal).first { $0.startDate == at(8, 1) })
    #expect(counted.endDate == now)
    #expect(abs(counted.volume - ran.volume / 2) < 1e-9)
    #expect(doses(.tempBasal).allSatisfy { $0.endDate <= now && $0.type == .basal })
  }

  @Test("After a refill the history is what counts, until the values reach back far enough")
  func refill() throws {
    var bench = try Self.bench(.reservoir)
    try bench.run(until: at(8))
    #expect(bench.app.pump.events.lastReconciliation == at(6, 10))
    try bench.pump.replaceReservoir(with: .milliunits(200_000), at: bench.now)
    try bench.run(until: at(8, 5))
    #expect(bench.app.pump.events.lastReconciliation == at(8, 5))
    #expect(bench.app.counted(from: midnight, to: bench.now).isEmpty)
    try bench.run(until: at(18))
    #expect(bench.app.pump.lastReading == at(18))
    #expect(try #require(bench.app.pump.events.lastReconciliation) < at(15))
  }

  @Test("The scheduled basal of before the app began stands beside what the level tells")
  func beforeTheStart() throws {
    var bench = try Self.bench(.reservoir)
    try bench.run(until: at(8))
    let earliest = at(8) - .hours(16) - .minutes(10)
    let told = try #require(
      bench.app.pump.toldByReservoir(from: earliest, to: at(8), bench.app.therapies.current))
    #expect(told.lowerBound >= midnight)
    let before = bench.app.history(from: earliest, to: at(8)).filter { $0.start < midnight }
    // The hours before midnight, at 0.6 U/h, in one piece.
    #expect(before.map(\.kind) == [.basal] && before.map(\.unitsPerHour) == [0.6])
    #expect(before.map(\.start) == [midnight - .hours(16) - .minutes(10)])
    #expect(before.map(\.end) == [midnight])
  }

  @Test("What a temp basal will give counts from now to its end, and not from its start again")
  func comingTempBasal() throws {
    var bench = try Self.bench(.pumpHistory)
    try bench.run(until: at(8))
    try bench.send(
      .startTempBasal(
        InsulinRate(milliunitsPerHour: 2_400), duration: .minutes(30), automatic: false),
      at: at(8, 1))
    try bench.run(until: at(8, 11))
    let doses = bench.app.algorithmInput(at: at(8, 11), for: .manualBolus).doses
    let coming = try #require(doses.last)
    // 20 minutes at 2.4 U/h.
    #expect(coming.startDate == at(8, 11) && coming.endDate == at(8, 31))
    #expect(abs(coming.volume - 0.8) < 1e-9)
  }
}
