internal import HealthStore
internal import Quantities
internal import StructuredText

/// The insulin of a treatment that a person injected and of which the kind is stated.
///
/// xDrip states in `insulinInjections` each insulin by its name, and in `insulin` a sum, with which
/// nothing is added then; AndroidAPS states `isBasalInsulin`. What acts for long is basal of a pen
/// and no bolus. What `insulin` holds beyond the injections that can be read counts as rapid-acting
/// where one cannot.
struct NightscoutPens {
  /// What acts at once, in units.
  let rapid: Double
  /// What acts for long, in units.
  let long: Double
  /// The name of what acts for long, where it is stated.
  let name: String?

  /// Reads a treatment; `nil` where none of its insulin acts for long.
  init?(_ treatment: JSONNode) {
    let stated = NightscoutAmounts.number(treatment["insulin"]) ?? 0
    if treatment["isBasalInsulin"]?.bool == true {
      guard (0...100).contains(stated), stated > 0 else { return nil }
      (rapid, long, name) = (0, stated, nil)
      return
    }
    let injections = Self.injections(treatment)
    let slow = injections.filter { Self.actsForLong($0.name) }
    let sum = slow.reduce(0) { $0 + $1.units }
    let whole = injections.reduce(0) { $0 + $1.units }
    guard sum > 0, (0...100).contains(whole) else { return nil }
    long = sum
    let all = Self.hasUnreadable(treatment) ? max(whole, stated) : whole
    rapid = (all - sum).toBillionths
    name = slow.first?.name
  }

  /// Reads a treatment.
  init?(_ treatment: JSONField) {
    guard let node = treatment.node else { return nil }
    self.init(node)
  }

  /// The injections that a treatment lists, which stand there as a text or as a list.
  private static func injections(_ treatment: JSONNode) -> [(name: String, units: Double)] {
    (items(of: treatment) ?? []).compactMap { item in
      guard let injection = injection(item), injection.units > 0 else { return nil }
      return injection
    }
  }

  private static func injection(_ item: JSONNode) -> (name: String, units: Double)? {
    guard let name = item["insulin"]?.string,
      let units = NightscoutAmounts.number(item["units"]), units >= 0
    else { return nil }
    return (name, units)
  }

  /// What a treatment lists; nothing where it lists nothing, `nil` where it cannot be read.
  private static func items(of treatment: JSONNode) -> [JSONNode]? {
    guard let node = treatment["insulinInjections"], !node.isNull else { return [] }
    guard let text = node.string else { return node.items }
    guard !text.allSatisfy(\.isWhitespace) else { return [] }
    let root = JSONReader.read(text: text, file: "").root
    return root?.isNull == true ? [] : root?.items
  }

  /// Whether a treatment lists injections, and not all of them can be read.
  static func hasUnreadable(_ treatment: JSONNode) -> Bool {
    guard treatment["isBasalInsulin"]?.bool != true else { return false }
    return items(of: treatment)?.contains { injection($0) == nil } ?? true
  }

  /// Words in the names of insulins that act for long, or for half a day as NPH does.
  private static let slowWords = [
    "lantus", "toujeo", "basaglar", "abasaglar", "semglee", "rezvoglar", "glargin", "levemir",
    "detemir", "tresiba", "degludec", "nph", "isophan", "insulatard", "protaphan", "humulin n",
    "humulin i", "novolin n", "basal", "long",
  ]

  private static func actsForLong(_ name: String) -> Bool {
    let name = name.lowercased()
    return slowWords.contains { name.contains($0) }
  }
}

extension NightscoutReader {
  /// Why a treatment is left out that states its insulin nowhere else.
  static let noKind = "its 'insulinInjections' cannot be read"

  /// The remark on insulin of which the kind cannot be read.
  private static let unknownKind =
    "insulin whose kind in 'insulinInjections' cannot be read: what 'insulin' says counts as "
    + "rapid-acting"

  /// Notes that a treatment lists injections which cannot be read.
  mutating func remarkOnPens(of treatment: JSONField) {
    report.remark(Self.unknownKind, at: treatment["insulinInjections"].position)
  }

  /// Adds what a person injected that acts for long.
  mutating func add(_ pens: NightscoutPens, at instant: Instant, _ uuid: SampleUUID) {
    var metadata = Metadata()
    metadata.insulinType = pens.name
    metadata[.wasUserEntered] = .flag(true)
    add(
      .insulinDelivery(
        units: pens.long, reason: .basal, start: instant, end: instant, uuid: uuid,
        metadata: metadata), part: "pen")
  }
}
