internal import HealthStore
internal import Quantities

/// What the numbers in a file's rows may be.
///
/// They come from a file that anybody may have changed: what is outside is an error that names its
/// row, before anything is looked up or reckoned with it.
enum RowRules {
  /// Times and spans in ms: some 285,000 years either way, so that no difference overflows.
  static let milliseconds: ClosedRange<Int64> = -(1 << 53)...(1 << 53)
  /// Days from 1 January 1970, of the years that a date in four digits says.
  static let days =
    CivilTime(year: 1, month: 1, day: 1)
    .dayNumber...CivilTime(year: 9_999, month: 12, day: 31)
    .dayNumber
  /// Rows, and the anchors that point to them.
  static let rows: ClosedRange<Int64> = 0...(1 << 53)
  /// Clients; a place is kept for each number, also of those that are gone.
  static let clients: ClosedRange<Int64> = 0...99_999
  /// Types.
  static let types: ClosedRange<Int64> = 1...99_999
}

/// Checks what is read from the rows of a file, and names the row that cannot be meant.
struct RowCheck {
  /// Where the file is.
  let path: String

  /// What is wrong with a row.
  func damaged(_ table: String, _ row: Int64, _ reason: String) -> HealthStoreError {
    .damaged(path: path, table: table, row: row, reason: reason)
  }

  /// Checks that a table's rows are numbered from 1 without gaps.
  func checkOrder(_ table: String, _ row: Int64, after count: Int) throws(HealthStoreError) {
    guard row == Int64(count) + 1 else {
      throw damaged(table, row, "its number must be \(count + 1)")
    }
  }

  /// The place, from 0, that a number from 1 means among some entries.
  func place(
    _ number: Int64, in count: Int, _ table: String, _ row: Int64, _ what: String
  ) throws(HealthStoreError) -> Int {
    guard number >= 1, number <= Int64(count) else {
      throw damaged(table, row, "there is no \(what) of the number \(number)")
    }
    return Int(number) - 1
  }

  /// What a number or a text stands for, where it is known.
  func known<Value>(
    _ value: Value?, _ stated: some CustomStringConvertible, _ table: String, _ row: Int64,
    _ what: String
  ) throws(HealthStoreError) -> Value {
    guard let value else { throw damaged(table, row, "\(what) is \(stated), which is unknown") }
    return value
  }

  /// Checks that a number is one that can be meant.
  func check(
    _ number: Int64, in range: ClosedRange<Int64>, _ table: String, _ row: Int64, _ what: String
  ) throws(HealthStoreError) {
    guard range.contains(number) else {
      throw damaged(table, row, "\(what) is \(number), which cannot be meant")
    }
  }

  /// A number that the table of settings holds as text.
  func setting(
    _ key: String, _ text: String, _ range: ClosedRange<Int64>
  ) throws(HealthStoreError) -> Int64 {
    guard let number = Int64(text), range.contains(number) else {
      throw damaged("meta", 0, "\"\(key)\" is \"\(text)\" and no number that can be meant")
    }
    return number
  }
}
