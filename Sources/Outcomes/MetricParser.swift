internal import Quantities
internal import StructuredText

/// Why a text is no metric, and where.
public struct MetricProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place in the text, counted in characters from 1.
  public let column: Int
  /// One English sentence with the remedy.
  public let description: String
}

extension Metric {
  /// Reads a metric such as `tir(70,180)`, `lows(54,15m)@true`, `mean@cgm` or `tdd`.
  ///
  /// Without `@true` or `@cgm` the true glucose is measured. Glucose arguments are in mg/dL, or in
  /// mmol/L when `isMolar` is set; then 3, 3.9, 7.8, 10 and 13.9 are the limits of the consensus,
  /// 54, 70, 140, 180 and 250 mg/dL.
  public static func parse(_ text: String, isMolar: Bool = false) throws(MetricProblem) -> Metric {
    var scanner = MetricScanner(text)
    return try scanner.metric(isMolar: isMolar)
  }

  /// The limits of glucose among the arguments, in mg/dL.
  public var glucoseLimits: [Double] {
    zip(arguments, name.parameters).filter { $1.kind == .glucose }.map { $0.0 }
  }

  /// The limits of glucose that are none in the metric's unit, and are some in the other: as they
  /// are written, and as they were probably meant.
  public var limitsInOtherUnit: [(written: Double, likely: Double)] {
    let unit: GlucoseUnit = isMolar ? .millimolesPerLitre : .milligramsPerDecilitre
    return glucoseLimits.enumerated().compactMap { place, limit in
      let written = isMolar ? ConsensusLimit.mmolL(limit) : (limit * 1e6).rounded() / 1e6
      let isFloor = [.below, .lows, .timeTo].contains(name) || name == .tir && place == 0
      return unit.meaning(ofImpossibleLimit: written, isFloor: isFloor).map { (written, $0) }
    }
  }
}

extension Metric: CustomStringConvertible {
  /// The metric as it is written: `lows(54,15m)@true`.
  public var description: String {
    let words = zip(arguments, name.parameters).map { argument, parameter in
      var argument = argument
      if isMolar, parameter.kind == .glucose {
        argument = ConsensusLimit.mmolL(argument)
      }
      let number =
        argument == argument.rounded() && argument.magnitude < 1e9
        ? String(Int64(argument)) : argument.description
      return parameter.kind == .duration ? "\(number)m" : number
    }
    let list = words.isEmpty ? "" : "(\(words.joined(separator: ",")))"
    return name.isMeasuredOnGlucose ? "\(name.rawValue)\(list)@\(source.rawValue)" : name.rawValue
  }
}

/// What a metric takes between its parentheses.
struct MetricParameter {
  enum Kind { case glucose, duration, percentage, hours }

  let kind: Kind
  let name: String
  /// The value when it is left out; nothing where it has to be given.
  let standard: Double?
}

extension Metric.Name {
  var parameters: [MetricParameter] {
    switch self {
    case .tir:
      [
        MetricParameter(kind: .glucose, name: "lowest", standard: 70),
        MetricParameter(kind: .glucose, name: "highest", standard: 180),
      ]
    case .below, .above, .timeTo:
      [MetricParameter(kind: .glucose, name: "limit", standard: nil)]
    case .lows, .highs:
      [
        MetricParameter(kind: .glucose, name: "limit", standard: nil),
        MetricParameter(kind: .duration, name: "length", standard: 15),
      ]
    case .percentile: [MetricParameter(kind: .percentage, name: "percent", standard: nil)]
    case .conga: [MetricParameter(kind: .hours, name: "hours", standard: nil)]
    default: []
    }
  }

  /// Whether `@true` and `@cgm` make a difference.
  public var isMeasuredOnGlucose: Bool {
    switch self {
    case .tir, .below, .above, .mean, .median, .sd, .cv, .gmi, .percentile, .minGlucose,
      .maxGlucose, .lbgi, .hbgi, .bgri, .gri, .adrr, .grade, .jIndex, .mage, .modd, .conga, .mag,
      .gvp, .lows, .highs, .wear, .timeTo:
      true
    default: false
    }
  }

  /// The way to write the metric, such as `lows(limit,length)`.
  public var signature: String {
    parameters.isEmpty
      ? rawValue : "\(rawValue)(\(parameters.map(\.name).joined(separator: ",")))"
  }
}

/// Goes through the characters of a metric.
private struct MetricScanner {
  private let characters: [Character]
  private var position = 0

  init(_ text: String) { characters = Array(text) }

  mutating func metric(isMolar: Bool) throws(MetricProblem) -> Metric {
    guard characters.count <= 200 else {
      throw problem("A metric has at most 200 characters, this one \(characters.count).", at: 0)
    }
    skipSpace()
    let start = position
    let word = take { $0.isLetter || $0.isNumber || $0 == "_" }
    guard let name = Metric.Name(rawValue: word) else {
      throw unknown(word, isMolar: isMolar, at: start)
    }
    let arguments = try arguments(of: name, isMolar: isMolar)
    let source = try source(of: name)
    skipSpace()
    guard position == characters.count else {
      throw problem(
        "\"\(characters[position])\" cannot follow a metric; write \(name.signature)@true or "
          + "\(name.signature)@cgm.", at: position)
    }
    return Metric(name: name, arguments: arguments, source: source, isMolar: isMolar)
  }

  private static func arguments(_ count: Int) -> String {
    switch count {
    case 0: "no argument"
    case 1: "1 argument"
    default: "\(count) arguments"
    }
  }

