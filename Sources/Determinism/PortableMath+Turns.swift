extension PortableMath {
  /// The sine of an angle given in turns: one turn is 2π, so a period of a day is exact in days.
  public static func sine(ofTurns turns: Double) -> Double {
    guard turns.isFinite else { return .nan }
    let (quarter, rest) = quartered(turns)
    switch quarter {
    case 0: return sineNearZero(rest)
    case 1: return cosineNearZero(rest)
    case 2: return -sineNearZero(rest)
    default: return -cosineNearZero(rest)
    }
  }

  /// The cosine of an angle given in turns: one turn is 2π.
  public static func cosine(ofTurns turns: Double) -> Double {
    guard turns.isFinite else { return .nan }
    let (quarter, rest) = quartered(turns)
    switch quarter {
    case 0: return cosineNearZero(rest)
    case 1: return -sineNearZero(rest)
    case 2: return -cosineNearZero(rest)
    default: return sineNearZero(rest)
    }
  }

  /// The nearest quarter turn, 0 to 3, and the turns left, at most an eighth either way; exactly.
  private static func quartered(_ turns: Double) -> (Int, Double) {
    let fraction = turns.truncatingRemainder(dividingBy: 1)
    let nearest = (fraction * 4 + 0x1.8p52) - 0x1.8p52
    return (Int(nearest) & 3, fraction - nearest * 0.25)
  }

  private static func sineNearZero(_ turns: Double) -> Double {
    guard turns.magnitude > 0x1p-40 else { return turns * 0x1.921fb54442d18p2 }
    let angle = DoublePair(product: turns, 0x1.921fb54442d18p2)
    let x = angle.high
    let u = x * x
    var sum = -1.0 / 1_307_674_368_000
    sum = sum * u + 1.0 / 6_227_020_800
    sum = sum * u - 1.0 / 39_916_800
    sum = sum * u + 1.0 / 362_880
    sum = sum * u - 1.0 / 5_040
    sum = sum * u + 1.0 / 120
    sum = sum * u - 1.0 / 6
    // The cosine of the angle, to first order, carries what the leading part of it leaves out.
    let rest = (angle.low + turns * 0x1.1a62633145c07p-52) * (1 - 0.5 * u)
    return x + (x * u * sum + rest)
  }

  private static func cosineNearZero(_ turns: Double) -> Double {
    let angle = DoublePair(product: turns, 0x1.921fb54442d18p2)
    let x = angle.high
    let u = x * x
    var sum = 1.0 / 20_922_789_888_000
    sum = sum * u - 1.0 / 87_178_291_200
    sum = sum * u + 1.0 / 479_001_600
    sum = sum * u - 1.0 / 3_628_800
    sum = sum * u + 1.0 / 40_320
    sum = sum * u - 1.0 / 720
    sum = sum * u + 1.0 / 24
    let square = DoublePair(product: x, x)
    let top = DoublePair(quick: 1, -0.5 * square.high)
    let rest = x * (angle.low + turns * 0x1.1a62633145c07p-52)
    return top.high + (top.low + (u * u * sum - 0.5 * square.low - rest))
  }
}
