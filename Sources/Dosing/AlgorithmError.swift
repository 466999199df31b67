public import Quantities

/// Why the algorithm gives no recommendation.
///
/// The first seven are the original's, in the order in which it checks; on the others the original
/// ends the process (or, for unsorted input, gives numbers without meaning).
///
/// Source: LoopKit/LoopAlgorithm, `LoopAlgorithm.swift`.
public enum AlgorithmError: Error, Hashable, Sendable {
  /// There is no glucose.
  case missingGlucose
  /// The latest glucose is too old.
  case glucoseTooOld
  /// A dose of basal lies in the future.
  case futureBasalNotAllowed
  /// The sensitivities begin after they are needed, or there are none.
  case sensitivityTimelineStartsTooLate
  /// The sensitivities end before they are no longer needed.
  case sensitivityTimelineEndsTooEarly
  /// The basal schedule has a gap where it is needed.
  case basalTimelineIncomplete
  /// There is no suspend threshold.
  case missingSuspendThreshold

  /// No correction range starts at or before the prediction's start.
  case targetTimelineIncomplete
  /// No ISF starts at or before an entry of carbohydrate.
  case sensitivityMissingAtCarbs(Instant)
  /// No carbohydrate ratio starts at or before an entry of carbohydrate.
  case carbRatioMissingAtCarbs(Instant)
  /// A dose starts where the ISF timeline has nothing in force.
  case sensitivityMissingAtDose(Instant)
  /// The ISF timeline has nothing in force at the prediction's start.
  case sensitivityMissingAtStart
  /// The ISF timeline has a gap at a predicted moment.
  case sensitivityMissingInPrediction(Instant)
  /// An entry of the ISF timeline ends before it starts.
  case sensitivityEntryEndsBeforeStart(Instant)
  /// The prediction ends before insulin given now would have acted.
  case predictionTooShort
  /// An array is not sorted by start; the index, from 0, is that of the item that comes too late.
  case notSorted(Series, index: Int)
  /// Doses, glucose or carbohydrate lie further apart than the algorithm's limit.
  case timelineTooLong(TimeSpan, limit: TimeSpan)
  /// A limit, or a number of the result, is not finite, as after a carbohydrate ratio of zero.
  case notFinite

  /// An array of the input.
  public enum Series: String, Hashable, Sendable {
    /// The array by its name.
    case glucoseHistory, carbEntries, basal, sensitivity, carbRatio, target
  }

  /// The error's name, as the original's output has it under `error`.
  public var name: String {
    switch self {
    case .missingGlucose: "missingGlucose"
    case .glucoseTooOld: "glucoseTooOld"
    case .futureBasalNotAllowed: "futureBasalNotAllowed"
    case .sensitivityTimelineStartsTooLate: "sensitivityTimelineStartsTooLate"
    case .sensitivityTimelineEndsTooEarly: "sensitivityTimelineEndsTooEarly"
    case .basalTimelineIncomplete: "basalTimelineIncomplete"
    case .missingSuspendThreshold: "missingSuspendThreshold"
    case .targetTimelineIncomplete: "targetTimelineIncomplete"
    case .sensitivityMissingAtCarbs: "sensitivityMissingAtCarbs"
    case .carbRatioMissingAtCarbs: "carbRatioMissingAtCarbs"
    case .sensitivityMissingAtDose: "sensitivityMissingAtDose"
    case .sensitivityMissingAtStart: "sensitivityMissingAtStart"
    case .sensitivityMissingInPrediction: "sensitivityMissingInPrediction"
    case .sensitivityEntryEndsBeforeStart: "sensitivityEntryEndsBeforeStart"
    case .predictionTooShort: "predictionTooShort"
    case .notSorted: "notSorted"
    case .timelineTooLong: "timelineTooLong"
    case .notFinite: "notFinite"
    }
  }
}

extension AlgorithmError: CustomStringConvertible {
  /// One sentence that says what is wrong, and one that says what would help.
  public var description: String {
    switch self {
    case .missingGlucose:
      "There is no glucose. Give at least one sample."
    case .glucoseTooOld:
      "The last glucose is 15 minutes old or older. Give a newer sample."
    case .futureBasalNotAllowed:
      "A basal dose ends after the prediction's start. Cut running doses there."
    case .sensitivityTimelineStartsTooLate:
      "No ISF is in force in the whole five minutes of the first dose and the first glucose. Start "
        + "the ISF timeline earlier."
    case .sensitivityTimelineEndsTooEarly:
      "No ISF is in force to the end of the five minutes in which insulin has acted. Let the ISF "
        + "timeline end later."
    case .basalTimelineIncomplete:
      "No basal rate is in force at the prediction's start. Start the schedule earlier."
    case .missingSuspendThreshold:
      "There is neither a suspend threshold nor a correction range in force. Give one."
    case .targetTimelineIncomplete:
      "No correction range is in force at the prediction's start. Start the targets earlier."
    case .sensitivityMissingAtCarbs(let date):
      "No ISF is in force at the carbohydrate of \(date). Start the ISF timeline earlier."
    case .carbRatioMissingAtCarbs(let date):
      "No carbohydrate ratio is in force at the carbohydrate of \(date). Start it earlier."
    case .sensitivityMissingAtDose(let date):
      "No ISF is in force at the dose of \(date). Close the gap in the ISF timeline."
    case .sensitivityMissingAtStart:
      "No ISF is in force at the prediction's start. Close the gap in the ISF timeline."
    case .sensitivityMissingInPrediction(let date):
      "No ISF is in force at the predicted \(date). Close the gap in the ISF timeline."
    case .sensitivityEntryEndsBeforeStart(let date):
      "The ISF entry of \(date) ends before it starts. Swap its dates."
    case .predictionTooShort:
      "The prediction ends before insulin given now has acted. Give longer effects."
    case .notSorted(let series, let index):
      "\(series.rawValue)[\(index)] starts before the item ahead of it. Sort the list by start."
    case .timelineTooLong(let span, let limit):
      "The input spans \(span), above the limit of \(limit). Leave out what is far away."
    case .notFinite:
      "A limit or a result is not finite. Check for a carbohydrate ratio or ISF of zero."
    }
  }
}
