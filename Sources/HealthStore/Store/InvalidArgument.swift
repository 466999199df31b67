public import Quantities

/// What is wrong with an object or a query that the store refuses as malformed.
///
/// HealthKit: `HKError.errorInvalidArgument`, or an exception.
public enum InvalidArgument: Hashable, Sendable {
  case emptyList
  case notSaveable(ObjectType)
  case wrongKindOfValue(ObjectType)
  case incompatibleUnit(HealthUnit, ObjectType)
  case incompatibleUnits(HealthUnit, HealthUnit)
  case valueNotFinite
  case negativeValue(Double, ObjectType)
  case unknownCategory(Int, ObjectType)
  case endBeforeStart(start: Instant, end: Instant)
  case tooLong(ObjectType, duration: TimeSpan, maximum: TimeSpan)
  case beforeEarliestDate(end: Instant, earliest: Instant)
  case missingMetadata(MetadataKey, ObjectType)
  case syncIdentifierWithoutVersion
  case syncVersionWithoutIdentifier
  case membersOfCorrelation(ObjectType)
  case memberOutsideCorrelation(SampleUUID)
  case duplicateUUID(SampleUUID)
  case requiredMember(SampleUUID)
  case notInStore(SampleUUID)
  case unknownClient
  case userOnly
  case nothingRequested
  case correlationInRequest(ObjectType)
  case notShareable(ObjectType)
  case notReadable(ObjectType)
  case missingUsageDescription(String)
  case queryAlreadyExecuted
  case unknownQuery
  case updatesWithLimit
  case statisticsOfKind(ObjectType)
  case statisticsOption(String, ObjectType)
  case interval
  case incompleteDay
  case backgroundDeliveryOfCorrelation(ObjectType)
  case backgroundDeliveryOnWatch
  case document(line: Int, element: String, problem: String)
  case replacementCount(old: Int, new: Int)
}

extension InvalidArgument: CustomStringConvertible {
  public var description: String {
    descriptionOfObject ?? descriptionOfRequest ?? "The argument is not valid."
  }

  private var descriptionOfObject: String? {
    switch self {
    case .emptyList: "The list is empty. Give at least one object."
    case .notSaveable(let type): "\(type) cannot be saved. It is only read."
    case .wrongKindOfValue(let type):
      "\(type) is of kind \(type.kind.rawValue) and cannot hold this value."
    case .incompatibleUnit(let unit, let type):
      "\(unit) does not measure \(type). Use \(type.unit.map { "\($0)" } ?? "no unit") or a "
        + "unit that converts to it."
    case .incompatibleUnits(let from, let to): "\(from) cannot be converted to \(to)."
    case .valueNotFinite: "The value is not a finite number."
    case .negativeValue(let value, let type): "\(type) cannot be negative, and this is \(value)."
    case .unknownCategory(let value, let type):
      "\(type) has no value \(value). It has \(type.categoryValues.map { "\($0)" } ?? "none")."
    case .endBeforeStart(let start, let end):
      "The sample ends (\(end)) before it starts (\(start))."
    case .tooLong(let type, let duration, let maximum):
      "A \(type) lasts at most \(maximum), and this one \(duration)."
    case .beforeEarliestDate(let end, let earliest):
      "The sample ends at \(end), before the earliest permitted date \(earliest)."
    case .missingMetadata(let key, let type): "A sample of \(type) needs the metadata \(key)."
    case .syncIdentifierWithoutVersion: "A sync identifier needs a sync version beside it."
    case .syncVersionWithoutIdentifier: "A sync version needs a sync identifier beside it."
    case .membersOfCorrelation(.bloodPressure):
      "A blood pressure has exactly one systolic and one diastolic sample."
    case .membersOfCorrelation(let type):
      "A correlation of \(type) has at least one member, and only members of its kind."
    case .memberOutsideCorrelation(let uuid):
      "The member \(uuid) starts before or ends after its correlation."
    case .duplicateUUID(let uuid): "\(uuid) is already in the store or twice in the list."
    case .requiredMember(let uuid):
      "\(uuid) is a required member of a correlation. Delete the correlation instead."
    case .notInStore(let uuid): "\(uuid) is not in the store."
    case .document(let line, let element, let problem):
      "The clinical document is not valid: line \(line), element \(element): \(problem)."
    default: nil
    }
  }

  private var descriptionOfRequest: String? {
    switch self {
    case .unknownClient: "The client is not registered with this store. Register it first."
    case .userOnly: "Only the user may do this."
    case .nothingRequested: "The request names no type to read or to write."
    case .correlationInRequest(let type):
      "There is no permission for \(type). Ask for the types it contains."
    case .notShareable(let type): "Apps may not write \(type), so it cannot be asked for."
    case .notReadable(let type): "\(type) cannot be read in this way."
    case .missingUsageDescription(let key): "The client declares no \(key). Add the text to it."
    case .queryAlreadyExecuted: "The query was executed before. Make a new one."
    case .unknownQuery: "There is no such query in this store."
    case .updatesWithLimit: "A query that stays alive for updates cannot have a limit."
    case .statisticsOfKind(let type): "\(type) is no quantity and has no statistics."
    case .statisticsOption(let option, let type):
      "The option \(option) does not fit \(type), which is \(type.aggregation.rawValue)."
    case .interval: "The interval of a collection must be longer than nothing."
    case .incompleteDay: "A day is named by era, year, month and day; one of them is missing."
    case .backgroundDeliveryOfCorrelation(let type):
      "\(type) cannot be delivered in the background. Observe the types it contains."
    case .backgroundDeliveryOnWatch: "There is no background delivery on a watch."
    case .replacementCount(let old, let new):
      "A replacement needs one new sample for each old one; there are \(old) and \(new)."
    default: nil
    }
  }
}
