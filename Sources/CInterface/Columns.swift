internal import Bridge
public import CLoopsim
internal import Glibc
internal import Synchronization

/// Numbers at a place in memory that never moves.
final class LentNumbers: Sendable {
  /// Where they begin.
  private let address: UInt
  /// How many there are.
  let count: Int

  init(_ numbers: [Double]) {
    count = numbers.count
    let room = UnsafeMutablePointer<Double>.allocate(capacity: max(1, count))
    for (index, number) in numbers.enumerated() { unsafe room[index] = number }
    address = UInt(bitPattern: room)
  }

  /// The numbers, row by row.
  var numbers: UnsafePointer<Double>? { unsafe UnsafePointer(bitPattern: address) }

  deinit { unsafe UnsafeMutablePointer<Double>(bitPattern: address)?.deallocate() }
}

/// Lends a column of numbers of a run that is over.
@c @implementation
public func loopsim_column(
  _ session: loopsim_handle, _ run: UnsafePointer<CChar>?, _ table: UnsafePointer<CChar>?,
  _ column: UnsafePointer<CChar>?, _ numbers: UnsafeMutablePointer<loopsim_handle>?,
  _ data: UnsafeMutablePointer<UnsafePointer<Double>?>?, _ count: UnsafeMutablePointer<Int>?
) -> Int32 {
  guard case .session(let open)? = Handles[session] else { return LastError.noHandle("session") }
  guard let run = unsafe word(run) else { return LastError.noWord("run") }
  guard let table = unsafe word(table) else { return LastError.noWord("table") }
  guard let column = unsafe word(column) else { return LastError.noWord("column") }
  guard let numbers = unsafe numbers else { return LastError.missing("numbers") }
  guard let data = unsafe data else { return LastError.missing("data") }
  guard let count = unsafe count else { return LastError.missing("count") }
  let answer = open.serve.withLockIfAvailable { serve in
    computing { serve.column(column, of: table, of: run) }
  }
  switch answer {
  case nil: return LastError.busy
  case .refused(let sentence): return LastError.say(Code.badInput, sentence)
  case .numbers(let found):
    let lent = LentNumbers(found)
    unsafe numbers.pointee = Handles.add(.numbers(lent))
    unsafe data.pointee = lent.numbers
    unsafe count.pointee = lent.count
    return Code.ok
  }
}

/// The most bytes of a name.
private let longestWord = 1_024

/// The text of a name that ends with a zero; `nil` if there is none, or it is too long.
private func word(_ characters: UnsafePointer<CChar>?) -> String? {
  guard let characters = unsafe characters else { return nil }
  let length = unsafe strnlen(characters, longestWord)
  guard length < longestWord else { return nil }
  return unsafe String(cString: characters)
}

extension LastError {
  fileprivate static func noWord(_ name: String) -> Int32 {
    say(Code.usage, "\"\(name)\" must be a text of less than \(longestWord) bytes.")
  }
}
