import Quantities
import TestSupport
import Testing

@testable import Simulation

@Suite("The pulses of a run")
struct PumpPulsesTests {
  /// A pulse at random: whole, short in the body, or of a channel without a command.
  private static func pulse(_ chance: inout Chance, at instant: Instant) -> PumpPulseRecord {
    let recorded = InsulinAmount.milliunits(Int64(chance.below(4)) * 50)
    let channels = PumpPulseRecord.Channel.allCases
    return PumpPulseRecord(
      instant: instant, recorded: recorded,
      physicalUnits: chance.below(40) == 0 ? recorded.units / 3 : recorded.units,
      channel: channels[chance.below(channels.count)])
  }

  private static func pulses(_ count: Int, _ chance: inout Chance) -> [PumpPulseRecord] {
    var instant = Instant.at(0)
    return (0..<count).map { _ in
      instant += .milliseconds(Int64(chance.below(3)) * 90_000)
      return pulse(&chance, at: instant)
    }
  }

  @Test(
    "A list gives back the pulses that were put in and set, as an array does", arguments: 1...40)
  func isAnArray(seed: UInt64) {
    var chance = Chance(state: seed)
    var array = Self.pulses(chance.below(120), &chance)
    var list = PumpPulses(array)
    #expect(list.elementsEqual(array))
    for _ in 0..<20 where !array.isEmpty {
      let place = chance.below(array.count)
      array[place] = Self.pulse(&chance, at: array[place].instant)
      list[place] = array[place]
    }
    #expect(list.elementsEqual(array))
    #expect(list == PumpPulses(array))
    #expect(list.reversed().elementsEqual(array.reversed()))
  }

  @Test("What counted as basal in a window is summed up as pulse by pulse", arguments: 1...40)
  func basal(seed: UInt64) {
    var chance = Chance(state: seed)
    let array = Self.pulses(120, &chance)
    let list = PumpPulses(array)
    for _ in 0..<30 {
      let start = Instant.at(0) + .seconds(Int64(chance.below(14_000)) - 100)
      let end = Instant.at(0) + .seconds(Int64(chance.below(14_000)) - 100)
      let sum = array.filter { $0.instant > start && $0.instant <= end && $0.channel == .basal }
        .reduce(InsulinAmount.zero) { $0 + $1.recorded }
      #expect(list.basal(after: start, through: end) == sum)
    }
  }

  @Test("A pulse that brings the body other than was counted leaves those before it as they were")
  func differs() {
    let whole = PumpPulseRecord(
      instant: .at(1), recorded: .milliunits(50), physicalUnits: 0.05, channel: .basal)
    var short = whole
    short.physicalUnits = 0
    var list: PumpPulses = [whole, whole]
    #expect(list.allReachedTheBody)
    list.append(short)
    list.append(whole)
    #expect(!list.allReachedTheBody)
    #expect(list.map(\.physicalUnits) == [0.05, 0.05, 0, 0.05])
  }
}
