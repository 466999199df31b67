internal import Outcomes

/// How much of the uncertainty comes from who the patients are, and how much from chance.
///
/// A patient's difference is the mean over replicates. The standard error over patients contains
/// both parts; the one from chance alone says how much another seed would move the mean of these
/// very patients.
public struct VarianceParts: Hashable, Sendable {
  /// The mean difference.
  public let mean: Double
  /// The standard error of the mean over patients.
  public let totalError: Double
  /// The part of it that other random numbers would change; `nil` without replicates.
  public let chanceError: Double?
  /// The variance within patients; `nil` without replicates.
  public let withinPatients: Double?
  /// The variance between patients; `nil` where it cannot be told from chance.
  public let betweenPatients: Double?

  /// Takes the differences apart: one list of replicates for each patient.
  ///
  /// `nil` below two patients, or when a patient has no replicate.
  public init?(_ replicates: [[Double]]) {
    let means = replicates.compactMap { Statistics.mean($0) }
    guard means.count == replicates.count, let mean = Statistics.mean(means),
      let deviation = Statistics.standardDeviation(means)
    else { return nil }
    self.mean = mean
    let n = Double(means.count)
    totalError = deviation / n.squareRoot()
    let variances = replicates.compactMap { values in
      Statistics.standardDeviation(values).map { ($0 * $0, Double(values.count)) }
    }
    guard variances.count == replicates.count else {
      (chanceError, withinPatients, betweenPatients) = (nil, nil, nil)
      return
    }
    let within = variances.reduce(0) { $0 + $1.0 } / n
    let chance = variances.reduce(0) { $0 + $1.0 / $1.1 } / n
    withinPatients = within
    chanceError = (chance / n).squareRoot()
    // Means that differ by less than chance makes of them say nothing of the patients.
    let between = deviation * deviation - chance
    betweenPatients = between > 0 ? between : nil
  }
}

/// How strongly a metric follows the doses of a sweep in each patient: least squares on the axes.
///
/// One slope for each axis, and with two axes one for their product (J. N. S. Matthews and others,
/// BMJ 300:230, 1990). Each patient gives one number for each, over which the patients are then
/// compared.
public enum DoseSlopes {
  /// The coefficients of one patient: the constant first, then each axis, then the product of two.
  ///
  /// - Parameters:
  ///   - values: The metric at each point; a point without a value is left out.
  ///   - points: The doses at each point, one for each axis.
  /// - Returns: `nil` where the points do not determine the coefficients.
  public static func coefficients(_ values: [Double?], at points: [[Double]]) -> [Double]? {
    guard values.count == points.count, let axes = points.first?.count else { return nil }
    let size = 1 + axes + (axes == 2 ? 1 : 0)
    var matrix = Array(repeating: Array(repeating: 0.0, count: size + 1), count: size)
    var design: [[Double]] = []
    for (value, point) in zip(values, points) {
      guard let value else { continue }
      let row = [1.0] + point + (axes == 2 ? [point[0] * point[1]] : [])
      design.append(row)
      for i in 0..<size {
        for j in 0..<size { matrix[i][j] += row[i] * row[j] }
        matrix[i][size] += row[i] * value
      }
    }
    return areIndependent(design, size) ? solution(of: matrix) : nil
  }

  /// Whether rows determine as many coefficients as they have columns: none of these is made of the
  /// others, but for what is lost in rounding (Gram and Schmidt).
  private static func areIndependent(_ rows: [[Double]], _ columns: Int) -> Bool {
    guard rows.count >= columns else { return false }
    func product(_ one: [Double], _ other: [Double]) -> Double {
      zip(one, other).reduce(0) { $0 + $1.0 * $1.1 }
    }
    var directions: [[Double]] = []
    for column in 0..<columns {
      let own = rows.map { $0[column] }
      var rest = own
      for direction in directions {
        let share = product(rest, direction)
        rest = zip(rest, direction).map { $0 - share * $1 }
      }
      let length = product(rest, rest).squareRoot()
      guard length > 1e-11 * product(own, own).squareRoot() else { return false }
      directions.append(rest.map { $0 / length })
    }
    return true
  }

  /// The axis in logarithms of 2 where all doses are above zero, else as it is.
  public static func scaled(_ doses: [Double], logarithm: (Double) -> Double) -> [Double] {
    doses.allSatisfy { $0 > 0 } ? doses.map { logarithm($0) } : doses
  }

  /// Gauss's elimination with the greatest pivot.
  private static func solution(of system: [[Double]]) -> [Double]? {
    var rows = system
    let size = rows.count
    for column in 0..<size {
      let pivot = (column..<size).max { rows[$0][column].magnitude < rows[$1][column].magnitude }
      guard let pivot, rows[pivot][column] != 0 else { return nil }
      rows.swapAt(column, pivot)
      for row in 0..<size where row != column {
        let factor = rows[row][column] / rows[column][column]
        guard factor != 0 else { continue }
        for index in column...size { rows[row][index] -= factor * rows[column][index] }
      }
    }
    return (0..<size).map { rows[$0][size] / rows[$0][$0] }
  }
}
