import Foundation

/// Work for every processor, of which the time on the wall and the memory are of interest.
struct WallBenchmark: Sendable {
  let suite: String
  let name: String
  /// Does the work with so many tasks, and returns a checksum that is the same for any number.
  let body: @Sendable (_ tasks: Int) async -> UInt64

  var fullName: String { "\(suite)/\(name)" }
}

/// What came of timing work for every processor: the best of three times.
struct WallMeasurement {
  let name: String
  let tasks: Int
  let checksum: UInt64
  /// Seconds on the wall, and seconds of processor time in the same attempt.
  let seconds: Double
  let processorSeconds: Double
  /// The most memory the whole process has had, in MB.
  let peakMegabytes: Double

  init(of benchmark: WallBenchmark) async {
    name = benchmark.fullName
    tasks = Machine.processors
    var best = (wall: Double.infinity, processor: 0.0)
    var checksum: UInt64 = 0
    for _ in 0..<3 {
      let clock = ContinuousClock()
      let (start, used) = (clock.now, Machine.processSeconds)
      checksum = await benchmark.body(tasks)
      let length = (clock.now - start) / .seconds(1)
      if length < best.wall { best = (length, Machine.processSeconds - used) }
    }
    self.checksum = checksum
    seconds = best.wall
    processorSeconds = best.processor
    peakMegabytes = Machine.peakMegabytes
  }
}

extension Machine {
  /// The processor time of the process, in seconds.
  static var processSeconds: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The most memory the process has had, in MB; 0 where the system does not say.
  static var peakMegabytes: Double {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first
    else { return 0 }
    return (Double(kilobytes) ?? 0) / 1_024
  }
}
