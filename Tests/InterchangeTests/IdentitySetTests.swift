import Testing

@testable import Interchange

@Suite("The set of identities of an export")
struct IdentitySetTests {
  @Test("It says of each number what a set says")
  func agrees() {
    var state: UInt64 = 5
    func draw() -> UInt64 {
      // Steele, Lea and Flood (2014).
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
    var set = IdentitySet()
    var reference: Set<UInt64> = []
    for number in 0..<20_000 {
      // Numbers that differ in their lowest, middle or highest bits only, and often come again.
      let drawn = draw()
      let masks: [UInt64] = [0xFFF, 0x3F << 20, 0x3F << 50, 0x3FFF_FFFF_FFFF_FFFF]
      let value = drawn & masks[number % 4] & 0x3FFF_FFFF_FFFF_FFFF
      #expect(set.insert(value | 0x8000_0000_0000_0000) == reference.insert(value).inserted)
    }
  }
}
