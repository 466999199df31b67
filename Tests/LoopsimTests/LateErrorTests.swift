import Foundation
import Testing

@Suite("What is wrong with a scenario and is found where its run is built")
struct LateErrorTests {
  /// Where a golden file stands is known only for a run, whose name may be a part of it.
  @Test("It is wrong input for every command, and no replay that failed")
  func goldenOutside() throws {
    let scratch = try Scratch()
    let folder = scratch.url.appendingPathComponent("Scenarios/golden")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data().write(to: scratch.url.appendingPathComponent("g.csv"))
    try FileManager.default.createSymbolicLink(
      atPath: scratch.file("Scenarios/golden/g.csv"), withDestinationPath: "../../g.csv")
    try Data(
      """
      { format: 'loopsim/1', clock: { duration: '30m' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' },
        expect: [{ id: 'kept', golden: 'golden/{run}.csv' }] }
      """.utf8
    ).write(to: scratch.url.appendingPathComponent("Scenarios/g.json5"))
    for words in [["check"], ["run", "--out", "out"], ["verify"], ["verify", "--update"]] {
      let result = try Binary.runByHand(words + ["Scenarios"], in: scratch)
      #expect(result.code == 65, "\(words): \(result.output)\(result.error)")
      let all = result.output + result.error
      #expect(all.contains("Scenarios/g.json5:3:"), "\(all)")
      #expect(all.contains("lies outside the folder of the scenarios"), "\(all)")
    }
  }
}
