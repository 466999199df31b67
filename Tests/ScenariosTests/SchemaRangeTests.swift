import ClosedLoop
import Dosing
import Foundation
import Quantities
import Simulation
import StructuredText
import Testing

@testable import Scenarios

/// What the reference publishes is what a run is built from: ranges and defaults of every key.
@Suite("Ranges and defaults of the reference")
struct SchemaRangeTests {
  /// The place of values that stand in no file, so that problems about them can be told from
  /// others.
  private static let place = TextPosition(file: "probe", line: 1, column: 1)

  /// An object of a scenario, by the way to it.
  private struct Site {
    let plan: RunPlan
    let run: ExpandedRun
    let way: [Step]
    let keys: Set<String>
  }

  private enum Step { case key(String), item(Int) }

  /// The objects of the corpus, by their paths in the reference.
  private static let sites: [String: [Site]] = {
    var sites: [String: [Site]] = [:]
    // What says little comes last, as it shows least of what a key means.
    let corpus = SchemaParityTests.corpus.filter { $0.name != "bare.json5" }
    let bare = SchemaParityTests.corpus.filter { $0.name == "bare.json5" }
    for (_, plan) in corpus.reversed() + bare {
      for place in plan.representatives.prefix(12) {
        let run = plan.run(at: place)
        // Ranges of glucose are published in mg/dL.
        if run.tree["glucoseUnit"]?.string == "mmol/L" { continue }
        visit(run.tree, path: "", way: []) { path, way, node in
          let keys = Set((node.members ?? []).map(\.key))
          guard sites[path, default: []].count(where: { $0.keys == keys }) < 2 else { return }
          sites[path, default: []].append(Site(plan: plan, run: run, way: way, keys: keys))
        }
      }
    }
    return sites
  }()

  private static func visit(
    _ node: JSONNode, path: String, way: [Step], _ body: (String, [Step], JSONNode) -> Void
  ) {
    for (index, item) in (node.items ?? []).enumerated() {
      visit(item, path: "\(path)[]", way: way + [.item(index)], body)
    }
    guard let members = node.members else { return }
    body(path, way, node)
    for member in members {
      let inner = SchemaDefaults.generalised(path.isEmpty ? member.key : "\(path).\(member.key)")
      visit(member.value, path: inner, way: way + [.key(member.key)], body)
    }
  }

  /// The tree with a value at the end of a way.
  private static func setting(
    _ value: JSONNode, _ key: String, at way: ArraySlice<Step>, in node: JSONNode
  ) -> JSONNode {
    var copy = node
    switch way.first {
    case nil: return node.setting(key, to: value)
    case .item(let index)?:
      var items = node.items ?? []
      items[index] = setting(value, key, at: way.dropFirst(), in: items[index])
      copy.value = .array(items)
    case .key(let name)?:
      copy.value = .object(
        (node.members ?? []).map { member in
          member.key == name
            ? JSONMember(
              key: name, keyPosition: member.keyPosition,
              value: setting(value, key, at: way.dropFirst(), in: member.value)) : member
        })
    }
    return copy
  }

  /// A value of a key to try, and whether it lies in the published range.
  private struct Probe {
    var value: JSONNode
    var isInside: Bool
    var text: String
  }

  private static func node(_ value: JSONNode.Value) -> JSONNode { JSONNode(value, at: place) }

