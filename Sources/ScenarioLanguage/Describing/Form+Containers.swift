package import Quantities
import StructuredText

extension Form {
  /// Values by time of day.
  package static func schedule<Item>(_ item: Form<Item>) -> Self
  where Value == DailySchedule<Item> {
    Form(.schedule(item.shape)) { $0.schedule(item.read) }
  }

  /// A list of values; those that cannot be used are reported and left out.
  package static func list<Item>(_ item: Form<Item>) -> Self where Value == [Item] {
    Form(.list(item.shape)) { $0.items()?.compactMap(item.read) }
  }

  /// A value, or a list of them.
  package static func listOrOne<Item>(_ item: Form<Item>) -> Self where Value == [Item] {
    Form(.listOrOne(item.shape)) { $0.itemsOrOne()?.compactMap(item.read) }
  }

  /// Two values of one shape, of which a function makes something; the phrase is what sentences
  /// call the list, such as "a list of two times".
  package static func pair(
    of item: Shape, _ phrase: String, _ read: @escaping @Sendable (Field) -> Value?
  ) -> Self {
    Form(.pair(item, phrase: phrase)) { field in
      if field.node?.items?.count == 2 { return read(field) }
      field.reportUnusable(expected: phrase)
      return nil
    }
  }

  /// One of several forms: of those for the value's JSON type, the one that fits it best.
  package static func either(_ forms: Form<Value>...) -> Self {
    let shape = Shape.either(forms.map { $0.shape })
    return Form(shape) { field in
      guard let node = field.node else { return nil }
      let possible = forms.filter { $0.shape.accepts(JSONKind(of: node)) }
      guard possible.count > 1 else {
        if possible.isEmpty { field.reportUnusable(expected: shape.phrase) }
        return possible.first?.read(field)
      }
      let best = SchemaCheck.meant(by: field, among: possible.map { $0.shape })
      return possible[best].read(field)
    }
  }

  // MARK: - Objects

  /// An object whose keys are described where what is made of it is described.
  ///
  ///     Form<SensorFault>.object {
  ///       let gain = $0.key("gain", .number(0.05...20), default: "1.0", "A factor.")
  ///       let offset = $0.key("offset", .number(-400...400), default: "0", "An addition.")
  ///       return { .bias(gain: $0[gain], offset: $0[offset]) }
  ///     }
  ///
  /// A key that is not described is reported where it stands.
  package static func object(
    _ describe: @escaping @Sendable (inout Keys) -> Maker<Value>
  ) -> Self {
    .shaped {
      var keys = Keys()
      let make = describe(&keys)
      return ((keys.all, []), make)
    }
  }

  /// An object of which keys, kinds and what is made of them are described when they are first
  /// asked for; the noun, such as "a dose", is for sentences.
  package static func shaped(
    noun: String = "the object",
    _ describe: @escaping @Sendable () -> (ObjectShape.Members, Maker<Value>)
  ) -> Self {
    let described = Lazy(describe)
    let shape = ObjectShape(noun: noun) { described.value.0 }
    let names = Lazy {
      (shape.keys + shape.kinds + shape.kinds.flatMap { $0.companions })
        .filter { $0.isSupported }.map { $0.name }
    }
    return Form(.object(shape)) { field in
      guard field.object(allowed: names.value) != nil else { return nil }
      do throws(UnusableKey) {
        return try described.value.1(field)
      } catch {
        return nil
      }
    }
  }

  /// An object of which one key, and no more, says what it is; the noun, such as "a CGM fault", is
  /// for sentences.
  package static func one(
    of kinds: @autoclosure @escaping @Sendable () -> [Kind<Value>], noun: String
  ) -> Self {
    let kinds = Lazy(kinds)
    let shape = ObjectShape(noun: noun) { ([], kinds.value.map { $0.schema }) }
    return Form(.object(shape)) { field in
      guard let members = field.members() else { return nil }
      guard members.count == 1, let member = members.first else {
        field.reportMisshapen(shape)
        return nil
      }
      guard let kind = kinds.value.first(where: { $0.name == member.key }) else {
        let names = kinds.value.map { $0.name }
        // At the key, where the check of the file says the same.
        field.problems.error(
          at: member.keyPosition,
          "\"\(member.key)\" is not \(noun) that can be simulated here."
            + NearestName.suggestion(for: member.key, among: names)
            + " The kinds are: \(names.joined(separator: ", ")).")
        return nil
      }
      return kind.form.read(member.field)
    }
  }
}

/// Makes something of an object whose keys have been described; reports what cannot be, and returns
/// `nil`.
package typealias Maker<Value> = @Sendable (Field) throws(UnusableKey) -> Value?

/// A required key is missing or cannot be used, which has been reported.
package struct UnusableKey: Error {}

/// One of the things that an object can be: the key that says so, and what is made of its value.
package struct Kind<Value>: Sendable {
  /// What the reference says of the key.
  package let schema: SchemaKey
  /// What its value may be.
  package let form: Form<Value>
  /// How the key is spelled.
  package var name: String { schema.name }

  package init(_ name: String, _ meaning: String, _ form: Form<Value>) {
    schema = SchemaKey(name, form.shape, meaning)
    self.form = form
  }
}
