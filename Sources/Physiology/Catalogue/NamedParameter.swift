/// A parameter of a model with the symbol of its publication.
struct NamedParameter<Owner>: Sendable {
  let name: String
  let path: any WritableKeyPath<Owner, Double> & Sendable
  let unit: String
  /// Whether the equations use it; the others only describe the person.
  let isUsed: Bool

  init(
    _ name: String, _ path: any WritableKeyPath<Owner, Double> & Sendable, _ unit: String,
    isUsed: Bool = true
  ) {
    self.name = name
    self.path = path
    self.unit = unit
    self.isUsed = isUsed
  }

  func described(in owner: Owner) -> PatientDescription.Parameter {
    .init(name: name, value: owner[keyPath: path], unit: unit)
  }
}

extension Array {
  /// The names of those that the equations use.
  func usedNames<Owner>() -> [String] where Element == NamedParameter<Owner> {
    filter(\.isUsed).map(\.name)
  }

  /// The owner with one parameter set; nothing when the equations use none of that name.
  func setting<Owner>(_ name: String, to value: Double, in owner: Owner) -> Owner?
  where Element == NamedParameter<Owner> {
    guard let parameter = first(where: { $0.name == name && $0.isUsed }) else { return nil }
    var owner = owner
    owner[keyPath: parameter.path] = value
    return owner
  }
}