  private static func probes(of shape: Shape) -> [Probe] {
    func number(_ value: Double) -> JSONNode {
      node(Int64(exactly: value).map { .integer($0) } ?? .number(value))
    }
    func numbers(_ range: ClosedRange<Double>, step: Double? = nil) -> [Probe] {
      let (low, high) = (range.lowerBound, range.upperBound)
      let beyond = step ?? (low > 0 ? low * 0.01 : (high - low) * 0.001)
      let above = step ?? (high - low) * 0.001
      var probes = [low, high].map { Probe(value: number($0), isInside: true, text: "\($0)") }
      guard high < 1e9 else { return probes }
      probes += [low - beyond, high + above].map {
        Probe(value: number($0), isInside: false, text: "\($0)")
      }
      return probes
    }
    func spans(_ range: ClosedRange<TimeSpan>) -> [Probe] {
      func text(_ span: TimeSpan) -> JSONNode { node(.string("\(span)")) }
      var probes = [range.lowerBound, range.upperBound].map {
        Probe(value: text($0), isInside: true, text: "\($0)")
      }
      guard range.upperBound < .days(36_525) else { return probes }
      probes += [range.lowerBound - .milliseconds(100), range.upperBound + .milliseconds(100)].map {
        Probe(value: text($0), isInside: false, text: "\($0)")
      }
      return probes
    }
    switch shape {
    case .number(let range, _), .law(let range, _), .glucose(let range),
      .glucoseChange(let range):
      return numbers(range)
    case .units(let range), .rate(let range): return numbers(range, step: 0.001)
    case .sensitivity: return numbers(Shape.sensitivities)
    case .carbRatio: return numbers(Shape.carbRatios)
    case .integer(let range):
      return [range.lowerBound, range.upperBound].map {
        Probe(value: node(.integer($0)), isInside: true, text: "\($0)")
      }
        + [range.lowerBound - 1, range.upperBound &+ 1].map {
          Probe(value: node(.integer($0)), isInside: false, text: "\($0)")
        }
    case .duration(let range), .durationLaw(let range): return spans(range)
    case .glucoseRange(let range):
      return probes(of: .glucose(range)).map { probe in
        let other = probe.value.double ?? 0
        let inner = min(max(other, range.lowerBound + 1), range.upperBound - 1)
        let pair = [other, inner].sorted().map { number($0) }
        return Probe(value: node(.array(pair)), isInside: probe.isInside, text: probe.text)
      }
    case .schedule(let value):
      return probes(of: value).map { probe in
        let entry = node(.array([node(.string("00:00")), probe.value]))
        return Probe(value: node(.array([entry])), isInside: probe.isInside, text: probe.text)
      }
    case .list(let item), .listOrOne(let item):
      return probes(of: item).map { probe in
        Probe(value: node(.array([probe.value])), isInside: probe.isInside, text: probe.text)
      }
    case .either(let shapes): return shapes.flatMap { probes(of: $0) }
    default: return []
    }
  }

  /// What must stand elsewhere in the file for the ends of a range to be legal: a step that the
  /// pump can do, a limit that lies higher.
  private static let companions: [String: [(block: String, key: String, value: String)]] = [
    "clock.loopJitter": [("clock", "loopEvery", "'1h'")],
    "therapy.basal": [("therapy", "maxBasal", "50"), ("pump", "model", "'continuous'")],
    "faults[].pump.wrongPump.basal": [("pump", "model", "'continuous'")],
    "events[].basal.rate": [("therapy", "maxBasal", "50"), ("pump", "model", "'continuous'")],
    "events[].exercise.heartRate": [("patient", "heartRate", "{ resting: 30, maximum: 250 }")],
    "pump.reservoir": [("pump", "capacity", "1000")],
    "pump.bolusStep": [("pump", "pulse", "0.001")],
  ]

  /// What must stand beside a key in the same object.
  private static let neighbours: [String: [(key: String, value: String)]] = [
    "expect[].min": [("max", "1e12")], "expect[].max": [("min", "0")],
  ]

  /// Keys that say how a file is expanded; a single run has them no more.
  private static let ofTheFile = [
    "study", "variants", "sweep", "cohort", "budget", "extends", "random",
  ]

  @Test("Both ends of every published range are taken, and nothing beyond them")
  func ranges() {
    var tried = 0
    var wrong: [String] = []
    for row in SchemaTable().rows
    where row.isSupported && !SchemaParityTests.isDescribed(row.path) {
      let top = String(row.path.prefix { $0 != "." && $0 != "[" })
      let probes = Self.probes(of: row.shape)
      guard !probes.isEmpty, !Self.ofTheFile.contains(top) else { continue }
      let cut = row.path.lastIndex(of: ".")
      let parent = cut.map { String(row.path[..<$0]) } ?? ""
      let key = cut.map { String(row.path[row.path.index(after: $0)...]) } ?? row.path
      let possible = (Self.sites[parent] ?? []).filter { site in
        row.beside.map { site.keys.contains($0) } ?? true
      }
      // Where the key is there already, its companions are too.
      let places = possible.filter { $0.keys.contains(key) } + possible
      guard let site = places.first else {
        wrong.append("\(row.path): no scenario of this test has a place for it")
        continue
      }
      for probe in probes {
        tried += 1
        if probe.isInside {
          var refusal: String?
          // What one scenario says beside a key may exclude a value that is legal elsewhere.
          for place in places.prefix(12) {
            let (checked, built, _) = Self.errors(with: probe.value, key, row.path, at: place)
            refusal = checked ?? built
            if refusal == nil { break }
          }
          if let refusal { wrong.append("\(row.path): \(probe.text) is refused: \(refusal)") }
        } else {
          var (checked, built, isRead) = Self.errors(with: probe.value, key, row.path, at: site)
          if checked == nil { wrong.append("\(row.path): \(probe.text) passes the check") }
          // A builder that has no use for the value here refuses it where it has.
          for place in places.dropFirst().prefix(12) where built == nil && isRead {
            (_, built, isRead) = Self.errors(with: probe.value, key, row.path, at: place)
          }
          if built == nil, isRead { wrong.append("\(row.path): \(probe.text) is built") }
        }
      }
    }
    #expect(tried > 300)
    #expect(wrong == [])
  }

