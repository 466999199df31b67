internal import Quantities
internal import StructuredText

extension TidepoolReader {
  /// The objects of a document: a list, or an object with a list for each type, perhaps in `data`;
  /// `nil` for anything else.
  static func objects(of field: JSONField) -> [JSONField]? {
    let lists = field["data"].exists ? field["data"] : field
    guard let members = lists.node?.members else {
      return lists.node?.items == nil ? nil : lists.items()
    }
    guard members.allSatisfy({ $0.value.items != nil || $0.value.isNull }) else { return nil }
    return members.filter { !$0.value.isNull }.flatMap { lists[$0.key].items() ?? [] }
  }

  /// What tells an object from others: Tidepool's identity, or where it has none, as before it is
  /// uploaded, that of the sample that it was made from.
  static func identity(of object: JSONNode) -> String? {
    object["id"]?.string ?? object["origin"]?["id"]?.string
  }

  /// What tells objects apart that have no identity: their type, time and device.
  static func name(of object: JSONNode) -> String {
    ["type", "time", "deviceId"].map { object[$0]?.string ?? "" }.joined(separator: " ")
  }

  /// An object, and the bolus that one of a bolus calculator holds.
  ///
  /// What is uploaded has the bolus in it, of which the service makes an object of its own
  /// (`tidepool-org/data-model`, `wizard`).
  static func withBolus(_ object: JSONNode) -> [JSONNode] {
    guard object["type"]?.string == "wizard", let bolus = object["bolus"], bolus.members != nil
    else { return [object] }
    return [object, bolus]
  }

  /// Whether a node is an object of Tidepool's data, even if what it needs is missing.
  static func isOfTidepool(_ object: JSONNode) -> Bool {
    guard let type = object["type"]?.string else { return false }
    return readTypes.contains(type) || object["time"]?.string != nil
  }

  private static let readTypes: Set = [
    "basal", "bolus", "cbg", "food", "insulin", "smbg", "wizard",
  ]

  /// What is said of basal of one pump that is cut for another's, such as one that is worn no more
  /// and counts on.
  static let otherDevice =
    "basal that ends where that of another device begins: two pumps at one time are taken for one"

  /// What is said of JSON that is in no form of records that is known.
  static let unknownForm =
    "This is no record in a form that is read. Tidepool's objects have \"type\" and \"time\", "
    + "documents of Nightscout \"eventType\" or \"sgv\", and those of oref \"_type\"; here none "
    + "has."
}

// Which of several versions of an object counts.
extension TidepoolReader {
  /// Whether an object counts: it was neither deleted nor archived.
  static func isActive(_ object: JSONNode) -> Bool {
    object["_active"]?.bool ?? (object["deletedTime"] == nil && object["archivedTime"] == nil)
  }

  /// When an object was last written; only one that was changed says when that was.
  private static func written(_ object: JSONNode) -> String {
    object["modifiedTime"]?.string ?? object["createdTime"]?.string ?? ""
  }

  /// Whether an object was written later than another; `nil` where nothing tells.
  private static func isLater(_ one: JSONNode, than other: JSONNode) -> Bool? {
    let (one, other) = (written(one), written(other))
    // Times with other offsets, or with a fraction, do not stand in the order of their texts.
    if let first = Instant(recorded: one), let second = Instant(recorded: other) {
      return first == second ? nil : first > second
    }
    return one == other ? nil : one > other
  }

  /// Whether two objects of one identity are the same thing; of a sample without an identity of
  /// Tidepool's only its copy is.
  static func isVersion(_ one: JSONNode, of other: JSONNode) -> Bool {
    guard one["id"] != nil, other["id"] != nil else { return JSONValue(one) == JSONValue(other) }
    return one["type"]?.string == other["type"]?.string
  }

  static func isNewer(_ one: JSONNode, than other: JSONNode) -> Bool {
    let (active, otherActive) = (isActive(one), isActive(other))
    if active != otherActive { return active }
    if let left = one["_version"]?.double, let right = other["_version"]?.double, left != right {
      return left > right
    }
    // Of what does not say which is newer, the last that is read counts.
    return isLater(one, than: other) ?? (JSONValue(one) != JSONValue(other))
  }
}
