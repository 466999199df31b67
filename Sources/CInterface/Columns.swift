internal import Bridge
public import CLoopsim
internal import Glibc
internal import Synchronization

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
    let lent = Lent(found)
    unsafe numbers.pointee = Handles.add(.numbers(lent))
    unsafe data.pointee = lent.elements
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
