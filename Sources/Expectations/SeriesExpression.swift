public import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// A series of a run, or small arithmetic on series: `abs(iob.app - iob.true)`.
public indirect enum SeriesExpression: Hashable, Sendable {
  /// The series that there are, by the words of the format.
  public enum Name: String, Hashable, Sendable, CaseIterable {
    /// Glucose of the body, mg/dL.
    case glucoseTrue = "glucose.true"
    /// Glucose that the sensor shows, mg/dL.
    case glucoseCGM = "glucose.cgm"
    /// The rate of the pump's schedule, U/h.
    case scheduledRate = "rate.scheduled"
    /// The rate that the pump is programmed to, U/h.
    case programmedRate = "rate.programmed"
    /// Basal counted since the row before, U.
    case basal = "delivered.basal"
    /// Bolus counted since the row before, U.
    case bolus = "delivered.bolus"
    /// Carbohydrate eaten since the row before, g.
    case carbsEaten = "carbs.eaten"
    /// Carbohydrate entered since the row before, g.
    case carbsEntered = "carbs.entered"
    /// Net insulin on board by the app's records, U.
    case iobApp = "iob.app"
    /// Total insulin on board by the app's records, U.
    case iobAppTotal = "iob.app.total"
    /// Net insulin on board by what entered the body, U.
    case iobTrue = "iob.true"
    /// Total insulin on board by what entered the body, U.
    case iobTrueTotal = "iob.true.total"
    /// Insulin that the body's model holds, U.
    case bodyInsulin = "insulin.body"
    /// Carbohydrates on board by the app, g.
    case cobApp = "cob.app"
  }

  /// A series of the run.
  case series(Name)
  /// A series of glucose in mmol/L.
  case molar(Name)
  /// A number.
  case number(Double)
  /// The absolute value.
  case magnitude(SeriesExpression)
  /// The change for each minute since the row before.
  case slope(SeriesExpression)
  /// The value so long ago.
  case delayed(SeriesExpression, by: TimeSpan)
  /// The sum of two.
  case sum(SeriesExpression, SeriesExpression)
  /// The first less the second.
  case difference(SeriesExpression, SeriesExpression)

  /// Whether it is glucose as the body has it or the sensor shows it, now or some time ago, and no
  /// difference of glucose.
  var isGlucose: Bool {
    switch self {
    case .series(let name), .molar(let name): name == .glucoseTrue || name == .glucoseCGM
    case .delayed(let inner, _): inner.isGlucose
    case .number, .magnitude, .slope, .sum, .difference: false
    }
  }

  /// The unit of its values, such as `mmol/L`; `nil` where it has none of its own.
  var unitName: String? {
    switch self {
    case .series(let name): name.unitName
    case .molar: GlucoseUnit.millimolesPerLitre.rawValue
    case .magnitude(let inner), .delayed(let inner, _): inner.unitName
    case .sum(let left, let right), .difference(let left, let right):
      left.unitName == right.unitName ? left.unitName : nil
    case .number, .slope: nil
    }
  }

  /// Whether there is glucose in mmol/L in it.
  var isMolar: Bool {
    switch self {
    case .molar: true
    case .series, .number: false
    case .magnitude(let inner), .slope(let inner), .delayed(let inner, _): inner.isMolar
    case .sum(let left, let right), .difference(let left, let right): left.isMolar || right.isMolar
    }
  }

  /// The value at each row of a trace; `nil` where the series has none.
  func values(_ source: SeriesSource) -> [Double?] {
    let instants = source.instants
    switch self {
    case .number(let number): return instants.map { _ in number }
    case .series(let name): return instants.indices.map { source.value(name, $0) }
    case .molar(let name):
      return instants.indices.map { row in
        source.value(name, row).map { $0 / GlucoseConcentration.mgdLPerMmolL }
      }
    case .magnitude(let inner): return inner.values(source).map { $0.map(\.magnitude) }
    case .sum(let left, let right): return combined(left, right, source, +)
    case .difference(let left, let right): return combined(left, right, source, -)
    case .slope(let inner):
      let values = inner.values(source)
      return values.indices.map { index in
        guard index > 0, let now = values[index], let before = values[index - 1] else { return nil }
        let minutes = (instants[index] - instants[index - 1]).minutes
        return minutes > 0 ? (now - before) / minutes : nil
      }
    case .delayed(let inner, let span):
      let values = inner.values(source)
      var source = -1
      return instants.map { instant in
        while source + 1 < instants.count, instants[source + 1] + span <= instant { source += 1 }
        return source >= 0 ? values[source] : nil
      }
    }
  }

  private func combined(
    _ left: SeriesExpression, _ right: SeriesExpression, _ source: SeriesSource,
    _ operation: (Double, Double) -> Double
  ) -> [Double?] {
    zip(left.values(source), right.values(source)).map { pair in
      guard let first = pair.0, let second = pair.1 else { return nil }
      return DecimalNumbers.rounded(operation(first, second))
    }
  }
}

