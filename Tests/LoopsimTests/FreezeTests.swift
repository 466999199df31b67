import Foundation
import TestSupport
import Testing

@testable import loopsim

@Suite("Freezing runs from the command line", .serialized)
struct FreezeTests {
  private static let scenario = """
    { format: 'loopsim/1', id: 'day', random: { seed: 5 }, clock: { duration: '14h' },
      patient: { model: 'tidepool-simple', initialGlucose: 110, needs: { basal: [['00:00', 0.8]],
        sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
      cgm: { model: 'ar1' }, variants: { one: {}, two: { app: { dosing: 'automaticBolus' } } },
      behaviour: {
        meals: [{ name: 'lunch', window: ['11:00', '13:00'], grams: { uniform: [20, 60] } }],
        bolus: { probability: 0.5 }, correction: { above: 150 },
      },
      faults: [{ every: { mean: '3h' }, cgm: { dropout: {} } }] }
    """

  private func folder() throws -> Scratch {
    let scratch = try Scratch()
    try Files.write(Self.scenario, to: scratch.file("day.json5"))
    return scratch
  }

  @Test(
    "A frozen run writes the same files, byte for byte",
    arguments: Extent.some(of: ["two", "one"], every: 2))
  func repeats(variant: String) throws {
    let scratch = try folder()
    let words = ["freeze", "day.json5", "--run", "day/\(variant)", "-o", "frozen.json5"]
    let frozen = try Binary.run(words, in: scratch.url)
    #expect(frozen.code == 0, "\(frozen.error)")
    #expect(frozen.output.isEmpty)
    let first = try Binary.run(["run", "day.json5", "--out", "out"], in: scratch.url)
    let second = try Binary.run(["run", "frozen.json5", "--out", "out"], in: scratch.url)
    #expect(first.code == 0 && second.code == 0, "\(second.error)")
    for name in [
      "timeline.csv", "happenings.csv", "basal-segments.csv", "event-history.csv",
      "insulin-delivery.csv",
    ] {
      #expect(
        try scratch.text(of: "out/day/\(variant)/\(name)")
          == scratch.text(of: "out/day-\(variant)-frozen/\(name)"), "\(name)")
    }
  }

  @Test("A scenario that expects the rows of a table is frozen with the table's name")
  func expectedTable() throws {
    let scratch = try Scratch()
    try Files.write("kind\nbasal\n", to: scratch.file("rows.csv"))
    try Files.write(
      """
      { format: 'loopsim/1', id: 'rows', clock: { duration: '1h' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 0.8]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        app: { closedLoop: false },
        expect: [{ timeline: 'healthStore.basal', matches: 'rows.csv', mode: 'contains' }] }
      """, to: scratch.file("rows.json5"))
    let words = ["freeze", "rows.json5", "-o", "frozen.json5"]
    let frozen = try Binary.run(words, in: scratch.url)
    #expect(frozen.code == 0, "\(frozen.error)")
    #expect(try scratch.text(of: "frozen.json5").contains("matches: 'rows.csv'"))
  }

  @Test("A frozen run of a sweep is the same as the run: its point and its row are no figures")
  func sweptRun() throws {
    let scratch = try folder()
    try Files.write(
      Self.scenario.replacing(
        "variants: { one: {}, two: { app: { dosing: 'automaticBolus' } } },",
        with: "sweep: { 'patient.initialGlucose': [105, 115] },"),
      to: scratch.file("day.json5"))
    let run = try Binary.run(["run", "day.json5", "--out", "out"], in: scratch.url)
    #expect(run.code == 0, "\(run.error)")
    let words = ["freeze", "day.json5", "--run", "day/s1", "-o", "frozen.json5"]
    let frozen = try Binary.run(words, in: scratch.url)
    #expect(frozen.code == 0, "\(frozen.error)")
    let same = try Binary.run(["compare", "out/day/s1", "frozen.json5"], in: scratch.url)
    #expect(same.code == 0, "\(same.output)")
    #expect(same.output.hasSuffix("\nsame\n"))
    #expect(!same.output.contains("source."))
    let other = try Binary.run(["compare", "out/day/s0", "out/day/s1"], in: scratch.url)
    #expect(other.code == 1)
    #expect(
      other.output.contains("\nsweep_point: A 0, B 1\nset.patient.initialGlucose: A 105, B 115\n"),
      "\(other.output)")
  }

  @Test("Without a file to write it goes to standard output, with another seed if wanted")
  func prints() throws {
    let scratch = try folder()
    let words = ["freeze", "day.json5", "--run", "day/one", "--seed", "9"]
    let result = try Binary.run(words, in: scratch.url)
    #expect(result.code == 0, "\(result.error)")
    #expect(
      result.output.hasPrefix("// The run day/one of day.json5 with seed 9, written down by\n"))
    #expect(result.output.contains("random: { seed: 9 }"))
  }

  @Test(
    "What cannot be frozen is said in a sentence",
    arguments: [
      (["day.json5"], 64, "has 2 runs"),
      (["day.json5", "--run", "day/three"], 65, "no run \"day/three\""),
      (["absent.json5"], 65, "absent.json5"),
      (["day.json5", "--run", "day/one", "--seed", "18446744073709551615"], 64, "at most"),
      (["broken.json5"], 65, "broken.json5:1:"),
    ] as [([String], Int32, String)])
  func refuses(words: [String], code: Int32, part: String) throws {
    let scratch = try folder()
    try Files.write("{ format: 'loopsim/1', patient: {} }", to: scratch.file("broken.json5"))
    let result = try Binary.run(["freeze"] + words, in: scratch.url)
    #expect(result.code == code)
    #expect(result.error.contains(part), "\(result.error)")
    #expect(result.output.isEmpty)
  }

  @Test("A copy in another folder finds the golden file that the scenario has")
  func elsewhere() throws {
    let scratch = try folder()
    let text = Self.scenario.replacing(
      "faults:", with: "expect: [{ id: 'kept', golden: 'golden/{variant}.csv' }], faults:"
    ).replacing("'14h'", with: "'\(Extent.of(2, whole: 14))h'")
    for name in ["from", "to"] {
      try FileManager.default.createDirectory(
        atPath: scratch.file(name), withIntermediateDirectories: false)
    }
    try Files.write(text, to: scratch.file("from/day.json5"))
    let keep = ["run", "from/day.json5", "--out", "out", "--update-golden"]
    #expect(try Binary.run(keep, environment: ["CI": ""], in: scratch.url).code == 0)
    let words = ["freeze", "from/day.json5", "--run", "day/two", "-o", "to/frozen.json5"]
    #expect(try Binary.run(words, in: scratch.url).code == 0)
    #expect(try scratch.text(of: "to/frozen.json5").contains("'../from/golden/two.csv'"))
    let again = try Binary.run(
      ["run", "to/frozen.json5", "--out", "out", "--allow-outside"], in: scratch.url)
    #expect(again.code == 0, "\(again.output)")
  }
}
