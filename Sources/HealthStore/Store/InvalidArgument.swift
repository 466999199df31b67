public import Quantities

/// What is wrong with an object or a query that the store refuses as malformed.
///
/// HealthKit: `HKError.errorInvalidArgument`, or an exception.
public enum InvalidArgument: Hashable, Sendable {
  /// A list of objects is empty.
  case emptyList
  /// Samples of the type are only read.
  case notSaveable(ObjectType)
  /// The type cannot hold such a value.
  case wrongKindOfValue(ObjectType)
  /// The unit does not measure the type.
  case incompatibleUnit(HealthUnit, ObjectType)
  /// One unit cannot be converted to the other.
  case incompatibleUnits(HealthUnit, HealthUnit)
  /// The value is no finite number.
  case valueNotFinite
  /// The type cannot be negative.
  case negativeValue(Double, ObjectType)
  /// The type has no such category.
  case unknownCategory(Int, ObjectType)
  /// The sample ends before it starts.
  case endBeforeStart(start: Instant, end: Instant)
  /// The sample is longer than its type allows.
  case tooLong(ObjectType, duration: TimeSpan, maximum: TimeSpan)
  /// The sample is older than the store takes.
  case beforeEarliestDate(end: Instant, earliest: Instant)
  /// The type needs metadata that is missing.
  case missingMetadata(MetadataKey, ObjectType)
  /// A number in the metadata is not finite.
  case metadataNotFinite(MetadataKey)
  /// A date of birth lies after the newest record, or before 1850.
  case dateOfBirth(CivilTime, latest: CivilTime)
  /// A sync identifier stands without a version.
  case syncIdentifierWithoutVersion
  /// A version stands without a sync identifier.
  case syncVersionWithoutIdentifier
  /// A correlation has not the members that it needs.
  case membersOfCorrelation(ObjectType)
  /// A member lies outside the time of its correlation.
  case memberOutsideCorrelation(SampleUUID)
  /// An identity is used twice.
  case duplicateUUID(SampleUUID)
  /// A correlation cannot be without the member.
  case requiredMember(SampleUUID)
  /// There is no such object.
  case notInStore(SampleUUID)
  /// The client has not been registered.
  case unknownClient
  /// A request names no type.
  case nothingRequested
  /// Permissions are for the members of a correlation, not for it.
  case correlationInRequest(ObjectType)
  /// Apps may not write the type.
  case notShareable(ObjectType)
  /// The type cannot be read in this way.
  case notReadable(ObjectType)
  /// The client does not say why it wants the data.
  case missingUsageDescription(String)
  /// A query can be executed once.
  case queryAlreadyExecuted
  /// The store has no such query.
  case unknownQuery
  /// No such request for authorization waits for the user, or none can be shown.
  case unknownSheet
  /// A query that stays alive cannot have a limit.
  case updatesWithLimit
  /// Only quantities have statistics.
  case statisticsOfKind(ObjectType)
  /// A figure cannot be worked out for the type.
  case statisticsOption(String, ObjectType)
  /// A bucket has no length.
  case interval
  /// A collection has more buckets than anybody reads.
  case tooManyBuckets(most: Int)
  /// A part of a day's name is missing.
  case incompleteDay
  /// Correlations are not delivered in the background.
  case backgroundDeliveryOfCorrelation(ObjectType)
  /// A watch has no background delivery.
  case backgroundDeliveryOnWatch
  /// A clinical document is not valid.
  case document(line: Int, element: String, problem: String)
  /// There are not as many new samples as old ones.
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
    case .metadataNotFinite(let key): "The metadata \(key) is not a finite number."
    case .dateOfBirth(let date, let latest):
      "Nobody with these records was born on \(date.dateText): it must be a day from 1850-01-01 to "
        + "\(latest.dateText)."
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
    case .nothingRequested: "The request names no type to read or to write."
    case .correlationInRequest(let type):
      "There is no permission for \(type). Ask for the types it contains."
    case .notShareable(let type): "Apps may not write \(type), so it cannot be asked for."
    case .notReadable(let type): "\(type) cannot be read in this way."
    case .missingUsageDescription(let key): "The client declares no \(key). Add the text to it."
    case .queryAlreadyExecuted: "The query was executed before. Make a new one."
    case .unknownQuery: "There is no such query in this store."
    case .unknownSheet:
      "No such request for authorization waits for an answer, or none can be shown."
    case .updatesWithLimit: "A query that stays alive for updates cannot have a limit."
    case .statisticsOfKind(let type): "\(type) is no quantity and has no statistics."
    case .statisticsOption(let option, let type):
      "The option \(option) does not fit \(type), which is \(type.aggregation.rawValue)."
    case .interval: "The interval of a collection must be longer than nothing."
    case .tooManyBuckets(let most):
      "The samples lie in more than \(most) stretches of time. Choose longer ones."
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
