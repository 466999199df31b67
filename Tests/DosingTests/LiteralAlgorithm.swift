import Determinism
import Dosing
import Quantities

/// The algorithm written down a second time, term by term and without any arrangement for speed.
///
/// It follows the published description loop by loop (a map by date, every exponential computed
/// where it stands), so that the fast arrangement has something independent to be compared with.
/// Times are seconds from the worked example's midnight. Input must be sound: nothing is checked.
struct LiteralAlgorithm {
  struct Element {
    var isBolus: Bool
    var rate: Double
    var s: Double
    var e: Double
    var volume: Double
    var model: InsulinModel

    var units: Double {
      if isBolus { return volume }
      let h = (e - s) / 60 / 60
      return h > 0 ? volume - rate * h : 0
    }
  }

  struct Velocity {
    var a: Double
    var b: Double
    var v: Double
  }

  let input: AlgorithmInput
  var elements: [Element] = []
  var insulin: [(t: Double, value: Double)] = []
  var velocities: [Velocity] = []
  var carbs: [LiteralCarb] = []
  var carbEffect: [(t: Double, value: Double)] = []
  var discrepancies: [(t: Double, value: Double)] = []
  var summed: [(start: Double, end: Double, value: Double)] = []
  var correction: [(t: Double, value: Double)] = []
  var total: Double?
  var momentum: [(t: Double, value: Double)] = []
  var prediction: [(t: Double, value: Double)] = []
  var activeInsulin = 0.0
  var activeCarbs = 0.0

  var start: Double { input.predictionStart.literalSeconds }
  var last: (t: Double, value: Double) {
    let sample = input.glucoseHistory[input.glucoseHistory.count - 1]
    return (sample.date.literalSeconds, sample.quantity.mgdL)
  }

  init(_ input: AlgorithmInput) {
    self.input = input
    let firstDose = input.doses.first?.startDate ?? input.predictionStart
    if let first = input.basal.first, first.startDate <= firstDose {
      annotate()
      activeInsulin = elements.reduce(0) { $0 + $1.units * Self.onBoard($1, start) }
      insulinEffect()
      counteraction()
    }
    absorb()
    if !carbs.isEmpty { effectOfCarbs() }
    subtract()
    correct()
    momentumEffect()
    combine()
  }

  static func floor5(_ t: Double) -> Double { (t / 300).rounded(.down) * 300 }
  static func ceil5(_ t: Double) -> Double { (t / 300).rounded(.up) * 300 }

  // Insulin.

  static func remaining(_ model: InsulinModel, _ x: Double) -> Double {
    let T = model.actionDuration
    let p = model.peakActivityTime
    let tau = p * (1 - p / T) / (1 - 2 * p / T)
    let a = 2 * tau / T
    let S = 1 / (1 - a + (1 + a) * PortableMath.exp(-T / tau))
    let t = x - model.delay
    if t <= 0 { return 1 }
    if t >= T { return 0 }
    return 1 - S * (1 - a)
      * ((t * t / (tau * T * (1 - a)) - t / tau - 1) * PortableMath.exp(-t / tau) + 1)
  }

  static func slices(_ el: Element, _ x: Double, _ f: (Double) -> Double) -> Double {
    let D = el.e - el.s
    var i = 0.0
    var sum = 0.0
    repeat {
      sum += max(0, min(i + 300, D) - i) / D * f(x - i)
      i += 300
    } while i <= min(((x + el.model.delay) / 300).rounded(.down) * 300, D)
    return sum
  }

  static func onBoard(_ el: Element, _ t: Double) -> Double {
    let x = t - el.s
    if x < 0 { return 0 }
    if el.e - el.s <= 315 { return remaining(el.model, x) }
    return slices(el, x) { remaining(el.model, $0) }
  }

  static func acted(_ el: Element, _ x: Double) -> Double {
    if el.e - el.s <= 315 { return 1 - remaining(el.model, x) }
    return slices(el, x) { 1 - remaining(el.model, $0) }
  }

  mutating func annotate() {
    for dose in input.doses {
      let s = dose.startDate.literalSeconds
      let e = dose.endDate.literalSeconds
      if dose.type == .bolus {
        elements.append(
          Element(
            isBolus: true, rate: 0, s: s, e: e, volume: dose.volume, model: dose.insulinModel))
        continue
      }
      let B = input.basal.filter {
        $0.endDate >= dose.startDate && $0.startDate <= dose.endDate
      }
      for k in B.indices {
        let a = k == 0 ? s : B[k].startDate.literalSeconds
        let b = k == B.count - 1 ? e : B[k + 1].startDate.literalSeconds
        let from = max(a, s)
        let to = max(a, min(b, e))
        let volume = e - s > 0 ? dose.volume * ((to - from) / (e - s)) : 0
        elements.append(
          Element(
            isBolus: false, rate: B[k].value, s: from, e: to, volume: volume,
            model: dose.insulinModel))
      }
    }
  }

  mutating func insulinEffect() {
    var from = elements.map(\.s).min() ?? start
    var to = elements.map { $0.e + $0.model.effectDuration }.max() ?? start
    from = min(from, input.glucoseHistory[0].date.literalSeconds)
    to = max(to, last.t)
    var t = Self.floor5(from)
    while t <= Self.ceil5(to) {
      var value = 0.0
      if !input.useMidAbsorptionISF {
        for el in elements {
          let f = input.sensitivity.last { $0.startDate.literalSeconds <= el.s }?.value ?? 0
          let x = t - el.s
          if x >= 0 { value += (el.units * -f) * Self.acted(el, x) }
        }
      } else if let before = insulin.last {
        value = before.value
        for el in elements {
          for entry in input.sensitivity
          where entry.endDate.literalSeconds >= before.t
            && entry.startDate.literalSeconds <= t
          {
            let α = max(before.t, entry.startDate.literalSeconds)
            let β = min(t, entry.endDate.literalSeconds)
            if α != β {
              let part = (1 - Self.acted(el, α - el.s)) - (1 - Self.acted(el, β - el.s))
              value += (el.units * -entry.value) * part
            }
          }
        }
      }
      insulin.append((t, value))
      t += 300
    }
  }

  mutating func counteraction() {
    let g = input.glucoseHistory
    guard var i = g.firstIndex(where: { $0.date.literalSeconds >= insulin[0].t }) else { return }
    var j = i + 1
    var idx = 0
    while j != g.count {
      let dt = g[j].date.literalSeconds - g[i].date.literalSeconds
      if !(dt > 240) {
        j += 1
        continue
      }
      defer {
        i = j
        j += 1
      }
      if g[i].provenanceIdentifier != g[j].provenanceIdentifier || g[i].isDisplayOnly
        || g[j].isDisplayOnly
      {
        continue
      }
      if idx >= insulin.count { break }
      var startE: Double?
      var endE: Double?
      for q in insulin[idx...] {
        if startE == nil, q.t >= g[i].date.literalSeconds {
          startE = q.value
        } else if startE != nil, endE == nil, q.t >= g[j].date.literalSeconds {
          endE = q.value
          break
        }
        idx += 1
      }
      guard let startE, let endE else { break }
      let change = g[j].quantity.mgdL - g[i].quantity.mgdL
      velocities.append(
        Velocity(
          a: g[i].date.literalSeconds, b: g[j].date.literalSeconds,
          v: (change - (endE - startE)) / dt))
    }
  }
}

extension Instant {
  /// Seconds from the midnight of the worked example, a multiple of five minutes.
  var literalSeconds: Double { (self - WorkedExample.at(0, 0)).seconds }
}
