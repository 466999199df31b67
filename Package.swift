// swift-tools-version: 6.2

import PackageDescription

/// Whether this is the program that is handed out, without what only tests need of a build.
///
/// `LOOPSIM_HANDED_OUT=1 swift build -c release` leaves out the internal names that a test imports
/// and the calls to the system that fail on request; `.ci/install` and `.ci/c` do.
let isHandedOut = Context.environment["LOOPSIM_HANDED_OUT"] != nil

/// What the tests need of a build for release: they are run against the code as it is optimised.
let testable: [SwiftSetting] =
  isHandedOut
  ? [] : [.unsafeFlags(["-enable-testing"], .when(configuration: .release)), .define("FAULTS")]

/// Leaves out of a build for release what only a debugger reads.
///
/// It takes a sixth of the time in which tests are compiled, and nobody steps through what is
/// optimised. SwiftPM asks for it after our own flags, and only the compiler's front end takes a
/// later word.
let undebugged: SwiftSetting = .unsafeFlags(
  ["-Xfrontend", "-gnone"], .when(configuration: .release))

/// Lets code ask for the metadata of a generic type by its parts, and not by its mangled name.
///
/// The runtime would have to read the name, and to search the conformances of the whole program for
/// what the compiler knows: a sixth of the instructions of a run of an hour.
let namelessMetadata: SwiftSetting = .unsafeFlags(
  ["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"],
  .when(configuration: .release))

/// Settings shared by every target.
let strict: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    undebugged, namelessMetadata,
  ] + testable

/// Settings of what is only used by tests, which are not worth the time to optimise them.
let quicklyBuilt: [SwiftSetting] =
  strict + [
    .unsafeFlags(["-Onone"], .when(configuration: .release))
  ]

/// The modules in which the tests spend most of their time.
///
/// They are optimised in a build for debugging too: a run takes a fifth of the time, and assertions
/// stay. `LOOPSIM_PLAIN=1 swift build` does without it, for a debugger, and to compare the results.
let optimized: Set<String> =
  Context.environment["LOOPSIM_PLAIN"] != nil
  ? []
  : [
    "Quantities", "Determinism", "WorkCounting", "LargeValues", "StructuredText", "TimeZones",
    "Dosing", "Physiology", "Devices", "HealthStore", "ClosedLoop", "ScenarioLanguage",
    "Simulation",
  ]

/// Declares a library module; what it may import is exactly what is listed here.
func module(_ name: String, uses dependencies: [Target.Dependency] = []) -> Target {
  let fast: SwiftSetting = .unsafeFlags(
    ["-O", "-assert-config", "Debug"], .when(configuration: .debug))
  return .target(
    name: name, dependencies: dependencies,
    swiftSettings: strict + (optimized.contains(name) ? [fast] : []))
}

/// Declares the tests of one module.
func tests(_ name: String, uses extra: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.init(stringLiteral: name), "TestSupport"] + extra,
    swiftSettings: quicklyBuilt)
}

