/// How something on a chart looks: the name of a class of the style sheet.
public enum ChartStyle: String, Hashable, Sendable, CaseIterable {
  // Words
  case word
  case muted = "mu"
  case bold = "b"
  case badWord = "bw"
  case struck = "st"
  case axis = "ax"
  case pumpWord = "pw"
  case loopWord = "lw"
  case healthWord = "hw"
  case cobWord = "cw"
  case predictionWord = "pq"
  case segment = "sg"
  case badgeBad = "g bad"
  case badgeWarn = "g warn"
  case badgeOk = "g ok"
  case badgeInfo = "g info"
  // Grids and grounds
  case grid = "gr"
  case gridMinor = "gn"
  case level = "lv"
  case band = "ba"
  case target = "ta"
  case gap = "gp"
  case warnBand = "wb"
  case badBand = "db"
  case clockChange = "cc"
  // Glucose
  case inRange = "d1"
  case high = "d2"
  case veryHigh = "d3"
  case low = "d4"
  case veryLow = "d5"
  case hollow = "d6"
  case prediction = "pd"
  case truth = "tr"
  // Insulin and carbs on board
  case iob = "io"
  case iobArea = "ia"
  case iobOther = "id"
  case cob = "co"
  case cobArea = "ca"
  case cobEntry = "ce"
  // The pump
  case scheduledArea = "sa"
  case tempArea = "tp"
  case rate = "rt"
  case schedule = "sc"
  case pulse = "pu"
  case pulses = "pb"
  case pulseLost = "pl"
  case bolus = "bo"
  case bolusHollow = "bh"
  case suspended = "su"
  // The app
  case event = "ev"
  case noEvent = "ne"
  case bolusRecorded = "br"
  // The health store
  case sample = "sm"
  case sampleZero = "sz"
  case sampleTwice = "s2"
  case missing = "ms"
  case written = "wr"
  case doseWritten = "dw"
  case rewritten = "rw"
  // Modes and severities
  case closedLoop = "mc"
  case openLoop = "mo"
  case stopped = "mx"
  case badBar = "rb"
  case warnBar = "rr"
  case okBar = "ro"
  case infoBar = "ri"
  // Profiles, distributions, pairs
  case outerBand = "p9"
  case innerBand = "p5"
  case median = "pm"
  case control = "k0"
  case treatment = "k1"
  case controlDot = "c0"
  case treatmentDot = "c1"
  case worseDot = "c2"
  case dot = "c3"
  case treatmentBar = "k2"
  case controlPale = "f0"
  case controlField = "f1"
  case treatmentPale = "f2"
  case treatmentField = "f3"
  case worseMove = "wm"
  case rangeVeryHigh = "r5"
  case rangeHigh = "r4"
  case rangeTarget = "r3"
  case rangeLow = "r2"
  case rangeVeryLow = "r1"
  case margin = "mg"
  case zoneA = "za"
  case zoneB = "zb"
  case zoneC = "zc"
  case interval = "iv"
  case zero = "ze"

