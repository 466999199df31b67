import Foundation
import ScenarioLanguage
import StructuredText
import TestSupport
import Testing

@testable import Scenarios

@Suite("The schema for editors")
struct EditorSchemaTests {
  private static let schema = EditorSchema().json
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func faults(of text: String, _ name: String = "test.json5") throws -> [String] {
    let reading = JSONReader.read(Array(text.utf8), file: name)
    #expect(reading.problems.isEmpty)
    let node = try #require(reading.root)
    return EditorSchemaValidator(schema).faults(of: JSONValue(node))
  }

  @Test("Every file of the library fits, and so does the tour")
  func library() throws {
    let folder = Self.root.appendingPathComponent("Scenarios").path
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    let files = names.filter { $0.hasSuffix(".json5") }.sorted()
    #expect(files.count > 200)
    for name in Extent.some(of: files, every: 5) {
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      let found = try Self.faults(of: text, name)
      #expect(found.isEmpty, "\(name)")
    }
    for (name, text) in Tour.files.sorted(by: { $0.key < $1.key }) where name.hasSuffix("json5") {
      let found = try Self.faults(of: text, name)
      #expect(found.isEmpty, "\(name)")
    }
  }

  @Test(
    "What a check takes fits: an inherited format, and remarks among names",
    arguments: [
      "{ extends: 'base.json5' }",
      "{ format: 'loopsim/1', cohort: { columns: { isf: 'a', note: 1, 'x-who': [] } } }",
    ])
  func takesWhatChecks(text: String) throws { #expect(try Self.faults(of: text).isEmpty) }

  @Test(
    "What does not fit is refused",
    arguments: [
      "{ clock: {} }",
      "{ format: 'loopsim/1', cohort: { columns: { isf: 1 } } }",
      "{ format: 'loopsim/2' }",
      "{ format: 'loopsim/1', clok: {} }",
      "{ format: 'loopsim/1', clock: { duration: 5 } }",
      "{ format: 'loopsim/1', clock: { duration: '5 hours' } }",
      "{ format: 'loopsim/1', clock: { hours: 5 } }",
      "{ format: 'loopsim/1', random: { seed: -1 } }",
      "{ format: 'loopsim/1', random: { seed: 1.5 } }",
      "{ format: 'loopsim/1', patient: { model: 'padova' } }",
      "{ format: 'loopsim/1', patient: { initialGlucose: 6000 } }",
      "{ format: 'loopsim/1', therapy: { basal: [['00:00']] } }",
      "{ format: 'loopsim/1', therapy: { basal: [] } }",
      "{ format: 'loopsim/1', events: [{ meal: { grams: 40 } }] }",
      "{ format: 'loopsim/1', events: [{ at: '07:00', meal: { grams: '40' } }] }",
      "{ format: 'loopsim/1', events: [{ at: '07:00', meal: {}, bolus: { units: 1 } }] }",
      "{ format: 'loopsim/1', events: [{ at: '07:00', dinner: {} }] }",
      "{ format: 'loopsim/1', faults: [{ at: '07:00', cgm: { dropout: {}, noise: {} } }] }",
      "{ format: 'loopsim/1', events: { $add: [] } }",
      "{ format: 'loopsim/1', variants: { a: { therapi: {} } } }",
      "{ format: 'loopsim/1', variants: { a: { clock: { duration: 5 } } } }",
      "{ format: 'loopsim/1', variants: { a: { study: {} } } }",
      "{ format: 'loopsim/1', variants: { a: 80 } }",
    ])
  func refused(text: String) throws {
    #expect(try !Self.faults(of: text).isEmpty)
  }

  @Test(
    "Edits, remarks and either unit of glucose fit",
    arguments: [
      "{ $schema: 'scenario.schema.json', format: 'loopsim/1' }",
      "{ format: 'loopsim/1', note: ['any'], 'x-mine': { a: 1 } }",
      "{ format: 'loopsim/1', extends: 'a.json5', events: { $append: [{ at: '+1h' }] } }",
      "{ format: 'loopsim/1', extends: ['a.json5'], cgm: { $remove: true } }",
      "{ format: 'loopsim/1', patient: { initialGlucose: 5.6 }, glucoseUnit: 'mmol/L' }",
      "{ format: 'loopsim/1', events: [{ at: '07:00', meal: { grams: 40 }, entry: false }] }",
      "{ format: 'loopsim/1', variants: { a: {}, b: { $remove: true }, note: 1 } }",
      "{ format: 'loopsim/1', variants: { a: { patient: { model: 'hovorka' }, note: 1 } } }",
      "{ format: 'loopsim/1', variants: { a: { pump: { $remove: true }, 'x-y': 2 } } }",
    ])
  func fits(text: String) throws {
    #expect(try Self.faults(of: text).isEmpty)
  }

  @Test("Every key of the reference is in it, with its meaning")
  func complete() {
    var described: Set<String> = []
    func visit(_ value: JSONValue) {
      switch value {
      case .array(let items): items.forEach(visit)
      case .object(let members):
        if let text = value["description"], case .string(let words) = text {
          described.insert(words)
        }
        members.forEach { visit($0.value) }
      default: break
      }
    }
    visit(Self.schema)
    for row in SchemaTable().rows {
      #expect(described.contains { $0.hasPrefix(row.meaning) }, "\(row.path)")
    }
  }

  @Test("The name of a schema means nothing to a run, and must be text")
  func name() {
    func problems(_ schema: String) -> [String] {
      let problems = ProblemList()
      var reader = ScenarioReader(
        files: MemoryFiles([
          "a.json5": "{ $schema: \(schema), format: 'loopsim/1', title: 'x' }"
        ]))
      #expect(reader.read("a.json5", problems: problems)?.tree["$schema"] == nil)
      return problems.problems.map(\.sentence)
    }
    #expect(problems("'https://example.org/s.json'").isEmpty)
    #expect(
      problems("3") == ["\"$schema\" must be the address of a schema in quotes, not 3."])
  }
}

