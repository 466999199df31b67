internal import Bridge
public import CLoopsim
internal import Synchronization

/// The version of this interface.
@c @implementation
public func loopsim_abi() -> UInt32 { 2 }

/// Opens a session.
@c @implementation
public func loopsim_open(_ session: UnsafeMutablePointer<loopsim_handle>?) -> Int32 {
  guard let session = unsafe session else { return LastError.missing("session") }
  unsafe session.pointee = Handles.add(.session(Session()))
  return Code.ok
}

/// Sends a message and gives the answer.
@c @implementation
public func loopsim_exchange(
  _ session: loopsim_handle, _ message: UnsafePointer<CChar>?, _ length: Int,
  _ text: UnsafeMutablePointer<loopsim_handle>?
) -> Int32 {
  guard case .session(let open)? = Handles[session] else { return LastError.noHandle("session") }
  guard let message = unsafe message else { return LastError.missing("message") }
  guard let text = unsafe text else { return LastError.missing("text") }
  guard let line = unsafe bytes(message, length) else {
    return LastError.say(Code.usage, "A message has at most 16 MiB.")
  }
  let answer = open.serve.withLockIfAvailable { serve in
    computing { serve.reply(to: line).joined(separator: "\n") }
  }
  guard let answer else { return LastError.busy }
  unsafe text.pointee = Handles.add(.text(Lent(answer)))
  return Code.ok
}

/// Lends the bytes of a text.
@c @implementation
public func loopsim_bytes(
  _ text: loopsim_handle, _ data: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ count: UnsafeMutablePointer<Int>?
) -> Int32 {
  guard case .text(let lent)? = Handles[text] else { return LastError.noHandle("text") }
  guard let data = unsafe data else { return LastError.missing("data") }
  guard let count = unsafe count else { return LastError.missing("count") }
  unsafe data.pointee = lent.elements
  // Without the zero at the end.
  unsafe count.pointee = lent.count - 1
  return Code.ok
}

/// Writes what was wrong with this thread's last failed call.
@c @implementation
public func loopsim_error(
  _ into: UnsafeMutablePointer<CChar>?, _ room: Int, _ needed: UnsafeMutablePointer<Int>?
) -> Int32 {
  let characters = Array(LastError.text.utf8) + [0]
  if let needed = unsafe needed { unsafe needed.pointee = characters.count }
  guard let into = unsafe into, room > 0 else { return Code.ok }
  let written = min(room - 1, characters.count - 1)
  for index in 0..<written { unsafe into[index] = CChar(bitPattern: characters[index]) }
  unsafe into[written] = 0
  return Code.ok
}

/// Closes a handle.
@c @implementation
public func loopsim_close(_ handle: loopsim_handle) -> Int32 {
  Handles.remove(handle) ? Code.ok : LastError.noHandle("session, text, column or batch")
}

/// How many handles are open.
@c @implementation
public func loopsim_open_handles() -> Int64 { Handles.count }

/// The bytes that a caller hands over; `nil` where they are more than are read of one message.
func bytes(_ data: UnsafePointer<CChar>, _ length: Int) -> [UInt8]? {
  guard length >= 0, length <= BridgeProtocol.longestRequest else { return nil }
  let buffer = unsafe UnsafeBufferPointer(start: data, count: length)
  return unsafe buffer.map { UInt8(bitPattern: $0) }
}
