internal import ClosedLoop
internal import Quantities
internal import ScenarioLanguage
internal import Simulation

/// The block `healthStore`.
struct HealthStoreBlock: Sendable {
  var authorized = HealthStoreAccess.Data.allCases
  var reporting = ReportingPolicy()
  var rereportsDeleted = true
  /// Whether the sensor maker's app writes glucose too.
  var hasVendorApp = false

  static let block = Block<Self> {
    $0.set(
      \.authorized, "authorized", .list(.choice()), default: "['glucose', 'carbs', 'insulin']",
      "What the app may read and write.")
    $0.set(
      \.reporting.reportsBasal, "writeBasalSegments", .bool, default: "true",
      "Whether the app reports basal delivery to the store.")
    $0.set(
      \.rereportsDeleted, "rereportDeleted", .bool, default: "true",
      "Whether a dose deleted in the health store only is written again.")
    $0.set(
      \.reporting.write, "reportWrite", .choice(), default: "'nextCycle'",
      "When a finished basal segment is written.")
    $0.set(
      \.reporting.reportsOnReissue, "reportOnReissue", .bool, default: "false",
      "Whether a temp basal that is issued again ends a segment.")
    $0.set(
      \.reporting.splitsLongSegments, "splitLongSegments", .bool, default: "true",
      "Whether long segments are written in parts.")
    $0.set(
      \.hasVendorApp, "vendorApp", .words([("none", false), ("dexcom", true)]), default: "'none'",
      "The sensor maker's app, which writes glucose too, late.")
  }

  /// Reads the block of a scenario.
  static func reading(_ root: Field) -> Self { block.value(Self(), of: root["healthStore"]) }

  /// What the person does not allow from that instant on: everything that the list leaves out.
  func refusals(at instant: Instant) -> [ScenarioEvent] {
    let refused = HealthStoreAccess.Data.allCases.filter { !authorized.contains($0) }
    guard !refused.isEmpty else { return [] }
    return [
      ScenarioEvent(
        at: instant,
        .authorize(
          HealthStoreAccess(data: refused, directions: [.read, .write], isGranted: false)))
    ]
  }
}
