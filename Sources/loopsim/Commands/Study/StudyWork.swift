import FoundationEssentials
import Glibc
import StructuredText
import Studies
import Synchronization

/// Carries out shards of a study on this machine.
struct StudyWork {
  let folder: StudyFolder
  let planned: StudyFolder.Planned
  let jobs: Int
  var programs = StudyPrograms.none

  /// Whether somebody asked the process to stop.
  static let stop = StopRequest()

  /// Carries out a shard and publishes it; one that is complete is left as it is.
  ///
  /// - Returns: What the shard came to.
  /// - Throws: ``Failure`` with exit code 75 when it was asked to stop; nothing is left then.
  func run(
    shard: Int, finished: @escaping @Sendable (Int) -> Void
  ) async throws -> ShardManifest {
    folder.clean()
    if case .complete(let manifest) = try folder.state(of: shard, in: planned, hashing: true) {
      finished(planned.study.plan.units(ofShard: shard, of: planned.shards).count)
      return manifest
    }
    let start = ContinuousClock.now
    let rows = try await rows(shard, finished: finished)
    let study = planned.study
    let header = CaseRow.header(study.design)
    let bytes = CaseRow.table(rows, header: header, withHeader: shard == 0)
    let units = study.plan.units(ofShard: shard, of: planned.shards)
    let manifest = ShardManifest(
      shard: shard, shards: planned.shards, planDigest: study.digest,
      firstCase: units.lowerBound * study.plan.runsPerUnit, cases: rows.count,
      failed: rows.count { $0.status == .failed }, bytes: bytes.count,
      digest: StudyPlan.digest(of: bytes))
    try Files.write(bytes, to: folder.shard(manifest.rowsName))
    // The manifest is the mark that the shard is complete: it comes last.
    try Files.write(Array(manifest.text.utf8), to: folder.shard(manifest.name))
    try? noteAttempt(of: shard, after: ContinuousClock.now - start)
    return manifest
  }

  /// The rows of a shard in their order, from several units at a time.
  private func rows(
    _ shard: Int, finished: @escaping @Sendable (Int) -> Void
  ) async throws -> [CaseRow] {
    let (study, programs) = (planned.study, programs)
    let units = Array(study.plan.units(ofShard: shard, of: planned.shards))
    let results = try await withThrowingTaskGroup(of: (Int, [CaseRow]).self) { group in
      var results = [[CaseRow]](repeating: [], count: units.count)
      var next = 0
      func startOne() {
        guard next < units.count else { return }
        let place = next
        next += 1
        group.addTask {
          var rows: [CaseRow] = []
          for item in study.cases(ofUnit: units[place]) {
            let row = try study.carryOut(item, programs: programs.live) {
              Self.stop.isRequested
            }
            guard let row else { throw Self.stopped }
            rows.append(row)
            if Self.stop.isRequested { throw Self.stopped }
          }
          finished(1)
          return (place, rows)
        }
      }
      for _ in 0..<max(1, jobs) { startOne() }
      while let (place, rows) = try await group.next() {
        results[place] = rows
        startOne()
      }
      return results
    }
    return results.flatMap(\.self)
  }

  static var stopped: Failure {
    Failure(.storeInUse, "Stopped on request. Run the same command again; nothing is lost.")
  }

  /// Where and when a shard was carried out: apart from the results, which do not depend on it.
  private func noteAttempt(of shard: Int, after length: Duration) throws {
    let host = ProcessInfo.processInfo.hostName
    let seconds = time(nil)
    let stem = ShardManifest.stem(shard, of: planned.shards)
    let value: JSONValue = [
      "host": .string(host), "jobs": .integer(Int64(jobs)), "process": .integer(Int64(getpid())),
      "ended": .integer(Int64(seconds)),
      "seconds": .number((length / .milliseconds(1)).rounded() / 1_000),
    ]
    try Files.write(
      Array((JSONWriter().line(value) + "\n").utf8),
      to: "\(folder.attemptsPath)/\(stem).\(seconds)-\(host)-\(getpid()).json")
  }
}

/// Whether the process was asked to stop while it waits for such a request.
final class StopRequest: Sendable {
  private let isAwaited = Atomic(false)
  private let wasAsked = Atomic(false)

  /// From now on signals only ask; the work stops at a place where nothing is lost.
  func await() { isAwaited.store(true, ordering: .sequentiallyConsistent) }

  var isRequested: Bool { wasAsked.load(ordering: .relaxed) }

  /// Takes note of a signal; false when nobody waits for one.
  func take() -> Bool {
    guard isAwaited.load(ordering: .sequentiallyConsistent) else { return false }
    wasAsked.store(true, ordering: .relaxed)
    return true
  }
}
