import Testing

/// The numbered behaviours of the health store and of Loop on it, H1 to H193.
///
/// A behaviour is tested where its number stands in the title of a test. What no test of this
/// package can show is listed here with the reason.
@Suite("Behaviours of the health store")
struct BehaviourTests {
  /// Who answers for which behaviours: the test targets that hold their tests.
  static let owners: [(range: ClosedRange<Int>, targets: [String])] = [
    (1...87, ["ClosedLoopTests", "DevicesTests", "SimulationTests", "HealthStoreSQLiteTests"]),
    (88...159, ["HealthStoreSQLiteTests", "HealthStoreTests"]),
    (160...160, ["QuantitiesTests", "ClosedLoopTests", "DevicesTests"]),
    (161...170, ["InterchangeTests"]),
    (171...192, ["HealthStoreSQLiteTests", "HealthStoreTests", "InterchangeTests"]),
    (193...193, ["ClosedLoopTests"]),
  ]

  /// Behaviours whose number stands in no title, and where or why.
  static let untitled: [Int: String] = [
    35: "Reporting after one more cycle is part of the laws of H28 and H31.",
    84: "The display unit is tested as the store's preferred unit; dosing works in mg/dL alone.",
    106:
      "Own and foreign visibility are H90 and H91; foreign doses enter the app by the store only.",
    160: "A schedule follows the wall clock; a fixed offset is a wall clock without changes.",
    161: "Formats are tested by their own examples.",
    162: "Formats are tested by their own examples.",
    163: "Formats are tested by their own examples.",
    164: "A test suite of seconds cannot read 230 MB; the reader streams and is measured by hand.",
    165: "Formats are tested by their own examples.",
    166: "Formats are tested by their own examples.",
    167: "Formats are tested by their own examples.",
    168: "Formats are tested by their own examples.",
    169: "Formats are tested by their own examples.",
    170: "Formats are tested by their own examples.",
    193: "Settings come from the scenario and do not change while a run lasts.",
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

  @Test("Every behaviour from H1 to H193 has a test with its number, or a reason why not")
  func isCovered() {
    for owner in Self.owners {
      let titled = Self.titled(in: owner.targets)
      for number in owner.range where Self.untitled[number] == nil {
        #expect(titled.contains(number), "H\(number) belongs into \(owner.targets).")
      }
    }
  }

  @Test("The behaviours have an owner each")
  func isOwned() {
    let owned = Self.owners.flatMap { Array($0.range) }
    #expect(owned == Array(1...193))
  }
}
