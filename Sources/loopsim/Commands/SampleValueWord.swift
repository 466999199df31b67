import Arguments
import HealthStore

/// The value of a sample on the command line: a number, or the members of a correlation.
enum SampleValueWord: ArgumentValue {
  case number(Double)
  /// `120/80`, or `DietaryCarbohydrates=40,DietaryProtein=12`; each type once.
  case members([Member])

  /// One quantity of a correlation, in the unit of its type unless another is named.
  struct Member: Hashable {
    var type: ObjectType
    var number: Double
  }

  init?(argument: String) {
    if let number = Double(argument: argument) {
      self = .number(number)
      return
    }
    let pressures = argument.split(separator: "/", omittingEmptySubsequences: false)
      .map { Double(argument: String($0)) }
    if pressures.count == 2, let systolic = pressures[0], let diastolic = pressures[1] {
      self = .members([
        Member(type: .bloodPressureSystolic, number: systolic),
        Member(type: .bloodPressureDiastolic, number: diastolic),
      ])
      return
    }
    var members: [Member] = []
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: "=", omittingEmptySubsequences: false)
      guard words.count == 2, let type = ObjectType(name: String(words[0])),
        let number = Double(argument: String(words[1])),
        !members.contains(where: { $0.type == type })
      else { return nil }
      members.append(Member(type: type, number: number))
    }
    self = .members(members)
  }

  var word: String {
    switch self {
    case .number(let number): return HealthQuantity.text(of: number)
    case .members(let members):
      let numbers = members.map { HealthQuantity.text(of: $0.number) }
      let isPressure = members.map(\.type) == [.bloodPressureSystolic, .bloodPressureDiastolic]
      guard !isPressure else { return numbers.joined(separator: "/") }
      return zip(members, numbers).map { "\($0.type.name)=\($1)" }.joined(separator: ",")
    }
  }
}
