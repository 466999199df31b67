import Devices
import Quantities
import Testing

@Suite("Communication with the pump")
struct CommunicationTests {
  static let temp = PumpCommand.startTempBasal(
    Fixture.rate(2_000), duration: .minutes(30), automatic: true)

  @Test("D71 With a lost reply the temp basal runs, and the pump is uncertain until it is read")
  func lostReply() throws {
    var pump = try Fixture.pump(always: 500)
    pump.begin(.uncertainDelivery(.lostReply), id: "radio", at: Fixture.midnight)
    #expect(throws: PumpError.uncertainDelivery(Self.temp)) {
      try pump.perform(Self.temp, at: Fixture.time(1))
    }
    #expect(pump.status.deliveryIsUncertain)
    #expect(pump.status.program == nil)
    _ = pump.advance(to: Fixture.time(1, 5))
    let report = try pump.report()
    #expect(!report.status.deliveryIsUncertain)
    #expect(report.status.program?.kind == .tempBasal)
    #expect(report.events.last?.programmedRate == Fixture.rate(2_000))
    #expect(report.events.last?.isMutable == true)
  }

  @Test("A report tells of what has ended in the order in which it began")
  func orderOfEvents() throws {
    var pump = try Fixture.pump(always: 500)
    try pump.startTempBasal(
      rate: Fixture.rate(1_000), duration: .hours(2), at: Fixture.time(0, 10))
    try pump.startBolus(.milliunits(1_000), at: Fixture.time(0, 12))
    pump.begin(.alarm(.failure), id: "failure", at: Fixture.time(0, 30))
    let events = try pump.report().events
    #expect(events.map(\.kind) == [.tempBasal, .bolus, .alarm(.failure)])
    #expect(events.map(\.end) == [Fixture.time(0, 30), Fixture.time(0, 12, 40), pump.now])
  }

  @Test("D72 A lost command is not carried out, and the status tells")
  func lostCommand() throws {
    var pump = try Fixture.pump(always: 500)
    pump.begin(.uncertainDelivery(.lostCommand), id: "radio", at: Fixture.midnight)
    #expect(throws: PumpError.uncertainDelivery(Self.temp)) {
      try pump.perform(Self.temp, at: Fixture.time(1))
    }
    let report = try pump.report()
    #expect(report.status.program?.kind == .scheduled)
    #expect(report.events.isEmpty)
  }

  @Test("D73 When the pump is gone, boluses and high temp basals count as given, low ones do not")
  func assumptions() {
    func assumed(_ command: PumpCommand, running: Int64? = nil) -> Bool {
      UncertainDelivery.isAssumedCarriedOut(
        command, scheduled: Fixture.rate(1_000), runningTempBasal: running.map(Fixture.rate))
    }
    #expect(assumed(.startBolus(.milliunits(1_000), automatic: true)))
    #expect(assumed(Self.temp))
    #expect(!assumed(.startTempBasal(.zero, duration: .minutes(30), automatic: true)))
    #expect(!assumed(.cancelTempBasal, running: 2_000))
    #expect(assumed(.cancelTempBasal, running: 0))
    #expect(!assumed(.suspend))
    // Whatever it would have stopped: less insulin came if it was carried out.
    #expect(!assumed(.suspend, running: 0) && !assumed(.suspend, running: 2_000))
  }

  @Test("A bolus of which 60 % is given is reported as given, as nothing, or as it was")
  func partOfABolus() throws {
    for (reported, amounts, hidden, overstated) in [
      (UncertainDelivery.Reported.full, [1_000], 0, 400),
      (.none, [], 600, 0), (.unknown, [600], 0, 0),
    ] as [(UncertainDelivery.Reported, [Int64], Int64, Int64)] {
      var pump = try Fixture.pump(always: 0)
      pump.begin(
        .uncertainDelivery(UncertainDelivery(trulyDelivered: 0.6, reported: reported)),
        id: "radio", at: Fixture.midnight)
      try? pump.startBolus(.milliunits(1_000), at: Fixture.midnight)
      _ = pump.advance(to: Fixture.time(0, 5))
      #expect(pump.ledger.boluses.delivered == .milliunits(600))
      #expect(pump.ledger.boluses.lost == .milliunits(400))
      let report = try pump.report()
      #expect(report.events.compactMap { $0.deliveredAmount?.milliunits } == amounts)
      #expect(pump.ledger.reporting.hidden == .milliunits(hidden))
      #expect(pump.ledger.reporting.overstated == .milliunits(overstated))
      #expect(pump.ledger.checkConservation() == nil)
    }
  }

  @Test("Of a bolus of many pulses a second no more is given than the part that is to be")
  func partOfAFastBolus() throws {
    // After a second 52 pulses of 0.01 U are due, and after five 333 of 0.001 U, where 266 were.
    for profile in [PumpProfile.ypsopump, .tandemX2, .omnipodDASH] {
      var pump = try Fixture.pump(profile, always: 500)
      pump.begin(
        .uncertainDelivery(UncertainDelivery(trulyDelivered: 0.3)), id: "radio",
        at: Fixture.midnight)
      try? pump.startBolus(.milliunits(1_000), at: Fixture.midnight)
      _ = pump.advance(to: Fixture.time(0, 5))
      #expect(pump.ledger.boluses.delivered == .milliunits(300), "\(profile.id)")
      #expect(pump.ledger.boluses.lost == .milliunits(700), "\(profile.id)")
      #expect(pump.ledger.checkConservation() == nil)
    }
  }

  @Test("A bolus of which nothing is given is reported as given where the record is to say so")
  func nothingOfABolus() throws {
    for (reported, amounts, overstated) in [
      (UncertainDelivery.Reported.full, [1_000], 1_000), (.none, [], 0), (.unknown, [], 0),
    ] as [(UncertainDelivery.Reported, [Int64], Int64)] {
      var pump = try Fixture.pump(always: 0)
      pump.begin(
        .uncertainDelivery(UncertainDelivery(trulyDelivered: 0, reported: reported)),
        id: "radio", at: Fixture.midnight)
      try? pump.startBolus(.milliunits(1_000), at: Fixture.midnight)
      _ = pump.advance(to: Fixture.time(0, 5))
      #expect(pump.ledger.boluses.delivered == .zero)
      let report = try pump.report()
      #expect(report.events.compactMap { $0.deliveredAmount?.milliunits } == amounts)
      #expect(pump.ledger.reporting.overstated == .milliunits(overstated))
      #expect(pump.ledger.reporting.hidden == .zero)
      #expect(pump.ledger.checkConservation() == nil)
    }
  }

  @Test("A pump that would refuse a bolus does not tell of it")
  func refusedBolus() throws {
    var pump = try Fixture.pump(always: 0)
    try pump.perform(.suspend, at: Fixture.midnight)
    pump.begin(
      .uncertainDelivery(UncertainDelivery(trulyDelivered: 0, reported: .full)), id: "radio",
      at: Fixture.midnight)
    try? pump.startBolus(.milliunits(1_000), at: Fixture.midnight)
    #expect(try pump.report().events.filter { $0.kind == .bolus }.isEmpty)
    #expect(pump.ledger.reporting.overstated == .zero)
  }

  @Test("Nobody can find out before the time of resolution")
  func unresolved() throws {
    var pump = try Fixture.pump(always: 500)
    pump.begin(
      .uncertainDelivery(UncertainDelivery(trulyDelivered: 1, resolveAfter: .minutes(12))),
      id: "radio", at: Fixture.midnight)
    try? pump.startBolus(.milliunits(500), at: Fixture.midnight)
    _ = pump.advance(to: Fixture.time(0, 10))
    let early = try pump.report()
    #expect(early.status.deliveryIsUncertain)
    #expect(early.events.isEmpty)
    _ = pump.advance(to: Fixture.time(0, 15))
    let late = try pump.report()
    #expect(late.events.map(\.deliveredAmount) == [.milliunits(500)])
  }

  @Test("With a pod goes what became of its unacknowledged commands; another pump is asked")
  func podThrownAway() throws {
    // What was asked, given and said of it, then what nobody is told and what is said too much.
    let cases: [(PumpProfile, UncertainDelivery.Reported, [Int64], Int64, Int64)] = [
      (.omnipodDASH, .unknown, [], 600, 0), (.omnipodDASH, .full, [], 600, 0),
      (.omnipodDASH, .none, [], 600, 0), (.generic50, .unknown, [600], 0, 0),
      (.generic50, .full, [1_000], 0, 400), (.generic50, .none, [], 600, 0),
    ]
    for (profile, reported, amounts, hidden, overstated) in cases {
      var pump = try Fixture.pump(profile, always: 500)
      pump.begin(
        .uncertainDelivery(
          UncertainDelivery(trulyDelivered: 0.6, reported: reported, resolveAfter: .hours(6))),
        id: "radio", at: Fixture.midnight)
      try? pump.startBolus(.milliunits(1_000), at: Fixture.midnight)
      pump.end(id: "radio", at: Fixture.time(0, 1))
      _ = pump.advance(to: Fixture.time(1))
      #expect(try pump.report().status.deliveryIsUncertain)
      try pump.replaceReservoir(at: Fixture.time(1))
      #expect(try pump.report().status.deliveryIsUncertain != profile.isPatchPump)
      _ = pump.advance(to: Fixture.time(7))
      let said = try pump.report().events.filter { $0.kind == .bolus }
      #expect(said.compactMap { $0.deliveredAmount?.milliunits } == amounts)
      #expect(pump.ledger.boluses.delivered == .milliunits(600))
      #expect(pump.ledger.reporting.hidden == .milliunits(hidden))
      #expect(pump.ledger.reporting.overstated == .milliunits(overstated))
      #expect(pump.ledger.checkConservation() == nil)
    }
  }

  @Test("A pod that was told to stop without a reply is replaced by one that runs the schedule")
  func podReplacedWhileSuspended() throws {
    for (profile, isSuspended) in [(PumpProfile.omnipodDASH, false), (.generic50, true)] {
      var pump = try Fixture.pump(profile, always: 500)
      pump.begin(.uncertainDelivery(.lostReply), id: "radio", at: Fixture.midnight)
      try? pump.perform(.suspend, at: Fixture.time(0, 10))
      #expect(pump.isSuspended)
      try pump.replaceReservoir(at: Fixture.time(1))
      #expect(pump.isSuspended == isSuspended)
    }
  }

  @Test("A pod that was suspended is replaced by one that runs the schedule, and tells so")
  func suspendedPodReplaced() throws {
    let alarm = [PumpEvent.Kind.suspend, .alarm(.failure), .rewind, .prime, .alarmCleared, .resume]
    for (profile, isStopped, events) in [
      (PumpProfile.omnipodDASH, false, [PumpEvent.Kind.suspend, .rewind, .prime, .resume]),
      (.omnipodDASH, true, alarm), (.generic50, false, [.suspend, .rewind]),
      (.generic50, true, [.suspend, .alarm(.failure), .rewind, .alarmCleared]),
    ] {
      var pump = try Fixture.pump(profile, always: 500)
      try pump.perform(.suspend, at: Fixture.time(0, 10))
      if isStopped { pump.begin(.alarm(.failure), id: "failure", at: Fixture.time(0, 20)) }
      try pump.replaceReservoir(at: Fixture.time(1))
      #expect(pump.activeAlarm == nil)
      #expect(pump.isSuspended != profile.isPatchPump)
      #expect(try pump.report().events.map(\.kind) == events)
      _ = pump.advance(to: Fixture.time(3))
      // Ten minutes before it was suspended are one pulse at most; two hours are 1.00 U.
      let given = pump.ledger.basal.delivered
      #expect((given > .milliunits(900)) == profile.isPatchPump)
    }
  }

  @Test("The next pod tells once that it delivers, also where a resumption was lost before")
  func suspendedAgainBeforeTheNextPod() throws {
    var pump = try Fixture.pump(.omnipodDASH, always: 500)
    try pump.perform(.suspend, at: Fixture.time(0, 10))
    pump.begin(
      .uncertainDelivery(UncertainDelivery(trulyDelivered: 1, resolveAfter: .hours(6))),
      id: "radio", at: Fixture.time(0, 20))
    try? pump.perform(.resume, at: Fixture.time(0, 20))
    pump.end(id: "radio", at: Fixture.time(0, 21))
    try pump.perform(.suspend, at: Fixture.time(0, 30))
    try pump.replaceReservoir(at: Fixture.time(1))
    #expect(!pump.isSuspended)
    #expect(try pump.report().events.count { $0.kind == .resume } == 1)
  }

  @Test("An alarm that comes meanwhile does not make the next pod stand still either")
  func podReplacedAfterAnAlarm() throws {
    for (profile, isSuspended) in [(PumpProfile.omnipodDASH, false), (.generic50, true)] {
      var pump = try Fixture.pump(profile, always: 500)
      pump.begin(
        .uncertainDelivery(UncertainDelivery(trulyDelivered: 1, resolveAfter: .hours(6))),
        id: "radio", at: Fixture.midnight)
      try? pump.perform(.suspend, at: Fixture.time(0, 10))
      pump.begin(.alarm(.failure), id: "failure", at: Fixture.time(0, 20))
      try pump.replaceReservoir(at: Fixture.time(1))
      #expect(pump.activeAlarm == nil)
      #expect(pump.isSuspended == isSuspended)
    }
  }

  @Test("A suspension of which nobody was told is told when the alarm that came in it is cleared")
  func suspensionUnderAnAlarm() throws {
    for (isTold, kinds) in [
      (true, [.suspend, .alarm(.failure), .alarmCleared]),
      (false, [.alarm(.failure), .alarmCleared, .suspend]),
    ] as [(Bool, [PumpEvent.Kind])] {
      var pump = try Fixture.pump(always: 500)
      if !isTold {
        pump.begin(
          .uncertainDelivery(UncertainDelivery(trulyDelivered: 1, resolveAfter: .hours(1))),
          id: "radio", at: Fixture.midnight)
      }
      try? pump.perform(.suspend, at: Fixture.time(0, 10))
      pump.end(id: "radio", at: Fixture.time(0, 15))
      pump.begin(.alarm(.failure), id: "failure", at: Fixture.time(0, 20))
      try pump.clearAlarm(at: Fixture.time(0, 40))
      #expect(pump.isSuspended)
      let report = try pump.report()
      #expect(report.events.map(\.kind) == kinds)
      #expect(report.events.last?.start == Fixture.time(0, 40))
      // An hour after the command somebody can ask about the first suspension.
      _ = pump.advance(to: Fixture.time(1, 30))
      let late = try pump.report().events.map(\.start)
      #expect(late == (isTold ? [] : [Fixture.time(0, 10)]))
    }
  }

  @Test("A command on its way to a pod that is thrown away never arrives")
  func commandOnItsWayToAPod() throws {
    for (profile, kind) in [
      (PumpProfile.omnipodDASH, BasalProgram.Kind.scheduled), (.generic50, .tempBasal),
    ] {
      var pump = try Fixture.pump(profile, always: 500)
      pump.begin(
        .communicationLoss(CommunicationLoss(commands: .late(.minutes(4)))), id: "radio",
        at: Fixture.midnight)
      try? pump.perform(Self.temp, at: Fixture.time(1))
      pump.end(id: "radio", at: Fixture.time(1, 1))
      try pump.replaceReservoir(at: Fixture.time(1, 2))
      let occurrences = pump.advance(to: Fixture.time(1, 10))
      #expect(pump.program.kind == kind)
      let lost = occurrences.contains { $0.kind == .commandDisturbed(Self.temp, .lost) }
      #expect(lost == profile.isPatchPump)
    }
  }

  @Test(
    "What a pod has given of a command that came late is thrown away with it, unless it was told")
  func lateCommandOfAPod() throws {
    for isTold in [false, true] {
      var pump = try Fixture.pump(.omnipodDASH, always: 500)
      pump.begin(
        .communicationLoss(CommunicationLoss(commands: .late(.minutes(3)))), id: "radio",
        at: Fixture.midnight)
      try? pump.perform(
        .startBolus(.milliunits(1_000), automatic: false), at: Fixture.time(1))
      pump.end(id: "radio", at: Fixture.time(1, 1))
      // It is given from 01:03 on, in 40 s.
      _ = pump.advance(to: Fixture.time(1, 5))
      var told = isTold ? try pump.report().events : []
      try pump.replaceReservoir(at: Fixture.time(1, 6))
      told += try pump.report().events
      #expect(told.filter { $0.kind == .bolus }.count == (isTold ? 1 : 0))
      #expect(pump.ledger.reporting.hidden == .milliunits(isTold ? 0 : 1_000))
    }
  }

  @Test("Without contact commands fail, and history comes late or never")
  func communicationLoss() throws {
    for (history, count, hidden) in [
      (CommunicationLoss.History.late, 1, 0), (.none, 0, 1_000),
    ] as [(CommunicationLoss.History, Int, Int64)] {
      var pump = try Fixture.pump(always: 0)
      try pump.startTempBasal(
        rate: Fixture.rate(2_000), duration: .minutes(30), at: Fixture.midnight)
      pump.begin(
        .communicationLoss(CommunicationLoss(commands: .fail, history: history)), id: "radio",
        at: Fixture.time(0, 10))
      #expect(throws: PumpError.noCommunication) {
        try pump.cancelTempBasal(at: Fixture.time(0, 15))
      }
      _ = pump.advance(to: Fixture.time(1))
      #expect(throws: PumpError.noCommunication) { try pump.report() }
      pump.end(id: "radio", at: Fixture.time(1))
      #expect(try pump.report().events.count == count)
      #expect(pump.ledger.reporting.hidden == .milliunits(hidden))
    }
  }

  @Test("What the history says wrongly of a bolus is said no more once the history is lost")
  func lostHistoryOfAPart() throws {
    for reported in UncertainDelivery.Reported.allCases {
      var pump = try Fixture.pump(always: 0)
      pump.begin(
        .uncertainDelivery(UncertainDelivery(trulyDelivered: 0.6, reported: reported)),
        id: "reply", at: Fixture.midnight)
      try? pump.startBolus(.milliunits(1_000), at: Fixture.midnight)
      pump.end(id: "reply", at: Fixture.midnight)
      pump.begin(
        .communicationLoss(CommunicationLoss(commands: .fail, history: .none)), id: "radio",
        at: Fixture.midnight)
      pump.end(id: "radio", at: Fixture.time(0, 5))
      #expect(try pump.report().events.isEmpty, "\(reported)")
      #expect(pump.ledger.boluses.delivered == .milliunits(600))
      #expect(pump.ledger.reporting.hidden == .milliunits(600), "\(reported)")
      #expect(pump.ledger.reporting.overstated == .zero, "\(reported)")
    }
  }

  @Test("A late command is carried out when it arrives")
  func lateCommand() throws {
    var pump = try Fixture.pump(always: 500)
    pump.begin(
      .communicationLoss(CommunicationLoss(commands: .late(.minutes(4)))), id: "radio",
      at: Fixture.midnight)
    try? pump.perform(Self.temp, at: Fixture.time(1))
    let kinds = pump.advance(to: Fixture.time(1, 10)).map(\.kind)
    #expect(pump.program.start == Fixture.time(1, 4))
    #expect(kinds.contains(.commandDisturbed(Self.temp, .carriedOut)))
  }

  @Test("A rejected command changes nothing")
  func reject() throws {
    var pump = try Fixture.pump(always: 500)
    pump.begin(.reject([.tempBasal]), id: "switch", at: Fixture.midnight)
    #expect(throws: PumpError.rejected(Self.temp)) {
      try pump.perform(Self.temp, at: Fixture.time(1))
    }
    #expect(pump.program.kind == .scheduled)
    try pump.startBolus(.milliunits(50), at: Fixture.time(1))
  }
}
