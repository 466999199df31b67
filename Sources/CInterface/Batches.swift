internal import Bridge
public import CLoopsim
internal import Synchronization

/// Makes a batch of runs of one scenario.
@c @implementation
public func loopsim_batch(
  _ session: loopsim_handle, _ request: UnsafePointer<CChar>?, _ length: Int, _ members: Int64,
  _ batch: UnsafeMutablePointer<loopsim_handle>?
) -> Int32 {
  guard case .session(let open)? = Handles[session] else { return LastError.noHandle("session") }
  guard let request = unsafe request else { return LastError.missing("request") }
  guard let batch = unsafe batch else { return LastError.missing("batch") }
  guard let line = unsafe bytes(request, length) else {
    return LastError.say(Code.usage, "A request has at most 16 MiB.")
  }
  guard (1...Int64(RunBatch.maximumMembers)).contains(members) else {
    return LastError.say(
      Code.usage, "A batch has from 1 to \(RunBatch.maximumMembers) members, not \(members).")
  }
  let answer = open.serve.withLockIfAvailable { serve in
    computing { serve.batch(line, members: Int(members)) }
  }
  switch answer {
  case nil: return LastError.busy
  case .refused(let error): return LastError.say(Code.badInput, error)
  case .batch(let runs):
    unsafe batch.pointee = Handles.add(.batch(Batch(runs)))
    return Code.ok
  }
}

/// Gives the sizes of a batch.
@c @implementation
public func loopsim_batch_shape(
  _ batch: loopsim_handle, _ shape: UnsafeMutablePointer<Int64>?
) -> Int32 {
  guard case .batch(let open)? = Handles[batch] else { return LastError.noHandle("batch") }
  guard let shape = unsafe shape else { return LastError.missing("shape") }
  guard let size = open.runs.withLockIfAvailable({ ($0.count, $0.horizon) }) else {
    return LastError.busy
  }
  let numbers = [
    size.0, RunBatch.actionWidth, RunBatch.observationWidth, RunBatch.truthWidth, size.1,
  ]
  for (index, number) in numbers.enumerated() { unsafe shape[index] = Int64(number) }
  return Code.ok
}

/// Begins runs of a batch.
@c @implementation
public func loopsim_batch_reset(
  _ batch: loopsim_handle, _ mask: UnsafePointer<UInt8>?, _ seeds: UnsafePointer<UInt64>?,
  _ observations: UnsafeMutablePointer<Double>?
) -> Int32 {
  guard case .batch(let open)? = Handles[batch] else { return LastError.noHandle("batch") }
  guard let seeds = unsafe seeds else { return LastError.missing("seeds") }
  guard let observations = unsafe observations else { return LastError.missing("observations") }
  guard let count = open.runs.withLockIfAvailable({ $0.count }) else { return LastError.busy }
  var wanted: [(member: Int, seed: UInt64)] = []
  for member in 0..<count {
    if let mask = unsafe mask, unsafe mask[member] == 0 { continue }
    wanted.append((member, unsafe seeds[member]))
  }
  let seen = open.runs.withLockIfAvailable { runs in
    computing {
      for (member, seed) in wanted { runs.reset(member, seed: seed) }
      return rows(of: runs)
    }
  }
  guard let seen else { return LastError.busy }
  for (index, number) in seen.observations.enumerated() { unsafe observations[index] = number }
  return Code.ok
}

/// Acts once in every member of a batch.
@c @implementation
public func loopsim_batch_step(
  _ batch: loopsim_handle, _ actions: UnsafePointer<Double>?,
  _ observations: UnsafeMutablePointer<Double>?, _ ends: UnsafeMutablePointer<UInt8>?,
  _ truth: UnsafeMutablePointer<Double>?
) -> Int32 {
  guard case .batch(let open)? = Handles[batch] else { return LastError.noHandle("batch") }
  guard let actions = unsafe actions else { return LastError.missing("actions") }
  guard let observations = unsafe observations else { return LastError.missing("observations") }
  guard let ends = unsafe ends else { return LastError.missing("ends") }
  guard let count = open.runs.withLockIfAvailable({ $0.count }) else { return LastError.busy }
  let numbers = unsafe Array(UnsafeBufferPointer(start: actions, count: 2 * count))
  for (index, number) in numbers.enumerated() where !(number.magnitude <= 1e6) {
    return LastError.say(
      Code.usage, "Action \(index % 2) of member \(index / 2) is not a number up to a million.")
  }
  let seen = open.runs.withLockIfAvailable { runs in
    computing {
      for member in 0..<count {
        runs.act(member, rate: numbers[2 * member], bolus: numbers[2 * member + 1])
      }
      return rows(of: runs)
    }
  }
  guard let seen else { return LastError.busy }
  for (index, number) in seen.observations.enumerated() { unsafe observations[index] = number }
  for (index, end) in seen.ends.enumerated() { unsafe ends[index] = end }
  if let truth = unsafe truth {
    for (index, number) in seen.truth.enumerated() { unsafe truth[index] = number }
  }
  return Code.ok
}

/// Makes a member a copy of another.
@c @implementation
public func loopsim_copy(
  _ source: loopsim_handle, _ from: Int64, _ target: loopsim_handle, _ to: Int64
) -> Int32 {
  guard case .batch(let first)? = Handles[source], case .batch(let second)? = Handles[target]
  else { return LastError.noHandle("batch") }
  guard let copied = first.runs.withLockIfAvailable({ $0 }) else { return LastError.busy }
  guard let from = Int(exactly: from), let to = Int(exactly: to),
    let refusal = second.runs.withLockIfAvailable({ $0.copy(from, of: copied, to: to) })
  else { return LastError.busy }
  return refusal.map { LastError.say(Code.usage, $0) } ?? Code.ok
}

/// Makes a copy of a whole batch.
@c @implementation
public func loopsim_snapshot(
  _ batch: loopsim_handle, _ copy: UnsafeMutablePointer<loopsim_handle>?
) -> Int32 {
  guard case .batch(let open)? = Handles[batch] else { return LastError.noHandle("batch") }
  guard let copy = unsafe copy else { return LastError.missing("copy") }
  guard let runs = open.runs.withLockIfAvailable({ $0 }) else { return LastError.busy }
  unsafe copy.pointee = Handles.add(.batch(Batch(runs)))
  return Code.ok
}

/// What is seen of all members, row by row.
private func rows(
  of runs: RunBatch
) -> (observations: [Double], ends: [UInt8], truth: [Double]) {
  var seen: (observations: [Double], ends: [UInt8], truth: [Double]) = ([], [], [])
  for member in 0..<runs.count {
    seen.observations += runs.observation(of: member) ?? []
    seen.ends.append(runs.end(of: member)?.rawValue ?? 0)
    seen.truth += runs.truth(of: member) ?? []
  }
  return seen
}
