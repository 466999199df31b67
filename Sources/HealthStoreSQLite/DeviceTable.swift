internal import HealthStore

/// The devices of a file by their row, and the other way round.
final class DeviceTable {
  private var devices: [Int64: Device] = [:]
  private var rows: [Device: Int64] = [:]
  /// The device that was asked for last: mostly the next is the same, and a look at the others
  /// compares all its texts.
  private var last: (device: Device, row: Int64)?
  private let insert: SQLiteStatement
  private let rules: RowCheck

  init(_ connection: borrowing SQLiteConnection) throws(HealthStoreError) {
    insert = try connection.prepare(
      "INSERT INTO device VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")
    rules = RowCheck(path: connection.path)
  }

  /// Forgets what was read.
  func forget() {
    devices = [:]
    rows = [:]
    last = nil
  }

  /// Reads the table.
  func load(_ connection: borrowing SQLiteConnection) throws(HealthStoreError) {
    let statement = try connection.prepare(
      """
      SELECT id, name, manufacturer, model, hardware, firmware, software, local_id, udi
      FROM device ORDER BY id
      """)
    while try statement.step() {
      try rules.checkOrder("device", statement.integer(0), after: devices.count)
      let device = Device(
        name: statement.optionalText(1), manufacturer: statement.optionalText(2),
        model: statement.optionalText(3), hardwareVersion: statement.optionalText(4),
        firmwareVersion: statement.optionalText(5), softwareVersion: statement.optionalText(6),
        localIdentifier: statement.optionalText(7), udiDeviceIdentifier: statement.optionalText(8))
      devices[statement.integer(0)] = device
      rows[device] = statement.integer(0)
    }
  }

  func device(at row: Int64) -> Device? { devices[row] }

  /// The row of a device, which is inserted where the file does not know it.
  func row(of device: Device) throws(HealthStoreError) -> Int64 {
    if let last, last.device == device { return last.row }
    let row = try foundRow(of: device)
    last = (device, row)
    return row
  }

  private func foundRow(of device: Device) throws(HealthStoreError) -> Int64 {
    if let row = rows[device] { return row }
    let row = Int64(devices.count) + 1
    insert.bind(1, integer: row)
    for property in Device.Property.allCases {
      insert.bind(Int32(property.rawValue) + 2, text: device[property])
    }
    try insert.run()
    rows[device] = row
    devices[row] = device
    return row
  }
}
