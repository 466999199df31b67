internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// What happens in the health store.
enum StoreEvents {
  /// The only kind.
  static let kinds: [EventKind] = [
    EventKind("healthStore", "What happens in the health store.", .event { healthStore(&$0) })
  ]

  /// What other apps write, and what the person allows.
  private static func healthStore(_ keys: inout Keys) -> ObjectMaker {
    let write = keys.optional(
      "write", .object { written(&$0) }, "Another app writes a sample.")
    let revoke = keys.optional(
      "revoke", .listOrOne(permission), "Permissions are taken away.")
    let grant = keys.optional("grant", .listOrOne(permission), "Permissions are given.")
    let restore = keys.optional(
      "restore", .only(true), "What it last lost comes back from a backup.")
    return { field, on in
      var actions: [ScenarioEvent.Action] = []
      if let write = field[write] { actions.append(.writeToHealthStore(write)) }
      for (permissions, isGranted) in [(field[revoke], false), (field[grant], true)] {
        actions += accesses(permissions ?? [], isGranted: isGranted).map { .authorize($0) }
      }
      if field[restore] == true { actions.append(.restoreHealthStore) }
      return actions.map { on.event($0) }
    }
  }

  /// Data that can be allowed and refused, with or without a direction: `'insulin.read'`.
  private static let permission = Form<(HealthStoreAccess.Data, [HealthStoreAccess.Direction])>
    .words(
      HealthStoreAccess.Data.allCases.map { ($0.rawValue, ($0, [.read, .write])) }
        + HealthStoreAccess.Data.allCases.flatMap {
          [("\($0.rawValue).read", ($0, [.read])), ("\($0.rawValue).write", ($0, [.write]))]
        })

  /// One change for each set of directions: `['glucose.read', 'carbs']` is two.
  private static func accesses(
    _ chosen: [(HealthStoreAccess.Data, [HealthStoreAccess.Direction])], isGranted: Bool
  ) -> [HealthStoreAccess] {
    var found: [HealthStoreAccess] = []
    for (data, directions) in chosen {
      if let place = found.firstIndex(where: { $0.directions == directions }) {
        found[place].data.append(data)
      } else {
        found.append(
          HealthStoreAccess(data: [data], directions: directions, isGranted: isGranted))
      }
    }
    return found
  }

  private static func written(_ keys: inout Keys) -> Maker<HealthStoreWrite> {
    let glucose = keys.optional("glucose", .reading(GlucoseConcentration.stated), "A reading.")
    let carbs = keys.optional("carbs", .grams, "Carbohydrate.")
    let bolus = keys.optional("bolus", .units(0...100), "A bolus.")
    let basal = keys.optional("basal", .units(0...200), "A basal segment.")
    let duration = keys.key(
      "duration", .anySpan, default: "'0s'", "How long the basal segment is.")
    let source = keys.key(
      "source", .text, default: "'Other app'", "The name of the writing app.")
    let start = keys.optional(
      "start", .time, else: "now",
      "The time of the sample; spans count from when it is written.")
    return { field in
      let content: HealthStoreWrite.Content? =
        field[glucose].map { .glucose($0) } ?? field[carbs].map { .carbs(grams: $0.grams) }
        ?? field[bolus].map { .bolus(units: $0.units, insulin: nil) }
        ?? field[basal].map { .basal(units: $0.units, duration: field[duration]) }
      guard let content else {
        let names = [glucose.name, carbs.name, bolus.name, basal.name]
        if !names.contains(where: { field[$0].exists }) {
          field.error("Say what is written: glucose, carbs, bolus or basal.")
        }
        return nil
      }
      return HealthStoreWrite(
        content, start: field[start] ?? field.context.anchor, source: field[source])
    }
  }
}
