internal import Quantities
public import Simulation
internal import StructuredText

/// What went wrong in many runs of a batch alike: the same words with other numbers.
///
/// One computation serves the text, `batch.json` and the page.
public struct AlikeCause: Hashable, Sendable {
  /// What kind of trouble it is; `nil` for an expectation that fails.
  public var trouble: RunTrouble.Kind?
  /// How many runs say it.
  public var count: Int
  /// The name of the first of them, in the order of the batch.
  public var first: String
  /// The name of the one in which it is worst.
  ///
  /// Of troubles the worst is that of most insulin, or of the figure that was most wrong, then the
  /// longest, then that which happened most often; beyond that, and of expectations that fail, it
  /// is that of the run that is worst: a lethal one, then the one longest below 54 mg/dL. Of equals
  /// it is the first.
  public var worst: String
  /// What the worst says.
  public var sentence: String

  /// As many runs are told one by one.
  public static let mostToldAlone = 3

  /// A text without its numbers and times.
  package static func withoutNumbers(_ text: String) -> String {
    text.split(separator: " ").map { $0.contains(where: \.isNumber) ? "#" : String($0) }
      .joined(separator: " ")
  }

  /// What a reason has in common with others that are alike.
  package struct Key: Hashable, Sendable {
    let trouble: RunTrouble.Kind?
    let words: String

    /// The key of an expectation that fails, `Expectation ID: message`.
    package init(failure: String) {
      trouble = nil
      // A name with a digit in it is a name, and no number.
      let parts = failure.split(separator: ": ", maxSplits: 1)
      words =
        ([String(parts.first ?? "")]
        + parts.dropFirst().map { AlikeCause.withoutNumbers(String($0)) })
        .joined(separator: ": ")
    }

    /// The key of a trouble.
    package init(_ trouble: RunTrouble) {
      self.trouble = trouble.kind
      words = AlikeCause.withoutNumbers(trouble.text)
    }
  }

  /// How bad a reason is in a run, the worst largest.
  private struct Weight: Comparable {
    var extent = 0.0
    var seconds = 0.0
    var count = 0
    let isLethal: Bool
    let below54: Double

    static func < (one: Self, other: Self) -> Bool {
      (one.extent, one.seconds, one.count, one.isLethal ? 1 : 0, one.below54)
        < (other.extent, other.seconds, other.count, other.isLethal ? 1 : 0, other.below54)
    }
  }

  /// A cause with the weight of its worst run.
  private struct Found {
    var cause: AlikeCause
    var weight: Weight
  }

  /// What more than ``mostToldAlone`` runs say alike, expectations first, then the worst kind, and
  /// of one kind what most runs say.
  package static func causes(of rows: [BatchRow]) -> [(key: Key, cause: AlikeCause)] {
    var places: [Key: Int] = [:]
    var all: [(key: Key, found: Found)] = []
    for row in rows {
      for (key, found) in reasons(of: row) {
        guard let place = places[key] else {
          places[key] = all.count
          all.append((key, found))
          continue
        }
        all[place].found.cause.count += 1
        guard all[place].found.weight < found.weight else { continue }
        all[place].found.weight = found.weight
        all[place].found.cause.worst = row.id
        all[place].found.cause.sentence = found.cause.sentence
      }
    }
    let order = RunTrouble.Kind.allCases
    func rank(_ cause: AlikeCause) -> Int {
      cause.trouble.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    }
    return all.enumerated().filter { $0.element.found.cause.count > mostToldAlone }.sorted {
      let (one, other) = ($0.element.found.cause, $1.element.found.cause)
      return (rank(one), -one.count, $0.offset) < (rank(other), -other.count, $1.offset)
    }.map { ($0.element.key, $0.element.found.cause) }
  }

  /// The reasons of a run, each key once and with the worst that it says.
  private static func reasons(of row: BatchRow) -> [(key: Key, found: Found)] {
    var found: [(key: Key, found: Found)] = []
    func add(_ key: Key, _ sentence: String, _ weight: Weight) {
      let cause = AlikeCause(
        trouble: key.trouble, count: 1, first: row.id, worst: row.id, sentence: sentence)
      guard let place = found.firstIndex(where: { $0.key == key }) else {
        found.append((key, Found(cause: cause, weight: weight)))
        return
      }
      if found[place].found.weight < weight {
        found[place].found = Found(cause: cause, weight: weight)
      }
    }
    let plain = Weight(isLethal: row.isLethal, below54: row.value(.below54) ?? 0)
    for failure in row.failures { add(Key(failure: failure), "\(failure).", plain) }
    for trouble in row.troubles {
      var weight = plain
      weight.extent = trouble.extent
      weight.seconds = trouble.duration.seconds
      weight.count = trouble.count
      add(Key(trouble), trouble.sentence, weight)
    }
    return found
  }

  /// The lines of a text about many runs; nothing where nothing is alike.
  public static func lines(of rows: [BatchRow]) -> [String] {
    causes(of: rows).map { _, cause in
      "alike   \(cause.count) of \(WordList.counted(rows.count, "run")), the first \(cause.first), "
        + "the worst \(cause.worst): \(InertText.line(cause.sentence))"
    }
  }

  /// The cause as a JSON tree.
  var json: JSONValue {
    [
      "kind": .string(trouble?.rawValue ?? "expectation"), "runs": .integer(Int64(count)),
      "first": .string(first), "worst": .string(worst), "text": .string(sentence),
    ]
  }
}
