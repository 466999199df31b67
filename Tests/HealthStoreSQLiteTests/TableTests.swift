import HealthStore
import Quantities
import Testing

@testable import HealthStoreSQLite

@Suite("The tables of a file, one by one")
struct TableTests {
  private func connection() throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: ":memory:", isReadOnly: false)
    try SQLiteBackend.migrate(connection)
    return connection
  }

  @Test("A device has one row, which is the same after the table is read again")
  func devices() throws {
    let connection = try connection()
    let table = try DeviceTable(connection)
    let devices = ["CGM", "Pump", "CGM"].map { Device(name: $0) }
    #expect(try devices.map { try table.row(of: $0) } == [1, 2, 1])
    table.forget()
    #expect(table.device(at: 1) == nil)
    try table.load(connection)
    #expect(table.device(at: 2) == devices[1])
    #expect(try table.row(of: devices[0]) == 1)
  }

  @Test("A gap among the rows of devices is damage that is named")
  func gap() throws {
    let connection = try connection()
    try connection.execute("INSERT INTO device(id, name) VALUES(2, 'CGM')")
    let table = try DeviceTable(connection)
    #expect(
      throws: HealthStoreError.damaged(
        path: ":memory:", table: "device", row: 2, reason: "its number must be 1")
    ) {
      try table.load(connection)
    }
  }

  @Test("The longest sample only grows, and is written once")
  func longest() throws {
    let connection = try connection()
    let types = try TypeTable(connection)
    let longest = try LongestSamples(connection, types)
    #expect(longest[.stepCount] == .zero)
    longest.note(.minutes(5), of: .stepCount)
    longest.note(.minutes(2), of: .stepCount)
    try longest.write(types)
    longest.note(.minutes(9), of: .stepCount)
    try longest.load(connection)
    try longest.write(types)
    #expect(longest[.stepCount] == .minutes(5))
    #expect(try LongestSamples(connection, TypeTable(connection))[.stepCount] == .minutes(5))
    longest.note(.minutes(9), of: .stepCount)
    try longest.write(types)
    #expect(try LongestSamples(connection, TypeTable(connection))[.stepCount] == .minutes(9))
  }

  @Test("Uploads that were delivered wait no more, and stay")
  func uploads() throws {
    let connection = try connection()
    let table = try UploadTable(connection, TypeTable(connection))
    let start = Instant(secondsSince1970: 1_700_000_000)
    var generator = SplitMix(state: 7)
    let uploads = (1...2 as ClosedRange<Int64>).map { number in
      Upload(
        service: "cloud", number: number, type: .bloodGlucose, uuid: .init(using: &generator),
        operation: .add, state: .pending, attempts: 0, due: start, enqueued: start)
    }
    for upload in uploads { try table.write(.enqueue(upload)) }
    #expect(try table.uploads(of: "cloud", limit: 9) == uploads)
    #expect(try table.uploads(of: "cloud", limit: 1) == [uploads[0]])
    try table.write(.acknowledge(uploads[0]))
    try table.write(.enqueue(uploads[0]))
    #expect(try table.uploads(of: "cloud", limit: 9) == [uploads[1]])
    try table.write(.forget(service: "cloud"))
    #expect(try table.uploads(of: "cloud", limit: 9).isEmpty)
  }

  @Test("A file can be opened again after a client that was to be woken is gone")
  func goneWithWakeUps() throws {
    let folder = try ScratchFolder()
    let path = folder.file("health.sqlite")
    let app = HealthClient(bundleIdentifier: "a", name: "A")
    do {
      var store = try SQLiteHealthStore(path: path)
      let client = try store.register(app, granting: .full)
      try store.enableBackgroundDelivery(of: .bloodGlucose, frequency: .hourly, as: client)
      try store.uninstall(client)
      #expect(store.registry.deliveries.isEmpty)
    }
    do {
      let connection = try SQLiteConnection(path: path, isReadOnly: false)
      // As earlier programs left it: client 1 is gone, and was to be woken for the first type.
      try connection.execute("INSERT INTO background_delivery VALUES(1, 1, 2, 1, 0, NULL, 7)")
    }
    var store = try SQLiteHealthStore(path: path)
    #expect(store.registry.deliveries.isEmpty)
    let again = try store.register(app, granting: .full)
    try store.enableBackgroundDelivery(of: .bloodGlucose, frequency: .daily, as: again)
    #expect(store.registry.deliveries.map(\.frequency) == [.daily])
    #expect(store.registry.deliveries.map(\.seenRow) == [store.lastRow])
  }

  @Test("A number under which a client that is gone has deleted samples is no other's")
  func goneWithDeletions() throws {
    let folder = try ScratchFolder()
    let path = folder.file("health.sqlite")
    let start = Instant(secondsSince1970: 1_767_600_000)
    let uuid = try #require(SampleUUID("00000000-0000-4000-8000-000000000001"))
    do {
      var store = try SQLiteHealthStore(path: path)
      let client = try store.register(
        HealthClient(bundleIdentifier: "a", name: "A"), granting: .full)
      try store.save(Sample.bloodGlucose(.mgdL(101), at: start, uuid: uuid), as: client, at: start)
      try store.delete([uuid], as: client, at: start)
      try store.uninstall(client)
    }
    var store = try SQLiteHealthStore(path: path)
    let later = try store.register(HealthClient(bundleIdentifier: "b", name: "B"), granting: .full)
    let stone = try #require(
      try store.backend.tombstones(of: .bloodGlucose, after: 0).first { $0.uuid == uuid })
    #expect(store.registry.name(of: later) == "B")
    #expect(store.registry.name(of: stone.deletedBy) == "")
  }
}
