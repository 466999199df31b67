public import ClosedLoop
public import Dosing
public import Physiology
public import Quantities

/// Something a scenario makes happen at an instant of its own.
///
/// Truth and report are separate events: a meal that is eaten and the carbs that are typed in are
/// two, so that the one may be late, wrong or missing.
public struct ScenarioEvent: Sendable {
  /// When it is to happen.
  public var instant: Instant
  /// The event's name in the scenario; faults and later events may refer to it.
  public var id: String
  /// What happens.
  public var action: Action
  /// What must hold for it to happen; nothing for always.
  public var condition: EventCondition?

  /// Creates a `ScenarioEvent` from its parts; see the properties.
  public init(at instant: Instant, id: String = "", _ action: Action) {
    self.instant = instant
    self.id = id
    self.action = action
  }

  /// What happens.
  public enum Action: Sendable {
    // What the body meets. The app learns nothing.
    /// Food is eaten.
    case eat(MealInput, name: String)
    /// Insulin from a pen, a syringe or an inhaler.
    case inject(units: Double, formulation: InsulinFormulation, name: String)
    /// The body meets a condition, such as exercise.
    case apply(BodyCondition, name: String)

    // What a person does in the app.
    /// Carbohydrate is entered in the app.
    case enterCarbs(CarbEntryRequest)
    /// An entry is changed; what is `nil` stays as it is.
    case editCarbs(entry: String, grams: Double?, absorption: TimeSpan?, eatenAt: Instant?)
    /// An entry is deleted in the app.
    case deleteCarbs(entry: String)
    /// A bolus is asked for.
    case bolus(BolusRequest)
    /// The pump counts and reports a bolus of which nothing reaches the body.
    case recordBolus(InsulinAmount)
    /// The bolus that runs is cancelled, in the app or with the pump's own buttons.
    case cancelBolus(onPump: Bool)
    /// A person sets a temp basal, in the app or with the pump's own buttons.
    case tempBasal(InsulinRate, duration: TimeSpan, onPump: Bool = false)
    /// A person ends the temp basal.
    case cancelTempBasal
    /// A person suspends delivery.
    case suspend
    /// A person resumes delivery.
    case resume
    /// Automatic dosing is switched on or off.
    case setClosedLoop(Bool)
    /// A preset is switched on.
    case startPreset(PresetRequest)
    /// The preset is switched off.
    case endPreset
    /// Settings are saved in the app.
    case changeSettings(SettingsChange)
    /// Insulin from elsewhere that the person logs in the app itself.
    case logDose(units: Double, takenAt: Instant, insulin: InsulinType)
    /// A blood-glucose measurement; nothing where the meter reads the true value with an error.
    case fingerstick(FingerstickRequest)
    /// A command that a carer sends from afar arrives at the phone.
    case remote(RemoteRequest)

    // What happens in and around the health store.
    /// Entries are deleted.
    case delete(DeletionRequest)
    /// Another app writes a sample.
    case writeToHealthStore(HealthStoreWrite)
    /// Permissions of the app are given or taken away.
    case authorize(HealthStoreAccess)
    /// What the health store last lost comes back from a backup.
    case restoreHealthStore

    // What is done to the devices.
    /// Something is done to the pump itself.
    case pump(PumpService)
    /// Something is done to the sensor.
    case sensor(SensorService)

    // Where the phone is and what it does.
    /// The phone's clock goes over to another zone, and the pump's perhaps with it.
    case travel(WallClock, pumpFollows: Bool)
    /// The phone is switched on or off, or loses its radio.
    case setPhone(PhoneState)
    /// The phone's clock is set.
    case setPhoneClock(PhoneClockSetting)
    /// The app is deleted and installed anew.
    case reinstallApp

    /// A row in the timeline and nothing else.
    case remark(String)

    // Faults of the scenario begin and end.
    /// A fault begins.
    case beginFault(Fault)
    /// The fault with the name ends.
    case endFault(id: String)
  }
}

/// Carbohydrate as a person types it into the app.
public struct CarbEntryRequest: Hashable, Sendable {
  /// The entry's name in the scenario.
  public var name: String
  /// Carbohydrate, in grams.
  public var grams: Double
  /// How long the food takes to be absorbed; `nil` for what the app takes by itself.
  public var absorption: TimeSpan?
  /// The time of eating that the entry states.
  public var eatenAt: Instant

  /// Creates a `CarbEntryRequest` from its parts; see the properties.
  public init(name: String, grams: Double, absorption: TimeSpan?, eatenAt: Instant) {
    self.name = name
    assert(grams.isFinite, "An entry of carbohydrate is a number.")
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
    /// What a bolus calculator advises, times a scale, up to a cap in units.
    case calculated(BolusCalculator, scale: Double, cap: Double?)
  }

