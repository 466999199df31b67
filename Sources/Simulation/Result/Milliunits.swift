internal import Quantities

/// An amount or a rate of insulin in four bytes, which hold two million units.
struct Milliunits: Hashable, Sendable {
  private var count: Int32

  init(amount: InsulinAmount) { count = Int32(amount.milliunits) }
  init(rate: InsulinRate) { count = Int32(rate.milliunitsPerHour) }

  var amount: InsulinAmount {
    get { .milliunits(Int64(count)) }
    set { self = Self(amount: newValue) }
  }

  var rate: InsulinRate {
    get { InsulinRate(milliunitsPerHour: Int64(count)) }
    set { self = Self(rate: newValue) }
  }
}

/// An amount or a rate of insulin that may be missing, in four bytes too.
struct OptionalMilliunits: Hashable, Sendable {
  private static let missing = Int32.min
  private var count = Self.missing

  init(amount: InsulinAmount?) { if let amount { count = Int32(amount.milliunits) } }
  init(rate: InsulinRate?) { if let rate { count = Int32(rate.milliunitsPerHour) } }

  var amount: InsulinAmount? {
    get { count == Self.missing ? nil : .milliunits(Int64(count)) }
    set { self = Self(amount: newValue) }
  }

  var rate: InsulinRate? {
    get { count == Self.missing ? nil : InsulinRate(milliunitsPerHour: Int64(count)) }
    set { self = Self(rate: newValue) }
  }
}
