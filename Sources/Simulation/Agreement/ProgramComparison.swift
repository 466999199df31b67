internal import ClosedLoop
internal import Devices
internal import Quantities

/// Finds when the pump ran another program than the app has recorded, such as a suspension that the
/// pump never told of.
///
/// The amount may be right all the same, since the app reads what the pump counts. Insulin on board
/// goes by the program: scheduled basal counts as none, whatever was given.
struct ProgramComparison {
  let compared: ComparedRecords

  /// A shorter stretch is no difference: commands take their time.
  private static let shortest = TimeSpan.minutes(10)
  /// What is wrong by less is within a few pulses, in U.
  private static let least = 0.1

  /// A stretch in which the app has basal of one kind, and the pump ran a program of another.
  private struct Stretch {
    var start: Instant
    var end: Instant
    var recorded: DoseEntry.Kind
    var program: PumpProgramRecord
    /// What the app counts, in U.
    var counted: Double
  }

  func differences() -> [RecordDifference] {
    // Where a clock was wrong the programs are recorded, at other times.
    guard compared.causes.wrongClocks.isEmpty else { return [] }
    return stretches.filter { $0.end - $0.start >= Self.shortest }.compactMap(difference)
  }

  /// The stretches in the order of time, those of one program and kind as one.
  private var stretches: [Stretch] {
    var found: [Stretch] = []
    for dose in compared.doses where dose.isFromPump && !dose.isBolus && !dose.isMutable {
      guard dose.end > dose.start else { continue }
      let first = compared.programs.partitioningIndex { $0.end > dose.start }
      for program in compared.programs[first...] {
        guard program.start < dose.end else { break }
        guard !Self.isRecorded(program.kind, as: dose.kind) else { continue }
        let (start, end) = (max(dose.start, program.start), min(dose.end, program.end))
        let hours = (end - start).hours
        let counted =
          dose.kind == .basal
          ? (dose.scheduledRate?.unitsPerHour ?? 0) * hours
          : dose.units * hours / (dose.end - dose.start).hours
        if let last = found.last, last.end == start, last.recorded == dose.kind,
          last.program.start == program.start
        {
          found[found.count - 1].end = end
          found[found.count - 1].counted += counted
        } else {
          found.append(
            Stretch(
              start: start, end: end, recorded: dose.kind, program: program, counted: counted))
        }
      }
    }
    return found
  }

  /// Whether the app's basal of a kind tells of a program.
  private static func isRecorded(
    _ program: PumpProgramRecord.Kind, as kind: DoseEntry.Kind
  ) -> Bool {
    switch program {
    case .scheduled: kind == .basal
    case .tempBasal: kind == .tempBasal
    // An alarm that stops the pump is recorded as a suspension.
    case .suspended, .stopped: kind == .suspend
    }
  }

  private func difference(_ stretch: Stretch) -> RecordDifference? {
    let given = compared.basalDelivered(stretch.start, stretch.end).units
    let wrong = stretch.counted - given
    guard wrong.magnitude >= Self.least else { return nil }
    let isStored = compared.storeBasal.contains {
      $0.start < stretch.end && $0.end > stretch.start
    }
    return RecordDifference(
      .check, .otherProgram, .basal, in: isStored ? [.app, .healthStore] : [.app],
      from: stretch.start, to: stretch.end, units: 0,
      "The app has \(words(stretch.recorded)) from \(compared.span(stretch.start, stretch.end)), "
        + "and does not know that \(words(stretch.program)): IOB counts "
        + "\(unitsText(wrong.magnitude)) U \(wrong > 0 ? "more" : "less") than was given.")
  }

  private func words(_ kind: DoseEntry.Kind) -> String {
    switch kind {
    case .tempBasal: "a temp basal"
    case .suspend: "a suspension"
    case .basal, .bolus, .resume: "scheduled basal"
    }
  }

  private func words(_ program: PumpProgramRecord) -> String {
    switch program.kind {
    case .scheduled: "the pump ran its schedule"
    case .tempBasal: "the pump ran a temp basal of \(program.rate)"
    case .suspended: "the pump was suspended"
    case .stopped: "an alarm had stopped the pump"
    }
  }
}
