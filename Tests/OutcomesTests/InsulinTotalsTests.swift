import Quantities
import Testing

@testable import Outcomes

@Suite("Insulin totals")
struct InsulinTotalsTests {
  private static let rate = InsulinRate(milliunitsPerHour: 400)

  private static func timeline(_ hours: Int64) -> Timeline<InsulinRate> {
    Timeline(segments: [.init(start: monday, end: monday + .hours(hours), value: rate)])
  }

  @Test("A pulse belongs to the stretch that ends with it")
  func isHalfOpen() {
    let record = InsulinRecord(deliveries: [
      .init(at: monday, .milliunits(50), .basal),
      .init(at: monday + .hours(1), .milliunits(50), .basal),
    ])
    let totals = InsulinTotals(record, after: monday, through: monday + .hours(1))
    #expect(totals.basal == .milliunits(50))
  }

  @Test("A closed-loop morning splits into schedule, addition and withholding")
  func splitsBasal() {
    let half = TimeSpan.minutes(30)
    let record = InsulinRecord(
      deliveries: [
        .init(at: monday + .minutes(20), .milliunits(600), .basal),
        .init(at: monday + .minutes(70), .milliunits(200), .basal),
        .init(at: monday + .minutes(80), .milliunits(1_000), .automaticBolus),
        .init(at: monday + .minutes(90), .milliunits(3_000), .userBolus),
        .init(at: monday + .minutes(95), .milliunits(2_000), .external),
      ],
      boluses: [
        .init(
          at: monday + .minutes(90), programmed: .milliunits(4_000),
          delivered: .milliunits(3_000), .userBolus)
      ],
      segments: [
        .init(
          from: monday, to: monday + half, .automaticTempBasal,
          rate: .init(milliunitsPerHour: 1_200), delivered: .milliunits(600)),
        .init(
          from: monday + half, to: monday + .hours(1), .automaticTempBasal, rate: .zero,
          delivered: .zero),
        .init(
          from: monday + .hours(1), to: monday + .minutes(90), .scheduled, rate: Self.rate,
          delivered: .milliunits(200)),
        .init(
          from: monday + .minutes(90), to: monday + .hours(2), .suspended, rate: .zero,
          delivered: .zero),
      ], scheduledBasal: Self.timeline(24))
    let totals = InsulinTotals(record, after: monday, through: monday + .hours(2))
    #expect(totals.basal == .milliunits(800))
    #expect(agree(totals.scheduledBasalUnits, 0.8))
    #expect(abs(totals.netBasalUnits) < 1e-12)
    #expect(agree(totals.addedBasalUnits, 0.4))
    #expect(agree(totals.withheldBasalUnits, 0.4))
    #expect(totals.automaticBolus == .milliunits(1_000))
    #expect(totals.external == .milliunits(2_000))
    #expect(totals.total == .milliunits(4_800))
    #expect(agree(totals.totalDailyDose, 57.6))
    #expect(totals.interruptedBoluses == 1)
    #expect(totals.undelivered == .milliunits(1_000))
    #expect(totals.tempBasals == 2)
    #expect(totals.zeroTempBasals == 1)
    #expect(totals.suspensions == 1)
    #expect(totals.suspended == .minutes(30))
    #expect(totals.longestWithoutDelivery == .minutes(50))
  }

  @Test("Time in a suspension is not time without delivery", arguments: [9, 11])
  func suspendedBetweenAndAfter(hours: Int64) {
    func suspension(_ from: Int64, _ to: Int64) -> InsulinRecord.BasalSegment {
      .init(
        from: monday + .hours(from), to: monday + .hours(to), .suspended, rate: .zero,
        delivered: .zero)
    }
    // An hour to the pulse, another to the suspension of three, and less than one to the next
    // pulse and from it to the last suspension; then none, or two.
    let record = InsulinRecord(
      deliveries: [
        .init(at: monday + .hours(1), .milliunits(50), .basal),
        .init(at: monday + .minutes(330), .milliunits(50), .basal),
      ],
      segments: [suspension(2, 5), suspension(6, 9)], scheduledBasal: Self.timeline(24))
    let totals = InsulinTotals(record, after: monday, through: monday + .hours(hours))
    #expect(totals.longestWithoutDelivery == .hours(hours == 9 ? 1 : 2))
  }

