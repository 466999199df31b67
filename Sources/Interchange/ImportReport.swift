public import HealthStore
public import Quantities
public import StructuredText

/// What came of the records of a file: counts by type, and what was left out and why.
public struct ImportReport: Hashable, Sendable {
  /// The samples of one type.
  public struct TypeCount: Hashable, Sendable {
    /// The type.
    public var type: ObjectType
    /// How many samples there are.
    public var samples = 0
    /// Records that stood beside the correlation they belong to.
    public var copies = 0
    /// The earliest start.
    public var first: Instant
    /// The latest end.
    public var last: Instant
    /// The names of the sources, in the order of their first record.
    public var sources: [String] = []
  }

  /// A reason to leave out records, or what is worth knowing of some.
  public struct Omission: Hashable, Sendable {
    /// Why.
    public var reason: String
    /// How many records.
    public var count: Int
    /// Where the first such record stands, where a file was read.
    public var first: TextPosition?
    /// The insulin and carbohydrates of samples that are not written.
    public var amounts: [ImportAccount.Quantity: ImportAccount.Amount] = [:]

    /// Why, as a sentence on so many records has it: what a reason says of one, as that it cannot
    /// be read, is said of each of several.
    public var words: String {
      count > 1 && reason.hasPrefix("it ") ? "each of them" + reason.dropFirst(2) : reason
    }

    /// The amounts in words, such as `7.6 U of basal`; `nil` where there are none.
    public var amountWords: String? {
      let parts = ImportAccount.Quantity.allCases.compactMap { quantity -> String? in
        guard let amount = amounts[quantity], amount != .zero else { return nil }
        return "\(amount) \(quantity.unit) of \(quantity.rawValue)"
      }
      return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
  }

  /// The file.
  public let file: String
  /// The types in the order of their first sample.
  public private(set) var types: [TypeCount] = []
  /// Why records were left out, in the order in which that first happened.
  public private(set) var omissions: [Omission] = []
  /// What is worth knowing of records that were taken over, in the order in which it first came up.
  public private(set) var remarks: [Omission] = []
  /// The keys of JSON that stand more than once in an object, of which the last value counts.
  public var repeatedKeys: [JSONReader.RepeatedKey] = []
  /// What insulin and carbohydrates came to.
  public var account = ImportAccount()
  /// The records of the file that were looked at, whatever came of them.
  public private(set) var records = 0

  /// The control characters of the file that were read as blanks, since XML cannot hold them.
  public internal(set) var controlCharacters = 0

  /// How often the file names a time zone beside its samples, as a profile or an upload does; where
  /// it names none, how often it states an offset from UTC, such as `-05:00`.
  public private(set) var timeZones: [String: Int] = [:]

  /// The samples of each year.
  private var years: [Int: Year] = [:]

  /// The samples of a year.
  private struct Year: Hashable, Sendable {
    var count = 0
    var type: ObjectType
    var first: Instant
  }

  /// Begins the report of a file.
  public init(file: String) { self.file = file }

  /// Notes that the file names a time zone so many times.
  mutating func name(timeZone: String, times: Int = 1) {
    timeZones[timeZone, default: 0] += times
  }

  /// Notes how often the file states each offset from UTC, in minutes, as zones such as `-05:00`.
  mutating func name(offsets: [Int64: Int]) {
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    for (minutes, times) in offsets {
      let size = minutes < 0 ? -minutes : minutes
      let sign = minutes < 0 ? "-" : "+"
      name(timeZone: "\(sign)\(two(size / 60)):\(two(size % 60))", times: times)
    }
  }

  /// Counts a sample, and the members of a correlation.
  public mutating func count(_ sample: Sample) {
    let index = index(of: sample.type, at: sample.start)
    types[index].samples += 1
    types[index].first = min(types[index].first, sample.start)
    types[index].last = max(types[index].last, sample.end)
    note(sample)
    if let accounted = sample.accounted { account.make(accounted.quantity, accounted.amount) }
    if let name = sample.source?.name, !types[index].sources.contains(name) {
      types[index].sources.append(name)
    }
    for member in sample.members { count(member) }
  }

  private mutating func note(_ sample: Sample) {
    let number = CivilTime(millisecondsSince1970: sample.start.millisecondsSince1970).year
    var year = years[number] ?? Year(type: sample.type, first: sample.start)
    year.count += 1
    if sample.start < year.first { (year.type, year.first) = (sample.type, sample.start) }
    years[number] = year
  }

  /// How many years lie between what one record holds, at least, for something to be far from it.
  private static let farYears = 10

  /// The samples that lie ten years or more from most of the others, as those of a device whose
  /// clock was not set.
  private var far: Omission? {
    var groups: [[Int]] = []
    for year in years.keys.sorted() {
      if let last = groups.last?.last, year - last < Self.farYears {
        groups[groups.count - 1].append(year)
      } else {
        groups.append([year])
      }
    }
    func count(_ group: [Int]) -> Int { group.reduce(0) { $0 + (years[$1]?.count ?? 0) } }
    let most = groups.indices.max { count(groups[$0]) < count(groups[$1]) }
    guard groups.count > 1, let most else { return nil }
    groups.remove(at: most)
    guard let first = groups.first?.first.flatMap({ years[$0] }) else { return nil }
    return Omission(
      reason: "a date ten years or more from the others, as of a device whose clock was not set: "
        + "the first is \(first.type.name) at \(first.first)",
      count: groups.reduce(0) { $0 + count($1) }, first: nil)
  }

