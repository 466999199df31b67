import Determinism
public import Quantities

extension Pump {
  /// Starts a fault of a scenario, under an id that ends it later.
  ///
  /// The pump advances to the instant first; an instant that has passed means now. What follows is
  /// told by occurrences, and every difference between record and body is in the ledger by name.
  public mutating func begin(_ fault: PumpFault, id: String, at instant: Instant) {
    run(until: instant)
    record(.faultBegan(id))
    let stream = RandomStream(seed: seed, name: "pump.fault.\(id)")
    faults.active.append(ActivePumpFault(id: id, fault: fault, since: now, stream: stream))
    switch fault {
    case .empty: supply.drain()
    case .alarm(let alarm): raise(alarm, heldBy: id)
    case .unrequested(let amount): giveUnrequested(amount)
    case .clockDrift: drift()
    case .clockError(let error):
      timetable.clock.jump(by: error, at: now)
      basal.clockDidJump(at: now)
    default: break
    }
  }

  /// Ends the faults of an id.
  ///
  /// An alarm that the fault raised is cleared, an occlusion lets go of what it is set to release,
  /// and a clock keeps the error it has gathered.
  public mutating func end(id: String, at instant: Instant) {
    run(until: instant)
    let ended = faults.active.filter { $0.id == id }
    guard !ended.isEmpty else { return }
    faults.active.removeAll { $0.id == id }
    for one in ended { finish(one) }
    record(.faultEnded(id))
  }

  /// The ids of the faults at work, in the order they began.
  public var activeFaults: [String] { faults.active.map(\.id) }

  private mutating func finish(_ ended: ActivePumpFault) {
    switch ended.fault {
    case .occlusion(let occlusion):
      release(ended.heldBack, fraction: occlusion.releasedFraction)
      clearAlarm(heldBy: ended.id)
    case .alarm: clearAlarm(heldBy: ended.id)
    case .communicationLoss(let loss) where loss.history == .none:
      history.lose(since: ended.since)
    case .clockDrift: drift()
    default: break
    }
  }

  /// Clears the alarm that a fault holds up; the pump stays stopped while another one stops it.
  private mutating func clearAlarm(heldBy id: String) {
    switch stoppingAlarms.clear(heldBy: id) {
    case .nothing: break
    case .last(let alarm): restart(after: alarm)
    case .stillStopped(let alarm): basal.stand(by: alarm)
    }
  }

  /// The clock gains what all the faults at work make it gain.
  private mutating func drift() {
    timetable.clock.setDrift(faults.clockDriftPerDay, at: now)
    basal.clockDidChangePace(at: now, of: timetable)
  }

  /// What faults do by themselves at an instant.
  mutating func runFaults() {
    while let index = faults.delayed.firstIndex(where: { $0.due <= now }) {
      let command = faults.delayed.remove(at: index).command
      do throws(PumpError) {
        try execute(command)
        record(.commandDisturbed(command, .carriedOut))
      } catch {
        record(.commandDisturbed(command, .refusedLate(error)))
      }
    }
    for index in faults.active.indices where isDetected(faults.active[index]) {
      faults.active[index].hasAlarmed = true
      raise(.occlusion, heldBy: faults.active[index].id)
    }
  }

  private func isDetected(_ one: ActivePumpFault) -> Bool {
    guard case .occlusion(let occlusion) = one.fault, !one.hasAlarmed else { return false }
    if profile.occlusionAlarmWaitsForBolus, bolus != nil { return false }
    if let threshold = one.threshold { return one.heldBack >= threshold }
    if case .after(let span) = occlusion.detection { return one.since + span <= now }
    return false
  }

  // MARK: - From the pump to the body

  /// Sends insulin on its way, and returns what reaches the body now.
  mutating func sendToBody(
    _ sent: PhysicalInsulin, as kind: PumpPulse.Kind
  ) -> PhysicalInsulin {
    var flow = sent
    if !faults.active.isEmpty {
      for stage in PumpFault.Stage.allCases {
        for index in faults.active.indices where faults.active[index].fault.stage == stage {
          leak(&flow, at: index)
          let through = pass(flow, as: kind, at: index)
          if let difference = through.difference {
            accounts.body[difference] += flow - through.flow
          } else {
            accounts.body.heldBack += flow - through.flow
          }
          flow = through.flow
        }
      }
    }
    assert(
      flow >= .zero || !faults.active.isEmpty,
      "Without a fault a pump gives the body no less than nothing.")
    accounts.body.absorbed += flow
    return flow
  }

