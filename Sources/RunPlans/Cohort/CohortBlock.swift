internal import Physiology
internal import ScenarioLanguage
internal import StructuredText

/// The block `cohort`.
struct CohortBlock {
  /// The table, and where its name stands.
  var table: Field?
  /// Which column sets which path.
  var columns: Field?
  /// The column that names the patient.
  var identity: String?
  var skip = 0
  var limit: Int?
  var bodies: Bodies?

  /// Bodies that a model generates, in place of a table.
  struct Bodies: Sendable {
    var model: String
    var law: HovorkaCohort
    var seed: Int
    var count: Int
  }

  static let block = Block<Self> {
    $0.set(
      optional: \.table, "from", .unread(.text),
      "A CSV, TSV or JSON table with one row for each patient.")
    $0.set(
      optional: \.columns, "columns", .unread(.map(.text)),
      "Which column sets which path: `{ isf: 'patient.…' }`.")
    $0.set(
      optional: \.identity, "id", .text, else: "'id'",
      "The column that names the patient in run ids.")
    $0.set(
      \.skip, "skip", .integer(0...Cohort.maximumCount), default: "0",
      "How many rows are left out at the beginning.")
    $0.set(
      optional: \.limit, "take", .integer(1...Cohort.maximumCount), else: "all",
      "How many rows are used.")
    $0.set(
      optional: \.bodies, "generate",
      .object {
        let model = $0.required(
          "model", .words([("hovorka", "hovorka")]), "The model that makes the bodies.")
        let population = BodyPopulation(
          &$0, "The published law from which its parameters are drawn.")
        let count = $0.required("n", .integer(1...Cohort.maximumCount), "How many.")
        return { field throws(UnusableKey) in
          Bodies(
            model: try field[model], law: field[population.law], seed: field[population.seed],
            count: try field[count])
        }
      }, "Bodies that a model generates, in place of a table.")
  }
}

extension Cohort {
  /// The bodies that a model generates: one member for each, told apart by its number.
  ///
  /// A member says only which body it is; the body itself is drawn when its run is built, so that a
  /// cohort of a million costs little.
  static func generated(_ bodies: CohortBlock.Bodies, at position: TextPosition) -> Cohort {
    func member(_ key: String, _ value: JSONNode.Value) -> JSONMember {
      JSONMember(
        key: key, keyPosition: position, value: JSONNode(value, at: position))
    }
    let members = (0..<bodies.count).map { number in
      let body: [JSONMember] = [
        member("law", .string(bodies.law.rawValue)), member("member", .integer(Int64(number))),
        member("seed", .integer(Int64(bodies.seed))),
      ]
      return Member(
        // However many there are: the chance of a patient goes by the id.
        id: "g\(number)",
        assignments: [
          (
            ScenarioPath(keys: ["patient", "model"]),
            JSONNode(.string(bodies.model), at: position)
          ),
          (
            ScenarioPath(keys: ["patient", "generated"]),
            JSONNode(.object(body), at: position)
          ),
        ])
    }
    return Cohort(members: members)
  }
}
