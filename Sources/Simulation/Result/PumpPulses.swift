internal import Quantities
internal import WorkCounting

/// The pulses of a pump, in the order in which they were given.
///
/// A pump gives a thousand pulses a day, and a run keeps all of them. What is the same for nearly
/// every pulse takes no room: what reached the body is kept from the first pulse on of which it is
/// not what the pump counted. A pulse takes 13 bytes then, and 21 in a run where they differ.
public struct PumpPulses: Sendable {
  private var instants: [Instant] = []
  private var countedMilliunits: [Int32] = []
  private var channels: [PumpPulseRecord.Channel] = []
  /// What reached the body by each pulse, in U; empty while that is what the pump counted.
  private var reached: [Double] = []

  /// Creates a list without pulses.
  public init() {}

  /// Creates a list of pulses, in the order in which they come.
  public init(_ pulses: some Sequence<PumpPulseRecord>) { for pulse in pulses { append(pulse) } }

  /// Adds a pulse behind the others.
  public mutating func append(_ pulse: PumpPulseRecord) {
    if !reached.isEmpty {
      reached.append(pulse.physicalUnits)
    } else if Self.differs(pulse) {
      reached = map(\.physicalUnits) + [pulse.physicalUnits]
    }
    instants.append(pulse.instant)
    countedMilliunits.append(Int32(pulse.recorded.milliunits))
    channels.append(pulse.channel)
  }

  /// What the pump counted as basal in the window (start, end].
  ///
  /// The app is asked for it in every cycle: only what is summed up is looked at.
  func basal(after start: Instant, through end: Instant) -> InsulinAmount {
    let first = instants.partitioningIndexNearEnd { $0 > start }
    let last = Swift.max(first, instants.partitioningIndexNearEnd { $0 > end })
    Work.visit(rows: last - first)
    var sum: Int64 = 0
    for place in first..<last where channels[place] == .basal {
      sum += Int64(countedMilliunits[place])
    }
    return .milliunits(sum)
  }

  /// Whether each pulse brought the body what the pump counted, to the last digit.
  var allReachedTheBody: Bool { reached.isEmpty }

  private static func differs(_ pulse: PumpPulseRecord) -> Bool {
    pulse.physicalUnits.bitPattern != pulse.recorded.units.bitPattern
  }
}

extension PumpPulses: RandomAccessCollection, MutableCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { instants.count }

  /// The pulse at a place.
  public subscript(place: Int) -> PumpPulseRecord {
    get {
      let counted = InsulinAmount.milliunits(Int64(countedMilliunits[place]))
      return PumpPulseRecord(
        instant: instants[place], recorded: counted,
        physicalUnits: reached.isEmpty ? counted.units : reached[place], channel: channels[place])
    }
    set {
      if reached.isEmpty, Self.differs(newValue) { reached = map(\.physicalUnits) }
      if !reached.isEmpty { reached[place] = newValue.physicalUnits }
      instants[place] = newValue.instant
      countedMilliunits[place] = Int32(newValue.recorded.milliunits)
      channels[place] = newValue.channel
    }
  }
}

extension PumpPulses: ExpressibleByArrayLiteral {
  public init(arrayLiteral pulses: PumpPulseRecord...) { self.init(pulses) }
}

extension PumpPulses: Equatable {
  public static func == (one: Self, other: Self) -> Bool { one.elementsEqual(other) }
}

extension PumpPulses: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: self, displayStyle: .collection)
  }
}
