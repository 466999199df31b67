import ClosedLoop
import Devices
import Quantities
import Simulation
import Testing

@Suite("What went wrong in a run")
struct TroubleTests {
  @Test("Cycles are due while the phone is off, and the longest gap has its cause")
  func phoneOff() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.isClosedLoop = true
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "off", .setPhone(.off)),
      ScenarioEvent(at: .at(2), id: "on", .setPhone(.on)),
    ]
    let run = try fixture.result()
    #expect(run.cycles.due == 48)
    #expect(run.cycles.completed == 36)
    let trouble = try #require(run.troubles.first { $0.kind == .missedCycles })
    #expect(trouble.count == 12)
    #expect(
      trouble.text == "36 of the 48 cycles that were due completed; the longest time without one "
        + "was 1h5m from 00:55:00: the app did not run.")
  }

  @Test("What keeps the app from dosing when it runs again stands beside that it did not run")
  func phoneOffAndPumpStopped() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.isClosedLoop = true
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "off", .setPhone(.off)),
      ScenarioEvent(
        at: .at(1, 30), id: "broken", .beginFault(Fault(id: "broken", .pump(.alarm(.failure))))),
      ScenarioEvent(at: .at(2), id: "on", .setPhone(.on)),
    ]
    let trouble = try #require(try fixture.result().troubles.first { $0.kind == .missedCycles })
    #expect(
      trouble.text == "12 of the 48 cycles that were due completed; the longest time without one "
        + "was 3h5m from 00:55:00: the app did not run; from 02:00:00 on: \"The pump has stopped "
        + "(pump failure); clear the alarm or replace the pump.\"")
  }

  @Test("Boluses that failed are told with all that was asked for, the loop's among it")
  func failedTogether() throws {
    var fixture = Fixture()
    fixture.duration = .hours(3)
    fixture.isClosedLoop = true
    fixture.strategy = .automaticBolus
    fixture.glucose = 300
    let far = Fault(id: "far", .pump(.communicationLoss(CommunicationLoss())))
    fixture.events = [
      ScenarioEvent(
        at: .at(0, 58), id: "lunch",
        .enterCarbs(
          CarbEntryRequest(name: "lunch", grams: 60, absorption: nil, eatenAt: .at(0, 58)))),
      ScenarioEvent(at: .at(0, 59), id: "far", .beginFault(far)),
      ScenarioEvent(at: .at(1, 7), id: "more", .bolus(BolusRequest(.units(1.5)))),
    ]
    let run = try fixture.result()
    let told = try #require(run.troubles.first { $0.text.hasPrefix("The bolus of ") })
    let amounts = run.trace.happenings.filter { $0.kind == .warning }.compactMap {
      $0.text.split(separator: " ").dropFirst(3).first.flatMap { Double($0) }
    }
    #expect(amounts.count == told.count && amounts.count > 1 && amounts.contains(1.5))
    let sum = InsulinAmount(roundingUnits: amounts.reduce(0, +)) ?? .zero
    #expect(sum > .milliunits(1_500))
    #expect(told.moments.hasPrefix("\(sum) together, "), "\(told.moments)")
  }

  @Test("A bolus that a person wants and that nothing is recommended for is trouble, with its time")
  func noRecommendation() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.isClosedLoop = true
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "silent", .sensor(.stop)),
      ScenarioEvent(
        at: .at(2), id: "lunch", .bolus(BolusRequest(.recommended(scale: 1, cap: nil), by: .user))),
    ]
    let run = try fixture.result()
    let trouble = try #require(run.troubles.first { $0.kind == .refused })
    #expect(
      trouble.sentence == "No bolus is recommended: The last glucose is 1h5m old; wait for a newer "
        + "one. (02:00:00)")
    #expect(trouble.start == .at(2))
  }

  @Test("What the app warns of is told once with its time, and a refusal with how long it lasted")
  func warningsOfApp() throws {
    var fixture = Fixture()
    fixture.duration = .hours(3)
    fixture.isClosedLoop = true
    let insulin = HealthStoreAccess(data: [.insulin], directions: [.write], isGranted: false)
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "dose", .bolus(BolusRequest(.units(1), by: .pump))),
      ScenarioEvent(at: .at(1, 31), .delete(DeletionRequest(place: .both, kind: .bolus, last: 1))),
      ScenarioEvent(at: .at(2, 2), .authorize(insulin)),
    ]
    let run = try fixture.result()
    let warning = try #require(run.troubles.first { $0.kind == .warning })
    #expect(warning.text.hasPrefix("A dose was deleted in closed loop, and does not count any"))
    // It counts until the next cycle, in which the app sees that its sample is gone as well.
    #expect(warning.sentence.hasSuffix(" (01:35:00)"))
    let refused = run.troubles.filter { $0.kind == .refused }
    #expect(refused.count == 1, "\(refused.map(\.sentence))")
    // The first basal that it may not write is due at 02:10; it tries again in each cycle.
    #expect(
      refused.first?.sentence
        == "The health store took no insulin: Loop may not write InsulinDelivery. The user can "
        + "allow it in the health app. (11 times, 02:10:00 to 03:00:00)")
    // In open loop nobody needs the warning.
    fixture.isClosedLoop = false
    #expect(try fixture.result().troubles.allSatisfy { $0.kind != .warning })
    // What still counts, as the event alone was deleted, costs no insulin.
    fixture.isClosedLoop = true
    fixture.events[1] = ScenarioEvent(
      at: .at(1, 31), .delete(DeletionRequest(place: .eventHistory, kind: .bolus, last: 1)))
    #expect(try fixture.result().troubles.allSatisfy { $0.kind != .warning })
  }

  @Test("Warnings that differ in their numbers alone are told once, with how many there are")
  func alike() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events = [
      ScenarioEvent(
        at: .at(0, 30), id: "no", .beginFault(Fault(id: "no", .pump(.reject([.bolus])))))
    ]
    fixture.events += (1...3 as ClosedRange<Int64>).map {
      ScenarioEvent(
        at: .at($0), id: "b\($0)",
        .bolus(BolusRequest(.units(Double($0) + 0.5), by: .user)))
    }
    let troubles = try fixture.result().troubles.filter { $0.kind == .refused }
    #expect(
      troubles.map(\.sentence) == [
        "The bolus of 1.50 U failed: The pump rejected the bolus of 1.50 U. Try again or check the "
          // 1.5 + 2.5 + 3.5 U were asked for.
          + "pump. (3 of this kind, 7.50 U together, 01:00:00 to 03:00:00)"
      ])
    // Each of them is a moment.
    #expect(troubles.map(\.duration) == [.zero] && troubles.map(\.units) == [.milliunits(7_500)])
  }

  @Test("Boluses that failed on their way to the pump are added up, each once")
  func alikeAndLate() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events = [
      ScenarioEvent(
        at: .at(0, 30), id: "no", .beginFault(Fault(id: "no", .pump(.reject([.bolus])))))
    ]
    // Two of them at one time.
    fixture.events += [(1, 1.5), (2, 2.5), (2, 3)].map { hour, units in
      ScenarioEvent(at: .at(hour), id: "b\(units)", .bolus(BolusRequest(.units(units), by: .user)))
    }
    for latency in [TimeSpan.zero, .seconds(20)] {
      fixture.commandLatency = latency
      let sentences = try fixture.result().troubles.filter { $0.kind == .refused }.map(\.sentence)
      #expect(
        // 1.5 + 2.5 + 3 U.
        sentences.count == 1 && sentences[0].contains("(3 of this kind, 7.00 U together, 01:00:"),
        "\(sentences)")
    }
  }

  @Test("What a limit cut off is added up, not what was asked for")
  func aboveLimits() throws {
    var fixture = Fixture()
    fixture.duration = .hours(6)
    fixture.events = [(1, 12), (3, 15.5)].map { hour, units in
      ScenarioEvent(at: .at(hour), id: "b\(hour)", .bolus(BolusRequest(.units(units), by: .user)))
    }
    let sentences = try fixture.result().troubles.filter { $0.kind == .refused }.map(\.sentence)
    #expect(
      sentences == [
        "The app takes no bolus above its maximum of 10.00 U: of 12.00 U asked for, 2.00 U are not "
          // 2 + 5.5 U.
          + "given. (2 of this kind, 7.50 U together, 01:00:00 to 03:00:00)"
      ])
  }

  @Test("A command that failed and came late is told when it comes, in words")
  func lateCommand() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events = [
      ScenarioEvent(
        at: .at(0, 30), id: "late",
        .beginFault(
          Fault(
            id: "late",
            .pump(.communicationLoss(CommunicationLoss(commands: .late(.hours(1)))))))),
      ScenarioEvent(at: .at(1), id: "b", .bolus(BolusRequest(.units(4), by: .user))),
      ScenarioEvent(at: .at(2, 30), .endFault(id: "late")),
    ]
    let run = try fixture.result()
    #expect(run.boluses.map(\.start) == [.at(2)])
    let happenings = run.trace.happenings.filter { $0.name == "bolus" }.map(\.text)
    #expect(happenings.contains("The bolus of 4.00 U reaches the pump 1h late."), "\(happenings)")
    let sentences = run.troubles.filter { $0.kind == .refused }.map(\.sentence)
    #expect(sentences.count == 2 && sentences[0].contains("failed"), "\(sentences)")
    #expect(
      sentences.last == "The bolus of 4.00 U reached the pump late, and was carried out after all. "
        + "(02:00:00)")
  }

  @Test("Three times without readings are told one by one, more of them in one sentence")
  func gapsOfSensor() throws {
    func gaps(at hours: [Int64]) throws -> [RunTrouble] {
      var fixture = Fixture()
      fixture.duration = .hours(8)
      for hour in hours {
        let gap = Fault(id: "gap\(hour)", .sensor(.dropout(backfill: false)))
        fixture.events.append(ScenarioEvent(at: .at(hour, 1), .beginFault(gap)))
        fixture.events.append(
          ScenarioEvent(at: .at(hour, hour == 4 ? 39 : 19), .endFault(id: "gap\(hour)")))
      }
      return try fixture.result().troubles.filter { $0.kind == .sensorGap }
    }
    let three = (1...3).map { "No reading reached the app for 20m from 0\($0):00:00." }
    #expect(try gaps(at: [1, 2, 3]).map(\.text) == three)
    let all = try gaps(at: [1, 2, 3, 4])
    #expect(
      all.map(\.text) == [
        "No reading reached the app for 1h40m in 4 stretches from 01:00:00; the longest was 40m "
          + "from 04:00:00."
      ])
    #expect(all.map(\.duration) == [.minutes(100)] && all.map(\.count) == [4])
  }

  @Test("A time before the run begins has its date")
  func beforeTheStart() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    let run = try fixture.result()
    #expect(run.moment(.at(1)) == "01:00:00")
    #expect(run.moment(.at(-3)) == "2026-01-14T21:00:00")
  }

  @Test("The end of a run of a day has its date, as the clock shows the time of the start again")
  func atTheEndOfADay() throws {
    var fixture = Fixture()
    fixture.duration = .hours(24)
    let run = try fixture.result()
    #expect(run.moment(.at(0)) == "00:00:00")
    #expect(run.moment(.at(23, 59)) == "23:59:00")
    #expect(run.moment(.at(24)) == "2026-01-16T00:00:00")
  }

  @Test("A stop that lies between two pulses is told to the second")
  func wholeSeconds() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.isClosedLoop = true
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "empty", .beginFault(Fault(id: "empty", .pump(.empty))))
    ]
    let stop = try #require(try fixture.result().troubles.first { $0.kind == .stop })
    #expect(
      stop.text.wholeMatch(
        of: /The pump gave nothing for (\dh)?\d+m(\d+s)? from \d\d:\d\d:\d\d to the end: .*/)
        != nil,
      "\(stop.text)")
  }

  private func troubles(_ fault: Fault, until end: Instant? = nil) throws -> [RunTrouble] {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "fault", .beginFault(fault)),
      ScenarioEvent(at: .at(1, 5), id: "lunch", .bolus(BolusRequest(.units(2), by: .user))),
    ]
    if let end { fixture.events.append(ScenarioEvent(at: end, .endFault(id: fault.id))) }
    return try fixture.result().troubles
  }

  @Test("Insulin that the pump counted and the body did not get is trouble")
  func lostInsulin() throws {
    let blocked = Fault(id: "blocked", .pump(.occlusion(Occlusion(detection: .never))))
    let found = try troubles(blocked, until: .at(2))
    #expect(found.map(\.kind) == [.wrongDelivery, .wrongInsulinOnBoard])
    #expect(
      found[0].text
        == "2.40 U that the pump counted did not reach the body between 01:05:02 and 02:00:00: an "
        + "occlusion blocked it.")
  }

  @Test("A bolus that the pump could not finish is trouble, and one that a person stopped is none")
  func cutBolus() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    let bolus = ScenarioEvent(at: .at(1), id: "b", .bolus(BolusRequest(.units(5), by: .user)))
    fixture.events = [
      bolus,
      ScenarioEvent(at: .at(1, 1), id: "empty", .beginFault(Fault(id: "empty", .pump(.empty)))),
    ]
    let run = try fixture.result()
    let given = try #require(run.agreement.differences.first { $0.kind == .interruptedBolus })
    #expect(run.troubles.map(\.kind).prefix(2) == [.stop, .wrongDelivery])
    #expect(run.troubles[1].text == given.text)
    #expect(given.text.hasSuffix("was stopped before the 5.00 U asked for were given."))
    fixture.events = [bolus, ScenarioEvent(at: .at(1, 1), id: "s", .suspend)]
    let suspended = try fixture.result()
    #expect(suspended.agreement.differences.contains { $0.kind == .interruptedBolus })
    #expect(!suspended.troubles.contains { $0.kind == .wrongDelivery })
  }

  @Test("A bolus that went away with the pump is trouble, with what was asked for")
  func bolusOfReplacedPump() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "b", .bolus(BolusRequest(.units(5), by: .user))),
      ScenarioEvent(at: .at(1, 1), id: "new", .pump(.replaceReservoir(nil))),
    ]
    let run = try fixture.result()
    let given = try #require(run.boluses.first)
    #expect(given.delivered < given.asked)
    let trouble = try #require(run.troubles.first { $0.kind == .wrongDelivery })
    #expect(trouble.text.hasSuffix("was stopped before the 5.00 U asked for were given."))
  }

  @Test("A suspension that the pump carried out does not read as one that failed")
  func carriedOutWithoutReply() throws {
    for (part, isDone) in [(1.0, true), (0.5, true), (0, false)] {
      var fixture = Fixture()
      fixture.duration = .hours(4)
      let lost = UncertainDelivery(trulyDelivered: part, resolveAfter: .minutes(10))
      fixture.events = [
        ScenarioEvent(
          at: .at(1), id: "lost",
          .beginFault(Fault(id: "lost", .pump(.uncertainDelivery(lost))))),
        ScenarioEvent(at: .at(1, 5), id: "s", .suspend),
        ScenarioEvent(at: .at(1, 7), .endFault(id: "lost")),
      ]
      let run = try fixture.result()
      #expect(run.programs.contains { $0.kind == .suspended } == isDone)
      let failed = try #require(run.troubles.first { $0.text.hasPrefix("The suspend failed") })
      #expect(failed.text.hasSuffix(" The pump carried it out all the same.") == isDone)
      #expect(failed.text.hasSuffix(" The pump never got it.") == !isDone)
    }
  }

  @Test("What the pump gave of a bolus without a reply is told where it failed for the app")
  func givenWithoutReply() throws {
    // 2 U are asked for: all of them, six tenths or nothing are given.
    for (part, words) in [
      (1.0, " The pump gave 2.00 U all the same."), (0.6, " The pump gave 1.20 U all the same."),
      (0, " The pump never got it."),
    ] {
      let lost = UncertainDelivery(trulyDelivered: part, resolveAfter: .minutes(10))
      let found = try troubles(
        Fault(id: "lost", .pump(.uncertainDelivery(lost))), until: .at(1, 10))
      let failed = try #require(found.first { $0.text.contains("The bolus of 2.00 U failed") })
      #expect(failed.text.hasSuffix("before giving more insulin.\(words)"), "\(failed.text)")
    }
  }

  @Test("A bolus that came although its command failed is trouble, for insulin on board is wrong")
  func unreportedBolus() throws {
    let lost = UncertainDelivery(trulyDelivered: 1, reported: .none, resolveAfter: .minutes(10))
    let found = try troubles(Fault(id: "lost", .pump(.uncertainDelivery(lost))), until: .at(1, 10))
    #expect(found.map(\.kind).contains(.refused))
    #expect(
      found.first { $0.kind == .wrongRecord }?.text
        == "The bolus of 01:05:00 (2.00 U) was never reported by the pump; the body has it, and "
        + "IOB does not count it.")
  }

  @Test("A schedule that the pump does not run is trouble")
  func wrongPump() throws {
    let other = try DailySchedule<InsulinRate>([
      .init(start: TimeOfDay(milliseconds: 0), value: InsulinRate(milliunitsPerHour: 450))
    ])
    let found = try troubles(Fault(id: "other", .wrongPump(other)))
    #expect(found.map(\.kind) == [.wrongRecord])
    #expect(
      found.map(\.text) == [
        "The app believes in a basal schedule that the pump does not run from 01:00:00 to "
          + "04:00:00, because of the fault other."
      ])
  }
}