  /// Counts a record that was the copy of a correlation's member.
  mutating func countCopy(of type: ObjectType?) {
    guard let type, let index = types.firstIndex(where: { $0.type == type }) else { return }
    types[index].copies += 1
  }

  /// Counts a record of the file.
  public mutating func countRecord() { records += 1 }

  /// Counts a record that is left out.
  public mutating func leaveOut(_ reason: String, at position: TextPosition? = nil) {
    let isKnown = omissions.contains { $0.reason == reason }
    let reason =
      isKnown || omissions.count < ImportAccount.mostReasons ? reason : ImportAccount.otherReasons
    if let index = omissions.firstIndex(where: { $0.reason == reason }) {
      omissions[index].count += 1
    } else {
      omissions.append(Omission(reason: reason, count: 1, first: position))
    }
  }

  /// The samples of some types; what the others hold is no longer counted as taken over.
  public mutating func keep(
    _ types: Set<ObjectType>, of samples: [RestoredSample]
  ) -> [RestoredSample] {
    for other in samples where !types.contains(other.sample.type) {
      account.takeBack(other.sample, because: "of a type that was not asked for")
    }
    return samples.filter { types.contains($0.sample.type) }
  }

  /// Counts a sample that is not written, with its insulin or carbohydrates.
  mutating func leaveOut(_ sample: Sample, _ reason: String) {
    leaveOut(reason)
    guard let own = sample.accounted,
      let index = omissions.firstIndex(where: { $0.reason == reason })
    else { return }
    let sum = omissions[index].amounts[own.quantity] ?? .zero
    omissions[index].amounts[own.quantity] = sum + ImportAccount.Amount(own.amount)
  }

  /// The remark on insulin that a record gives over a time that it does not state.
  static let noDuration =
    "insulin that was given over a time which is not stated: taken as given at once"

  /// Why a value of glucose is left out that is less than any sensor shows.
  static let sensorError = "a value below 39 is an error code of the sensor"

  /// What is said of insulin that was given over a time of which the table has no beginning.
  static let noBeginning =
    "insulin that was given over a time whose beginning the table does not tell: taken as given at "
    + "once, at the time of the row"

  /// Notes what is worth knowing of a record that is taken over.
  mutating func remark(_ sentence: String, at position: TextPosition?) {
    if let index = remarks.firstIndex(where: { $0.reason == sentence }) {
      remarks[index].count += 1
    } else {
      remarks.append(Omission(reason: sentence, count: 1, first: position))
    }
  }

  /// What was left out, and what else is worth knowing, as warnings at the first record of each
  /// kind.
  public var warnings: [TextProblem] {
    let top = TextPosition(file: file, line: 1, column: 1)
    let repeated = repeatedKeys.map { key in
      TextProblem(.warning, at: key.first, "The \(Self.words(of: key)).")
    }
    return omissionWarnings + repeated
      + allRemarks.map { remark in
        let records = WordList.counted(remark.count, "record", "has")
        return TextProblem(.warning, at: remark.first ?? top, "\(records) \(remark.reason).")
      }
  }

  private static func words(of repeated: JSONReader.RepeatedKey) -> String {
    let times = repeated.count == 1 ? "" : " \(repeated.count) times"
    return "key \"\(repeated.key)\" is repeated\(times); the last value counts"
  }

  private var allRemarks: [Omission] { remarks + (far.map { [$0] } ?? []) }

  private var omissionWarnings: [TextProblem] {
    omissions.map { omission in
      let records = WordList.counted(omission.count, "record", "is")
      return TextProblem(
        .warning, at: omission.first ?? TextPosition(file: file, line: 1, column: 1),
        "\(records) left out: \(omission.words).")
    }
  }

  /// The report as JSON: counts in and out, reasons with their first places, amounts.
  public var json: JSONValue {
    [
      "file": .string(file),
      "in": [
        "records": .integer(Int64(records)),
        "controlCharacters": .integer(Int64(controlCharacters)),
      ],
      "out": [
        "samples": .integer(Int64(types.reduce(0) { $0 + $1.samples })),
        "types": .array(
          types.map { count in
            [
              "type": .string(count.type.name), "samples": .integer(Int64(count.samples)),
              "copies": .integer(Int64(count.copies)), "first": .string("\(count.first)"),
              "last": .string("\(count.last)"),
              "sources": .array(count.sources.map { .string($0) }),
            ]
          }),
      ],
      "leftOut": Self.json(omissions),
      "remarks": Self.json(
        repeatedKeys.map {
          Omission(reason: "the \(Self.words(of: $0))", count: $0.count, first: $0.first)
        } + allRemarks),
      "amounts": account.json,
    ]
  }

  private static func json(_ omissions: [Omission]) -> JSONValue {
    .array(
      omissions.map { omission in
        [
          "reason": .string(omission.reason), "count": .integer(Int64(omission.count)),
          "first": omission.first.map { .string($0.description) } ?? .null,
        ]
      })
  }

  private mutating func index(of type: ObjectType, at instant: Instant) -> Int {
    if let index = types.firstIndex(where: { $0.type == type }) { return index }
    types.append(TypeCount(type: type, first: instant, last: instant))
    return types.count - 1
  }
}
