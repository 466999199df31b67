public import Dosing
public import Physiology
public import Quantities

/// Something a scenario makes happen at an instant of its own.
///
/// Truth and report are separate events: a meal that is eaten and the carbs that are typed in are
/// two, so that the one may be late, wrong or missing.
public struct WorldEvent: Sendable {
  public var instant: Instant
  /// The event's name in the scenario; faults and later events may refer to it.
  public var id: String
  public var action: Action
  /// What must hold for it to happen; nothing for always.
  public var condition: EventCondition?

  public init(at instant: Instant, id: String = "", _ action: Action) {
    self.instant = instant
    self.id = id
    self.action = action
  }

  /// What happens.
  public enum Action: Sendable {
    // What the body meets. The app learns nothing.
    case eat(MealInput, name: String)
    /// Insulin from a pen, a syringe or an inhaler.
    case inject(units: Double, formulation: InsulinFormulation, name: String)
    case undergo(BodyCondition, name: String)

    // What a person does in the app.
    case enterCarbs(CarbEntryRequest)
    case editCarbs(entry: String, grams: Double?, absorption: TimeSpan?, eatenAt: Instant?)
    case deleteCarbs(entry: String)
    case bolus(BolusRequest)
    /// The pump counts and reports a bolus of which nothing reaches the body.
    case recordBolus(InsulinAmount)
    case cancelBolus
    case tempBasal(InsulinRate, duration: TimeSpan)
    case cancelTempBasal
    case suspend
    case resume
    case setClosedLoop(Bool)
    case startPreset(PresetRequest)
    case endPreset
    case changeSettings(SettingsChange)
    /// Insulin from elsewhere that the person logs in the app itself.
    case logDose(units: Double, takenAt: Instant, insulin: InsulinType)
    /// A blood-glucose measurement; nothing where the meter reads the true value with an error.
    case fingerstick(FingerstickRequest)
    /// A command that a carer sends from afar arrives at the phone.
    case remote(RemoteRequest)

    // What happens in and around the health store.
    case delete(DeletionRequest)
    case writeToHealthStore(HealthStoreWrite)
    case authorize(HealthStoreAccess)
    /// What the health store last lost comes back from a backup.
    case restoreHealthStore

    // What is done to the devices.
    case pump(PumpService)
    case sensor(SensorService)

    // Where the phone is and what it does.
    case travel(WallClock, pumpFollows: Bool)
    case setPhone(PhoneState)
    case setPhoneClock(PhoneClockSetting)
    case reinstallApp

    /// A row in the timeline and nothing else.
    case remark(String)

    // Faults of the scenario begin and end.
    case beginFault(Fault)
    case endFault(id: String)
  }
}

/// Carbohydrate as a person types it into the app.
public struct CarbEntryRequest: Hashable, Sendable {
  /// The entry's name in the scenario.
  public var name: String
  public var grams: Double
  public var absorption: TimeSpan?
  /// The time of eating that the entry states.
  public var eatenAt: Instant

  public init(name: String, grams: Double, absorption: TimeSpan?, eatenAt: Instant) {
    self.name = name
    self.grams = grams
    self.absorption = absorption
    self.eatenAt = eatenAt
  }
}

/// A bolus as a person asks for it.
public struct BolusRequest: Hashable, Sendable {
  /// How much.
  public enum Amount: Hashable, Sendable {
    /// A number of units, before the pump's rounding.
    case units(Double)
    /// What the app recommends, times a scale, up to a cap in units.
    case recommended(scale: Double, cap: Double?)
  }

  public var amount: Amount
  public var by: BolusRequester
  /// When someone cancels it, if someone does.
  public var cancelAfter: TimeSpan?
  /// What the pump counts and reports, where that is not what the body gets.
  public var reported: InsulinAmount?
  /// The smallest recommendation that is taken, in units.
  public var minimumUnits: Double
  /// What the timeline calls it.
  public var name: String

  public init(
    _ amount: Amount, by: BolusRequester = .user, cancelAfter: TimeSpan? = nil,
    reported: InsulinAmount? = nil, minimumUnits: Double = 0, name: String = "request"
  ) {
    self.amount = amount
    self.by = by
    self.cancelAfter = cancelAfter
    self.reported = reported
    self.minimumUnits = minimumUnits
    self.name = name
  }
}

/// A temporary preset as a person switches it on.
public struct PresetRequest: Hashable, Sendable {
  /// What kind of preset.
  public enum Kind: String, Hashable, Sendable { case custom, preMeal, workout }