  /// What the check and the builder say against a value, and whether the builder looks at it.
  private static func errors(
    with value: JSONNode, _ key: String, _ path: String, at site: Site
  ) -> (checked: String?, built: String?, isRead: Bool) {
    let run = site.run
    var tree = run.tree
    func node(_ text: String) -> JSONNode {
      JSONReader.read(text: text, file: "companion").root ?? value
    }
    for (block, key, text) in companions[path] ?? [] {
      let base = tree[block] ?? JSONNode(.object([]), at: tree.position)
      tree = tree.setting(block, to: base.setting(key, to: node(text)))
    }
    for (other, text) in neighbours[path] ?? [] {
      tree = setting(node(text), other, at: site.way[...], in: tree)
    }
    let changed = ExpandedRun(
      document: site.plan.document, variant: run.variant, point: run.point, patient: run.patient,
      replicate: run.replicate, hasReplicates: site.plan.replicates > 1,
      assignments: run.assignments, tree: setting(value, key, at: site.way[...], in: tree))
    func first(_ problems: ProblemList) -> String? {
      problems.problems.first { $0.severity == .error && $0.position == place }?.description
    }
    let (checking, building) = (ProblemList(), ProblemList())
    ScenarioCheck.check(changed, of: site.plan.document, problems: checking)
    let recorder = ReadRecorder()
    _ = RunBuilder.build(changed, problems: building, recorder: recorder)
    return (first(checking), first(building), recorder.paths.contains(path))
  }

  @Test(
    "Keys of the expansion take both ends of their ranges",
    arguments: [
      ("random: { replicates: N }", 1, 1_000_000), ("random: { replicate: N }", 0, 999_999),
      ("budget: { maxRuns: N }", 1, 100_000_000), ("budget: { maxSeconds: N }", 0, 1_000_000_000),
    ] as [(String, Int, Int)])
  func rangesOfTheExpansion(text: String, low: Int, high: Int) {
    for (value, isInside) in [(low, true), (high, true), (low - 1, false), (high + 1, false)] {
      let body = text.replacingOccurrences(of: "N", with: "\(value)")
      let problems = ProblemList()
      var reader = ScenarioReader(
        files: MemoryFiles([
          "s.json5": """
          { format: 'loopsim/1', patient: { model: 'uva-padova-s2008', name: 'adult#001' },
            \(body)\(body.hasPrefix("budget") ? "" : ", budget: { maxRuns: 100000000 }") }
          """
        ]))
      _ = ScenarioCheck.plan("s.json5", reader: &reader, problems: problems)
      #expect(problems.hasErrors != isInside, "\(body): \(problems.sorted)")
    }
  }

  @Test("No value is read without a range of the schema, where it has ranges")
  func everythingHasARange() {
    #expect(SchemaParityTests.reading.recorder.unrangedPaths.sorted() == [])
  }

  // MARK: - Which Loop

  @Test(
    "The algorithm's options are those that the named Loop has",
    arguments: [
      ("", false, "current"), ("algorithm: 'loop-algorithm'", false, "current"),
      ("algorithm: 'loop'", false, "current"), ("algorithm: 'loop-3'", false, "older"),
      ("algorithm: 'loop-3.4'", false, "older"), ("algorithm: 'tidepool'", true, "current"),
      ("algorithm: 'tidepool', midAbsorptionISF: false", false, "current"),
      ("midAbsorptionISF: true", true, "current"),
    ] as [(String, Bool, String)])
  func versions(app: String, isMid: Bool, generation: String) throws {
    let built = try BehaviourFixture.built(BehaviourFixture.text("", days: 1, app: app))
    let configuration = built.setup.app.configuration
    #expect(configuration.therapy.usesMidAbsorptionISF == isMid)
    #expect(configuration.generation.rawValue == generation)
    #expect(configuration.therapy.includesPositiveVelocityAndRC)
    #expect(!configuration.therapy.usesIntegralRetrospectiveCorrection)
  }
}
