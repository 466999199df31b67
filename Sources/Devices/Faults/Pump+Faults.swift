public import Quantities

extension Pump {
  /// Starts a fault of a scenario, under an id that ends it later.
  ///
  /// The pump advances to the instant first; an instant that has passed means now. What follows is
  /// told by occurrences, and every difference between record and body is in the ledger by name.
  public mutating func begin(_ fault: PumpFault, id: String, at instant: Instant) {
    run(until: instant)
    delivery.record(.faultBegan(id))
    faults.begin(fault, id: id, at: now)
    switch fault {
    case .empty: delivery.drain()
    case .alarm(let alarm): delivery.raise(alarm, heldBy: id)
    case .unrequested(let amount): delivery.giveUnrequested(amount, through: &faults)
    case .clockDrift: drift()
    case .clockError(let error): delivery.jumpClock(by: error)
    default: break
    }
    detectOcclusions()
  }

  /// Ends the faults of an id.
  ///
  /// An alarm that the fault raised is cleared, an occlusion lets go of what it is set to release,
  /// and a clock keeps the error it has gathered.
  public mutating func end(id: String, at instant: Instant) {
    run(until: instant)
    let ended = faults.end(id: id)
    guard !ended.isEmpty else { return }
    for one in ended { finish(one) }
    delivery.record(.faultEnded(id))
  }

  /// The ids of the faults at work, in the order they began.
  public var activeFaults: [String] { faults.active.map(\.id) }

  /// The ids of the faults that are gone with a pod, in the order they began.
  ///
  /// They are those of its cannula and its site, and the air in it. A pump with a tube keeps its
  /// infusion set when it is replaced.
  public var faultsOfPod: [String] {
    profile.isPatchPump ? faults.active.filter(\.isOfInfusionSet).map(\.id) : []
  }

  private mutating func finish(_ ended: ActivePumpFault) {
    switch ended.fault {
    case .occlusion(let occlusion):
      delivery.release(ended.heldBack, fraction: occlusion.releasedFraction)
      delivery.clearAlarm(heldBy: ended.id)
    case .alarm: delivery.clearAlarm(heldBy: ended.id)
    case .communicationLoss(let loss) where loss.history == .none:
      delivery.history.lose(since: ended.since)
    case .clockDrift: drift()
    default: break
    }
  }

  /// The clock gains what all the faults at work make it gain.
  private mutating func drift() { delivery.driftClock(by: faults.clockDriftPerDay) }

  /// What faults do by themselves at an instant.
  mutating func runFaults() {
    while let delayed = faults.takeDelayed(by: now) {
      let command = delayed.command
      let before = delivery.history.latest
      do throws(PumpError) {
        try execute(command)
        let event = delivery.history.latest
        if event != before {
          delivery.history.noteArrival(of: event, due: now)
          faults.note(event, madeBy: delayed)
        }
        delivery.record(.commandDisturbed(command, .carriedOut))
      } catch {
        delivery.record(.commandDisturbed(command, .refusedLate(error)))
      }
    }
    detectOcclusions()
  }

  /// Alarms of the occlusions that are detected now, unless the pump waits until a bolus is over.
  mutating func detectOcclusions() {
    guard looksForOcclusions else { return }
    while let id = faults.takeDetectedOcclusion(at: now) {
      delivery.raise(.occlusion, heldBy: id)
    }
  }
}
