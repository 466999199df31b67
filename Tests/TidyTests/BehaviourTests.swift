import Testing

/// The numbered behaviours of the health store and of Loop on it, H1 to H193.
///
/// A behaviour is tested where its number stands in the title of a test.
@Suite("Behaviours of the health store")
struct BehaviourTests {
  /// Who answers for which behaviours: the test targets that hold their tests.
  static let owners: [(range: ClosedRange<Int>, targets: [String])] = [
    (1...87, ["ClosedLoopTests", "DevicesTests", "SimulationTests", "HealthStoreSQLiteTests"]),
    (88...105, ["HealthStoreSQLiteTests", "HealthStoreTests"]),
    (106...106, ["ClosedLoopTests"]),
    (107...159, ["HealthStoreSQLiteTests", "HealthStoreTests"]),
    (160...160, ["QuantitiesTests", "ClosedLoopTests", "DevicesTests"]),
    (161...170, ["InterchangeTests"]),
    (171...192, ["HealthStoreSQLiteTests", "HealthStoreTests", "InterchangeTests"]),
    (193...193, ["ClosedLoopTests"]),
  ]

  /// The numbers in the titles of the tests of some targets.
  static func titled(in targets: [String]) -> Set<Int> {
    var numbers: Set<Int> = []
    for file in Repository.tests where targets.contains(file.target) {
      for line in file.lines where line.contains("\"") {
        for word in line.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
          guard word.first == "H", let number = Int(word.dropFirst()) else { continue }
          numbers.insert(number)
        }
      }
    }
    return numbers
  }

  @Test("Every behaviour from H1 to H193 has a test with its number")
  func isCovered() {
    for owner in Self.owners {
      let titled = Self.titled(in: owner.targets)
      for number in owner.range {
        #expect(titled.contains(number), "H\(number) belongs into \(owner.targets).")
      }
    }
  }

  @Test("The behaviours have an owner each")
  func isOwned() {
    let owned = Self.owners.flatMap { Array($0.range) }
    #expect(owned == Array(1...193))
  }

  @Test(
    "The list of behaviours has every number once, in order",
    arguments: [("HealthStore", "H", 193), ("Devices", "D", 96)])
  func isListed(module: String, letter: String, count: Int) throws {
    let page = try Repository.text(of: "Sources/\(module)/\(module).docc/Behaviours.md")
    let listed = page.split(separator: "\n").compactMap { line -> String? in
      guard line.hasPrefix("- **\(letter)") else { return nil }
      return String(line.dropFirst(4).prefix { $0 != "*" })
    }
    #expect(listed == (1...count).map { "\(letter)\($0)" })
  }
}
