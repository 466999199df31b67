import Devices
import Quantities
import Testing

@Suite("Two faults of the communication with the pump at once")
struct FaultsTogetherTests {
  @Test("Of two losses of contact at once the worse one decides, whichever began first")
  func lossesTogether() throws {
    let fails = CommunicationLoss(commands: .fail)
    let (soon, late) = (
      CommunicationLoss(commands: .late(.minutes(5))),
      CommunicationLoss(commands: .late(.minutes(40)))
    )
    for (losses, arrival) in [
      ([fails, soon], nil), ([soon, fails], nil), ([soon], 65), ([soon, late], 100),
      ([late, soon], 100),
    ] as [([CommunicationLoss], Int64?)] {
      var pump = try Fixture.pump(always: 500)
      for (index, loss) in losses.enumerated() {
        pump.begin(.communicationLoss(loss), id: "loss \(index)", at: Fixture.midnight)
      }
      #expect(throws: PumpError.self) {
        try pump.startBolus(.milliunits(1_000), at: Fixture.time(1))
      }
      #expect(pump.arrivalsOfCommands == arrival.map { [Fixture.midnight + .minutes($0)] } ?? [])
    }
  }

  @Test("Of two lost replies at once the worse one decides, whichever began first")
  func worstOfTwoLostReplies() throws {
    var reply = UncertainDelivery.lostReply
    reply.resolveAfter = .minutes(20)
    for faults in [[reply, .lostCommand], [.lostCommand, reply]] {
      var pump = try Fixture.pump(always: 500)
      for (index, fault) in faults.enumerated() {
        pump.begin(.uncertainDelivery(fault), id: "reply \(index)", at: Fixture.midnight)
      }
      #expect(throws: PumpError.uncertainDelivery(CommunicationTests.temp)) {
        try pump.perform(CommunicationTests.temp, at: Fixture.time(1))
      }
      #expect(pump.program.kind == .scheduled)
      _ = pump.advance(to: Fixture.time(1, 19))
      #expect(try pump.report().status.deliveryIsUncertain)
      _ = pump.advance(to: Fixture.time(1, 21))
      #expect(try !pump.report().status.deliveryIsUncertain)
    }
  }
}
