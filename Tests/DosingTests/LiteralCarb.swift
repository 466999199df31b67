import Dosing
import Quantities

/// One carbohydrate entry of the literal algorithm.
struct LiteralCarb {
  let s: Double
  let g: Double
  let T: Double
  let csf: Double
  var observedEffect = 0.0
  var completion: Double?
  var timeline: [(a: Double, b: Double, value: Double)] = []
  var lastDate = 0.0

  var Tmax: Double { T * 1.5 }
  var maxEnd: Double { s + (Tmax + 600) }
  var τ: Double { lastDate - s - 600 }
  var observed: Double { observedEffect / csf }
  var minPredicted: Double { g * Self.F(τ / Tmax) }
  var clamped: Double { min(g, max(minPredicted, observed)) }
  var timeToAbsorb: Double { τ > 0 ? min(Self.G(clamped / g) * Tmax, Tmax) : 0 }
  var observedEnd: Double { completion ?? lastDate }
  var total: Double { observedEnd - s + timeRemaining }
  var showsTimeline: Bool { observed >= minPredicted }

  var timeRemaining: Double {
    if τ <= 0 { return Tmax }
    let cap = max(Tmax - τ, 0)
    return cap <= 0 ? 0 : min(Tmax - timeToAbsorb, cap)
  }

  func rate(_ x: Double) -> Double {
    let time = min(observedEnd - s + timeRemaining, Tmax)
    return time <= 0 ? 0 : (g / time) * Self.r(x / time)
  }

  mutating func add(_ w: Double, _ a: Double, _ b: Double) {
    observedEffect += w
    guard completion == nil else { return }
    timeline.append((a, b, w / csf))
    if observedEffect + Double(Float.ulpOfOne) >= g * csf { completion = b }
  }

  func onBoard(_ t: Double) -> Double {
    if t < s - 300 { return 0 }
    guard showsTimeline, let E = timeline.last?.b else {
      return g * (1 - Self.F((t - s - 600) / total))
    }
    if t > E {
      return max(g * (1 - Self.F(((t - E) + timeToAbsorb) / (timeToAbsorb + timeRemaining))), 0)
    }
    return max(timeline.filter { $0.b <= t }.reduce(g) { $0 - $1.value }, 0)
  }

  func absorbed(_ t: Double) -> Double {
    if t < s { return 0 }
    guard showsTimeline, let E = timeline.last?.b else {
      return g * Self.F((t - s - 600) / total)
    }
    if t > E {
      return min(g * Self.F(((t - E) + timeToAbsorb) / (timeToAbsorb + timeRemaining)), g)
    }
    var P = timeline.filter { $0.a + 300 <= t }
    var sum = 0.0
    if let z = P.popLast(), z.b - z.a > 0 { sum += (min(t, z.b) - z.a) / (z.b - z.a) * z.value }
    for item in P { sum += item.value }
    return min(sum, g)
  }

  private static let c = 2.0 / (1.0 + 0.5 - 0.15)

  static func F(_ x: Double) -> Double {
    if x <= 0 { return 0 }
    if x < 0.15 { return 0.5 * c * (x * x) / 0.15 }
    if x < 0.5 { return c * (x - 0.5 * 0.15) }
    if x < 1 { return c * (0.5 - 0.5 * 0.15 + (x - 0.5) * (1 - 0.5 * (x - 0.5) / (1 - 0.5))) }
    return 1
  }

  static func G(_ y: Double) -> Double {
    if y <= 0 { return 0 }
    if y < 0.5 * c * 0.15 { return (2 * 0.15 * y / c).squareRoot() }
    if y < c * (0.5 - 0.5 * 0.15) { return 0.5 * 0.15 + y / c }
    return y < 1 ? 1 - ((1 - 0.5) * (1 + 0.5 - 0.15) * (1 - y)).squareRoot() : 1
  }

  static func r(_ x: Double) -> Double {
    if x <= 0 || x >= 1 { return 0 }
    return x < 0.15 ? c * x / 0.15 : x < 0.5 ? c : c * ((1 - x) / (1 - 0.5))
  }
}

extension LiteralAlgorithm {
  mutating func absorb() {
    for entry in input.carbEntries {
      let isf = input.sensitivity.last { $0.startDate <= entry.date }?.value ?? .nan
      let ratio = input.carbRatio.last { $0.startDate <= entry.date }?.value ?? .nan
      var carb = LiteralCarb(
        s: entry.date.literalSeconds, g: entry.quantity.grams,
        T: entry.absorptionTime?.seconds ?? 10_800, csf: isf / ratio)
      carb.lastDate = min(carb.maxEnd, max(velocities.last?.b ?? carb.s, carb.s))
      carbs.append(carb)
    }
    for velocity in velocities where velocity.b > velocity.a {
      let active = carbs.indices.filter {
        velocity.a < carbs[$0].maxEnd && velocity.a >= carbs[$0].s
      }
      var eff = max(0, velocity.v * (velocity.b - velocity.a))
      var total = active.reduce(0) { $0 + carbs[$1].rate(velocity.a - carbs[$1].s) }
      for n in active {
        let ρ = carbs[n].rate(velocity.a - carbs[n].s)
        var part = 0.0
        if total > 0 {
          let left = max(carbs[n].g * carbs[n].csf - carbs[n].observedEffect, 0)
          part = min(left, (ρ / total) * eff)
          total -= ρ
          eff -= part
        }
        carbs[n].add(part, velocity.a, velocity.b)
        if eff > Double(Float.ulpOfOne), n == active.last {
          carbs[n].add(eff, velocity.a, velocity.b)
        }
      }
    }
  }

  mutating func effectOfCarbs() {
    let end = max(carbs[0].s, carbs.map { $0.s + $0.total + 600 }.max() ?? 0)
    var t = Self.floor5(start - 10_800)
    repeat {
      carbEffect.append((t, carbs.reduce(0) { $0 + $1.csf * $1.absorbed(t) }))
      t += 300
    } while t <= Self.ceil5(end)
    activeCarbs = carbs.reduce(0) { $0 + $1.onBoard(start) }
  }
}
