import Testing

@testable import Pages
@testable import Typesetting

/// Holds where words find room on a chart against places worked out by hand.
@Suite("Free places on a chart")
struct FreePlaceTests {
  /// A word of ten digits.
  ///
  /// At 11 px they have 10 · 0.63 · 11 = 69.3 of the 900 px that a chart has at least: 0.077 of its
  /// width. On a chart of 65 px they take half of 13 px on each side: 0.1 of its height.
  private let word = "0123456789"
  private let heights = [0.15, 0.5]

  @Test("A word stands where it is wanted, and at the better height, where nothing is there")
  func whereItIsWanted() throws {
    let place = try #require(FreePlace(height: 65).place(for: word, near: 0.4, heights: heights))
    #expect((place.x - 0.4).magnitude < 1e-9 && place.y == 0.15)
  }

  @Test("A word stands lower where a line runs through the better height")
  func below() throws {
    var free = FreePlace(height: 65)
    free.take([(x: 0, y: 0.2), (x: 1, y: 0.2)])
    let place = try #require(free.place(for: word, near: 0.4, heights: heights))
    #expect((place.x - 0.4).magnitude < 1e-9 && place.y == 0.5)
  }

  @Test("A word stands beside a line that crosses all heights, and beside another word")
  func beside() throws {
    var free = FreePlace(height: 65)
    free.take([(x: 0.42, y: 0), (x: 0.425, y: 1)])
    // To end before 0.42 it starts at 0.34 at most, which is nearer than 0.43 would be to 0.38.
    let first = try #require(free.place(for: word, near: 0.38, heights: heights))
    #expect((first.x - 0.34).magnitude < 1e-9)
    for height in heights { free.take(word, at: first.x, height, .start) }
    let second = try #require(free.place(for: word, near: 0.38, heights: heights))
    #expect((second.x - 0.43).magnitude < 1e-9)
  }

  @Test("A place is free for a word by where its middle or its end stands")
  func isFree() {
    var free = FreePlace(height: 65)
    // Half of the word, 0.0385 of the width, ends before it or reaches it.
    free.take([(x: 0.5, y: 0.2), (x: 0.6, y: 0.2)])
    #expect(free.isFree(word, at: 0.46, 0.15, .middle))
    #expect(!free.isFree(word, at: 0.47, 0.15, .middle))
    #expect(free.isFree(word, at: 0.47, 0.31, .middle))
    #expect(free.isFree(word, at: 0.5, 0.15, .end) && !free.isFree(word, at: 0.5, 0.15, .start))
  }

  @Test("Where all is taken there is no place")
  func nowhere() {
    var free = FreePlace(height: 65)
    free.take([(x: 0, y: 0), (x: 0.5, y: 1), (x: 1, y: 0)])
    for height in heights { free.take([(x: 0, y: height), (x: 1, y: height)]) }
    #expect(free.place(for: word, near: 0.4, heights: heights)?.x == nil)
  }
}
