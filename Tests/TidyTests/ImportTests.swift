import Testing

@Suite("Imports")
struct ImportTests {
  /// Which modules of this package each module may import, lowest level first.
  static let allowed: [(module: String, imports: Set<String>)] = {
    let vocabulary: Set = ["Quantities", "Determinism"]
    let counted = vocabulary.union(["WorkCounting"])
    let large = vocabulary.union(["LargeValues"])
    let run = counted.union([
      "Dosing", "Physiology", "Devices", "HealthStore", "ClosedLoop", "Simulation",
    ])
    let files = run.union(["StructuredText", "Interchange"])
    let everything = files.union([
      "Arguments", "FileSystem", "TimeZones", "HealthStoreSQLite", "Outcomes", "ScenarioLanguage",
      "Expectations", "RunPlans", "Scenarios",
      "Studies", "Formats",
      "Records",
      "Typesetting", "Reports", "Pages", "Bridge", "Processes",
    ])
    return [
      ("Quantities", []),
      ("Determinism", []),
      ("StructuredText", []),
      ("CWork", []),
      ("WorkCounting", ["CWork"]),
      ("LargeValues", []),
      ("CFileSystem", []),
      ("FileSystem", ["CFileSystem"]),
      ("CSQLite", []),
      ("CProcess", []),
      ("Processes", ["CProcess"]),
      ("TimeZones", ["Quantities", "StructuredText"]),
      ("Dosing", counted),
      ("Physiology", large),
      ("Devices", large),
      ("HealthStore", counted),
      ("HealthStoreSQLite", ["HealthStore", "Quantities", "FileSystem", "CSQLite"]),
      (
        "ClosedLoop",
        ["HealthStore", "Dosing", "Devices", "WorkCounting", "LargeValues", "Quantities"]
      ),
      ("Typesetting", ["StructuredText", "Quantities"]),
      ("Arguments", ["StructuredText"]),
      ("Interchange", ["HealthStore", "Dosing", "StructuredText", "Quantities"]),
      ("Simulation", run.subtracting(["Simulation"])),
      ("Outcomes", ["Simulation", "StructuredText", "Quantities", "Determinism"]),
      (
        "ScenarioLanguage",
        ["TimeZones", "StructuredText", "Quantities", "Determinism", "FileSystem"]
      ),
      (
        "RunPlans",
        vocabulary.union(["ScenarioLanguage", "Outcomes", "Physiology", "StructuredText"])
      ),
      ("Expectations", run.union(["ScenarioLanguage", "StructuredText", "Outcomes"])),
      (
        "Scenarios",
        run.union([
          "Expectations", "RunPlans", "ScenarioLanguage", "StructuredText", "TimeZones",
        ])
      ),
      ("Records", ["ClosedLoop", "HealthStore", "Dosing", "StructuredText", "Quantities"]),
      ("Formats", files.union(["RunPlans", "Scenarios", "ScenarioLanguage", "Outcomes"])),
      ("Studies", files.union(["RunPlans", "Scenarios", "ScenarioLanguage", "Outcomes"])),
      (
        "Reports",
        files.union([
          "RunPlans", "Scenarios", "Expectations", "ScenarioLanguage", "Outcomes", "Studies",
          "Records", "Typesetting",
        ])
      ),
      (
        "Pages",
        files.union([
          "RunPlans", "Scenarios", "Expectations", "Outcomes", "Studies", "Records", "Typesetting",
          "Reports",
        ])
      ),
      (
        "Bridge",
        files.union([
          "RunPlans", "Scenarios", "Expectations", "ScenarioLanguage", "Outcomes", "Studies",
          "Reports",
        ])
      ),
      ("CLoopsim", []),
      ("CInterface", files.union(["CLoopsim", "Bridge", "ScenarioLanguage"])),
      ("loopsim", everything),
      ("loopsim-benchmarks", everything),
    ]
  }()

  /// Modules that compute results: nothing of the operating system reaches them.
  static let engine: Set = [
    "Quantities", "Determinism", "WorkCounting", "LargeValues", "StructuredText", "TimeZones",
    "Arguments", "Typesetting", "Dosing", "Physiology", "Devices", "HealthStore", "ClosedLoop",
    "Simulation",
    "RunPlans", "Expectations", "Studies", "Bridge",
  ]

  static let manifest = Manifest((try? Repository.text(of: "Package.swift")) ?? "")

  static func allowedImports(of module: String) -> Set<String>? {
    allowed.first { $0.module == module }?.imports
  }

  /// The modules of this package.
  static let own = Set(allowed.map(\.module))

  @Test("A source file imports only what its level allows")
  func obeysTheTable() throws {
    for file in Repository.sources {
      let allowed = try #require(
        Self.allowedImports(of: file.target), "\(file.target) is not in the table of modules.")
      for name in file.imports where Self.own.contains(name) && !allowed.contains(name) {
        Issue.record("\(file.path): \(file.target) may not import \(name).")
      }
    }
  }

  @Test("The engine imports nothing of the operating system")
  func keepsTheSystemOut() {
    for file in Repository.sources where Self.engine.contains(file.target) {
      for name in file.imports where !Self.own.contains(name) {
        Issue.record("\(file.path): \(file.target) computes results and may not import \(name).")
      }
    }
  }

  @Test("The program starts without Foundation's tables")
  func startsLightly() {
    for file in Repository.sources where file.target != "loopsim-benchmarks" {
      // It brings forty megabytes of ICU along, which are read in before a word of ours is.
      guard file.imports.contains("Foundation") else { continue }
      Issue.record("\(file.path): Import FoundationEssentials.")
    }
  }

  @Test("Only the durable store sees SQLite")
  func keepsSQLiteBehindTheStore() {
    let seeing = Repository.sources.filter { $0.imports.contains("CSQLite") }
    #expect(Set(seeing.map(\.target)) == ["HealthStoreSQLite"])
  }

  @Test("Package.swift gives every module only what its level allows")
  func packageObeysTheTable() throws {
    #expect(!Self.manifest.modules.isEmpty)
    for module in Self.manifest.modules {
      let allowed = try #require(
        Self.allowedImports(of: module.name), "\(module.name) is not in the table of modules.")
      for name in module.uses {
        #expect(allowed.contains(name), "Package.swift lets \(module.name) use \(name).")
      }
    }
  }

  @Test("What a module imports, Package.swift lists")
  func importsAreDeclared() throws {
    for file in Repository.sources {
      let module = try #require(Self.manifest.modules.first { $0.name == file.target })
      for name in file.imports where Self.own.contains(name) && !module.uses.contains(name) {
        Issue.record("List \(name) under \(file.target) in Package.swift for \(file.path).")
      }
    }
  }

  @Test("The package depends on no other package")
  func hasNoDependencies() throws {
    let manifest = try Repository.text(of: "Package.swift")
    #expect(!manifest.contains(".package("))
    #expect(!manifest.contains(".plugin("))
    #expect(!manifest.contains("binaryTarget"))
  }

  @Test("Every library module has tests of its own")
  func everyModuleIsTested() {
    let tests = Set(Repository.names(in: "Tests"))
    for name in Repository.names(in: "Sources") where !Self.withoutTests.contains(name) {
      #expect(tests.contains("\(name)Tests"), "\(name) has no folder of tests.")
    }
  }

  /// A shim without code, a program that only measures, and a package of another language.
  private static let withoutTests: Set = [
    "CWork", "CSQLite", "CFileSystem", "CProcess", "CLoopsim", "loopsim", "loopsim-benchmarks",
    "python",
  ]
}
