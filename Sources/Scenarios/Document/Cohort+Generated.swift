internal import Physiology
import StructuredText

extension Cohort {
  /// The bodies that a model generates: one member for each, told apart by its number.
  ///
  /// A member says only which body it is; the body itself is drawn when its run is built, so that a
  /// cohort of a million costs little.
  static func generated(_ field: JSONField) -> Cohort? {
    field.allowOnly(["model", "law", "n", "seed"])
    guard let model = field.required("model").choice(of: ["hovorka"]),
      let count = field.required("n").integer(in: 1...Int64(maximumCount))
    else { return nil }
    let law = field["law"].choice(HovorkaCohort.self) ?? .logNormal
    let seed = field["seed"].integer(in: 0...Int64.max) ?? 0
    func member(_ key: String, _ value: JSONNode.Value) -> JSONMember {
      JSONMember(
        key: key, keyPosition: field.position, value: JSONNode(value, at: field.position))
    }
    let width = "\(count - 1)".count
    let members = (0..<count).map { number in
      let digits = "\(number)"
      let body: [JSONMember] = [
        member("law", .string(law.rawValue)), member("member", .integer(number)),
        member("seed", .integer(seed)),
      ]
      return Member(
        id: "g" + String(repeating: "0", count: width - digits.count) + digits,
        assignments: [
          (
            ScenarioPath(keys: ["patient", "model"]),
            JSONNode(.string(model), at: field.position)
          ),
          (
            ScenarioPath(keys: ["patient", "generated"]),
            JSONNode(.object(body), at: field.position)
          ),
        ])
    }
    return Cohort(members: members)
  }
}