  @Test("What begins at the start or at the end of a run is counted, and in one part of it only")
  func countsWhatBeginsAtTheEdges() {
    let (middle, end) = (monday + .hours(1), monday + .hours(2))
    let measurements = RunMeasurements(
      from: monday, to: end, trueGlucose: series([100]), cgm: series([100]),
      insulin: InsulinRecord(
        deliveries: [monday, middle, end].map { .init(at: $0, .milliunits(3_000), .external) },
        boluses: [monday, middle, end].map {
          .init(at: $0, programmed: .milliunits(50), delivered: .milliunits(50), .userBolus)
        }))
    #expect(measurements.insulinTotals.external == .milliunits(9_000))
    #expect(measurements.insulinTotals.userBoluses == 3)
    let parts = [(monday, middle, 1), (middle, end, 2)]
    for (from, to, count) in parts {
      let totals = measurements.restricted(from: from, to: to).insulinTotals
      #expect(totals.externalDoses == count)
      #expect(totals.userBoluses == count)
    }
  }

  @Test("Of a suspension that began before only what lies within the stretch was withheld")
  func cutsSegments() {
    let record = InsulinRecord(
      deliveries: [
        .init(at: monday + .minutes(30), .milliunits(200), .basal),
        .init(at: monday + .hours(11), .milliunits(100), .basal),
        .init(at: monday + .hours(12), .milliunits(900), .basal),
      ],
      segments: [
        .init(
          from: monday, to: monday + .hours(10), .suspended, rate: .zero, delivered: .zero),
        .init(
          from: monday + .hours(10), to: monday + .hours(13), .automaticTempBasal,
          rate: .init(milliunitsPerHour: 1_000), delivered: .milliunits(1_000)),
      ], scheduledBasal: Self.timeline(24))
    let totals = InsulinTotals(
      record, after: monday + .hours(9), through: monday + .hours(12))
    // An hour at 0.4 U/h, and two in which 1 U came in place of 0.8 U.
    #expect(agree(totals.withheldBasalUnits, 0.4))
    #expect(agree(totals.addedBasalUnits, 0.2))
  }

  /// A segment of Monday, from and to a minute of it.
  private func segment(
    _ from: Int64, _ to: Int64, _ kind: InsulinRecord.BasalSegment.Kind
  ) -> InsulinRecord.BasalSegment {
    .init(
      from: monday + .minutes(from), to: monday + .minutes(to), kind, rate: .zero,
      delivered: .zero)
  }

  @Test("A temp basal and a suspension count where they begin, so that parts add up to the whole")
  func countsWhereTheyBegin() {
    let measurements = RunMeasurements(
      from: monday, to: monday + .hours(4), trueGlucose: series([100]), cgm: series([100]),
      insulin: InsulinRecord(segments: [
        segment(0, 30, .scheduled), segment(30, 90, .manualTempBasal),
        segment(90, 105, .scheduled), segment(105, 135, .suspended),
        segment(135, 180, .automaticTempBasal), segment(180, 190, .suspended),
        segment(190, 240, .scheduled),
      ]))
    let parts = (0..<4).map { hour in
      let start = monday + .hours(Int64(hour))
      return measurements.restricted(from: start, to: start + .hours(1)).insulinTotals
    }
    #expect(parts.map(\.tempBasals) == [1, 0, 1, 0])
    #expect(parts.map(\.zeroTempBasals) == [1, 0, 1, 0])
    #expect(parts.map(\.suspensions) == [0, 1, 0, 1])
    #expect(parts.map(\.suspended) == [0, 15, 15, 10].map { .minutes($0) })
    #expect(measurements.insulinTotals.tempBasals == 2)
    #expect(measurements.insulinTotals.suspensions == 2)
  }

  @Test("What goes on at the border of two parts as another segment began in the first alone")
  func countsOnceAtBorders() {
    let measurements = RunMeasurements(
      from: monday, to: monday + .hours(3), trueGlucose: series([100]), cgm: series([100]),
      insulin: InsulinRecord(segments: [
        // A person suspends, and then the reservoir is empty.
        segment(0, 45, .scheduled), segment(45, 60, .suspended), segment(60, 70, .suspended),
        segment(70, 100, .scheduled), segment(100, 120, .manualTempBasal),
        segment(120, 150, .manualTempBasal), segment(150, 180, .scheduled),
      ]))
    let parts = (0..<3).map { hour in
      let start = monday + .hours(Int64(hour))
      return measurements.restricted(from: start, to: start + .hours(1)).insulinTotals
    }
    #expect(parts.map(\.suspensions) == [1, 0, 0])
    #expect(parts.map(\.suspended) == [15, 10, 0].map { .minutes($0) })
    #expect(parts.map(\.tempBasals) == [0, 1, 1])
    #expect(parts.map(\.unchangedTempBasals) == [0, 0, 1])
    #expect(measurements.insulinTotals.suspensions == 1)
    #expect(measurements.insulinTotals.unchangedTempBasals == 1)
  }

