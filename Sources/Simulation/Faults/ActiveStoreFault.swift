internal import ClosedLoop
internal import Determinism
internal import HealthStore
internal import Quantities

/// A fault of the health store at work.
struct ActiveStoreFault: Sendable {
  let id: String
  let fault: HealthStoreFault
  /// How many samples it has copied from the app to another source.
  private(set) var copyCount = 0
  /// What other apps have written and does not arrive before the fault is over.
  private(set) var held: [NamedWrite] = []
  /// Whether nothing can be written or read now.
  private var isRefusing = false
  /// How far each kind of data has been copied; empty where nothing is.
  private var anchors: [QueryAnchor] = []
  private var stream: RandomStream

  init(_ fault: HealthStoreFault, id: String, seed: UInt64) {
    self.id = id
    self.fault = fault
    stream = RandomStream(seed: seed, name: "healthStore.fault.\(id)")
    switch fault.kind {
    case .writeFails, .readDenied: isRefusing = fault.rate >= 1
    case .wipe, .duplicate, .lateSync, .conflict: break
    }
  }

  /// Draws whether the fault concerns one more sample.
  mutating func concernsNext() -> Bool { stream.unit() < fault.rate }

  // MARK: - Permissions

  /// Decides for a cycle whether the store can be used, where it only fails now and then.
  mutating func drawAccess() {
    guard fault.kind == .writeFails || fault.kind == .readDenied, fault.rate < 1 else { return }
    isRefusing = concernsNext()
  }

  /// What the fault leaves of a permission for a kind of data.
  func restrict(_ permission: Authorization, of data: HealthStoreAccess.Data) -> Authorization {
    guard isRefusing, fault.data.contains(data) else { return permission }
    var left = permission
    switch fault.kind {
    case .writeFails: left.share = .denied
    case .readDenied: left.read = .denied
    case .wipe, .duplicate, .lateSync, .conflict: break
    }
    return left
  }

  // MARK: - Delays

  /// Whether what others write of a kind of data may be delayed.
  func delays(_ data: HealthStoreAccess.Data) -> Bool {
    fault.kind == .lateSync && fault.data.contains(data)
  }

  /// Holds back what another app writes, where the fault delays it.
  mutating func holdsBack(_ written: NamedWrite) -> Bool {
    guard delays(written.write.content.data), concernsNext() else { return false }
    held.append(written)
    return true
  }

  // MARK: - Copies

  /// Who copies what the app writes, and by which factor of its value; `nil` where nothing is
  /// copied.
  var copying: (source: String, factor: Double)? {
    switch fault.kind {
    case .duplicate: ("Copy", 1)
    case .conflict(let factor): ("Contradiction", factor)
    case .writeFails, .readDenied, .wipe, .lateSync: nil
    }
  }

  /// What is in the store when the fault begins, up to an anchor, is copied by none.
  mutating func beginCopying(after anchor: QueryAnchor) {
    anchors = fault.data.map { _ in anchor }
  }

  /// How far a kind of data has been copied.
  func anchor(at place: Int) -> QueryAnchor {
    assert(anchors.count == fault.data.count, "Each kind of data has an anchor.")
    return anchors[place]
  }

  /// A kind of data has been looked through up to an anchor.
  mutating func lookedThrough(_ place: Int, to anchor: QueryAnchor) { anchors[place] = anchor }

  /// Counts samples that another source has written.
  mutating func countCopies(_ count: Int) { copyCount += count }
}

extension [ActiveStoreFault] {
  /// Whether one more sample of the sensor maker's app waits.
  mutating func holdBackReading() -> Bool {
    indices.contains { self[$0].delays(.glucose) && self[$0].concernsNext() }
  }
}
