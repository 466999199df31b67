internal import Quantities
public import Simulation

extension RunMeasurements {
  /// The series of a finished run, from its start to its end.
  ///
  /// True glucose is measured on the rows of the trace, the CGM on the readings the app received,
  /// each at its own time where it did not come late.
  public init(_ run: RunResult) {
    let truth = run.trace.rows.map { GlucoseSeries.Point($0.instant, mgdL: $0.trueGlucose.mgdL) }
    let readings = run.trace.rows.compactMap { row in
      row.reading.map { GlucoseSeries.Point(row.readingInstant ?? row.instant, mgdL: $0.mgdL) }
    }
    let onBoard = run.trace.rows.compactMap { row in
      row.bodyInsulin.map { LoopActivity.InsulinOnBoard(at: row.instant, units: $0) }
    }
    let rescues = run.reactions.compactMap { reaction -> RescueMeal? in
      guard case .rescue(let grams, _, _) = reaction.action, reaction.instant < run.end else {
        return nil
      }
      return RescueMeal(at: reaction.instant, grams: grams)
    }
    self.init(
      from: run.start, to: run.end,
      trueGlucose: GlucoseSeries(truth, clock: run.clock, interval: run.rowInterval),
      cgm: GlucoseSeries(readings, clock: run.clock, interval: run.readingInterval),
      insulin: InsulinRecord(run), loop: LoopActivity(run), absoluteInsulinOnBoard: onBoard,
      rescues: rescues, basalNeed: run.basalNeed)
    steadyInsulin = run.steadyInsulin
    basalLostPercent = run.basalLostPercent
    account = DeliveryAccount(run)
    outsideModel = run.modelExcursions.map { $0.start..<max($0.start, $0.end) }
  }
}

extension InsulinRecord {
  /// What the pump of a run delivered, and what came from outside.
  init(_ run: RunResult) {
    var deliveries: [Delivery] = []
    deliveries.reserveCapacity(run.pulses.count)
    for pulse in run.pulses where pulse.recorded > .zero {
      switch pulse.channel {
      case .basal: deliveries.append(Delivery(at: pulse.instant, pulse.recorded, .basal))
      case .userBolus: deliveries.append(Delivery(at: pulse.instant, pulse.recorded, .userBolus))
      case .automaticBolus:
        deliveries.append(Delivery(at: pulse.instant, pulse.recorded, .automaticBolus))
      case .unrequested, .release: break
      }
    }
    let outside = run.injections.compactMap { injection in
      InsulinAmount(roundingUnits: injection.units).map {
        Delivery(at: injection.instant, $0, .external)
      }
    }
    if !outside.isEmpty {
      deliveries = (deliveries + outside).sorted { $0.instant < $1.instant }
    }
    let boluses = run.boluses.map {
      Bolus(
        at: $0.start, programmed: $0.asked, delivered: $0.delivered,
        $0.isAutomatic ? .automaticBolus : .userBolus)
    }
    self.init(
      deliveries: deliveries, boluses: boluses, segments: run.programs.map(BasalSegment.init),
      scheduledBasal: run.scheduledBasal)
  }
}

extension InsulinRecord.BasalSegment {
  init(_ program: PumpProgramRecord) {
    let kind: Kind =
      switch program.kind {
      case .scheduled: .scheduled
      case .tempBasal: program.isAutomatic ? .automaticTempBasal : .manualTempBasal
      case .suspended, .stopped: .suspended
      }
    self.init(
      from: program.start, to: program.end, kind, rate: program.rate,
      delivered: program.delivered)
  }
}

extension LoopActivity {
  /// What the loop of a run did.
  init(_ run: RunResult) {
    self.init(
      cycles: run.cycleOutcomes.map { Cycle(at: $0.instant, failure: $0.failure) },
      switches: run.dosingSwitches.map { Switch(at: $0.instant, isOn: $0.isOn) },
      insulinOnBoard: run.trace.rows.compactMap { row in
        row.insulinOnBoard.map { InsulinOnBoard(at: row.instant, units: $0) }
      })
  }
}