  public var name: String
  public var kind: Kind
  /// The correction range while the preset runs; nothing leaves the scheduled one.
  public var target: GlucoseRange?
  /// The factor on insulin needs: 1 changes nothing.
  public var insulinNeeds: Double
  /// How long it runs; nothing means until someone ends it.
  public var duration: TimeSpan?

  public init(
    name: String, kind: Kind, target: GlucoseRange?, insulinNeeds: Double, duration: TimeSpan?
  ) {
    self.name = name
    self.kind = kind
    self.target = target
    self.insulinNeeds = insulinNeeds
    self.duration = duration
  }
}

/// A blood-glucose measurement with a meter.
public struct FingerstickRequest: Hashable, Sendable {
  /// What the meter shows; nothing when it shows the true value times `1 + relativeError`.
  public var value: GlucoseConcentration?
  public var relativeError: Double
  /// Who takes down the value.
  public var log: Log

  /// Where a value is taken down.
  public enum Log: String, Hashable, Sendable, CaseIterable {
    /// Nowhere.
    case none
    /// In the health store, by the meter's own app.
    case meter
    /// In the app's bolus screen.
    case app
  }

  public init(value: GlucoseConcentration?, relativeError: Double, log: Log) {
    self.value = value
    self.relativeError = relativeError
    self.log = log
  }
}

/// Entries a person deletes.
public struct DeletionRequest: Hashable, Sendable {
  /// Where.
  public enum Place: String, Hashable, Sendable, CaseIterable {
    case eventHistory, healthStore, both
  }

  /// Which kind of entry.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case bolus, tempBasal, basal, suspend, carbs, glucose, any
  }

  public var place: Place
  public var kind: Kind
  /// Only the latest so many entries; nothing means all that match.
  public var last: Int?
  /// Only entries that start in this stretch, both ends included.
  public var from: Instant?
  public var through: Instant?
  /// Only what came from the event of this name.
  public var id: String?

  public init(
    place: Place, kind: Kind, last: Int? = nil, from: Instant? = nil, through: Instant? = nil,
    id: String? = nil
  ) {
    self.place = place
    self.kind = kind
    self.last = last
    self.from = from
    self.through = through
    self.id = id
  }
}

/// A sample that another app writes to the health store.
public struct HealthStoreWrite: Hashable, Sendable {
  /// What it writes.
  public enum Content: Hashable, Sendable {
    case glucose(GlucoseConcentration)
    case carbs(grams: Double)
    case bolus(units: Double, insulin: String?)
    case basal(units: Double, duration: TimeSpan)
  }

  public var content: Content
  public var start: Instant
  /// The writing app's name.
  public var source: String

  public init(_ content: Content, start: Instant, source: String) {
    self.content = content
    self.start = start
    self.source = source
  }
}

/// A change of what the app may read and write in the health store.
public struct HealthStoreAccess: Hashable, Sendable {
  public enum Direction: String, Hashable, Sendable { case read, write }

  /// The kinds of data meant.
  public enum Data: String, Hashable, Sendable, CaseIterable { case glucose, carbs, insulin }

  public var data: [Data]
  public var directions: [Direction]
  public var isGranted: Bool

  public init(data: [Data], directions: [Direction], isGranted: Bool) {
    self.data = data
    self.directions = directions
    self.isGranted = isGranted
  }
}

/// What a person does to the pump itself.
public enum PumpService: Hashable, Sendable {
  case replaceReservoir(InsulinAmount?)
  case prime(InsulinAmount)
  case clearAlarm
  /// The pump is taken off the body; it runs on, and nothing reaches the body.
  case remove
  case attach
  /// The pump's clock is set to the phone's.
  case setTime
}

/// What a person does to the sensor.
public enum SensorService: Hashable, Sendable {
  case replace
  case stop
  case calibrate(GlucoseConcentration)
}

/// Whether the phone, and the app on it, can work.
///
/// One state is less than another if everything works in it that works in the other.
public enum PhoneState: String, Hashable, Sendable, CaseIterable, Comparable {
  case on, off, bluetoothOff, backgroundKilled

  private var severity: Int {
    switch self {
    case .on: 0
    case .bluetoothOff: 1
    case .backgroundKilled: 2
    case .off: 3
    }
  }

  public static func < (one: Self, other: Self) -> Bool { one.severity < other.severity }
}
