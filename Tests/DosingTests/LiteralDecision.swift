import Dosing
import Quantities

/// Section by section, what the literal algorithm makes of its prediction.
struct LiteralDecision {
  enum Kind: Equatable { case suspend, below, above, inRange }

  var kind = Kind.inRange
  var units = 0.0
  var minimum = 0.0
  var minimumTarget = 0.0
  /// U/h.
  var basal: Double?
  /// U.
  var bolus: Double?

  init(_ a: LiteralAlgorithm) {
    correct(a)
    limit(a)
  }

  private mutating func correct(_ a: LiteralAlgorithm) {
    let input = a.input
    let now = a.start
    let model = input.recommendationInsulinModel
    let L = model.effectDuration
    func range(_ t: Double) -> AlgorithmInput.TargetEntry? {
      input.target.last { $0.startDate.literalSeconds <= t }
    }
    guard let current = range(now) else { return }
    let θ = input.suspendThreshold?.mgdL ?? current.lowerBound.mgdL
    let hi = (current.upperBound.mgdL + current.lowerBound.mgdL) / 2
    var sens = input.sensitivity
    if !input.useMidAbsorptionISF {
      sens = Array(
        sens.filter {
          $0.startDate <= input.predictionStart && input.predictionStart <= $0.endDate
        }.prefix(1))
      for i in sens.indices { sens[i].endDate = sens[i].endDate + .days(10) }
    }
    var candidate: Double?
    var low: (t: Double, value: Double, s: Double)?
    var eventual = (t: 0.0, value: 0.0)
    for p in a.prediction where p.t >= now {
      if p.value < θ {
        kind = .suspend
        minimum = p.value
        return
      }
      eventual = p
      let q = (p.t - now) / L
      let target = q <= 0.5 ? θ : q >= 1 ? hi : θ + ((hi - θ) / (1 - 0.5)) * (q - 0.5)
      var s = 0.0
      for seg in sens
      where seg.endDate.literalSeconds >= now && seg.startDate.literalSeconds <= p.t {
        let from = max(now, seg.startDate.literalSeconds) - now
        let to = min(p.t, seg.endDate.literalSeconds) - now
        s +=
          (LiteralAlgorithm.remaining(model, from) - LiteralAlgorithm.remaining(model, to))
          * seg.value
      }
      if low.map({ p.value < $0.value }) ?? true { low = (p.t, p.value, s) }
      let units = (p.value - target) / max(.ulpOfOne, s)
      if units > 0, candidate.map({ units < $0 }) ?? true { candidate = units }
      if p.t >= now + L { break }
    }
    guard let low, let rangeMin = range(low.t), let rangeEv = range(eventual.t) else { return }
    minimum = low.value
    if low.value < rangeMin.lowerBound.mgdL, eventual.value < rangeEv.lowerBound.mgdL {
      kind = .below
      let middle = (rangeMin.upperBound.mgdL + rangeMin.lowerBound.mgdL) / 2
      units = (low.value - middle) / max(.ulpOfOne, low.s)
    } else if eventual.value > rangeEv.upperBound.mgdL, let candidate {
      kind = .above
      units = candidate
      minimumTarget = rangeEv.lowerBound.mgdL
    }
  }

  private mutating func limit(_ a: LiteralAlgorithm) {
    let input = a.input
    let B = input.basal.last { $0.startDate <= input.predictionStart }?.value ?? 0
    let most = input.maximumBolus * (input.maximumActiveInsulinMultiplier ?? 2)
    let lowFirst = kind == .above && minimum < minimumTarget
    func rate(_ C: Double) -> Double {
      min(C, max(0, units / 0.5 + (kind == .suspend ? 0 : B)))
    }
    switch input.recommendationType {
    case .tempBasal:
      basal = rate(min((most - a.activeInsulin) * 2 + B, lowFirst ? B : input.maximumBasalRate))
    case .automaticBolus:
      basal = rate(B)
      let φ = input.automaticBolusApplicationFactor ?? 0.4
      let room = min(input.maximumBolus * φ, max(0, most - a.activeInsulin))
      bolus = min(max(0, units * φ), lowFirst ? 0 : room)
    case .manualBolus:
      bolus = min(input.maximumBolus, max(0, units))
    }
  }
}