  /// The declarations of a shape; words and boxes have theirs in ``ChartSheet/words``.
  var shape: String? {
    switch self {
    case .grid, .interval: "stroke:var(--grid)"
    case .gridMinor: "stroke:var(--grid2)"
    case .level: "stroke:var(--level)"
    case .band: "fill:var(--band);stroke:none"
    case .target: "fill:var(--target);stroke:none"
    case .inRange: Self.dots("tgt", 4.4)
    case .high: Self.squares("hi", 4)
    case .veryHigh: Self.squares("vhi", 4.8)
    case .low: Self.dots("lo", 6)
    case .veryLow: Self.dots("vlo", 6.6)
    case .hollow: Self.dots("card", 2.6)
    case .prediction: "stroke:var(--pred);opacity:.42"
    case .truth: "stroke:var(--truth);stroke-width:1.4"
    case .iob: "stroke:var(--pump);stroke-width:1.8"
    case .iobArea: "fill:var(--pump);opacity:.14;stroke:none"
    case .iobOther: "stroke:var(--pump);stroke-width:1.4;stroke-dasharray:4 3"
    case .cob: "stroke:var(--cob);stroke-width:1.6"
    case .cobArea: "fill:var(--cob);opacity:.2;stroke:none"
    case .cobEntry: Self.dots("cob", 8)
    case .scheduledArea: "fill:var(--sched);stroke:none"
    case .tempArea: "fill:var(--pump2);stroke:none"
    case .rate: "stroke:var(--pump);stroke-width:1.4"
    case .schedule: "stroke:var(--ink);stroke-opacity:.62;stroke-width:1.2;stroke-dasharray:2 3"
    case .pulse: "stroke:var(--pump);stroke-width:1.25"
    case .pulses: "fill:var(--pump);stroke:var(--pump)"
    case .pulseLost: "stroke:var(--bad);stroke-width:1.6"
    case .bolus: "stroke:var(--pump);stroke-width:6"
    case .bolusHollow: "stroke:var(--card);stroke-width:3.4"
    case .event: "fill:var(--loop2);stroke:var(--loop)"
    case .noEvent: "stroke:var(--loop);stroke-opacity:.6;stroke-width:1.4;stroke-dasharray:1.5 5"
    case .bolusRecorded: Self.dots("loop", 4)
    case .doseWritten: Self.dots("health", 4)
    case .sample: "fill:var(--health2);stroke:var(--health)"
    case .sampleZero: "fill:var(--healthz);stroke:var(--health);stroke-opacity:.5"
    case .sampleTwice: "stroke:var(--bad);stroke-width:2.4"
    case .written: "stroke:var(--health);stroke-width:1.4"
    case .rewritten: "stroke:var(--warn);stroke-width:1.2;stroke-dasharray:2 2"
    case .closedLoop: "fill:var(--tgt);stroke:none"
    case .stopped: "fill:var(--vlo);stroke:none"
    case .badBar: Self.bar("bad")
    case .warnBar: Self.bar("warn")
    case .okBar: Self.bar("ok")
    case .infoBar: Self.bar("info")
    case .outerBand: "fill:var(--band);stroke:none"
    case .innerBand: "fill:var(--target);stroke:none"
    case .median: "stroke:var(--tgt);stroke-width:2.2"
    case .control: "stroke:var(--info);stroke-width:1.4;stroke-dasharray:5 3"
    case .treatment: "stroke:var(--pump);stroke-width:2"
    case .controlDot: Self.dots("info", 8)
    case .treatmentDot: Self.dots("pump", 8)
    case .worseDot: Self.dots("bad", 8)
    case .dot: Self.dots("ink", 6)
    case .treatmentBar: Self.bar("pump")
    case .controlPale: "fill:var(--truth);fill-opacity:.45;stroke:none"
    case .controlField: "fill:var(--info);stroke:none"
    case .treatmentPale: "fill:var(--pump2);stroke:none"
    case .treatmentField: "fill:var(--pump);stroke:none"
    case .worseMove: "stroke:var(--bad);stroke-width:1.2"
    case .rangeVeryHigh: "fill:var(--vhi);stroke:none"
    case .rangeHigh: "fill:var(--hi);stroke:none"
    case .rangeTarget: "fill:var(--tgt);stroke:none"
    case .rangeLow: "fill:var(--lo);stroke:none"
    case .rangeVeryLow: "fill:var(--vlo);stroke:none"
    case .margin: "stroke:var(--bad);stroke-dasharray:3 3"
    case .zoneA: "fill:var(--okbg);stroke:var(--line)"
    case .zoneB: "fill:var(--warnbg);stroke:var(--line)"
    case .zoneC: "fill:var(--badbg);stroke:var(--line)"
    case .zero: "stroke:var(--ink);stroke-opacity:.5"
    default: nil
    }
  }

  private static func dots(_ colour: String, _ size: Double) -> String {
    "stroke:var(--\(colour));stroke-width:\(size);stroke-linecap:round"
  }

  private static func squares(_ colour: String, _ size: Double) -> String {
    "stroke:var(--\(colour));stroke-width:\(size);stroke-linecap:square"
  }

  private static func bar(_ colour: String) -> String { "stroke:var(--\(colour));stroke-width:4" }

  /// The style sheet of all shapes.
  static var sheet: String {
    ".cv path,.fig path{fill:none;stroke-width:1;vector-effect:non-scaling-stroke}"
      + allCases.compactMap { style in
        style.shape.map { ".cv .\(style.rawValue),.fig .\(style.rawValue){\($0)}" }
      }.joined()
  }
}
