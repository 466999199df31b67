public import CWork

/// How much was looked at and computed: a cost that is the same on every machine.
///
/// Whatever keeps lists from cycle to cycle counts the rows that it walks over or moves, and
/// whatever computes effects counts their points. Both are counted for each thread, beside the
/// results and without any influence on them: what a cycle costs must not depend on how long a run
/// has lasted, and a test can say so in numbers.
public struct Work: Hashable, Sendable {
  /// The rows of lists that were walked over, moved or compared: doses, events, samples, pulses.
  public var rows: Int
  /// The points of effects, of predictions and of what follows from them that were computed.
  public var points: Int

  /// Creates an amount of work from its parts.
  public init(rows: Int = 0, points: Int = 0) {
    self.rows = rows
    self.points = points
  }

  /// What this thread has done since it began.
  public static var done: Work {
    Work(rows: Int(cwork_rows_visited()), points: Int(cwork_points_computed()))
  }

  /// Counts rows that are looked at.
  @inlinable @inline(__always)
  public static func visit(rows: Int) { cwork_visit(Int64(truncatingIfNeeded: rows)) }

  /// Counts points that are computed.
  @inlinable @inline(__always)
  public static func compute(points: Int) { cwork_compute(Int64(truncatingIfNeeded: points)) }

  /// What of some work came after other work.
  public static func - (whole: Work, before: Work) -> Work {
    Work(rows: whole.rows - before.rows, points: whole.points - before.points)
  }
}
