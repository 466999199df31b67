import Foundation
import Quantities
import Simulation
import StructuredText
import Testing

@testable import Scenarios

@Suite("The schema and the builder say the same")
struct SchemaParityTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The library's files, the tour, and what neither of them has.
  static let corpus: [(name: String, plan: RunPlan)] = {
    let folder = root.appendingPathComponent("Scenarios").path
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    var found: [(String, RunPlan)] = []
    func add(_ path: String, _ files: any ScenarioFiles) {
      let problems = ProblemList()
      var reader = ScenarioReader(files: files, allowsOutside: true)
      if let document = reader.read(path, problems: problems),
        let plan = RunPlan(document, reader: reader, problems: problems)
      {
        found.append((path, plan))
      } else {
        Issue.record("\(problems.problems)")
      }
    }
    for name in names.sorted() where name.hasSuffix(".json5") && !"/\(name)".contains("/base/") {
      add("\(folder)/\(name)", MachineFiles())
    }
    add("Scenarios/tour.json5", MemoryFiles(Tour.files))
    add("rest.json5", MemoryFiles(["rest.json5": rest]))
    add("bare.json5", MemoryFiles(["bare.json5": bare]))
    add("controlled.json5", MemoryFiles(["controlled.json5": controlled]))
    return found
  }()

  /// At most four of the runs that stand for a plan, spread over all of them.
  ///
  /// The patients of a large cohort are read with the same keys.
  private static func someRepresentatives(of plan: RunPlan) -> [Int] {
    let all = plan.representatives
    let step = max(1, (all.count + 3) / 4)
    return stride(from: 0, to: all.count, by: step).map { all[$0] }
  }

  /// What reading the corpus noted, and what was wrong with a run of it.
  static let reading: (recorder: ReadRecorder, failures: [String]) = {
    let recorder = ReadRecorder()
    var failures: [String] = []
    for (name, plan) in corpus {
      for place in someRepresentatives(of: plan) {
        let problems = ProblemList()
        if RunBuilder.build(plan.run(at: place), problems: problems, recorder: recorder) == nil {
          failures.append("\(name): \(problems.sorted)")
        }
      }
    }
    return (recorder, failures)
  }()

  /// Keys of which the library and the tour have none.
  private static let rest = """
    { format: 'loopsim/1', clock: { duration: '6h' },
      patient: { model: 'uva-padova-s2008', name: 'adult#001',
        heartRate: { resting: 60, maximum: 180 } },
      cgm: { model: 'ideal' }, supplies: { pump: 'automatic', cgm: 'none' },
      therapy: { basal: [['00:00', 1.25]], sensitivity: [['00:00', 40]],
        carbRatio: [['00:00', 10]], workoutTarget: [140, 160] },
      events: [{ at: '+1h', preset: 'workout', duration: '1h' },
        { at: '+2h', bolus: { units: 1, reported: { units: 2, at: '+5m' } } }],
    }
    """

  /// Runs that a program decides, or of which it is the body, and ones repeated from its records.
  private static let controlled = """
    { format: 'loopsim/1', clock: { duration: '1h' },
      patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
        sensitivity: [['00:00', 45]], carbRatio: [['00:00', 10]] } },
      variants: {
        program: { controller: { command: ['python3', 'pid.py'], seat: 'controller',
          parameters: { kp: 0.02 }, guards: 'pump', history: '6h', timeout: '10s',
          startTimeout: '20s', onTimeout: 'skip', manualBolus: 'loop',
          environment: { OMP_NUM_THREADS: '1' }, privileged: true } },
        record: { controller: { transcript: 'decisions.ndjson' } },
        body: { patient: { model: 'external', command: ['python3', 'body.py'],
          parameters: { weight: 70, sex: 'f' }, timeout: '10s', startTimeout: '20s',
          environment: { OMP_NUM_THREADS: '1' } } },
        lived: { patient: { model: 'external', transcript: 'lived.ndjson' } },
      } }
    """

  /// Objects that say nothing, where all others say something.
  private static let bare = """
    { format: 'loopsim/1', clock: { duration: '6h' },
      patient: { model: 'tidepool-simple', secretion: {}, floor: {}, needs: {
        basal: [['00:00', 1]], sensitivity: [['00:00', 40]], carbRatio: [['00:00', 10]] } },
      cgm: { model: 'ar1' },
      therapy: { basal: [['00:00', 1]], sensitivity: [['00:00', 40]], carbRatio: [['00:00', 10]],
        presets: { none: {} } },
      events: [{ at: '+1h', preset: 'none', duration: '1h' },
        { at: '+2h', healthStore: { write: { basal: 1 } } }],
      behaviour: {
        meals: [{ name: 'snack', window: ['10:00', '11:00'], grams: 20 }], announce: {},
      },
      variants: { simple: {}, solved: { patient: { model: 'uva-padova-s2008', name: 'adult#001',
        integration: { tolerance: 1e-8 },
        variability: { oscillation: { amplitude: 0.2 } },
        needs: { $remove: true }, secretion: { $remove: true } },
        events: [{ at: '+1h', illness: { severity: 0.5 } }] },
      generated: { patient: { model: 'hovorka', generated: { member: 1 },
        needs: { $remove: true }, secretion: { $remove: true } } } },
    }
    """

  /// Keys that say how a file is read and expanded, which is done before a run is built, and the
  /// unit and the clock, which all reading of the others needs.
  private static let readBefore = [
    "$schema", "format", "id", "tags", "references", "note", "extends", "variants", "sweep",
    "cohort",
    "budget", "study", "random", "glucoseUnit", "clock.start", "clock.timeZone", "clock.duration",
    "clock.preRoll",
  ]

  /// Whether a key is read by the description from which the schema is made, so that the two cannot
  /// differ.
  static func isDescribed(_ path: String) -> Bool {
    guard !path.hasPrefix("events[].settings") else { return false }
    return ["events[].", "faults[]."].contains { path.hasPrefix($0) && path != "\($0)at" }
  }

  @Test("Every key of the schema is read when a run is built")
  func everyKeyIsRead() {
    #expect(Self.reading.failures == [])
    let read = Self.reading.recorder.paths
    var unread: [String] = []
    for row in SchemaTable().rows where row.isSupported && !Self.isDescribed(row.path) {
      let isBefore = Self.readBefore.contains { row.path == $0 || row.path.hasPrefix("\($0).") }
      if !isBefore, !read.contains(row.path), !read.contains("\(row.path)[]") {
        unread.append(row.path)
      }
    }
    #expect(unread == [], "These keys are in the schema, and nothing reads them.")
  }

  @Test("Every default that the source asks for is in the schema and can be read")
  func everyDefaultIsTaken() throws {
    let folder = Self.root.appendingPathComponent("Sources/Scenarios").path
    var wanted: Set<String> = []
    for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init()
    // What a study says is read with its plan, before any run is built.
    where name.hasSuffix(".swift") && !name.hasPrefix("Study/") {
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      let file = name.split(separator: "/").last.map(String.init) ?? name
      let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("///") }
      for use in code.joined(separator: "\n").matches(of: /standard\(\s*"([A-Za-z]+)"/) {
        wanted.insert("\(file) \(use.1)")
      }
    }
    #expect(wanted.count > 30)
    #expect(
      wanted.subtracting(Self.reading.recorder.defaultUses).sorted() == [],
      "No scenario of this test leaves these keys out.")
  }

  @Test("A default that a file states changes nothing")
  func statedDefaults() {
    for (name, plan) in Self.corpus {
      let run = plan.run(at: 0)
      let stated = ExpandedRun(
        document: plan.document, variant: run.variant, point: run.point, patient: run.patient,
        replicate: run.replicate, hasReplicates: plan.replicates > 1,
        assignments: run.assignments, tree: Self.stating(run.tree, path: ""))
      let problems = ProblemList()
      guard let plain = RunBuilder.build(run, problems: problems) else { continue }
      guard let built = RunBuilder.build(stated, problems: problems) else {
        Issue.record("\(name): \(problems.sorted)")
        continue
      }
      let (one, other) = (String(describing: built.setup), String(describing: plain.setup))
      guard one != other else { continue }
      let common = zip(one, other).prefix { $0 == $1 }.count
      let start = max(0, common - 200)
      Issue.record(
        "\(name): \(one.dropFirst(start).prefix(300)) for \(other.dropFirst(start).prefix(300))")
    }
  }

  private static let rows = SchemaTable().rows

  /// The tree with every default that is a value written out, where the object around it is there.
  private static func stating(_ node: JSONNode, path: String) -> JSONNode {
    var node = node
    if let items = node.items {
      node.value = .array(items.map { stating($0, path: "\(path)[]") })
    }
    guard let members = node.members else { return node }
    let prefix = path.isEmpty ? "" : "\(path)."
    var stated = members.map { member in
      JSONMember(
        key: member.key, keyPosition: member.keyPosition,
        value: stating(member.value, path: SchemaDefaults.generalised("\(prefix)\(member.key)")))
    }
    for row in rows where row.isSupported && row.path.hasPrefix(prefix) && !isOwn(row.path, node) {
      let key = String(row.path.dropFirst(prefix.count))
      guard !key.contains("."), !key.contains("["), node[key] == nil,
        row.beside.map({ node[$0] != nil }) ?? true,
        let value = SchemaDefaults.field(at: row.path).node
      else { continue }
      stated.append(JSONMember(key: key, keyPosition: node.position, value: value))
    }
    node.value = .object(stated)
    return node
  }

  /// Whether a default is not one of a single run, or is another for a sensor that is sold.
  private static func isOwn(_ path: String, _ node: JSONNode) -> Bool {
    let isProduct =
      path.hasPrefix("cgm.")
      && !["ideal", "ar1", "gaussian", nil].contains(node["model"]?.string)
    // The deviation of sensitivity is another name of the one within the day, and white noise has
    // no correlation.
    let names = [
      "variants", "budget", "random.replicates", "patient.variability.sensitivitySD",
      "cgm.noise.phi",
    ]
    // An entry beside a meal has other keys than one beside an injection, at the same path.
    return isProduct || names.contains(path) || path.hasPrefix("events[].entry.")
  }
}
