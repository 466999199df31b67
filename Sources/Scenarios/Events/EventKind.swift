internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// An event that is being made: where it stands, and when it happens.
struct Occasion {
  /// The whole scenario.
  let root: Field
  /// The phone's clock, with the changes of zone of the whole run.
  let travel: WallClock
  /// The event's object; times within count from when it happens.
  let item: Field
  let instant: Instant
  let id: String

  /// What happens at that instant, or at another.
  func event(_ action: ScenarioEvent.Action, at other: Instant? = nil) -> ScenarioEvent {
    ScenarioEvent(at: other ?? instant, id: id, action)
  }
}

/// Makes what happens in a run of what an event says.
typealias EventMaker = (Occasion) -> [ScenarioEvent]

/// Makes what happens in a run of an event that is an object.
typealias ObjectMaker = @Sendable (Field, Occasion) throws(UnusableKey) -> [ScenarioEvent]

/// A kind of event: the key that says so, the keys that may stand beside it, and what it makes.
struct EventKind: Sendable {
  /// What the reference says of the key.
  let schema: SchemaKey
  /// What its value may be.
  let form: Form<EventMaker>
  /// How the key is spelled.
  var name: String { schema.name }

  init(_ name: String, _ meaning: String, _ form: Form<EventMaker>) {
    self.init(name, meaning, beside: { _ in }, { form })
  }

  /// A kind beside which other keys may stand, which the occasion's `item` has.
  init<Companions>(
    _ name: String, _ meaning: String, beside describe: (inout Keys) -> Companions,
    _ form: (Companions) -> Form<EventMaker>
  ) {
    var beside = Keys()
    let companions = describe(&beside)
    self.form = form(companions)
    // All that an event says of itself is read from its time on.
    schema = SchemaKey(name, self.form.shape, meaning).with(beside.all.map(\.anchored)).anchored
  }

  /// All kinds, as the reference has them.
  static let all =
    FoodEvents.kinds + InsulinEvents.kinds + PersonEvents.kinds + VaryingEvents.kinds
    + StoreEvents.kinds + DeviceEvents.kinds + PhoneEvents.kinds
  /// The keys that name them.
  static let names = all.map(\.name)
}

/// The keys that every event may have.
struct EventKeys: Sendable {
  static let shared = Self()

  let at: RequiredKey<Field>
  let id: Key<String?>
  let condition: Key<Field?>
  /// All of them, as the reference has them.
  let all: [SchemaKey]

  private init() {
    var keys = Keys()
    at = keys.required(
      "at", .unread(ScenarioSchema.occurrence), "When: a time, a list of times, or every day.")
    id = keys.optional("id", .text, "A name by which sweeps, faults and edits find it.")
    condition = keys.optional(
      "if", .condition, else: "always",
      "What must hold at the time for it to happen, such as `'glucose.cgm < 70'`: one of "
        + "`glucose.true`, `glucose.cgm`, `iob.app`, `iob.true` and `cob.app`, then `<`, `<=`, `>` "
        + "or `>=` and a number.")
    all = keys.all
  }

  /// The name of an event: its id, or its kind with its place.
  static func name(of event: JSONNode?, kind: String, at place: Int) -> String {
    assert(place >= 0, "Events are numbered from 0.")
    return event?[shared.id.name]?.string ?? "\(kind)-\(place + 1)"
  }
}

extension Form {
  /// A value of which events are made.
  func happens(_ make: @escaping @Sendable (Value, Occasion) -> [ScenarioEvent]) -> Form<EventMaker>
  {
    map { value, _ in { make(value, $0) } }
  }

  /// A value that says what happens.
  func does(_ act: @escaping @Sendable (Value) -> ScenarioEvent.Action) -> Form<EventMaker> {
    happens { value, on in [on.event(act(value))] }
  }
}

extension Form where Value == EventMaker {
  /// An object of which events are made.
  static func event(
    _ describe: @escaping @Sendable (inout Keys) -> ObjectMaker
  ) -> Self {
    .object { keys in
      let make = describe(&keys)
      return { field in
        { occasion in
          do throws(UnusableKey) {
            return try make(field, occasion)
          } catch {
            return []
          }
        }
      }
    }
  }
}
