internal import HealthStore
internal import Quantities

/// The numbers under which a file knows the types.
struct TypeTable {
  private var rows: [Int64]
  private var types: [Int64: ObjectType] = [:]
  private(set) var longest: [TimeSpan]

  /// Reads the table, and adds the types that the file does not know yet.
  init(_ connection: borrowing SQLiteConnection) throws(HealthStoreError) {
    rows = Array(repeating: 0, count: ObjectType.allCases.count)
    longest = Array(repeating: .zero, count: rows.count)
    var highest: Int64 = 0
    let read = try connection.prepare("SELECT id, identifier, longest_ms FROM type ORDER BY id")
    while try read.step() {
      let row = read.integer(0)
      guard RowRules.types.contains(row) else {
        throw .damaged(
          path: connection.path, table: "type", row: row,
          reason: "a type's number is from 1 to \(RowRules.types.upperBound)")
      }
      guard (0...RowRules.milliseconds.upperBound).contains(read.integer(2)) else {
        throw .damaged(
          path: connection.path, table: "type", row: row, reason: "longest_ms cannot be meant")
      }
      highest = max(highest, row)
      guard let type = ObjectType(identifier: read.text(1)) else { continue }
      rows[Int(type.rawValue)] = row
      types[row] = type
      longest[Int(type.rawValue)] = .milliseconds(read.integer(2))
    }
    let missing = ObjectType.allCases.filter { rows[Int($0.rawValue)] == 0 }
    guard let first = missing.first else { return }
    guard !connection.isReadOnly else {
      throw .damaged(
        path: connection.path, table: "type", row: highest,
        reason: "\(first.name) comes neither here nor before; 'loopsim store migrate' adds it")
    }
    try connection.execute("BEGIN IMMEDIATE")
    let write = try connection.prepare(
      "INSERT INTO type(id, identifier, name, kind, unit, aggregation) VALUES(?, ?, ?, ?, ?, ?)")
    for type in missing {
      highest += 1
      write.bind(1, integer: highest)
      write.bind(2, text: type.identifier)
      write.bind(3, text: type.name)
      write.bind(4, text: type.kind.rawValue)
      write.bind(5, text: type.unit?.unitString)
      write.bind(6, text: type.aggregation.rawValue)
      try write.run()
      rows[Int(type.rawValue)] = highest
      types[highest] = type
    }
    try connection.execute("COMMIT")
  }

  func row(of type: ObjectType) -> Int64 { rows[Int(type.rawValue)] }

  func type(at row: Int64) -> ObjectType? { types[row] }
}