/// Rows from which expressions read series: those of a run, or of a table that was kept.
struct SeriesSource {
  /// When the rows are, earliest first.
  let instants: [Instant]
  /// The value of a series in a row; `nil` where the row has none.
  let value: (_ name: SeriesExpression.Name, _ row: Int) -> Double?

  init(
    at instants: [Instant], value: @escaping (_ name: SeriesExpression.Name, _ row: Int) -> Double?
  ) {
    self.instants = instants
    self.value = value
  }

  /// The rows of a run's timeline, as an expression reads them.
  init(_ run: RunResult, for expression: SeriesExpression) {
    let rows = run.timeline
    let onBoard = expression.needsOnBoard ? run.insulinOnBoard(at: rows) : []
    self.init(at: rows.map(\.instant)) { name, row in
      name.value(rows[row], onBoard.isEmpty ? nil : onBoard[row])
    }
  }

  /// No rows, for what reads none.
  static var none: Self { Self(at: []) { _, _ in nil } }
}

extension SeriesExpression {
  /// Whether it reads insulin on board that a run computes only when it is asked.
  var needsOnBoard: Bool {
    switch self {
    case .number, .molar: false
    case .series(let name): name.needsOnBoard
    case .magnitude(let inner), .slope(let inner), .delayed(let inner, _): inner.needsOnBoard
    case .sum(let left, let right), .difference(let left, let right):
      left.needsOnBoard || right.needsOnBoard
    }
  }
}

extension SeriesExpression.Name {
  /// Whether its values are concentrations of glucose.
  var isGlucose: Bool { self == .glucoseTrue || self == .glucoseCGM }

  /// The unit of its values, with glucose in mg/dL.
  var unitName: String {
    switch self {
    case .glucoseTrue, .glucoseCGM: GlucoseUnit.milligramsPerDecilitre.rawValue
    case .scheduledRate, .programmedRate: "U/h"
    case .basal, .bolus, .iobApp, .iobAppTotal, .iobTrue, .iobTrueTotal, .bodyInsulin: "U"
    case .carbsEaten, .carbsEntered, .cobApp: "g"
    }
  }

  /// Whether it is counted from a run's records rather than recorded in its rows.
  public var needsOnBoard: Bool {
    switch self {
    case .iobAppTotal, .iobTrue, .iobTrueTotal: true
    case .glucoseTrue, .glucoseCGM, .scheduledRate, .programmedRate, .basal, .bolus, .carbsEaten,
      .carbsEntered, .iobApp, .bodyInsulin, .cobApp:
      false
    }
  }

