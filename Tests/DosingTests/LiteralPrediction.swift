import Determinism
import Dosing
import Quantities

extension LiteralAlgorithm {
  mutating func subtract() {
    let C = carbEffect.filter { q in velocities.first.map { q.t >= $0.b } ?? true }
    let V = velocities.filter { w in C.first.map { w.b >= $0.t } ?? true }
    var prev = C.first?.value ?? 0
    var n = 0
    for q in C.dropFirst() {
      if n == V.count { break }
      let dC = q.value - prev
      prev = q.value
      if V[n].b > q.t { continue }
      discrepancies.append((V[n].b, V[n].v * 300 - dC))
      n += 1
    }
    for w in V[n...] { discrepancies.append((w.b, w.v * 300)) }
    for i in discrepancies.indices {
      var k = i
      var value = discrepancies[i].value
      while k > 0, discrepancies[i].t <= discrepancies[k - 1].t + 1818 {
        k -= 1
        value += discrepancies[k].value
      }
      summed.append((discrepancies[k].t, discrepancies[i].t, value))
    }
  }

  mutating func correct() {
    guard let z = summed.last, last.t - z.end <= 900 else { return }
    var D = 3600.0
    var ρ = z.value / max(z.end - z.start, 1800)
    total = z.value
    if input.useIntegralRetrospectiveCorrection {
      let (sum, minutes) = integral(z)
      total = sum
      D = minutes * 60
      ρ = sum * 60 / minutes / max(z.end - z.start, 1800)
    }
    let first = ρ * 300
    let second = first * (1 - 300 / (D - 300))
    let A = (second - first) / (2 * 300 * 300)
    let B = (first + second - 4 * A * 300 * 300) / (2 * 300)
    var t = Self.floor5(last.t)
    correction.append((t, last.value))
    t += 300
    repeat {
      let x = min(D, t - last.t)
      correction.append((t, A * x * x + B * x + last.value))
      t += 300
    } while t < Self.ceil5(last.t + D)
  }

  private func integral(_ z: (start: Double, end: Double, value: Double)) -> (Double, Double) {
    let forget = PortableMath.exp(-5.0 / 60.0)
    let Ki = ((1 - forget) / forget) * (2.0 - 1.0)
    var recent: [Double] = []
    var next = z
    let past = summed.filter { $0.end >= last.t - 10_800 && $0.start <= last.t }
    for p in past.reversed() {
      guard p.value.sign == z.value.sign, next.end - p.end <= 900, abs(p.value) >= 0.1 else {
        break
      }
      recent.insert(p.value, at: 0)
      next = p
    }
    var I = 0.0
    var M = 50.0
    for q in recent {
      I = forget * I + Ki * q
      M += 10
    }
    let diff = recent.count > 1 ? z.value - recent[recent.count - 2] : 0
    return ((1 - Ki) * z.value + I + (diff < 0 ? 2 * diff : 0), min(M, 180))
  }

  mutating func momentumEffect() {
    let g = input.glucoseHistory.filter {
      $0.date.literalSeconds >= start - 900 && $0.date.literalSeconds <= start
    }
    let t = g.map(\.date.literalSeconds)
    let y = g.map(\.quantity.mgdL)
    guard g.count >= 3, t[t.count - 1] - t[0] < 300 * Double(g.count) else { return }
    for i in 1..<g.count where abs(y[i] - y[i - 1]) > 40 { return }
    for s in g where s.isDisplayOnly || s.provenanceIdentifier != g[0].provenanceIdentifier {
      return
    }
    let n = Double(g.count)
    let x = t.map { $0 - t[0] }
    let sx = x.reduce(0, +)
    let sy = y.reduce(0, +)
    let sxx = x.reduce(0) { $0 + $1 * $1 }
    let sxy = zip(x, y).reduce(0) { $0 + $1.0 * $1.1 }
    let slope = (n * sxy - sx * sy) / (n * sxx - sx * sx)
    guard slope.isFinite else { return }
    var time = Self.floor5(t[t.count - 1])
    while time <= Self.ceil5(t[t.count - 1] + 900) {
      momentum.append((time, max(0, time - t[t.count - 1]) * min(slope, 4.0 * (1.0 / 60.0))))
      time += 300
    }
  }

  mutating func combine() {
    let recent = input.glucoseHistory.filter {
      $0.date.literalSeconds >= start - 1800 && $0.date.literalSeconds <= start
    }.map(\.quantity.mgdL)
    let isGradual =
      recent.count >= 2
      && zip(recent, recent.dropFirst()).allSatisfy {
        abs($0 - $1) <= input.gradualTransitionsThreshold.mgdL
      }
    func rises(_ list: [(t: Double, value: Double)]) -> Bool {
      (list.last?.value ?? 0) - (list.first?.value ?? 0) > 0
    }
    var timelines = [carbEffect, insulin]
    if isGradual, input.includePositiveVelocityAndRC || !rises(correction) {
      timelines.append(correction)
    }
    var map: [Double: Double] = [:]
    for timeline in timelines {
      var prev = timeline.first?.value ?? 0
      for item in timeline {
        map[item.t] = (map[item.t] ?? 0) + item.value - prev
        prev = item.value
      }
    }
    if momentum.count > 1, input.includePositiveVelocityAndRC || !rises(momentum) {
      let n = momentum.count
      let N = Double(n - 2)
      let slope = 1 / N
      let offset = (last.t - momentum[0].t) / (momentum[1].t - momentum[0].t) * slope
      for i in 0..<n {
        let dM = momentum[i].value - (i == 0 ? momentum[0].value : momentum[i - 1].value)
        let split = min(1, max(0, Double(n - i) / N - slope + offset))
        map[momentum[i].t] = (1 - split) * (map[momentum[i].t] ?? 0) + split * dM
      }
    }
    prediction = [last]
    for t in map.keys.sorted() where t > last.t {
      prediction.append((t, (map[t] ?? 0) + prediction[prediction.count - 1].value))
    }
    let end = prediction[prediction.count - 1]
    if end.t < start + 22_200 { prediction.append((start + 22_200, end.value)) }
  }
}
