import ClosedLoop
import Dosing
import HealthStore
import Quantities

@testable import Devices
@testable import Simulation

/// A fault for tests of overlaps, and what must be so while it is in force.
struct SampleFault: Sendable {
  var name: String
  var effect: Fault.Effect
  /// Whether the effect shows in a run; `rivals` are the faults in force of the same group, in the
  /// order in which they began.
  var holds: @Sendable (Run, [SampleFault]) -> Bool
  /// Faults of one group act on the same thing.
  var group: String

  init(
    _ name: String, group: String? = nil, _ effect: Fault.Effect,
    holds: @escaping @Sendable (Run, [SampleFault]) -> Bool
  ) {
    self.name = name
    self.effect = effect
    self.holds = holds
    self.group = group ?? name
  }

  /// Faults that no command of a person stands in the way of.
  static var derived: [SampleFault] {
    wrongSettings + wrongPumps + permissions + clocks
  }

  static var all: [SampleFault] { derived + phones + apps + sensors + pumps }

  static var wrongSettings: [SampleFault] {
    let thresholds = [60.0, 90].map { value in
      var change = SettingsChange()
      change.suspendThreshold = .mgdL(value)
      return SampleFault(
        "threshold \(value)", group: "threshold", .app(.wrongSetting(change, from: .sync))
      ) { run, rivals in
        run.world.phone.therapy.suspendThreshold
          == rivals.last?.effect.wrongSetting?.suspendThreshold
      }
    }
    let basals = [600, 700].map { (rate: Int64) in
      var change = SettingsChange()
      change.basal = DailySchedule(always: .init(milliunitsPerHour: rate))
      return SampleFault(
        "basal \(rate)", group: "basal", .app(.wrongSetting(change, from: .sync))
      ) { run, rivals in
        let wrong = rivals.last?.effect.wrongSetting?.basal
        return run.world.phone.therapy.basal == wrong && run.world.phone.believedBasal == wrong
      }
    }
    return thresholds + basals
  }

  static var wrongPumps: [SampleFault] {
    [1_000, 2_000].map { (rate: Int64) in
      SampleFault(
        "wrongPump \(rate)", group: "wrongPump",
        .wrongPump(DailySchedule(always: .init(milliunitsPerHour: rate)))
      ) { run, rivals in
        run.world.delivery.pump.schedule == rivals.last?.effect.foreignSchedule(for: .generic50)
      }
    }
  }

  static var permissions: [SampleFault] {
    let faults: [(String, HealthStoreFault)] = [
      ("writeFail", .init(.writeFails)),
      ("writeFail insulin", .init(.writeFails, data: [.insulin])),
      ("readDenied", .init(.readDenied)), ("readDenied carbs", .init(.readDenied, data: [.carbs])),
    ]
    return faults.map { name, fault in
      SampleFault(name, group: "permissions", .healthStore(fault)) { run, _ in
        fault.data.allSatisfy { data in
          let left = run.permission(of: data)
          return fault.kind == .writeFails ? left?.share == .denied : left?.read == .denied
        }
      }
    }
  }

  static var clocks: [SampleFault] {
    [60, -30].map { (minutes: Int64) in
      SampleFault("clock \(minutes)", group: "clock", .app(.clockJump(.minutes(minutes)))) {
        run, rivals in
        let jumps = rivals.reduce(TimeSpan.zero) { sum, one in
          if case .app(.clockJump(let span)) = one.effect { sum + span } else { sum }
        }
        return run.world.phone.clockError == run.world.phone.clockSetting + jumps
      }
    }
  }

  static var phones: [SampleFault] {
    let states = [PhoneState.off, .bluetoothOff, .backgroundKilled].map { phone in
      SampleFault("phone \(phone)", group: "phone", .phone(phone)) { run, _ in
        run.world.phoneState >= phone && (phone == .bluetoothOff || !run.world.isAppRunning)
      }
    }
    return states + [SampleFault("lowPower", .lowPower) { run, _ in run.world.faults.savesPower }]
  }