  /// What runs out of a damaged tube before its blockage.
  private mutating func leak(_ flow: inout PhysicalInsulin, at index: Int) {
    guard case .occlusion(let occlusion) = faults.active[index].fault,
      occlusion.leakedFraction > 0
    else { return }
    let lost = flow.scaled(by: min(occlusion.leakedFraction, 1))
    accounts.body[.leak] += lost
    assert(lost <= flow || flow < .zero, "No more leaks than flows.")
    flow = flow - lost
  }

  /// Passes a flow through one fault; a difference without a name is held back.
  private mutating func pass(
    _ flow: PhysicalInsulin, as kind: PumpPulse.Kind, at index: Int
  ) -> (flow: PhysicalInsulin, difference: BodyLedger.Difference?) {
    switch faults.active[index].fault {
    case .scatter(let deviation): return (scattered(flow, by: deviation, at: index), .scatter)
    case .scale(let basal, let bolus):
      return (flow.scaled(by: kind == .basal ? basal : bolus), .scale)
    case .airBubble:
      let air = min(flow, faults.active[index].air)
      faults.active[index].air = faults.active[index].air - air
      return (flow - air, .airBubble)
    case .occlusion(let occlusion):
      let through = flow.scaled(by: min(max(occlusion.deliveredFraction, 0), 1))
      faults.active[index].heldBack += flow - through
      return (through, nil)
    case .leak(let fraction):
      return (flow.scaled(by: 1 - min(max(fraction, 0), 1)), .leak)
    case .siteFailure(let fraction, let time):
      let rest = min(max(fraction, 0), 1)
      let age = (now - faults.active[index].since).minutes
      let fading = time > .zero ? PortableMath.exp(-age / time.minutes) : 0
      return (flow.scaled(by: rest + (1 - rest) * fading), .siteFailure)
    default: return (flow, .scale)
    }
  }

  /// Multiplies each single pulse of a flow by its own random factor.
  private mutating func scattered(
    _ flow: PhysicalInsulin, by deviation: Double, at index: Int
  ) -> PhysicalInsulin {
    let pulse = PhysicalInsulin(profile.pulse).microunits
    var rest = flow.microunits
    var sum = PhysicalInsulin.zero
    while rest > 0 {
      let part = PhysicalInsulin(microunits: min(pulse, rest))
      rest -= part.microunits
      sum += part.scaled(by: 1 + deviation * faults.active[index].stream.normal())
    }
    return sum
  }

  private mutating func giveUnrequested(_ amount: InsulinAmount) {
    let given = supply.takeUnrequested(amount, of: profile.pulse)
    guard given > .zero else { return }
    accounts.body.unrequested += PhysicalInsulin(given)
    let physical = sendToBody(PhysicalInsulin(given), as: .unrequested)
    record(
      .pulse(PumpPulse(kind: .unrequested, recorded: .zero, physical: physical)))
  }

  /// Lets a part of what an occlusion held back into the body; the rest is lost.
  private mutating func release(_ held: PhysicalInsulin, fraction: Double) {
    guard held > .zero else { return }
    let free = min(held, held.scaled(by: fraction))
    assert(free <= held, "No more is released than was held back.")
    accounts.body.heldBack = accounts.body.heldBack - held
    accounts.body[.occlusion] += held - free
    accounts.body.absorbed += free
    guard free > .zero else { return }
    record(.pulse(PumpPulse(kind: .release, recorded: .zero, physical: free)))
  }
}

extension PumpFault {
  /// Where on the way from the pump to the body a fault acts, in the order of the way.
  enum Stage: CaseIterable {
    case strokes, tubing, site
  }

  var stage: Stage? {
    switch self {
    case .scatter, .scale: .strokes
    case .airBubble, .occlusion: .tubing
    case .leak, .siteFailure: .site
    default: nil
    }
  }
}
