/// Cases that belong to one module.
struct Suite: Sendable {
  let name: String
  let cases: [Benchmark]
}

/// Work that is timed.
///
/// The body is built from inputs that went through ``opaque(_:)``, and returns a checksum of what
/// it computed; without both the optimiser would measure nothing.
struct Benchmark: Sendable {
  let name: String
  /// What one unit of the work is, such as `segment`.
  let unit: String
  /// The units of work that one call of the body does.
  let units: Int
  /// Does the work once, and returns a checksum that is the same at every call.
  let body: @Sendable () -> UInt64
}

/// The value itself, from where the optimiser cannot see it come.
@inline(never)
func opaque<Value>(_ value: Value) -> Value { value }

/// A checksum of numbers in their order (64-bit FNV-1a over whole words).
struct Checksum {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func absorb(_ word: UInt64) { value = (value ^ word) &* 0x0000_0100_0000_01b3 }
  mutating func absorb(_ number: Int64) { absorb(UInt64(bitPattern: number)) }
  mutating func absorb(_ number: Double) { absorb(number.bitPattern) }
}
