extension CompartmentModel {
  /// Lives `minutes` in equal steps of the classical Runge–Kutta method, none above `longest`.
  func classicalSteps(
    _ state: inout State, inflow: Inflow, minutes: Double, longest: Double
  ) {
    assert(minutes >= 0, "Equations are solved forward in time.")
    assert(longest > 0, "A step is longer than nothing.")
    let count = max(1, (minutes / longest - 1e-9).rounded(.up))
    let h = minutes / count
    for _ in 0..<Int(count) {
      let k1 = change(of: state, inflow: inflow)
      let k2 = change(of: state.adding(k1, times: h / 2), inflow: inflow)
      let k3 = change(of: state.adding(k2, times: h / 2), inflow: inflow)
      let k4 = change(of: state.adding(k3, times: h), inflow: inflow)
      let middle = k2.adding(k3, times: 1)
      let sum = k1.adding(middle, times: 2).adding(k4, times: 1)
      state = state.adding(sum, times: h / 6)
      state.refillPools()
    }
  }

  /// Lives `minutes` in steps of the Dormand–Prince pair.
  ///
  /// `step` is the length to try first; it comes back as the length to try next. A step is never
  /// shortened below 10⁻⁶ min, so that no equation can hold the clock.
  func adaptiveSteps(
    _ state: inout State, inflow: Inflow, minutes: Double, longest: Double,
    tolerance: Double, step: inout Double
  ) {
    assert(minutes >= 0, "Equations are solved forward in time.")
    assert(tolerance > 0, "An error is held below some tolerance.")
    assert(step > 0, "A step is longer than nothing.")
    assert(longest > 0, "The longest step is longer than nothing.")
    var rest = minutes
    var k1 = change(of: state, inflow: inflow)
    var attempts = 0
    while rest > 1e-12 {
      var h = min(min(step, longest), rest)
      if rest - h < 1e-9 { h = rest }
      let trial = dormandPrince(state, k1, inflow: inflow, h: h)
      let share = State.worstShare(
        of: trial.error, from: state, to: trial.state, tolerance: tolerance)
      attempts += 1
      let isAccepted = share <= 1 || h <= 1e-6 || attempts > 1_000_000
      if isAccepted {
        state = trial.state
        // A pool lies below nothing by no more than the tolerance: `k1` is that of an empty one.
        state.refillPools()
        k1 = trial.last
        rest -= h
      }
      let factor = share > 0 ? min(5, max(0.2, 0.9 / fifthRoot(share))) : 5
      // The last, shortened step of a stretch says little about the length the next may have.
      let next = h * factor
      if !isAccepted || next < step || h >= min(step, longest) { step = max(next, 1e-6) }
    }
    step = min(step, longest)
  }

  /// One trial step: the new state, the estimated error, and the change at the new state.
  private func dormandPrince(_ y: State, _ k1: State, inflow: Inflow, h: Double)
    -> (state: State, error: State, last: State)
  {
    let k2 = change(of: y.adding(k1, times: h / 5), inflow: inflow)
    let y3 = y.adding(k1, times: h * 3 / 40).adding(k2, times: h * 9 / 40)
    let k3 = change(of: y3, inflow: inflow)
    let y4 = y.adding(k1, times: h * 44 / 45).adding(k2, times: h * -56 / 15)
      .adding(k3, times: h * 32 / 9)
    let k4 = change(of: y4, inflow: inflow)
    let y5 = y.adding(k1, times: h * 19_372 / 6_561).adding(k2, times: h * -25_360 / 2_187)
      .adding(k3, times: h * 64_448 / 6_561).adding(k4, times: h * -212 / 729)
    let k5 = change(of: y5, inflow: inflow)
    let y6 = y.adding(k1, times: h * 9_017 / 3_168).adding(k2, times: h * -355 / 33)
      .adding(k3, times: h * 46_732 / 5_247).adding(k4, times: h * 49 / 176)
      .adding(k5, times: h * -5_103 / 18_656)
    let k6 = change(of: y6, inflow: inflow)
    let end = y.adding(k1, times: h * 35 / 384).adding(k3, times: h * 500 / 1_113)
      .adding(k4, times: h * 125 / 192).adding(k5, times: h * -2_187 / 6_784)
      .adding(k6, times: h * 11 / 84)
    let k7 = change(of: end, inflow: inflow)
    let nothing = k1.adding(k1, times: -1)
    let error = nothing.adding(k1, times: h * 71 / 57_600).adding(k3, times: h * -71 / 16_695)
      .adding(k4, times: h * 71 / 1_920).adding(k5, times: h * -17_253 / 339_200)
      .adding(k6, times: h * 22 / 525).adding(k7, times: h * -1 / 40)
    return (end, error, k7)
  }

  /// A fifth root to within a hundredth, which is all a step length needs: square roots only.
  private func fifthRoot(_ x: Double) -> Double {
    // x^(1/5) ≈ x^(51/256), by x^(1/8) · x^(1/16) · x^(1/128) · x^(1/256).
    assert(x > 0, "A root of the error is taken where there is one.")
    let eighth = x.squareRoot().squareRoot().squareRoot()
    let sixteenth = eighth.squareRoot()
    let small = sixteenth.squareRoot().squareRoot().squareRoot()
    return eighth * sixteenth * small * small.squareRoot()
  }
}
