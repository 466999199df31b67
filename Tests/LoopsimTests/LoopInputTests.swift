import Arguments
import Foundation
import StructuredText
import Testing

@testable import loopsim

@Suite("The loop's inputs that a run keeps")
struct LoopInputTests {
  /// Four hours in closed loop; glucose rises after two, which nobody expects.
  private static func scenario(save: String) -> String {
    """
    { format: 'loopsim/1', id: 'inputs',
      clock: { start: '2026-01-15T08:00:00', timeZone: 'America/Chicago', duration: '4h' },
      patient: { model: 'tidepool-simple', initialGlucose: 110, needs: { basal: [['00:00', 1]],
        sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
      history: { glucose: { flat: 110 } },
      events: [{ at: '10:00', meal: { grams: 60, absorption: '2h' }, entry: false }],
      output: { save: [\(save)] },
      expect: [{ id: 'rises', series: 'glucose.true', never: { above: 150 } }] }
    """
  }

  /// The files of inputs that a run leaves, by name.
  private func run(save: String) async throws -> (scratch: Scratch, names: [String]) {
    let scratch = try Scratch()
    try Files.write(Self.scenario(save: save), to: scratch.file("inputs.json5"))
    let console = QuietConsole()
    let code = await Loopsim.run(
      ["run", scratch.file("inputs.json5"), "--out", scratch.file("out")], to: console)
    #expect(code == 1, "\(console.error)")
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: scratch.file("out/inputs/loop-inputs"))
    return (scratch, (names ?? []).sorted())
  }

  @Test("Every cycle's input is a file of its own, which predict takes")
  func all() async throws {
    let (scratch, names) = try await run(save: "'loopInputs'")
    // Cycles at every five minutes from 08:00 to 12:00, in UTC.
    #expect(names.count == 49)
    #expect(names.first == "20260115T140000Z.json")
    #expect(names.last == "20260115T180000Z.json")
    for name in [names[1], names[30], names[48]] {
      let console = QuietConsole()
      let path = scratch.file("out/inputs/loop-inputs/\(name)")
      #expect(await Loopsim.run(["predict", path], to: console) == 0, "\(console.error)")
      #expect(console.output.contains("recommendation"))
      #expect(!console.output.contains("\"error\""))
      let replay = QuietConsole()
      let time = "2026-01-15T\(name.dropFirst(9).prefix(2)):\(name.dropFirst(11).prefix(2)):00Z"
      let words = ["replay", scratch.file("inputs.json5"), "--at", time, "--format", "input"]
      #expect(await Loopsim.run(words, to: replay) == 0, "\(replay.error)")
      #expect(replay.output == (try scratch.text(of: "out/inputs/loop-inputs/\(name)")))
    }
  }

  @Test("Of failures, those of the half hours before and after them")
  func failures() async throws {
    let (scratch, names) = try await run(save: "'loopInputs:failures'")
    #expect(names.count == 13)
    let summary = JSONReader.read(
      text: try scratch.text(of: "out/inputs/summary.json"), file: "summary"
    ).root
    let message = summary?["expectations"]?.items?.first?["message"]?.string ?? ""
    // The middle one is the cycle of the moment that the message names.
    let time = try #require(message.firstMatch(of: /T(\d\d):(\d\d):00-06:00/))
    let hour = (Int(time.1) ?? 0) + 6
    #expect(names[6] == "20260115T\(hour)\(time.2)00Z.json")
  }

  @Test("Nothing is kept unless a scenario asks")
  func none() async throws {
    #expect(try await run(save: "'timeline', 'ledger'").names == [])
  }
}