  func value(_ row: TraceRow, _ onBoard: InsulinOnBoard?) -> Double? {
    switch self {
    case .glucoseTrue: row.trueGlucose.mgdL
    case .glucoseCGM: row.reading?.mgdL
    case .iobApp: row.insulinOnBoard
    case .iobAppTotal: onBoard?.app?.total
    case .iobTrue: onBoard?.body.net
    case .iobTrueTotal: onBoard?.body.total
    case .bodyInsulin: row.bodyInsulin
    case .cobApp: row.carbsOnBoard
    case .scheduledRate: row.scheduledRate.unitsPerHour
    case .programmedRate: row.programmedRate.unitsPerHour
    case .basal: row.basalDelivered.units
    case .bolus: row.bolusDelivered.units
    case .carbsEaten: row.carbsEaten.grams
    case .carbsEntered: row.carbsEntered.grams
    }
  }
}

extension SeriesExpression {
  /// Why a text is no expression.
  struct Trouble: Error { var sentence: String }

  /// Reads an expression, whose glucose is in mg/dL unless it is to be in mmol/L.
  static func parse(
    _ text: String, isMolar: Bool = false
  ) throws(Trouble) -> SeriesExpression {
    var parser = Parser(text: Array(text.utf8), isMolar: isMolar)
    let expression = try parser.sum()
    guard parser.isAtEnd else { throw parser.trouble("the end") }
    return expression
  }

  private struct Parser {
    var text: [UInt8]
    var isMolar: Bool
    var index = 0
    var depth = 0

    var isAtEnd: Bool { text[index...].allSatisfy { $0 == 0x20 } }

    func trouble(_ expected: String) -> Trouble {
      let rest = String(decoding: text[index...].prefix(20), as: UTF8.self)
      let known = Name.allCases.map(\.rawValue).joined(separator: ", ")
      return Trouble(
        sentence: "Expected \(expected) at \"\(rest)\". The series are: \(known).")
    }

    mutating func skip() {
      while index < text.count, text[index] == 0x20 { index += 1 }
    }

    mutating func take(_ byte: UInt8) -> Bool {
      skip()
      guard index < text.count, text[index] == byte else { return false }
      index += 1
      return true
    }

    mutating func sum() throws(Trouble) -> SeriesExpression {
      depth += 1
      defer { depth -= 1 }
      guard depth < 32 else { throw trouble("fewer parentheses") }
      var left = try term()
      while true {
        if take(UInt8(ascii: "+")) {
          left = .sum(left, try term())
        } else if take(UInt8(ascii: "-")) {
          left = .difference(left, try term())
        } else {
          return left
        }
      }
    }

    mutating func term() throws(Trouble) -> SeriesExpression {
      skip()
      let start = index
      while index < text.count, Self.isWord(text[index]) { index += 1 }
      let word = String(decoding: text[start..<index], as: UTF8.self)
      if let name = Name(rawValue: word) {
        return isMolar && name.isGlucose ? .molar(name) : .series(name)
      }
      if let number = Double(decimal: word) { return .number(number) }
      guard ["abs", "rate", "delay"].contains(word), take(UInt8(ascii: "(")) else {
        index = start
        throw trouble("a series")
      }
      let inner = try sum()
      if word == "delay" {
        guard take(UInt8(ascii: ",")), let span = duration() else {
          throw trouble("a span of time such as '5m'")
        }
        guard take(UInt8(ascii: ")")) else { throw trouble("a closing parenthesis") }
        return .delayed(inner, by: span)
      }
      guard take(UInt8(ascii: ")")) else { throw trouble("a closing parenthesis") }
      return word == "abs" ? .magnitude(inner) : .slope(inner)
    }

    mutating func duration() -> TimeSpan? {
      skip()
      let quotes: [UInt8] = [UInt8(ascii: "'"), UInt8(ascii: "\"")]
      if index < text.count, quotes.contains(text[index]) { index += 1 }
      let start = index
      while index < text.count, Self.isWord(text[index]) { index += 1 }
      let word = String(decoding: text[start..<index], as: UTF8.self)
      if index < text.count, quotes.contains(text[index]) { index += 1 }
      return SpanText.milliseconds(of: word).map { TimeSpan(milliseconds: $0) }
    }

    static func isWord(_ byte: UInt8) -> Bool {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2E, 0x5F: true
      default: false
      }
    }
  }
}
