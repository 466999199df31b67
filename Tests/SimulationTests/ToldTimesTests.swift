import ClosedLoop
import Devices
import Dosing
import Physiology
import Quantities
import Simulation
import Testing

@Suite("When and why, as a run tells it")
struct ToldTimesTests {
  private func run(
    hours: Int64 = 6, _ change: (inout Fixture) -> Void
  ) throws -> RunResult {
    var fixture = Fixture()
    fixture.duration = .hours(hours)
    change(&fixture)
    return try fixture.result()
  }

  private func refusals(_ result: RunResult) -> [String] {
    result.troubles.filter { $0.kind == .refused }.map(\.sentence)
  }

  @Test("Doses that are gone for one reason are told together on both sides of a trip")
  func goneBesideATrip() throws {
    let wipe = Fault(id: "gone", .healthStore(HealthStoreFault(.wipe, data: [.insulin])))
    let result = try run {
      $0.clock = WallClock(
        initialOffset: .hours(-4), transitions: [.init(instant: .at(2), offset: .hours(1))])
      $0.events = (0..<8).map { index in
        ScenarioEvent(at: .at(0, 30) + .minutes(30 * index), .bolus(BolusRequest(.units(1))))
      }
      $0.events += [
        ScenarioEvent(at: .at(5), id: "gone", .beginFault(wipe)),
        // It does not write anew what it has no record of.
        ScenarioEvent(at: .at(5), .reinstallApp),
      ]
    }
    let told = result.troubles.filter { $0.text.hasPrefix("The bolus of ") }
    #expect(told.map(\.count) == [8])
    #expect(told.first?.moments.hasPrefix("8.00 U together, ") == true)
    #expect(told.first?.sentence.contains("-04:00 to ") == true)
  }

  // MARK: - Suspensions

