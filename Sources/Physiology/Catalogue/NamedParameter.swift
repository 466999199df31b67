/// A parameter of a model with the symbol of its publication.
struct NamedParameter<Owner>: Sendable {
  let name: String
  let path: any WritableKeyPath<Owner, Double> & Sendable
  let unit: String
  /// The values that it can be given; `nil` where it only describes the person, and the equations
  /// do not use it.
  let range: ClosedRange<Double>?

  init(
    _ name: String, _ path: any WritableKeyPath<Owner, Double> & Sendable, _ unit: String,
    _ range: ClosedRange<Double>? = nil
  ) {
    self.name = name
    self.path = path
    self.unit = unit
    self.range = range
  }

  func described(in owner: Owner) -> PatientDescription.Parameter {
    .init(name: name, value: owner[keyPath: path], unit: unit)
  }
}

extension Array {
  /// The names of those that the equations use.
  func usedNames<Owner>() -> [String] where Element == NamedParameter<Owner> {
    filter { $0.range != nil }.map(\.name)
  }

  /// The values that one can be given; nothing when the equations use none of that name.
  func range<Owner>(of name: String) -> ClosedRange<Double>?
  where Element == NamedParameter<Owner> {
    first { $0.name == name }?.range
  }

  /// The owner with one parameter set; nothing when the equations use none of that name.
  func setting<Owner>(_ name: String, to value: Double, in owner: Owner) -> Owner?
  where Element == NamedParameter<Owner> {
    guard let parameter = first(where: { $0.name == name && $0.range != nil }) else { return nil }
    var owner = owner
    owner[keyPath: parameter.path] = value
    return owner
  }
}
