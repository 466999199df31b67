import Determinism
import Testing

@testable import Dosing

/// A list that slides is the array that does not.
@Suite("Sliding lists")
struct SlidingListTests {
  @Test("Whatever comes and goes, the elements are those of an array", arguments: 1...12)
  func isTheArray(seed: UInt64) {
    var stream = RandomStream(seed: seed, name: "sliding")
    var list = SlidingList<Int>()
    var plain: [Int] = []
    func below(_ bound: Int) -> Int { min(bound - 1, Int(stream.unit() * Double(bound))) }
    for number in 0..<3_000 {
      switch below(plain.count > 200 ? 12 : 10) {
      case 0...3:
        list.append(number)
        plain.append(number)
      case 4:
        let place = below(plain.count + 1)
        list.insert(number, at: place)
        plain.insert(number, at: place)
      case 5 where !plain.isEmpty:
        let place = below(3) == 0 ? below(plain.count) : 0
        list.remove(at: place)
        plain.remove(at: place)
      case 6 where !plain.isEmpty:
        let first = below(2) == 0 ? 0 : below(plain.count)
        let range = first..<(first + below(min(8, plain.count - first) + 1))
        list.removeSubrange(range)
        plain.removeSubrange(range)
      case 7 where !plain.isEmpty:
        let last = below(min(3, plain.count) + 1)
        list.removeLast(last)
        plain.removeLast(last)
      case 8 where !plain.isEmpty:
        let place = below(plain.count)
        list[place] = number
        plain[place] = number
      case 9 where below(400) == 0:
        list.removeAll()
        plain.removeAll()
      case 10...:
        let leaving = below(plain.count + 1)
        list.removeFirst(leaving)
        plain.removeFirst(leaving)
      default: break
      }
      #expect(list.elementsEqual(plain))
      #expect(list.storage[list.gone...].elementsEqual(plain))
    }
  }
}