  @Test("After a suspension that the phone could not send, no resumption is missed")
  func resumptionOfNothing() throws {
    let result = try run {
      $0.events = [
        ScenarioEvent(at: .at(1), id: "off", .setPhone(.off)),
        ScenarioEvent(at: .at(1, 10), id: "stop", .suspend),
        ScenarioEvent(at: .at(1, 40), id: "stop", .resume),
      ]
    }
    #expect(
      refusals(result) == ["A suspension did not happen: the phone is off. (01:10:00)"])
  }

  @Test("After a suspension that the pump refused, nothing is resumed either")
  func rejected() throws {
    let result = try run {
      $0.events = [
        ScenarioEvent(
          at: .at(1), id: "no",
          .beginFault(Fault(id: "no", .pump(.reject([.suspend, .resume]))))),
        ScenarioEvent(at: .at(1, 10), id: "stop", .suspend),
        ScenarioEvent(at: .at(1, 40), id: "stop", .resume),
      ]
    }
    #expect(
      refusals(result) == [
        "The suspend failed: The pump rejected the suspend. Try again or check the pump. (01:10:00)"
      ])
  }

  @Test("A resumption of what is suspended is missed while the phone is off")
  func missedResumption() throws {
    let result = try run {
      $0.events = [
        ScenarioEvent(at: .at(1), id: "stop", .suspend),
        ScenarioEvent(at: .at(1, 20), id: "off", .setPhone(.off)),
        ScenarioEvent(at: .at(1, 40), id: "stop", .resume),
      ]
    }
    #expect(
      refusals(result) == [
        "A resumption did not happen: the phone is off. The pump gave no basal until the end. "
          + "(01:40:00)"
      ])
  }

  @Test("A resumption that fails in the instant of the suspension tells how long there is no basal")
  func resumptionAtOnce() throws {
    let result = try run {
      $0.events = [
        ScenarioEvent(
          at: .at(0, 30), id: "no", .beginFault(Fault(id: "no", .pump(.reject([.resume]))))),
        ScenarioEvent(at: .at(1), id: "stop", .suspend),
        ScenarioEvent(at: .at(1), id: "stop", .resume),
      ]
    }
    #expect(
      refusals(result) == [
        "The resume failed: The pump rejected the resume. Try again or check the pump. The pump "
          + "gave no basal until the end. (01:00:00)"
      ])
  }

  @Test("A suspension that comes late is resumed, although nothing is suspended yet")
  func lateSuspension() throws {
    let result = try run {
      $0.events = [
        ScenarioEvent(
          at: .at(1), id: "late",
          .beginFault(
            Fault(
              id: "late",
              .pump(.communicationLoss(CommunicationLoss(commands: .late(.hours(1)))))))),
        ScenarioEvent(at: .at(1, 10), id: "stop", .suspend),
        ScenarioEvent(at: .at(1, 40), id: "stop", .resume),
      ]
    }
    let suspended = result.programs.filter { $0.kind == .suspended }
    #expect(suspended.map(\.start) == [.at(2, 10)])
    #expect(suspended.map(\.end) == [.at(2, 40)])
  }

  @Test("A bolus that is refused beside an equal one is not said to have been given")
  func refusedBesideEqual() throws {
    let result = try run {
      $0.events = ["one", "two"].map { id in
        ScenarioEvent(at: .at(2), id: id, .bolus(BolusRequest(.units(2), by: .user)))
      }
    }
    #expect(
      refusals(result) == [
        "The bolus of 2.00 U failed: A bolus is being given, with 2.00 U to go. Wait for its end "
          + "or cancel it. (02:00:00)"
      ])
  }

  @Test("A command that is refused at once, and has no reply, is not said to have come late")
  func refusedWithoutReply() throws {
    let lost = UncertainDelivery(trulyDelivered: 1, resolveAfter: .minutes(30))
    let result = try run {
      $0.events = [
        ScenarioEvent(at: .at(1), id: "stop", .suspend),
        ScenarioEvent(
          at: .at(1, 58), id: "lost",
          .beginFault(Fault(id: "lost", .pump(.uncertainDelivery(lost))))),
        ScenarioEvent(at: .at(2), id: "b", .bolus(BolusRequest(.units(2), by: .user))),
        ScenarioEvent(at: .at(2, 3), .endFault(id: "lost")),
      ]
    }
    #expect(
      refusals(result).contains(
        "The bolus of 2.00 U reached the pump, which refused it: Delivery is suspended. Resume it "
          + "before asking for insulin. (02:00:00)"))
  }

  // MARK: - The longest gap

  private func gap(_ events: [ScenarioEvent]) throws -> CycleGap {
    let result = try run {
      $0.isClosedLoop = true
      $0.events = events
    }
    return try #require(result.longestCycleGap)
  }

  @Test("A phone that was off is the cause of a gap, and then the glucose that stayed old")
  func firstCause() throws {
    let gap = try gap([
      ScenarioEvent(at: .at(1), id: "off", .setPhone(.off)),
      ScenarioEvent(at: .at(1, 30), id: "silent", .sensor(.stop)),
      ScenarioEvent(at: .at(2), id: "on", .setPhone(.on)),
    ])
    #expect(gap.start == .at(0, 55))
    #expect(
      gap.cause == "the app did not run; from 02:00:00 on: \"The last glucose is 1h5m old; wait "
        + "for a newer one.\"")
  }

  @Test("What kept the app from dosing most of the time stands beside what did so first")
  func mostCauses() throws {
    // Delivery is suspended at 01:05 and 01:10, and from 01:15 on the last reading is too old.
    let gap = try gap([
      ScenarioEvent(at: .at(1, 1), id: "silent", .sensor(.stop)),
      ScenarioEvent(at: .at(1, 2), id: "stop", .suspend),
    ])
    #expect(gap.start == .at(1) && gap.end == .at(6))
    #expect(
      gap.cause == "\"Delivery is suspended; resume it.\"; in 57 of its 59 cycles, at first: \"The "
        + "last glucose is 15 minutes old or older. Give a newer sample.\"")
  }

  @Test("Glucose ahead of a phone whose clock is behind is not laid to the sensor's clock")
  func phoneBehind() throws {
    func cause(_ event: ScenarioEvent) throws -> String {
      let result = try run {
        $0.isClosedLoop = true
        $0.events = [event]
      }
      let told = try #require(result.troubles.first { $0.kind == .missedCycles })
      let colon = try #require(told.text.firstRange(of: "00: "))
      return String(told.text[colon.upperBound...])
    }
    // At 01:05 the phone shows 00:05, and the last glucose is of 01:00.
    #expect(
      try cause(ScenarioEvent(at: .at(1, 1), .setPhoneClock(.by(.hours(-1)))))
        == "at first \"The last glucose is dated 55m ahead\"; the phone's clock was wrong.")
    let stamps = Fault(
      id: "stamps", .sensor(.timestamp(shift: .hours(1), duplicate: false)))
    #expect(
      try cause(ScenarioEvent(at: .at(1, 1), id: "stamps", .beginFault(stamps)))
        .hasSuffix("; check the sensor's clock.\""))
  }

  @Test("Readings that are dated too early are told, which no cycle complains of")
  func datedEarly() throws {
    func told(_ shift: TimeSpan) throws -> [String] {
      let stamps = Fault(id: "stamps", .sensor(.timestamp(shift: shift, duplicate: false)))
      let result = try run {
        $0.isClosedLoop = true
        $0.events = [
          ScenarioEvent(at: .at(1), id: "stamps", .beginFault(stamps)),
          ScenarioEvent(at: .at(2), id: "stamps", .endFault(id: "stamps")),
        ]
      }
      return result.troubles.filter { $0.kind == .wrongInApp }.map(\.text)
    }
    #expect(
      try told(.minutes(-12)) == [
        "From 01:00:00 to 02:00:00 the sensor dated its readings 12m too early."
      ])
    #expect(try told(.minutes(-2)).isEmpty)
  }

  @Test("What is over at once is told of with its moment, a wiped health store too")
  func wiped() throws {
    let wipe = Fault(id: "gone", .healthStore(HealthStoreFault(.wipe, data: [.glucose])))
    let result = try run {
      $0.events = [ScenarioEvent(at: .at(2), id: "gone", .beginFault(wipe))]
    }
    #expect(result.faultWindows.map(\.told) == [.at(2)...(.at(2))])
  }

  @Test("Readings that are off by less than both figures, as sensors show no more, say by what")
  func beyondTheRange() throws {
    let low = Fault(id: "low", .sensor(.saturate(above: .mgdL(180))))
    let result = try run {
      $0.glucose = 450
      $0.events = [ScenarioEvent(at: .at(1), id: "low", .beginFault(low))]
    }
    // 400 - 180 = 220.
    let told = try #require(result.troubles.first { $0.kind == .wrongReading })
    #expect(told.text.contains(" were up to 220 mg/dL too low for "), "\(told.text)")
    #expect(told.text.hasSuffix(" mg/dL, which sensors show as 400 mg/dL."), "\(told.text)")
  }

  @Test("A run in which the app never ran tells of all its cycles")
  func neverRan() throws {
    let result = try run(hours: 4) {
      $0.events = [ScenarioEvent(at: .at(0), id: "off", .setPhone(.off))]
    }
    let told = try #require(result.troubles.first { $0.kind == .missedCycles })
    #expect(told.count == 48)
    #expect(
      told.text == "0 of the 48 cycles that were due completed; the longest time without one was "
        + "4h from 00:00:00: the app did not run.")
  }

  @Test("That Loop waits for a bolus is no cause where another follows")
  func notTheBolus() throws {
    // Eight units at 0.025 U/s take 5 min 20 s.
    let events = [
      ScenarioEvent(at: .at(1, 1), id: "b", .bolus(BolusRequest(.units(8), by: .user))),
      ScenarioEvent(at: .at(1, 7), id: "stop", .suspend),
    ]
    #expect(try gap(events).cause == "\"Delivery is suspended; resume it.\"")
  }

  // MARK: - Travel

  @Test("Where the clock changes its offset, times have it")
  func offsets() throws {
    let zone = WallClock(
      initialOffset: .hours(1), transitions: [.init(instant: .at(3), offset: .hours(-5))])
    let result = try run {
      $0.clock = zone
      $0.events = [
        ScenarioEvent(at: .at(2), id: "no", .beginFault(Fault(id: "no", .pump(.reject([.bolus]))))),
        ScenarioEvent(at: .at(2, 10), id: "one", .bolus(BolusRequest(.units(2), by: .user))),
        ScenarioEvent(at: .at(4), id: "two", .bolus(BolusRequest(.units(2), by: .user))),
      ]
    }
    let told = try #require(refusals(result).first)
    #expect(
      told.hasSuffix("(2 times, 2026-01-15T03:10:00+01:00 to 2026-01-14T23:00:00-05:00)"), "\(told)"
    )
    #expect(try run { _ in }.moment(.at(2, 10)) == "02:10:00")
  }

  @Test("A pump that was set keeps its clock when the phone travels on without it")
  func setOnce() throws {
    // Of two trips the pump is told of the first alone: its schedule stays that of UTC + 2.
    let zone = WallClock(
      initialOffset: .zero,
      transitions: [
        .init(instant: .at(1), offset: .hours(2)), .init(instant: .at(4), offset: .zero),
      ])
    let result = try run(hours: 12) {
      $0.clock = zone
      $0.basal = [(0, 400), (8, 1_000)]
      $0.events = [
        ScenarioEvent(at: .at(1), id: "there", .travel(zone, pumpFollows: true)),
        ScenarioEvent(at: .at(4), id: "back", .travel(zone, pumpFollows: false)),
      ]
    }
    let rates = result.trace.rows.map { ($0.instant, $0.scheduledRate.milliunitsPerHour) }
    #expect(rates.first { $0.1 == 1_000 }?.0 == .at(6))
    #expect(rates.allSatisfy { $0.1 == ($0.0 >= .at(6) ? 1_000 : 400) })
  }

  // MARK: - Insulin of a pen

  private func pen(_ events: [ScenarioEvent]) throws -> RunResult {
    try run(hours: 8) {
      $0.glucose = 380
      $0.events = events
    }
  }

  private func write(
    _ units: Double, _ insulin: String?, at instant: Instant
  ) -> ScenarioEvent {
    let content = HealthStoreWrite.Content.bolus(units: units, insulin: insulin)
    return ScenarioEvent(
      at: instant, id: "log",
      .writeToHealthStore(HealthStoreWrite(content, start: instant, source: "Pen")))
  }

  @Test("Regular insulin of a pen counts as the app counts it, and is no wrong insulin on board")
  func regular() throws {
    let result = try pen([
      ScenarioEvent(at: .at(1), .inject(units: 4, formulation: .regular, name: "regular")),
      write(4, "regular", at: .at(1)),
    ])
    let (row, onBoard) = try #require(
      zip(result.trace.rows, result.insulinOnBoard()).first { $0.0.instant == .at(2) })
    let left = 4 * LoopAlgorithm.fractionOnBoard(of: .rapidActingAdult, secondsAfter: 3_600)
    #expect(abs(onBoard.body.net - left) < 0.1)
    #expect(abs((row.insulinOnBoard ?? 0) - onBoard.body.net) < 0.1)
    #expect(!result.troubles.contains { $0.kind == .wrongInsulinOnBoard })
  }

  @Test("While an insulin without a curve acts, a dose logged wrongly is told all the same")
  func besideGlargine() throws {
    let result = try pen([
      ScenarioEvent(at: .at(0, 30), .inject(units: 12, formulation: .glargine, name: "glargine")),
      ScenarioEvent(at: .at(1), .inject(units: 2, formulation: .humalog, name: "humalog")),
      write(5, "humalog", at: .at(1)),
    ])
    let wrong = try #require(result.troubles.first { $0.kind == .wrongInsulinOnBoard })
    #expect(wrong.text.contains(" U too high for "))
  }
}
