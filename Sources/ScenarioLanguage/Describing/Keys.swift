import Quantities
import StructuredText

/// A key of a scenario's object, which knows how it is spelled and what value it gives.
///
/// `field[key]` reads it from an object. See ``Keys`` for how it is described.
package struct Key<Value>: Sendable {
  /// How the key is spelled.
  package let name: String
  /// What holds where it is missing.
  fileprivate let standard: @Sendable () -> Value
  /// Reads its value.
  fileprivate let read: @Sendable (Field) -> Value
}

/// A key that every object of its kind must have.
package struct RequiredKey<Value>: Sendable {
  /// How the key is spelled.
  package let name: String
  /// Reads it from the object; a missing or unusable value is reported.
  fileprivate let read: @Sendable (Field) -> Value?
}

/// The keys of an object, collected as they are described.
///
/// What the reference, the editors' schema, the check and the reading of a run know of a key comes
/// from its one description.
package struct Keys {
  /// What the reference says of the keys, in their order.
  package private(set) var all: [SchemaKey] = []

  /// Creates a list without keys.
  package init() {}

  /// A key with a default, which is stated as a file would write it.
  ///
  /// Glucose is in milligrams per decilitre in it, whatever the unit of the file.
  package mutating func key<Value: Sendable>(
    _ name: String, _ form: Form<Value>, default standard: String, _ meaning: String
  ) -> Key<Value> {
    all.append(SchemaKey(name, form.shape, standard, meaning))
    // Without its type, for which the runtime would make a type of box for each type of value.
    let made = Lazy<any Sendable> {
      guard
        let value = SchemaKey.value(of: standard, at: name).flatMap({
          form.read(Field($0, in: .plain, problems: ProblemList()))
        })
      else { preconditionFailure("The default \(standard) of \(name) cannot be read.") }
      return value
    }
    assert(made.value is Value, "A default is tried where its key is described.")
    let value: @Sendable () -> Value = {
      guard let value = made.value as? Value else {
        preconditionFailure("The default of \(name) has another type.")
      }
      return value
    }
    return Key(name: name, standard: value, read: { form.read($0) ?? value() })
  }

  /// A key that gives `nil` where it is missing; the phrase says what holds then, such as
  /// "the last".
  package mutating func optional<Value>(
    _ name: String, _ form: Form<Value>, else phrase: String? = nil, _ meaning: String
  ) -> Key<Value?> {
    all.append(SchemaKey(name, form.shape, phrase, meaning))
    return Key(name: name, standard: { nil }, read: form.read)
  }

  /// A key that every such object must have.
  package mutating func required<Value>(
    _ name: String, _ form: Form<Value>, _ meaning: String
  ) -> RequiredKey<Value> {
    all.append(SchemaKey(name, form.shape, meaning).required)
    return RequiredKey(name: name) { object in
      let field = object.required(name)
      guard field.exists else {
        // In the words of the file's check, so that it is told once.
        field.json.reportMissing(expected: form.shape.phrase)
        return nil
      }
      return form.read(field)
    }
  }

  /// The only key of an object, which it must have; the object is what is made of its value.
  package mutating func only<Value, Made>(
    _ name: String, _ form: Form<Value>, _ meaning: String,
    _ make: @escaping @Sendable (Value) -> Made
  ) -> Maker<Made> {
    let key = required(name, form, meaning)
    return { field throws(UnusableKey) in make(try field[key]) }
  }

  /// A key that this version refuses; the reason says why, and what to do.
  package mutating func refuse<Value>(
    _ name: String, _ form: Form<Value>, _ standard: String, _ meaning: String,
    because reason: String
  ) {
    all.append(SchemaKey(name, form.shape, standard, meaning).refused(reason))
  }

  /// The keys of a block.
  package mutating func include<Root>(_ block: Block<Root>) { all += block.all }
}

extension Field {
  /// The value of a key, or an object without members in its place.
  package func object(_ key: String) -> Field { self[key].exists ? self[key] : emptyObject(key) }

  /// An object without members in the place of a key.
  package func emptyObject(_ key: String) -> Field {
    let empty = JSONNode(.object([]), at: position)
    return Field(
      JSONField(
        node: empty, path: self[key].path, problems: problems, isRequired: false,
        position: position), in: context)
  }

  /// The value of a key, or what holds without it.
  package subscript<Value>(key: Key<Value>) -> Value {
    let field = self[key.name]
    return field.exists ? key.read(field) : key.standard()
  }

  /// The value of a key that is needed here; that it is missing is reported.
  package func needed<Value>(_ key: Key<Value?>) -> Value? { key.read(required(key.name)) }

  /// The value of a key that must be there.
  package subscript<Value>(key: RequiredKey<Value>) -> Value {
    get throws(UnusableKey) {
      guard let value = key.read(self) else { throw UnusableKey() }
      return value
    }
  }
}