  private mutating func arguments(of name: Metric.Name, isMolar: Bool) throws(MetricProblem)
    -> [Double]
  {
    skipSpace()
    let open = position
    var words: [(text: String, at: Int)] = []
    if position < characters.count, characters[position] == "(" {
      position += 1
      repeat {
        skipSpace()
        let start = position
        words.append((take { $0 != "," && $0 != ")" }.trimmed, start))
        position += 1
      } while position <= characters.count && characters[position - 1] == ","
      guard position <= characters.count else {
        throw problem("The parenthesis of \(name.signature) is not closed.", at: open)
      }
      if words.count == 1, words[0].text.isEmpty { words = [] }
    }
    let parameters = name.parameters
    guard words.count <= parameters.count else {
      throw problem(
        "\(name.rawValue) takes \(Self.arguments(parameters.count)), not \(words.count); write "
          + "\(name.signature).", at: words[parameters.count].at)
    }
    var values: [Double] = []
    for (index, parameter) in parameters.enumerated() {
      if index < words.count {
        values.append(try value(of: parameter, in: words[index], name, isMolar: isMolar))
      } else if let standard = parameter.standard {
        values.append(standard)
      } else {
        throw problem(
          "\(name.rawValue) needs its \(parameter.name); write \(name.signature).", at: open)
      }
    }
    if name == .tir, values[0] > values[1] {
      throw problem("The range of tir starts above its end.", at: words.first?.at ?? open)
    }
    return values
  }

  private func value(
    of parameter: MetricParameter, in word: (text: String, at: Int), _ name: Metric.Name,
    isMolar: Bool
  ) throws(MetricProblem) -> Double {
    if parameter.kind == .duration {
      guard let span = TimeSpan(word.text) else {
        throw problem(
          "\"\(word.text)\" is no duration; write a number with a unit, such as 15m.", at: word.at)
      }
      guard span >= .zero, span <= .days(366) else {
        throw problem(
          "The \(parameter.name) of \(name.rawValue) must be a duration from 0s to 366d, not "
            + "\(word.text).", at: word.at)
      }
      return span.minutes
    }
    guard let number = Double(decimal: word.text) else {
      throw problem(
        "\"\(word.text)\" is no number for the \(parameter.name) of \(name.rawValue).", at: word.at)
    }
    let limit: ClosedRange<Double> =
      switch parameter.kind {
      case .percentage: 0...100
      case .hours: 1...48
      default: 0...2_000
      }
    guard limit.contains(number) else {
      throw problem(
        "The \(parameter.name) of \(name.rawValue) must be a number from "
          + "\(Int(limit.lowerBound)) to \(Int(limit.upperBound)), not \(word.text).", at: word.at)
    }
    let isGlucose = parameter.kind == .glucose
    return isGlucose && isMolar ? ConsensusLimit.mgdL(number) : number
  }

  private mutating func source(of name: Metric.Name) throws(MetricProblem) -> Metric.Source {
    skipSpace()
    guard position < characters.count, characters[position] == "@" else { return .truth }
    let start = position
    position += 1
    let word = take { $0.isLetter || $0.isNumber }
    guard let source = Metric.Source(rawValue: word) else {
      throw problem("\"@\(word)\" is no source of glucose; write @true or @cgm.", at: start)
    }
    guard name.isMeasuredOnGlucose else {
      throw problem(
        "\(name.rawValue) is not measured on glucose; leave out \"@\(word)\".", at: start)
    }
    return source
  }

  /// What other programs call a metric, where the name most like theirs is that of another one:
  /// how it is written here, with limits in mg/dL and in mmol/L.
  private static let otherNames: [String: (mgdL: String, mmolL: String)] = [
    "tbr": ("below(70)", "below(3.9)"), "tar": ("above(180)", "above(10)"),
    "titr": ("tir(70,140)", "tir(3.9,7.8)"), "average": ("mean", "mean"), "avg": ("mean", "mean"),
    "min": ("minGlucose", "minGlucose"), "max": ("maxGlucose", "maxGlucose"),
    "hypos": ("lows(70)", "lows(3.9)"), "hypers": ("highs(180)", "highs(10)"),
  ]

  private func unknown(_ word: String, isMolar: Bool, at start: Int) -> MetricProblem {
    let names = Metric.Name.allCases.map(\.rawValue)
    if word.isEmpty {
      return problem("A metric starts with its name, such as tir(70,180) or mean@cgm.", at: start)
    }
    if let meant = Self.otherNames[word.lowercased()] {
      return problem(
        "\"\(word)\" is no metric. Did you mean \"\(isMolar ? meant.mmolL : meant.mgdL)\"?",
        at: start)
    }
    let near = NearestName.suggestion(for: word, among: names)
    let hint = near.isEmpty ? " The metrics are \(names.joined(separator: ", "))." : near
    return problem("\"\(word)\" is no metric.\(hint)", at: start)
  }

  private func problem(_ sentence: String, at position: Int) -> MetricProblem {
    MetricProblem(column: position + 1, description: sentence)
  }

  private mutating func skipSpace() {
    while position < characters.count, characters[position].isWhitespace { position += 1 }
  }

  private mutating func take(while isPart: (Character) -> Bool) -> String {
    let start = position
    while position < characters.count, isPart(characters[position]) { position += 1 }
    return String(characters[start..<position])
  }
}

extension String {
  /// The text without white space at its ends.
  fileprivate var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