/// Checks values by a JSON Schema, as far as the schema for editors goes: a word that it does not
/// know is a fault, so that nothing is passed over.
///
/// Source: JSON Schema, draft 2020-12, core and validation.
private struct EditorSchemaValidator {
  let root: JSONValue

  init(_ root: JSONValue) { self.root = root }

  func faults(of value: JSONValue) -> [String] { faults(value, root, at: "") }

  private func faults(_ value: JSONValue, _ schema: JSONValue, at path: String) -> [String] {
    switch schema {
    case .bool(let isAllowed): return isAllowed ? [] : ["\(path): not allowed"]
    case .object(let words):
      return words.flatMap { faults(value, $0.key, $0.value, schema, at: path) }
    default: return ["\(path): no schema"]
    }
  }

  private func faults(
    _ value: JSONValue, _ word: String, _ rule: JSONValue, _ schema: JSONValue, at path: String
  ) -> [String] {
    switch word {
    case "$schema", "$id", "$defs", "title", "description", "default", "deprecated": return []
    case "$ref":
      guard case .string(let name) = rule,
        let target = name.split(separator: "/").dropFirst().reduce(
          Optional(root), { $0?[String($1)] })
      else { return ["\(path): unknown reference"] }
      return faults(value, target, at: path)
    case "anyOf", "oneOf":
      let fitting = (rule.items ?? []).count { faults(value, $0, at: path).isEmpty }
      return fitting == 1 || fitting > 1 && word == "anyOf"
        ? [] : ["\(path): fits \(fitting) alternatives"]
    case "type": return isOfType(value, rule) ? [] : ["\(path): not of type \(rule)"]
    case "const": return value == rule ? [] : ["\(path): not \(rule)"]
    case "enum": return rule.items?.contains(value) == true ? [] : ["\(path): not among \(rule)"]
    case "minimum", "maximum":
      guard let own = number(value), let bound = number(rule) else { return [] }
      return (word == "minimum" ? own >= bound : own <= bound)
        ? [] : ["\(path): \(word) \(bound)"]
    case "pattern":
      guard case .string(let text) = value, case .string(let pattern) = rule else { return [] }
      return text.range(of: pattern, options: .regularExpression) != nil
        ? [] : ["\(path): does not match"]
    case "items", "prefixItems", "minItems", "maxItems":
      return listFaults(value, word, rule, at: path)
    case "properties", "patternProperties", "additionalProperties", "required", "minProperties":
      return objectFaults(value, word, rule, schema, at: path)
    default: return ["\(path): the word \(word) is unknown"]
    }
  }

  private func listFaults(
    _ value: JSONValue, _ word: String, _ rule: JSONValue, at path: String
  ) -> [String] {
    guard let items = value.items else { return [] }
    switch word {
    case "items": return items.indices.flatMap { faults(items[$0], rule, at: "\(path)[\($0)]") }
    case "prefixItems":
      return zip(items, rule.items ?? []).flatMap { faults($0, $1, at: "\(path)[]") }
    default:
      let bound = Int(number(rule) ?? 0)
      return (word == "minItems" ? items.count >= bound : items.count <= bound)
        ? [] : ["\(path): \(word) \(bound)"]
    }
  }

  private func objectFaults(
    _ value: JSONValue, _ word: String, _ rule: JSONValue, _ schema: JSONValue, at path: String
  ) -> [String] {
    guard case .object(let members) = value else { return [] }
    switch word {
    case "properties":
      return members.flatMap { member in
        rule[member.key].map { faults(member.value, $0, at: "\(path).\(member.key)") } ?? []
      }
    case "patternProperties": return rule == ["^x-": true] ? [] : ["\(path): unknown patterns"]
    case "additionalProperties":
      return members.flatMap { member -> [String] in
        guard schema["properties"]?[member.key] == nil, !member.key.hasPrefix("x-") else {
          return []
        }
        return faults(member.value, rule, at: "\(path).\(member.key)")
      }
    case "required":
      let names = rule.items ?? []
      return names.filter { name in !members.contains { .string($0.key) == name } }
        .map { "\(path): lacks \($0)" }
    default: return members.count >= Int(number(rule) ?? 0) ? [] : ["\(path): too few keys"]
    }
  }

  private func isOfType(_ value: JSONValue, _ type: JSONValue) -> Bool {
    switch (value, type) {
    case (.object, "object"), (.array, "array"), (.string, "string"), (.bool, "boolean"): true
    case (.integer, "integer"), (.integer, "number"), (.number, "number"): true
    case (.number(let number), "integer"): number == number.rounded()
    default: false
    }
  }

  private func number(_ value: JSONValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }
}
