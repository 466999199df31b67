internal import Outcomes
internal import RunPlans

/// One end point of every patient under two arms.
struct PairedValues {
  /// One patient.
  struct Patient {
    /// The place among the study's patients.
    let place: Int
    /// The means over the replicates that have a value under both arms.
    let control: Double?
    let treatment: Double?
    /// How much more there is in a run under the treatment: of a rate, how many events, and of
    /// events in a run that died early only what it has more in its shorter time.
    let more: Double?
    /// The same as the difference is told: of a rate in its unit, over the longer time of a pair.
    let moreDifference: Double?
    /// The differences of the replicates, of a rate in its unit.
    let replicates: [Double]
    /// How many replicates lack a value under an arm.
    let missing: Int
    let diedUnderControl: Bool
    let diedUnderTreatment: Bool
    let failed: Bool

    /// The difference, treatment less control.
    var difference: Double? {
      guard let control, let treatment else { return nil }
      return PairedDifferences.rounded(treatment - control)
    }

    /// The difference by which the patient did better or worse: of events in a run that died early
    /// only what it has more, as fewer events for want of time are good for nobody.
    func change(in point: StudyEndPoint) -> Double? {
      let isShorter = point.metric.name.isCountOfEvents && (diedUnderControl || diedUnderTreatment)
      guard isShorter, let moreDifference else { return difference }
      return PairedDifferences.rounded(moreDifference)
    }
  }

  /// A value that stands for a failed run of a share of time, from one end of its range.
  enum Stand {
    case none
    /// The worst for the treatment, and the best.
    case worst, best
  }

  let patients: [Patient]

  init(
    _ rows: [CaseRow], of study: StudyProtocol, endPoint: Int, control: Int, treatment: Int,
    stand: Stand = .none
  ) {
    let plan = study.plan
    let point = study.design.endPoints[endPoint]
    patients = (0..<plan.patients).map { place in
      var first: [Double] = []
      var second: [Double] = []
      var days: (first: Double, second: Double, longer: Double) = (0, 0, 0)
      var more: [Double] = []
      var replicates: [Double] = []
      var missing = 0
      var died = (control: false, treatment: false)
      var failed = false
      for replicate in 0..<plan.replicates {
        let base = (place * plan.replicates + replicate) * plan.runsPerUnit
        let (a, b) = (rows[base + control], rows[base + treatment])
        if a.status == .lethal { died.control = true }
        if b.status == .lethal { died.treatment = true }
        if a.status == .failed || b.status == .failed { failed = true }
        guard
          let x = Self.value(a, endPoint, point, stand: stand, isTreatment: false),
          let y = Self.value(b, endPoint, point, stand: stand, isTreatment: true)
        else {
          missing += 1
          continue
        }
        first.append(x)
        second.append(y)
        more.append(Self.more(x, y, days: (a.days, b.days), point))
        replicates.append(Self.scaled(y, b.days, point) - Self.scaled(x, a.days, point))
        days.first += a.days
        days.second += b.days
        days.longer += max(a.days, b.days)
      }
      func summary(_ values: [Double], _ days: Double) -> Double? {
        Self.summary(values, days, point)
      }
      return Patient(
        place: place, control: summary(first, days.first),
        treatment: summary(second, days.second),
        more: Statistics.mean(more), moreDifference: summary(more, days.longer),
        replicates: replicates, missing: missing,
        diedUnderControl: died.control, diedUnderTreatment: died.treatment, failed: failed)
    }
  }

  /// The mean over the replicates of a patient that have a value in one cell alone; `nil` without
  /// any.
  static func mean(
    _ rows: [CaseRow], of study: StudyProtocol, endPoint: Int, patient: Int, cell: Int
  ) -> Double? {
    let plan = study.plan
    var values: [Double] = []
    var days = 0.0
    for replicate in 0..<plan.replicates {
      let row = rows[(patient * plan.replicates + replicate) * plan.runsPerUnit + cell]
      guard let value = row.values[endPoint] else { continue }
      values.append(value)
      days += row.days
    }
    return summary(values, days, study.design.endPoints[endPoint])
  }

  /// The mean of a patient's replicates; of a rate, over the days that all of them have.
  private static func summary(
    _ values: [Double], _ days: Double, _ point: StudyEndPoint
  ) -> Double? {
    guard let rate = point.rate else { return Statistics.mean(values) }
    return days > 0 && !values.isEmpty ? values.reduce(0, +) / days * rate.days : nil
  }

  /// How much more there is in a run under the treatment.
  ///
  /// A run that died early has fewer events because it has less time, which spares nobody.
  private static func more(
    _ control: Double, _ treatment: Double, days: (control: Double, treatment: Double),
    _ point: StudyEndPoint
  ) -> Double {
    let more = treatment - control
    guard point.metric.name.isCountOfEvents, days.control != days.treatment else { return more }
    return days.treatment < days.control ? max(more, 0) : min(more, 0)
  }

  /// A value of a run, as a rate where the end point is one.
  private static func scaled(_ value: Double, _ days: Double, _ point: StudyEndPoint) -> Double {
    guard let rate = point.rate else { return value }
    return days > 0 ? value / days * rate.days : 0
  }

  private static func value(
    _ row: CaseRow, _ endPoint: Int, _ point: StudyEndPoint, stand: Stand, isTreatment: Bool
  ) -> Double? {
    guard row.status == .failed, stand != .none else { return row.values[endPoint] }
    // The bad end for the treatment is the good end for the control.
    let isBad = (stand == .worst) == isTreatment
    return (point.better == .lower) == isBad ? 100 : 0
  }

  /// The patients with a difference, and those differences.
  var compared: [(patient: Patient, difference: Double)] {
    patients.compactMap { patient in patient.difference.map { (patient, $0) } }
  }

  /// The differences, in groups where there are groups.
  func differences(in study: StudyProtocol) -> PairedDifferences? {
    differences(in: study) { $1 }
  }

  /// The differences of events, of which a run that died early counts what it has more alone.
  func moreDifferences(in study: StudyProtocol) -> PairedDifferences? {
    differences(in: study) { $0.moreDifference.map(PairedDifferences.rounded) ?? $1 }
  }

  private func differences(
    in study: StudyProtocol, of value: (Patient, Double) -> Double
  ) -> PairedDifferences? {
    let compared = compared
    let strata =
      study.design.strata == nil
      ? nil : compared.map { study.patient(study.plan.firstPatient + $0.patient.place).group ?? "" }
    return PairedDifferences(compared.map { value($0.patient, $0.difference) }, strata: strata)
  }

  /// The differences for rank statistics: who died under one arm alone is beyond all others.
  func ranked(_ point: StudyEndPoint) -> [Double] {
    patients.compactMap { patient in
      if let change = patient.change(in: point) { return change }
      let worst = point.better == .lower ? Double.infinity : -Double.infinity
      if patient.diedUnderTreatment && !patient.diedUnderControl { return worst }
      if patient.diedUnderControl && !patient.diedUnderTreatment { return -worst }
      return nil
    }
  }
}
