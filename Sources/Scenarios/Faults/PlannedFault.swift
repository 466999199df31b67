internal import Devices
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// What a fault does, and how long by itself.
struct PlannedFault {
  var effect: Fault.Effect
  var length: FaultLength
  /// Whether all that it does is while it lasts, so that it does nothing in no time.
  var isMeanwhile: Bool

  init(_ effect: Fault.Effect, _ length: FaultLength, isMeanwhile: Bool = false) {
    self.effect = effect
    self.length = length
    self.isMeanwhile = isMeanwhile
  }
}

/// How long a fault lasts whose time is a moment.
enum FaultLength {
  /// Until the run ends, something puts it right, or it is over at once.
  case open
  /// A span, drawn for each occurrence where the bounds differ.
  case drawn(ClosedRange<TimeSpan>)
  /// Until a time that counts from the beginning of the fault.
  case until(Field)

  /// What holds for most faults that say nothing of it.
  static let usual = TimeSpan.minutes(10)
}

/// The key `duration` of a fault.
enum FaultDuration {
  /// Ten minutes, unless the key says otherwise.
  case usual
  /// To the end of the run, unless the key says otherwise.
  case open
  /// There is no such key: the fault is over at once, or something puts it right.
  case momentary

  /// Describes the key, and returns how long a fault lasts by it.
  func describe(in keys: inout Keys) -> @Sendable (Field) -> FaultLength {
    switch self {
    case .usual:
      let duration = keys.key(
        "duration", .durationRange, default: "'\(FaultLength.usual)'",
        "How long it lasts beside `at` or `every`; of two spans one between is drawn each time.")
      return { .drawn($0[duration]) }
    case .open:
      let duration = keys.optional(
        "duration", .durationRange, else: "to the end",
        "How long it lasts beside `at` or `every`.")
      return { $0[duration].map { .drawn($0) } ?? .open }
    case .momentary: return { _ in .open }
    }
  }
}

extension Form where Value == PlannedFault {
  /// The keys of a fault: how long it lasts, and what it does.
  static func fault(
    lasts duration: FaultDuration = .usual,
    _ describe: @escaping @Sendable (inout Keys) -> Maker<Fault.Effect>
  ) -> Self {
    .object { keys in
      let length = duration.describe(in: &keys)
      let effect = describe(&keys)
      return { field throws(UnusableKey) in
        try effect(field).map {
          PlannedFault($0, length(field), isMeanwhile: duration == .usual)
        }
      }
    }
  }
}

extension Kind where Value == PlannedFault {
  /// A kind of fault: its name, the keys that say more of it, and what it does.
  ///
  ///     .fault("delay", "Readings arrive late with the right stamps.") {
  ///       let by = $0.required("by", .duration(.seconds(1)...(.days(1))), "How late.")
  ///       return { .sensor(.delay(by: try $0[by])) }
  ///     }
  static func fault(
    _ name: String, lasts duration: FaultDuration = .usual, _ meaning: String,
    _ describe: @escaping @Sendable (inout Keys) -> Maker<Fault.Effect>
  ) -> Self {
    Kind(name, meaning, .fault(lasts: duration, describe))
  }

  /// A kind of fault of which there is nothing more to say.
  static func fault(
    _ name: String, lasts duration: FaultDuration = .usual, _ meaning: String,
    _ effect: Fault.Effect
  ) -> Self {
    fault(name, lasts: duration, meaning) { _ in { _ in effect } }
  }
}

/// What a fault concerns: the key that says so, and the kinds of fault that there are.
struct FaultComponent: Sendable {
  let schema: SchemaKey
  let form: Form<PlannedFault>
  var name: String { schema.name }

  private init(
    _ name: String, _ noun: String, _ meaning: String,
    _ kinds: @autoclosure @escaping @Sendable () -> [Kind<PlannedFault>]
  ) {
    form = .one(of: kinds(), noun: noun)
    schema = SchemaKey(name, form.shape, meaning)
  }

  /// All of them but the person, whose faults are events gone wrong; see ``UserFaultSpec``.
  static let all = [
    Self("cgm", "a CGM fault", "A fault of the sensor.", sensorFaults),
    Self("pump", "a pump fault", "A fault of the pump or its site.", pumpFaults),
    Self("app", "an app fault", "A fault of the app.", appFaults),
    Self("healthStore", "a store fault", "A fault of the store.", storeFaults),
    Self("phone", "a phone fault", "A fault of the phone.", phoneFaults),
  ]

  /// The keys that name them.
  static let names = all.map(\.name)
}
