internal import Outcomes

/// One end point in one group of patients.
public struct GroupResult: Sendable {
  /// What the group is called.
  public let name: String
  /// How many patients it has.
  public let count: Int
  /// The mean under the control.
  public let control: Double
  /// The mean under the treatment.
  public let treatment: Double
  /// The mean difference.
  public let difference: Double
  /// The interval of the mean difference; `nil` below ten patients.
  public let interval: IntervalOfMean?
  /// How many patients are harmed under the treatment alone.
  public let newlyHarmed: Int
}

extension EndPointResult {
  /// Fewer patients than this have numbers, and no interval.
  private static let fewestForInterval = 10

  /// The groups in the order in which the patients bring them.
  public var groups: [GroupResult] {
    var names: [String] = []
    for patient in patients where !names.contains(patient.group) { names.append(patient.group) }
    return names.compactMap { name in
      let own = patients.filter { $0.group == name }
      guard let differences = PairedDifferences(own.map(\.difference)),
        let control = Statistics.mean(own.map(\.control)),
        let treatment = Statistics.mean(own.map(\.treatment))
      else { return nil }
      return GroupResult(
        name: name, count: own.count, control: control, treatment: treatment,
        difference: differences.mean,
        interval: own.count < Self.fewestForInterval
          ? nil : ResampledMean(differences).interval(confidence: confidence),
        newlyHarmed: own.count { $0.harmed == .newly })
    }
  }
}