  static var apps: [SampleFault] {
    [
      SampleFault("crash", group: "crash", .app(.crash(loses: .memory))) { run, _ in
        !run.world.isAppRunning
      },
      SampleFault("crash unsaved", group: "crash", .app(.crash(loses: [.memory, .unsaved]))) {
        run, _ in
        !run.world.isAppRunning
      },
      SampleFault("skipLoops", .app(.skipLoops(count: nil))) { run, _ in
        run.world.faults.skipsLoops
      },
      SampleFault("doubleRun", .app(.doubleRun)) { run, _ in run.world.faults.doublesRuns },
      SampleFault("bolus zero", .app(.disturbed(.corrupt(.recommendedBolus, .zero)))) { run, _ in
        run.world.phone.disturbances.contains(.corrupt(.recommendedBolus, .zero))
      },
      SampleFault("stale", .app(.disturbed(.stale(age: .minutes(20))))) { run, _ in
        run.world.phone.disturbances.contains(.stale(age: .minutes(20)))
      },
    ]
  }

  static var sensors: [SampleFault] {
    [
      SampleFault("sensor fails", .sensor(.fail)) { run, _ in
        run.world.sensor.status(at: run.world.now) == .failed
      },
      SampleFault("bias", .sensor(.bias(gain: 1, offset: 20))) { run, _ in
        guard let last = run.world.sensor.deviation,
          let start = run.world.faults.episodes.last(where: { $0.fault.effect.isBias })?.start
        else { return true }
        return last.faults.mgdL >= 20 || last.instant <= start
      },
    ]
  }

  static var pumps: [SampleFault] {
    [
      SampleFault("pump failure", group: "alarm", .pump(.alarm(.failure))) { run, _ in
        run.world.delivery.pump.activeAlarm != nil && run.world.delivery.pump.basalRate == .zero
      },
      SampleFault("batteryDepleted", group: "alarm", .pump(.alarm(.batteryDepleted))) { run, _ in
        run.world.delivery.pump.activeAlarm != nil && run.world.delivery.pump.basalRate == .zero
      },
      SampleFault("occlusion", .pump(.occlusion(Occlusion(detection: .after(.minutes(1)))))) {
        run, _ in run.world.delivery.pump.activeAlarm != nil
      },
      SampleFault("no contact", .pump(.communicationLoss(CommunicationLoss()))) { run, _ in
        var pump = run.world.delivery.pump
        return (try? pump.report()) == nil
      },
      SampleFault("drift 1 h", group: "drift", .pump(.clockDrift(perDay: .hours(1)))) {
        $0.drifts($1)
      },
      SampleFault("drift 2 h", group: "drift", .pump(.clockDrift(perDay: .hours(2)))) {
        $0.drifts($1)
      },
    ]
  }
}

extension Fault.Effect {
  fileprivate var isBias: Bool {
    if case .sensor(.bias) = self { true } else { false }
  }
}

extension Run {
  fileprivate func drifts(_ rivals: [SampleFault]) -> Bool {
    let sum = rivals.reduce(TimeSpan.zero) { sum, one in
      if case .pump(.clockDrift(let perDay)) = one.effect { sum + perDay } else { sum }
    }
    return world.delivery.pump.timetable.clock.driftPerDay == sum
  }

  /// What the app may do with a kind of data.
  func permission(of data: HealthStoreAccess.Data) -> Authorization? {
    let records = world.store.records
    return records.registry.client(bundleIdentifier: setup.app.configuration.bundleIdentifier).map {
      records.registry.authorization(of: $0, for: data.type)
    }
  }

  /// The conditions in which body, devices and app live.
  var conditions: Conditions { Conditions(self) }
}

/// Everything that a fault can change for its time, as it shows.
struct Conditions: Equatable {
  var phone: PhoneState
  var isAppRunning: Bool
  var clockError: TimeSpan
  var therapy: TherapySettings
  var believedBasal: DailySchedule<InsulinRate>
  var pumpSchedule: DailySchedule<InsulinRate>
  var pumpDrift: TimeSpan
  var permissions: [Authorization?]
  var isStopped: Bool
  var sensor: SensorStatus
  var disturbances: [DataDisturbance]
  var faults: [String]

  init(_ run: Run) {
    let world = run.world
    phone = world.phoneState
    isAppRunning = world.isAppRunning
    clockError = world.phone.clockError
    therapy = world.phone.therapy
    believedBasal = world.phone.believedBasal
    pumpSchedule = world.delivery.pump.schedule
    pumpDrift = world.delivery.pump.timetable.clock.driftPerDay
    permissions = HealthStoreAccess.Data.allCases.map { run.permission(of: $0) }
    isStopped = world.delivery.pump.activeAlarm != nil
    sensor = world.sensor.status(at: world.now)
    disturbances = world.phone.disturbances
    faults =
      world.faults.active.map(\.id) + world.delivery.pump.activeFaults + world.sensor.activeFaults
      + world.store.faults.map(\.id)
  }
}
