import LargeValues
import Testing

@Suite("Structs that are passed by address")
struct PassedByAddressTests {
  private struct Large: Hashable {
    private let mark = PassedByAddress()
    var number: Int
  }

  @Test("The mark makes no difference to what is equal")
  func isEqual() {
    #expect(Large(number: 3) == Large(number: 3))
    #expect(Large(number: 3) != Large(number: 4))
    #expect(Set([Large(number: 3), Large(number: 3), Large(number: 4)]).count == 2)
  }

  @Test("A copy is a value of its own")
  func copies() {
    let kept = Large(number: 3)
    var copy = kept
    copy.number = 4
    #expect(kept.number == 3)
    #expect(copy.number == 4)
  }
}
