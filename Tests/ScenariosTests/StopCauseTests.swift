import Simulation
import TestSupport
import Testing

/// What is told of an app that has not followed the pump until the end of the run.
@Suite("Why the app no longer follows the pump")
struct StopCauseTests {
  /// How it ends of an app that several things have kept from the pump, one after the other.
  private static let unreadSince = ": the app has not been able to read the pump since 01:02:00."

  private static func texts(_ rest: String) throws -> [String] {
    let agreement = try RecordCauseTests.run(rest).agreement
    #expect(agreement.answer == .explained)
    return agreement.differences.map(\.text)
  }

  @Test("A phone that goes off while its Bluetooth is off has not been off since then")
  func bluetoothThenPhone() throws {
    let texts = try Self.texts(
      "events: [{ at: '+62m', phone: 'bluetoothOff' }, { at: '+5h', phone: 'off' }]")
    #expect(texts.contains { $0.hasSuffix(Self.unreadSince) }, "\(texts)")
    #expect(!texts.contains { $0.contains("the phone has been off since 01:02:00") }, "\(texts)")
  }

  @Test("A phone that is on again without Bluetooth was off before")
  func phoneThenBluetooth() throws {
    let texts = try Self.texts(
      "events: [{ at: '+62m', phone: 'off' }, { at: '+5h', phone: 'bluetoothOff' }]")
    #expect(texts.contains { $0.hasSuffix(Self.unreadSince) }, "\(texts)")
  }

  @Test("What gives way to another thing at the same instant has stopped nothing")
  func atOneInstant() throws {
    let texts = try Self.texts(
      "events: [{ at: '+62m', phone: 'bluetoothOff' }, { at: '+62m', phone: 'off' }]")
    #expect(
      texts.contains { $0.hasSuffix(": the phone has been off since 01:02:00.") }, "\(texts)")
  }

  @Test("A bolus of long before a run in which no loop runs is not known, as the phone is off")
  func bolusOfBefore() throws {
    let texts = try Self.texts(
      """
      history: { doses: [{ at: '-3h', bolus: 2.5 }] }, events: [{ at: '+0m', phone: 'off' }]
      """)
    #expect(
      texts.contains {
        $0.hasPrefix("The bolus of ") && $0.contains("the phone has been off since ")
          && $0.hasSuffix("the body has it, and IOB does not count it.")
      }, "\(texts)")
  }
}
