import Foundation
import WorkCounting

/// What came of timing one case.
struct Measurement {
  let suite: String
  let benchmark: Benchmark
  let checksum: UInt64
  /// What one call looked at and computed, as far as the modules that it runs count that.
  let work: Work
  /// Nanoseconds for one unit, one for each sample, fastest first.
  let samples: [Double]

  private static let sampleCount = 5

  var best: Double { samples.first ?? 0 }
  var median: Double { samples.isEmpty ? 0 : samples[samples.count / 2] }

  /// Times a case: one call to warm up, then five samples of at least the given length.
  init(of benchmark: Benchmark, in suite: String, milliseconds: Int) {
    self.suite = suite
    self.benchmark = benchmark
    let before = Work.done
    checksum = benchmark.body()
    work = Work.done - before
    let target = Double(milliseconds) * 1e6
    var calls = 1
    while true {
      let elapsed = Self.time(benchmark, calls: calls)
      if elapsed >= target { break }
      let factor = elapsed > 0 ? min(target / elapsed * 1.1, 100) : 100
      calls = max(calls + 1, Int(Double(calls) * factor))
    }
    let units = Double(calls * benchmark.units)
    samples = (0..<Self.sampleCount).map { _ in
      Self.time(benchmark, calls: calls) / units
    }.sorted()
  }

  /// The nanoseconds of processor time that a number of calls take.
  private static func time(_ benchmark: Benchmark, calls: Int) -> Double {
    let start = Machine.threadNanoseconds
    var checksum: UInt64 = 0
    for _ in 0..<calls { checksum ^= benchmark.body() }
    let end = Machine.threadNanoseconds
    _ = opaque(checksum)
    return end - start
  }
}

/// What the machine says about itself.
enum Machine {
  /// The processor time of this thread.
  static var threadNanoseconds: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// The number of runnable processes, averaged over the last minute.
  static var loadAverage: Double {
    var load = 0.0
    return unsafe getloadavg(&load, 1) == 1 ? load : 0
  }

  static var processors: Int { ProcessInfo.processInfo.activeProcessorCount }

  static var isOptimised: Bool {
    var isOptimised = true
    assert(
      {
        isOptimised = false
        return true
      }())
    return isOptimised
  }
}
