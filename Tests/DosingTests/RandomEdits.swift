import Determinism
import Dosing
import Quantities

/// A running simulation with everything that may happen between two cycles, drawn at random.
struct RandomEdits {
  var random: RandomInput
  var input: AlgorithmInput
  var value: Double
  /// The ISF without the clipping an app does.
  var sensitivity: [AlgorithmInput.ScheduleEntry]

  init(seed: UInt64) {
    random = RandomInput(seed: seed)
    input = random.input()
    value = input.glucoseHistory.last?.quantity.mgdL ?? 120
    sensitivity = input.sensitivity
    input.doses = input.doses.map { dose in
      var dose = dose
      if dose.type == .basal { dose.endDate = min(dose.endDate, input.predictionStart) }
      return dose
    }
  }

  /// Goes on to the next cycle: time passes, and perhaps something is edited.
  mutating func next() {
    let before = input.predictionStart
    let step = random.pick([300, 300, 300, 300, 297, 60, 900])
    let now = before + .seconds(Int64(step))
    input.predictionStart = now
    sense(now)
    deliver(since: before, now)
    slideWindows(now)
    if random.chance(0.15) { editDoses(now) }
    if random.chance(0.15) { editCarbs(now) }
    if random.chance(0.05) { editSettings() }
    if random.chance(0.03) { editGlucose() }
    if random.chance(0.05) { editOptions() }
    clipSensitivity(now)
  }

  private mutating func sense(_ now: Instant) {
    guard !random.chance(0.05) else { return }
    value = max(40, min(400, value + random.stream.normal() * 4))
    let name = input.glucoseHistory.last?.provenanceIdentifier ?? "other"
    input.glucoseHistory.append(
      .init(
        date: now - .seconds(random.whole(0...40)), quantity: .mgdL(value.rounded()),
        provenanceIdentifier: name, isDisplayOnly: random.chance(0.01)))
    input.glucoseHistory.sort { $0.date < $1.date }
  }

  private mutating func deliver(since before: Instant, _ now: Instant) {
    if random.chance(0.5),
      let last = input.doses.indices.last(where: { input.doses[$0].type == .basal })
    {
      // The running temp basal goes on.
      input.doses[last].endDate = max(now, input.doses[last].startDate)
      input.doses[last].volume += 0.05
    } else if random.chance(0.7) {
      input.doses.append(
        .init(type: .basal, startDate: before, endDate: now, volume: random.number(0...0.3)))
    }
    if random.chance(0.2) {
      input.doses.append(
        .init(
          type: .bolus, startDate: now - .seconds(20), endDate: now,
          volume: random.number(0.05...2), insulinModel: random.pick(InsulinModel.allCases)))
    }
  }

  private mutating func slideWindows(_ now: Instant) {
    let windows = DataWindows(at: now)
    input.glucoseHistory.removeAll { $0.date < windows.glucose.lowerBound }
    input.doses.removeAll { $0.endDate < windows.doses.lowerBound }
    input.carbEntries.removeAll { $0.date < windows.carbEntries.lowerBound }
    if let last = input.target.indices.last { input.target[last].endDate = now + .hours(8) }
    if let last = sensitivity.indices.last {
      sensitivity[last].endDate = max(sensitivity[last].endDate, now + .hours(9))
    }
    if let last = input.basal.indices.last { input.basal[last].endDate = now + .hours(1) }
    if let last = input.carbRatio.indices.last { input.carbRatio[last].endDate = now + .hours(9) }
  }

  /// Lets the ISF begin where it is first needed, as an app does, or earlier.
  private mutating func clipSensitivity(_ now: Instant) {
    input.sensitivity = sensitivity
    guard random.chance(0.7) else { return }
    let first = min(
      input.doses.map(\.startDate).min() ?? now, input.glucoseHistory.first?.date ?? now,
      input.carbEntries.first?.date ?? now, now)
    let start = first.floored(to: .minutes(5))
    input.sensitivity = sensitivity.filter { $0.endDate > start }
    if let entry = input.sensitivity.first, entry.startDate < start {
      input.sensitivity[0].startDate = start
    }
  }

  private mutating func editDoses(_ now: Instant) {
    guard !input.doses.isEmpty else { return }
    let index = min(input.doses.count - 1, Int(random.unit() * Double(input.doses.count)))
    switch random.whole(0...3) {
    case 0: input.doses.remove(at: index)
    case 1: input.doses[index].volume = random.number(0...2)
    case 2:
      let start = now - .minutes(random.whole(1...900))
      input.doses.append(
        .init(type: .bolus, startDate: start, endDate: start, volume: random.number(0.5...4)))
    default: input.doses[index].insulinModel = random.pick(InsulinModel.allCases)
    }
    if random.chance(0.8) { input.doses.sort { $0.startDate < $1.startDate } }
  }

  private mutating func editCarbs(_ now: Instant) {
    let count = input.carbEntries.count
    let index = min(count - 1, Int(random.unit() * Double(count)))
    switch random.whole(0...3) {
    case 0 where count > 0: input.carbEntries.remove(at: index)
    case 1 where count > 0: input.carbEntries[index].quantity.grams = random.number(5...80)
    case 2 where count > 0:
      input.carbEntries[index].absorptionTime = .minutes(random.whole(30...480))
    default:
      input.carbEntries.append(
        .init(
          date: now - .minutes(random.whole(-30...120)),
          quantity: .init(grams: random.number(5...80))))
    }
    input.carbEntries.sort { $0.date < $1.date }
  }

  private mutating func editSettings() {
    func change(_ entries: inout [AlgorithmInput.ScheduleEntry], by factor: Double) {
      let index = Int(random.unit() * Double(entries.count))
      guard entries.indices.contains(index) else { return }
      entries[index].value *= factor
    }
    switch random.whole(0...3) {
    case 0: change(&input.basal, by: random.number(0.5...2))
    case 1: change(&sensitivity, by: random.number(0.8...1.2))
    case 2: change(&input.carbRatio, by: random.number(0.8...1.2))
    default:
      // An override cuts an entry in two.
      let index = Int(random.unit() * Double(sensitivity.count))
      guard sensitivity.indices.contains(index) else { return }
      var second = sensitivity[index]
      let span = second.endDate - second.startDate
      second.startDate = second.startDate + .milliseconds(span.milliseconds * 2 / 5)
      sensitivity[index].endDate = second.startDate
      second.value *= 1.5
      sensitivity.insert(second, at: index + 1)
    }
  }

  private mutating func editGlucose() {
    let index = Int(random.unit() * Double(input.glucoseHistory.count))
    guard input.glucoseHistory.indices.contains(index), input.glucoseHistory.count > 3 else {
      return
    }
    if random.chance(0.5) {
      input.glucoseHistory.remove(at: index)
    } else {
      input.glucoseHistory[index].quantity.mgdL += 7
    }
  }

  private mutating func editOptions() {
    switch random.whole(0...5) {
    case 0: input.useIntegralRetrospectiveCorrection.toggle()
    case 1: input.includePositiveVelocityAndRC.toggle()
    case 2: input.recommendationType = random.pick(RecommendationType.allCases)
    case 3: input.useMidAbsorptionISF.toggle()
    case 4: input.generation = input.generation == .current ? .older : .current
    default: input.recommendationInsulinModel = random.pick(InsulinModel.allCases)
    }
  }
}