  @Test(
    "A temp basal and a suspension that begin at the very end of a run count, as a bolus does",
    arguments: [
      (InsulinRecord.BasalSegment.Kind.automaticTempBasal, 2, 0), (.manualTempBasal, 2, 0),
      (.suspended, 1, 1), (.scheduled, 1, 0),
    ])
  func countsWhatBeginsAtTheEnd(
    kind: InsulinRecord.BasalSegment.Kind, temps: Int, stops: Int
  ) {
    let measurements = RunMeasurements(
      from: monday, to: monday + .hours(2), trueGlucose: series([100]), cgm: series([100]),
      insulin: InsulinRecord(segments: [
        segment(0, 30, .automaticTempBasal), segment(30, 120, .scheduled), segment(120, 120, kind),
      ]))
    let parts = (0..<2).map { hour in
      let start = monday + .hours(Int64(hour))
      return measurements.restricted(from: start, to: start + .hours(1)).insulinTotals
    }
    for totals in [measurements.insulinTotals, parts[1]] {
      #expect(totals.suspensions == stops)
      #expect(totals.suspended == .zero)
    }
    #expect(measurements.insulinTotals.tempBasals == temps)
    #expect(measurements.insulinTotals.zeroTempBasals == temps)
    #expect(parts.map(\.tempBasals) == [1, temps - 1])
  }

  @Test("A stop that goes over into another at the very end of a run is one")
  func countsContinuedStopOnce() {
    let measurements = RunMeasurements(
      from: monday, to: monday + .hours(2), trueGlucose: series([100]), cgm: series([100]),
      insulin: InsulinRecord(segments: [
        segment(0, 100, .scheduled), segment(100, 120, .suspended), segment(120, 120, .suspended),
      ]))
    #expect(measurements.insulinTotals.suspensions == 1)
    #expect(measurements.insulinTotals.suspended == .minutes(20))
  }

  @Test("Suspensions that touch are one")
  func mergesSuspensions() {
    let stops = [(0, 10), (10, 30), (40, 45)].map {
      InsulinRecord.BasalSegment(
        from: monday + .minutes($0.0), to: monday + .minutes($0.1), .suspended, rate: .zero,
        delivered: .zero)
    }
    let totals = InsulinTotals(
      InsulinRecord(segments: stops), after: monday, through: monday + .hours(1))
    #expect(totals.suspensions == 2)
    #expect(totals.longestSuspension == .minutes(30))
    #expect(totals.basalPercent == nil)
  }

  @Test(
    "A loop that completes every five minutes is closed all the time but before its first cycle")
  func measuresClosedLoop() {
    let cycles = (0..<12).map { LoopActivity.Cycle(at: monday + .minutes(5 * Int64($0))) }
    let always = LoopActivity(cycles: cycles, switches: [.init(at: monday, isOn: true)])
    #expect(always.closedLoopPercent(from: monday, to: monday + .hours(1)) == 100)
    let half = LoopActivity(
      cycles: cycles,
      switches: [.init(at: monday, isOn: true), .init(at: monday + .minutes(30), isOn: false)])
    #expect(half.closedLoopPercent(from: monday, to: monday + .hours(1)) == 50)
    let once = LoopActivity(
      cycles: [.init(at: monday), .init(at: monday + .minutes(5), failure: "stale glucose")],
      switches: [.init(at: monday, isOn: true)])
    #expect(agree(once.closedLoopPercent(from: monday, to: monday + .hours(1)), 1_600 / 60.0))
    #expect(once.failures.map(\.reason) == ["stale glucose"])
  }

  @Test("Time without a reading starts 15 minutes after the last one")
  func measuresMissingReadings() {
    let readings = series(run(100, 7))
    #expect(agree(readings.percentWithoutReading(from: monday, to: monday + .hours(1)), 25))
  }

  @Test("In a part of a run the cycle and the reading before it are still fresh at its start")
  func measuresFreshnessOfParts() throws {
    // Cycles and readings at :00 and :05, then none until :45; the part is from :12 to :42.
    let whole = RunMeasurements(
      from: monday, to: monday + .hours(1), trueGlucose: series([]), cgm: series(run(100, 2)),
      loop: LoopActivity(
        cycles: [.init(at: monday), .init(at: monday + .minutes(5))],
        switches: [.init(at: monday, isOn: true)]))
    let part = whole.restricted(from: monday + .minutes(12), to: monday + .minutes(42))
    let again = part.restricted(from: monday + .minutes(18), to: monday + .minutes(30))
    func value(_ metric: String, _ run: RunMeasurements) throws -> Double? {
      try Metric.parse(metric).value(of: run)
    }
    // Closed until :21, with readings until :20.
    #expect(agree(try value("closedLoopPercent", part), 30))
    #expect(agree(try value("noCGMPercent", part), 2_200 / 30.0))
    #expect(agree(try value("closedLoopPercent", again), 25))
    #expect(agree(try value("noCGMPercent", again), 1_000 / 12.0))
    #expect(try value("loopsCompleted", part) == 0)
  }
}
