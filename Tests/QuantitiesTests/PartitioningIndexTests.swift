import Determinism
import Quantities
import Testing

@Suite("Searching a collection in two parts")
struct PartitioningIndexTests {
  @Test("It finds what looking at each element finds, in arrays and slices of any length")
  func agreesWithScan() {
    var stream = RandomStream(seed: 20_260_122, name: "partitions")
    for length in 0...40 {
      let numbers = (0..<length).map { _ in Int(stream.next() % 20) }.sorted()
      for bound in -1...20 {
        let scanned = numbers.firstIndex { $0 >= bound } ?? numbers.endIndex
        #expect(numbers.partitioningIndex { $0 >= bound } == scanned)
        #expect(numbers.partitioningIndexNearEnd { $0 >= bound } == scanned)
        let slice = numbers.dropFirst(3).dropLast(2)
        let inSlice = slice.firstIndex { $0 >= bound } ?? slice.endIndex
        #expect(slice.partitioningIndex { $0 >= bound } == inSlice)
        #expect(slice.partitioningIndexNearEnd { $0 >= bound } == inSlice)
      }
    }
  }

  @Test("It looks at no more elements than the logarithm of the count")
  func isLogarithmic() {
    var looks = 0
    _ = (0..<1_000_000).partitioningIndex {
      looks += 1
      return $0 >= 333_333
    }
    #expect(looks <= 20)
  }

  @Test(
    "Near the end it looks at twice the logarithm of what follows, however much comes before",
    arguments: [(1, 3), (10, 7), (1_000, 19)])
  func isQuickNearEnd(following: Int, most: Int) {
    var looks = 0
    let place = (0..<1_000_000).partitioningIndexNearEnd {
      looks += 1
      return $0 >= 1_000_000 - following
    }
    #expect(place == 1_000_000 - following)
    #expect(looks <= most)
  }
}
