import Testing

/// The numbered behaviours of the virtual devices, D1 to D96.
///
/// A behaviour is tested where its number stands in the title of a test.
@Suite("Behaviours of the devices")
struct DeviceBehaviourTests {
  /// The test targets that hold the tests.
  static let targets: Set = [
    "DevicesTests", "PhysiologyTests", "DosingTests", "ClosedLoopTests", "SimulationTests",
    "ScenariosTests",
  ]

  @Test("Every behaviour from D1 to D96 has a test with its number")
  func isCovered() {
    var numbers: Set<Int> = []
    for file in Repository.tests where Self.targets.contains(file.target) {
      for line in file.lines where line.contains("\"") {
        for word in line.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
          guard word.first == "D", let number = Int(word.dropFirst()) else { continue }
          numbers.insert(number)
        }
      }
    }
    for number in 1...96 {
      #expect(numbers.contains(number), "D\(number) has no test.")
    }
  }
}
