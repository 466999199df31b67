internal import Determinism

/// A sample of settings by which it is told how much each of them matters.
///
/// Coordinates are shares of each setting's law, from 0 to 1, from the streams `sample.A.<path>`
/// and `sample.B.<path>` with the row as member.
public struct SensitivitySample: Sendable {
  /// The addresses of the settings.
  public let paths: [String]
  /// How many rows each matrix has.
  public let rows: Int
  private let first: [[Double]]
  private let second: [[Double]]

  /// Draws the sample.
  public init(paths: [String], rows: Int, seed: UInt64) {
    self.paths = paths
    self.rows = rows
    func draw(_ letter: String) -> [[Double]] {
      (0..<rows).map { row in
        paths.map { path in
          var stream = RandomStream(
            seed: seed, name: "sample.\(letter).\(path)", member: UInt64(row))
          return stream.unit()
        }
      }
    }
    first = draw("A")
    second = draw("B")
  }

  /// The points of a study by Sobol's indices, row by row: A, A with each column from B, B
  /// (Saltelli and others, Comput Phys Commun 181:259, 2010).
  public var sobolPoints: [[Double]] {
    (0..<rows).flatMap { row in
      let mixed = paths.indices.map { column in
        var point = first[row]
        point[column] = second[row][column]
        return point
      }
      return [first[row]] + mixed + [second[row]]
    }
  }

  /// The points of a study by Morris's method, row by row: A, A with each column half a turn on
  /// (Morris, Technometrics 33:161, 1991, in its radial form).
  public var morrisPoints: [[Double]] {
    first.flatMap { point in
      [point]
        + paths.indices.map { column in
          var moved = point
          moved[column] = Self.moved(point[column])
          return moved
        }
    }
  }

  static func moved(_ share: Double) -> Double { share < 0.5 ? share + 0.5 : share - 0.5 }
}