  /// How much is asked for.
  public var amount: Amount
  /// Who asks.
  public var by: BolusRequester
  /// When someone cancels it, if someone does.
  public var cancelAfter: TimeSpan?
  /// What the pump counts and reports, where that is not what the body gets.
  public var reported: InsulinAmount?
  /// The smallest recommendation or advice that is taken, in units.
  public var minimumUnits: Double
  /// What the timeline calls it.
  public var name: String

  /// Creates a `BolusRequest` from its parts; see the properties.
  public init(
    _ amount: Amount, by: BolusRequester = .user, cancelAfter: TimeSpan? = nil,
    reported: InsulinAmount? = nil, minimumUnits: Double = 0, name: String = "request"
  ) {
    assert(minimumUnits >= 0, "A bolus that is worth taking is not negative.")
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
  public enum Kind: String, Hashable, Sendable {
    /// The kinds of preset in the app.
    case custom, preMeal, workout
  }

  /// The name of the preset.
  public var name: String
  /// Its kind.
  public var kind: Kind
  /// The correction range while the preset runs; nothing leaves the scheduled one.
  public var target: GlucoseRange?
  /// The factor on insulin needs: 1 changes nothing.
  public var insulinNeeds: Double
  /// How long it runs; nothing means until someone ends it.
  public var duration: TimeSpan?

  /// Creates a `PresetRequest` from its parts; see the properties.
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
  /// The meter's relative error, as a fraction.
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

  /// Creates a `FingerstickRequest` from its parts; see the properties.
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
    /// The app's event history, the health store, or both.
    case eventHistory, healthStore, both
  }

  /// Which kind of entry.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// What the entry tells of.
    case bolus, tempBasal, basal, suspend, carbs, glucose, any
  }

  /// Where they are deleted.
  public var place: Place
  /// Which kind of entry is deleted.
  public var kind: Kind
  /// Only the latest so many entries; nothing means all that match.
  public var last: Int?
  /// Only entries that start in this stretch, both ends included.
  public var from: Instant?
  /// The last instant from which entries are deleted; `nil` for no limit.
  public var through: Instant?
  /// Only what came from the event of this name.
  public var id: String?

  /// Creates a `DeletionRequest` from its parts; see the properties.
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
    /// A reading of glucose.
    case glucose(GlucoseConcentration)
    /// Carbohydrate, in grams.
    case carbs(grams: Double)
    /// A bolus, in U, of an insulin by its name.
    case bolus(units: Double, insulin: String?)
    /// Basal insulin, in U, over a time.
    case basal(units: Double, duration: TimeSpan)
  }

  /// What is written.
  public var content: Content
  /// The start of the sample.
  public var start: Instant
  /// The writing app's name.
  public var source: String

  /// Creates a `HealthStoreWrite` from its parts; see the properties.
  public init(_ content: Content, start: Instant, source: String) {
    self.content = content
    self.start = start
    self.source = source
  }
}

/// A change of what the app may read and write in the health store.
public struct HealthStoreAccess: Hashable, Sendable {
  /// Reading, or writing.
  public enum Direction: String, Hashable, Sendable { case read, write }

  /// The kinds of data meant.
  public enum Data: String, Hashable, Sendable, CaseIterable {
    /// Glucose, carbohydrate, or insulin.
    case glucose, carbs, insulin
  }

  /// The kinds of data it concerns.
  public var data: [Data]
  /// Whether it concerns reading, writing, or both.
  public var directions: [Direction]
  /// Whether it is allowed from now on.
  public var isGranted: Bool

  /// Creates a `HealthStoreAccess` from its parts; see the properties.
  public init(data: [Data], directions: [Direction], isGranted: Bool) {
    self.data = data
    self.directions = directions
    self.isGranted = isGranted
  }
}

/// What a person does to the pump itself.
public enum PumpService: Hashable, Sendable {
  /// The reservoir is replaced by one with so much insulin, `nil` for a full one, and the pump with
  /// it unless it is kept.
  case replaceReservoir(InsulinAmount?, keepsPump: Bool = false)
  /// The tubing is filled with so much insulin.
  case prime(InsulinAmount)
  /// The alarm is cleared.
  case clearAlarm
  /// The pump is taken off the body; it runs on, and nothing reaches the body.
  case remove
  /// The pump is connected to the body again.
  case attach
  /// The pump's clock is set to the phone's.
  case setTime
}

/// What a person does to the sensor.
public enum SensorService: Hashable, Sendable {
  /// A new sensor is put on.
  case replace
  /// The sensor is ended.
  case stop
  /// The sensor is calibrated with a meter's value.
  case calibrate(GlucoseConcentration)
}

/// Whether the phone, and the app on it, can work.
///
/// One state is less than another if everything works in it that works in the other.
public enum PhoneState: String, Hashable, Sendable, CaseIterable, Comparable {
  /// What works: everything, nothing, all but the radio to the devices, or all but the app.
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