let package = Package(
  name: "loopsim",
  products: [
    // The executables have products of their own without being listed.
    .library(name: "loopsimc", type: .dynamic, targets: ["CInterface"])
  ],
  targets: [
    // Level 0: the vocabulary.
    module("Quantities"),
    module("Determinism"),
    module("StructuredText"),
    .target(name: "CWork"),
    module("WorkCounting", uses: ["CWork"]),
    module("LargeValues"),
    .systemLibrary(name: "CFileSystem"),
    .systemLibrary(name: "CProcess"),
    module("Processes", uses: ["CProcess"]),
    module("FileSystem", uses: ["CFileSystem"]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"]), .yum(["sqlite-devel"])]),

    // Level 1: parts that know nothing of one another.
    module("TimeZones", uses: ["Quantities", "StructuredText"]),
    module("Dosing", uses: ["WorkCounting", "Quantities", "Determinism"]),
    module("Physiology", uses: ["LargeValues", "Quantities", "Determinism"]),
    module("Devices", uses: ["LargeValues", "Quantities", "Determinism"]),
    module("HealthStore", uses: ["WorkCounting", "Quantities", "Determinism"]),
    module("Typesetting", uses: ["StructuredText", "Quantities"]),
    module("Arguments", uses: ["StructuredText"]),

    // Level 2: what joins them, without the truth about the body.
    module("HealthStoreSQLite", uses: ["HealthStore", "Quantities", "FileSystem", "CSQLite"]),
    module(
      "ClosedLoop",
      uses: [
        "HealthStore", "Dosing", "Devices", "WorkCounting", "LargeValues", "Quantities",
      ]),
    module(
      "Interchange",
      uses: ["HealthStore", "Dosing", "StructuredText", "Quantities"]),

    module(
      "ScenarioLanguage",
      uses: ["TimeZones", "StructuredText", "Quantities", "Determinism", "FileSystem"]),

    // Level 3: one run.
    module(
      "Simulation",
      uses: [
        "ClosedLoop", "HealthStore", "Dosing", "Physiology", "Devices", "WorkCounting",
        "Quantities", "Determinism",
      ]),

    // Level 4: what a run is made from, and what it says.
    module(
      "Outcomes", uses: ["Simulation", "StructuredText", "Quantities", "Determinism"]),
    module(
      "RunPlans",
      uses: [
        "ScenarioLanguage", "Outcomes", "Physiology", "StructuredText", "Quantities",
        "Determinism",
      ]),
    module(
      "Expectations",
      uses: [
        "ScenarioLanguage", "Outcomes", "Simulation", "ClosedLoop", "Devices", "StructuredText",
        "Quantities",
      ]),
    module(
      "Scenarios",
      uses: [
        "Expectations", "RunPlans",
        "Simulation", "ClosedLoop", "HealthStore", "Dosing", "Physiology", "Devices",
        "Quantities", "Determinism", "StructuredText", "TimeZones", "ScenarioLanguage",
      ]),
    module(
      "Records", uses: ["ClosedLoop", "HealthStore", "Dosing", "StructuredText", "Quantities"]),
    module(
      "Formats",
      uses: [
        "Scenarios", "RunPlans", "ScenarioLanguage", "Interchange", "Devices", "Quantities",
        "Determinism", "StructuredText",
      ]),

    // Level 5: what many runs say together, then texts and tables.
    module(
      "Studies",
      uses: [
        "Outcomes", "RunPlans", "Scenarios", "ScenarioLanguage", "Simulation", "Quantities",
        "Determinism",
        "StructuredText",
      ]),
    module(
      "Reports",
      uses: [
        "Typesetting", "Studies", "Outcomes", "Records", "Scenarios", "RunPlans", "Expectations",
        "ScenarioLanguage",
        "Interchange",
        "Simulation", "ClosedLoop",
        "HealthStore", "Dosing", "Physiology", "Devices", "Quantities", "Determinism",
        "StructuredText",
      ]),

    // Level 6: what a person sees in a browser, and beside it the way in for other programs.
    module(
      "Pages",
      uses: [
        "Reports", "Typesetting", "Studies", "Outcomes", "Records", "Scenarios", "RunPlans",
        "Expectations", "Simulation", "ClosedLoop", "Dosing", "Devices", "Quantities",
        "StructuredText",
      ]),
    module(
      "Bridge",
      uses: [
        "Reports", "Outcomes", "Scenarios", "RunPlans", "Expectations", "ScenarioLanguage",
        "Interchange",
        "Simulation",
        "ClosedLoop", "HealthStore", "Dosing",
        "Physiology", "Devices", "Quantities", "Determinism", "StructuredText",
      ]),

    .systemLibrary(name: "CLoopsim"),
    module("CInterface", uses: ["CLoopsim", "Bridge", "ScenarioLanguage"]),

    // Level 7: the programs.
    .executableTarget(
      name: "loopsim",
      dependencies: [
        "Bridge", "Pages", "Typesetting", "Processes", "Reports", "Studies", "Formats", "Records",
        "Scenarios",
        "RunPlans", "Expectations",
        "ScenarioLanguage", "Outcomes",
        "Simulation",
        "Interchange",
        "ClosedLoop",
        "HealthStoreSQLite", "HealthStore", "Devices", "Physiology", "Dosing", "Arguments",
        "TimeZones", "StructuredText", "Determinism", "Quantities",
        "FileSystem",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "loopsim-benchmarks",
      dependencies: [
        "Pages", "Typesetting", "Reports", "Studies", "Records", "Scenarios", "RunPlans",
        "Expectations",
        "ScenarioLanguage", "Outcomes", "Simulation",
        "ClosedLoop",
        "HealthStoreSQLite", "HealthStore", "Devices", "Physiology", "Dosing", "Arguments",
        "StructuredText", "WorkCounting", "Determinism", "Quantities",
      ],
      swiftSettings: strict),

    // What several suites of tests use.
    .target(
      name: "TestSupport", dependencies: ["Determinism"], path: "Tests/TestSupport",
      swiftSettings: quicklyBuilt),

    tests("Quantities", uses: ["Determinism"]),
    tests("Determinism"),
    tests("WorkCounting"),
    tests("LargeValues"),
    tests("StructuredText"),
    tests("Arguments"),
    tests("FileSystem"),
    tests("Processes"),
    tests("TimeZones", uses: ["Quantities"]),
    tests("Dosing", uses: ["Quantities", "Determinism"]),
    tests("Physiology", uses: ["Quantities", "Determinism"]),
    tests("Devices", uses: ["Quantities", "Determinism"]),
    tests("HealthStore", uses: ["Quantities", "Determinism"]),
    tests("HealthStoreSQLite", uses: ["HealthStore", "Quantities", "Determinism"]),
    tests("ClosedLoop", uses: ["HealthStore", "Dosing", "Devices", "Quantities", "Determinism"]),
    tests(
      "Interchange",
      uses: [
        "HealthStore", "Dosing", "StructuredText", "Quantities", "Determinism",
      ]),
    tests(
      "ScenarioLanguage", uses: ["TimeZones", "StructuredText", "Quantities", "Determinism"]),
    tests(
      "Simulation",
      uses: [
        "ClosedLoop", "HealthStore", "Dosing", "Physiology", "Devices", "WorkCounting",
        "Quantities", "Determinism",
      ]),
    tests("Outcomes", uses: ["Simulation", "Quantities", "Determinism"]),
    tests("RunPlans", uses: ["ScenarioLanguage", "StructuredText"]),
    tests(
      "Expectations",
      uses: [
        "Scenarios", "RunPlans", "ScenarioLanguage", "Outcomes", "Simulation", "StructuredText",
        "Quantities",
      ]),
    tests(
      "Scenarios",
      uses: [
        "Expectations", "RunPlans",
        "ScenarioLanguage", "Simulation", "ClosedLoop", "HealthStore", "Dosing", "Physiology",
        "Devices",
        "Quantities", "StructuredText",
      ]),
    tests(
      "Records",
      uses: ["ClosedLoop", "HealthStore", "Dosing", "StructuredText", "Quantities"]),
    tests(
      "Formats",
      uses: [
        "Scenarios", "RunPlans", "ScenarioLanguage", "Interchange", "Simulation", "Outcomes",
        "StructuredText",
        "Quantities",
      ]),
    tests(
      "Studies",
      uses: [
        "Outcomes", "RunPlans", "Scenarios", "ScenarioLanguage", "Simulation", "Quantities",
        "Determinism",
        "StructuredText",
      ]),
    tests("Typesetting"),
    tests(
      "Reports",
      uses: [
        "Outcomes", "Expectations", "Simulation", "Quantities", "Records",
        "HealthStore",
        "Interchange", "StructuredText",
      ]),
    tests(
      "Pages",
      uses: [
        "Reports", "Typesetting", "Outcomes", "RunPlans", "Simulation", "Quantities", "Records",
        "HealthStore", "StructuredText",
      ]),
    tests("CInterface", uses: ["CLoopsim"]),
    tests(
      "Bridge",
      uses: [
        "Scenarios", "RunPlans", "ScenarioLanguage", "Simulation", "ClosedLoop", "Dosing",
        "Physiology",
        "Devices",
        "TimeZones", "StructuredText", "Quantities", "Determinism",
      ]),
    .testTarget(
      name: "LoopsimTests",
      dependencies: [
        "loopsim", "Pages", "Typesetting", "Reports", "Records", "Scenarios", "RunPlans",
        "Expectations", "ScenarioLanguage",
        "Simulation",
        "Interchange",
        "ClosedLoop",
        "HealthStoreSQLite",
        "HealthStore", "Devices", "Dosing", "Arguments", "StructuredText", "Quantities",
        "Processes", "TestSupport",
      ],
      // The last module to be compiled has both processors for itself.
      swiftSettings: quicklyBuilt + [
        .unsafeFlags(
          ["-no-whole-module-optimization", "-enable-batch-mode"], .when(configuration: .release))
      ]),

    // The house rules that no compiler checks.
    .testTarget(name: "TidyTests", swiftSettings: quicklyBuilt),
  ]
)
