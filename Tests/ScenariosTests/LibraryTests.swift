import Foundation
import RunPlans
import ScenarioLanguage
import StructuredText
import Testing

@testable import Scenarios

@Suite("The library of scenarios")
struct LibraryTests {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The scenario files of the package by their names, those to be extended included.
  static let files: [(path: String, bytes: [UInt8])] = {
    let folder = root.appendingPathComponent("Scenarios").path
    let names = (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String]) ?? []
    return names.filter { $0.hasSuffix(".json5") }.sorted().compactMap { name in
      FileManager.default.contents(atPath: "\(folder)/\(name)").map {
        ("\(folder)/\(name)", [UInt8]($0))
      }
    }
  }()

  static let trees = files.compactMap { JSONReader.read($0.bytes, file: $0.path).root }

  /// Every object of every file, however deep.
  static let objects: [JSONNode] = {
    func objects(in node: JSONNode) -> [JSONNode] {
      if let members = node.members { return [node] + members.flatMap { objects(in: $0.value) } }
      return (node.items ?? []).flatMap(objects)
    }
    return trees.flatMap(objects)
  }()

  /// What can be written under a kind of event that is done to something: `pump.refill`.
  private static func parts(of key: SchemaKey) -> [String] {
    guard ["pump", "cgm", "healthStore"].contains(key.name), case .object(let shape) = key.shape
    else { return [] }
    return shape.keys.filter(\.isSupported).map(\.name)
  }

  /// Kinds of events that no scenario of the library needs, and why.
  private static let unneeded = [
    "remark": "Frozen runs have it, to keep the rows of what was settled."
  ]

  @Test("Every kind of event occurs in some scenario")
  func usesEveryEvent() {
    let happening = Self.objects.filter { $0["at"] != nil }
    for kind in ScenarioSchema.event.kinds
    where kind.isSupported && Self.unneeded[kind.name] == nil {
      let parts = Self.parts(of: kind)
      let values = happening.compactMap { $0[kind.name] }
      if parts.isEmpty {
        #expect(!values.isEmpty, "No scenario has the event \(kind.name).")
      }
      for part in parts {
        #expect(
          values.contains { $0[part] != nil }, "No scenario has the event \(kind.name).\(part).")
      }
    }
  }

  @Test("Every kind of fault occurs in some scenario")
  func usesEveryFault() {
    let failing = Self.objects.filter {
      // What a person does wrong happens with its events.
      $0["at"] != nil || $0["during"] != nil || $0["every"] != nil || $0["user"] != nil
    }
    for component in ScenarioSchema.fault.kinds where component.isSupported {
      guard case .object(let shape) = component.shape else { continue }
      for kind in shape.kinds where kind.isSupported {
        #expect(
          failing.contains { $0[component.name]?[kind.name] != nil },
          "No scenario has the fault \(component.name).\(kind.name).")
      }
    }
  }

  /// Ids of the public risk register of Tidepool's simulator (tidepool-org/data-science-simulator,
  /// `scenario_configs/tidepool_risk_v2`), by theme.
  static let risks: [String: [Int]] = [
    "carb entries": [553, 562, 684, 911, 664, 566, 568],
    "absorption time": [969, 570],
    "boluses": [
      558, 668, 736, 822, 731, 578, 807, 1139, 660, 561, 587, 704, 842, 615,
    ],
    "uncertain delivery": [586, 950, 579, 576, 1133],
    "insulin from elsewhere": [606, 554, 800, 791],
    "insulin that does not arrive": [552, 831, 835, 827, 818, 825, 1024, 956],
    "delivery without command": [820, 957, 899, 909, 916, 891],
    "suspension": [806, 959, 912, 1038, 1129, 848],
    "readings": [620, 751, 752, 1028, 828, 629, 607],
    "settings": [
      788, 789, 790, 792, 793, 794, 795, 901, 593, 1142, 613, 596, 830, 954, 1131, 798,
    ],
    "presets": [
      861, 872, 865, 866, 867, 868, 844, 845, 846, 847, 745, 1071, 1143, 1146, 1070,
    ],
    "exercise": [549, 1116, 1117, 1118, 1119, 1120, 1121, 1122],
    "closed loop off": [652, 1011, 826, 739, 1023],
    "notifications": [558, 726, 808, 689, 725, 627],
    "between two pumps": [577, 604, 605],
    "memory": [863, 548, 337],
  ]

  @Test("Every theme of the public risk register has a scenario that names its ids")
  func coversTheRisks() {
    let named = Set(
      Self.trees.flatMap { $0["references"]?.items ?? [] }.compactMap(\.string))
    for (theme, ids) in Self.risks {
      for id in ids { #expect(named.contains("TLR-\(id)"), "\(theme): TLR-\(id)") }
    }
  }

  @Test("Every scenario expects something, or is a study that asks something")
  func expects() {
    for tree in Self.trees where !tree.position.file.contains("/base/") {
      let expects = tree["expect"]?.items?.isEmpty == false
      // The full sizes of the studies take their questions from the small ones.
      let asks =
        tree["study"]?["primary"]?.items?.isEmpty == false
        || tree.position.file.contains("/studies/whole/")
      #expect(expects || asks, "\(tree.position.file) expects nothing.")
    }
  }

  @Test("Damaged files of the library end in located sentences, whatever was done to them")
  func survivesDamage() {
    var mixer = Mixer(state: 11)
    let sources = Self.files.filter { !$0.path.contains("/base/") }
    for _ in 0..<MutationTests.count {
      let source = sources[mixer.below(sources.count)]
      let problems = ProblemList()
      let files = DamagedFile(path: source.path, bytes: mixer.damaged(source.bytes))
      var reader = ScenarioReader(files: files)
      let plan = ScenarioCheck.plan(source.path, reader: &reader, problems: problems)
      if let plan, !problems.hasErrors, plan.count > 0 {
        _ = RunBuilder.build(plan.run(at: 0), problems: problems)
      }
      if plan == nil { #expect(problems.hasErrors) }
      for problem in problems.problems {
        #expect(problem.position.file.hasSuffix(".json5") || problem.position.file.hasSuffix("csv"))
        #expect(problem.position.line >= 1 && problem.position.column >= 1, "\(problem)")
      }
    }
  }
}

/// The files of this machine with one of them replaced by bytes.
struct DamagedFile: ScenarioFiles {
  let path: String
  let bytes: [UInt8]

  func bytes(of path: String) throws(FileTrouble) -> [UInt8] {
    path == self.path ? bytes : try MachineFiles().bytes(of: path)
  }

  func canonicalPath(of path: String) -> String { MachineFiles().canonicalPath(of: path) }
}
