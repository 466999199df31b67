import Foundation
import Testing

@testable import loopsim

@Suite("The order and the number of problems that a check prints")
struct CheckOrderTests {
  private static func check(_ text: String) async throws -> [String] {
    let scratch = try Scratch()
    let file = scratch.file("wrong.json5")
    try Files.write(text, to: file)
    let result = await program(["check", file])
    #expect(result.code == 65)
    return result.output.split(separator: "\n").map { String($0.dropFirst(file.count + 1)) }
  }

  private static let body = "patient: { model: 'uva-padova-s2008', name: 'adult#001' }"

  @Test("Each mistake is told once, in the order of lines, whoever finds it")
  func order() async throws {
    let lines = try await Self.check(
      """
      { format: 'loopsim/1', \(Self.body),
        app: { carbAbsorption: 'linear' },
        faults: [ { at: '06:00', cgm: { dropp: {} } } ],
        expect: [ { id: 'i', metric: 'meen', max: 3 } ],
      }
      """)
    #expect(lines.count == 3, "\(lines)")
    #expect(lines[0].hasPrefix("2:10: error: \"app.carbAbsorption\" is not supported"))
    #expect(lines[1].hasPrefix("3:35: error: \"dropp\" is not a known key"))
    #expect(lines[2].hasPrefix("4:32: error: \"meen\" is no metric"))
  }

  @Test("Of an object that lacks several keys each is told, though all are told at its beginning")
  func severalKeys() async throws {
    let lines = try await Self.check(
      "{ format: 'loopsim/1', patient: { model: 'tidepool-simple', needs: { basal: 1 } } }")
    for key in ["sensitivity", "carbRatio"] {
      #expect(lines.contains { $0.contains("\"patient.needs.\(key)\" is missing") }, "\(lines)")
    }
  }

  @Test(
    "An event or a fault that is none, or is two, is one mistake",
    arguments: [
      ("events: [{ at: '01:00' }]", "This is no event yet"),
      ("events: [{ at: '01:00', inject: { units: 4 } }]", "Did you mean \"injection\"?"),
      (
        "events: [{ at: '01:00', meal: { grams: 4 }, bolus: { units: 2 } }]",
        "An event is one thing"
      ),
      ("faults: [{ at: '01:00' }]", "This is no fault yet"),
      ("faults: [{ cgm: { dropout: {} } }]", "A fault needs a time"),
      ("faults: [{ at: '01:00', cgm: {} }]", "This is no CGM fault yet"),
      ("faults: [{ at: '01:00', cgm: { dropout: {}, spike: {} } }]", "A CGM fault is one thing"),
      ("faults: [{ at: '01:00', cgm: { dropout: {} }, pump: { empty: {} } }]", "A fault is one"),
    ])
  func once(part: String, sentence: String) async throws {
    let lines = try await Self.check("{ format: 'loopsim/1', \(Self.body), \(part) }")
    #expect(lines.count == 1 && lines[0].contains(sentence), "\(lines)")
  }

  @Test(
    "Words of the field lead to the keys that mean the same",
    arguments: [
      ("therapy: { isf: 50 }", "sensitivity"), ("therapy: { ICR: 10 }", "carbRatio"),
      ("events: [ { at: '06:00', meal: { carbs: 40 } } ]", "grams"),
      ("sensor: { model: 'dexcomG6' }", "cgm"),
    ])
  func words(part: String, key: String) async throws {
    let lines = try await Self.check("{ format: 'loopsim/1', \(Self.body), \(part) }")
    #expect(lines.contains { $0.hasSuffix("Did you mean \"\(key)\"?") }, "\(lines)")
  }
}

@Suite("Former names of keys, rewritten")
struct CheckFixTests {
  @Test("--fix rewrites the files, and a second check has no warning")
  func fixes() async throws {
    let scratch = try Scratch()
    let file = scratch.file("old.json5")
    let text = """
      { format: 'loopsim/1', clock: { duration: '1h' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' },
        healthStore: { authorised: ['glucose'] } }
      """
    try Files.write(text, to: file)
    let warned = await program(["check", file, "--strict"])
    #expect(warned.code == 65)
    #expect(warned.output.contains(":3:18: warning: \"authorised\" is called \"authorized\" now."))
    let fixed = await program(["check", file, "--strict", "--fix"])
    #expect(fixed.code == 0, "\(fixed.output)\(fixed.error)")
    #expect(fixed.error.contains("old.json5: 1 name rewritten."))
    #expect(try scratch.text(of: "old.json5") == text.replacing("authorised", with: "authorized"))
  }

  @Test("A scenario on standard input names files from where the program runs")
  func basesOfStandardInput() throws {
    let scratch = try Scratch()
    let body = "patient: { model: 'uva-padova-s2008', name: 'adult#001' }"
    try Files.write(
      "{ format: 'loopsim/1', clock: { duration: '1h' }, \(body) }",
      to: scratch.file("base.json5"))
    let child = "{ format: 'loopsim/1', id: 'child', extends: 'base.json5' }"
    // What holds the text is somewhere else.
    let elsewhere = try Scratch()
    try Files.write(child, to: elsewhere.file("child.json5"))
    let input = try #require(FileHandle(forReadingAtPath: elsewhere.file("child.json5")))
    let told = try Binary.run(["check", "--strict", "-"], in: scratch.url, input: input)
    #expect(told.code == 0, "\(told.output)\(told.error)")
    #expect(told.error.contains("1 file, 1 run: 0 errors, 0 warnings."), "\(told.error)")
    // As from a file there, no other folder is reached into.
    try Files.write(
      child.replacing("'base", with: "'../base"), to: elsewhere.file("outside.json5"))
    let other = try #require(FileHandle(forReadingAtPath: elsewhere.file("outside.json5")))
    let refused = try Binary.run(["check", "-"], in: scratch.url, input: other)
    #expect(refused.code == 65)
    #expect(refused.output.contains("lies outside the folder"), "\(refused.output)")
  }

  @Test("--fix leaves standard input what it is, and checks it")
  func standardInput() throws {
    let scratch = try Scratch()
    let text = """
      { format: 'loopsim/1', id: 'old', clock: { duration: '1h' },
        patient: { model: 'uva-padova-s2008', name: 'adult#001' },
        healthStore: { authorised: ['glucose'] } }
      """
    try Files.write(text, to: scratch.file("old.json5"))
    let input = try #require(FileHandle(forReadingAtPath: scratch.file("old.json5")))
    let told = try Binary.run(["check", "--fix", "-"], in: scratch.url, input: input)
    #expect(told.code == 0, "\(told.error)")
    #expect(told.output.contains(":3:18: warning: \"authorised\" is called"), "\(told.output)")
    #expect(try scratch.text(of: "old.json5") == text)
  }
}
