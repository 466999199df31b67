import StructuredText

/// The keys of an object, each of which sets a property of what is made of it.
///
///     Block<ControllerRules> {
///       $0.set(\.history, "history", .duration(.hours(1)...(.days(7))), default: "'1d'", "How …")
///     }
package struct Block<Root>: Sendable {
  private let described: Lazy<(all: [SchemaKey], setters: [Properties<Root>.Setter])>
  /// What the reference says of the keys, in their order.
  package var all: [SchemaKey] { described.value.all }
  fileprivate var setters: [Properties<Root>.Setter] { described.value.setters }

  package init(_ describe: @escaping @Sendable (inout Properties<Root>) -> Void) {
    described = Lazy {
      var properties = Properties<Root>()
      describe(&properties)
      return (properties.keys.all, properties.setters)
    }
  }

  /// Sets what an object says, and the default of each key that it does not have.
  package func read(_ field: Field, into root: inout Root) {
    for set in setters { set(field, &root, true) }
  }

  /// Sets what an object says, and nothing else.
  package func change(_ root: inout Root, by field: Field) {
    for set in setters { set(field, &root, false) }
  }

  /// A value as an object has it, which has no other keys; what it does not say has its default.
  package func value(_ initial: Root, of field: Field) -> Root {
    var root = initial
    if field.node?.members != nil { field.allowOnly(all.filter { $0.isSupported }.map { $0.name }) }
    read(field, into: &root)
    return root
  }
}

/// Collects the keys of a ``Block`` with the properties that they set.
package struct Properties<Root> {
  /// Sets a property of a value by an object; a missing key sets its default where asked to.
  typealias Setter = @Sendable (Field, inout Root, _ withDefaults: Bool) -> Void

  /// A property of what is made; its path is made where the property is set.
  package typealias Property<Value> = @Sendable () -> any WritableKeyPath<Root, Value> & Sendable

  /// The keys so far, to which others may be added that set nothing.
  package var keys = Keys()
  fileprivate var setters: [Setter] = []

  /// A key with a default, stated as a file would write it.
  package mutating func set<Value: Sendable>(
    _ property: @autoclosure @escaping Property<Value>, _ name: String, _ form: Form<Value>,
    default standard: String, _ meaning: String
  ) {
    let key = keys.key(name, form, default: standard, meaning)
    setters.append { field, root, withDefaults in
      if withDefaults || field[name].exists { root[keyPath: property()] = field[key] }
    }
  }

  /// A key with a default, of a property that is `nil` where nothing is said of it.
  package mutating func set<Value: Sendable>(
    optional property: @autoclosure @escaping Property<Value?>, _ name: String, _ form: Form<Value>,
    default standard: String, _ meaning: String
  ) {
    let key = keys.key(name, form, default: standard, meaning)
    setters.append { field, root, withDefaults in
      if withDefaults || field[name].exists { root[keyPath: property()] = field[key] }
    }
  }

  /// A key that leaves the property what it is where it is missing; the phrase says what it is.
  package mutating func set<Value>(
    _ property: @autoclosure @escaping Property<Value>, _ name: String, _ form: Form<Value>,
    else phrase: String? = nil, _ meaning: String
  ) {
    let key = keys.optional(name, form, else: phrase, meaning)
    setters.append { field, root, _ in
      if let value = field[key] { root[keyPath: property()] = value }
    }
  }

  /// A key that leaves an optional property what it is where it is missing.
  package mutating func set<Value>(
    optional property: @autoclosure @escaping Property<Value?>, _ name: String, _ form: Form<Value>,
    else phrase: String? = nil, _ meaning: String
  ) {
    let key = keys.optional(name, form, else: phrase, meaning)
    setters.append { field, root, _ in
      if let value = field[key] { root[keyPath: property()] = value }
    }
  }

  /// A key that every such object must have.
  package mutating func require<Value>(
    _ property: @autoclosure @escaping Property<Value?>, _ name: String, _ form: Form<Value>,
    _ meaning: String
  ) {
    let key = keys.required(name, form, meaning)
    setters.append { field, root, _ in root[keyPath: property()] = try? field[key] }
  }

  /// The keys of a block that describes a part.
  package mutating func include<Part>(
    _ block: Block<Part>, at part: @autoclosure @escaping Property<Part>
  ) {
    keys.include(block)
    setters.append { field, root, withDefaults in
      let path = part()
      for set in block.setters { set(field, &root[keyPath: path], withDefaults) }
    }
  }

  /// A key whose value is an object that says more of the same.
  package mutating func object(
    _ name: String, else phrase: String, _ meaning: String,
    _ describe: @escaping @Sendable (inout Properties<Root>) -> Void
  ) {
    let block = Block(describe)
    let key = keys.optional(
      name,
      .object { keys in
        keys.include(block)
        return { $0 }
      }, else: phrase, meaning)
    setters.append { field, root, withDefaults in
      guard let inner = field[key] else { return }
      for set in block.setters { set(inner, &root, withDefaults) }
    }
  }
}
