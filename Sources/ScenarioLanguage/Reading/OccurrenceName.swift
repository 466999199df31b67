/// The names of events and faults that come more than once: `lunch#1`, `lunch#2`.
package enum OccurrenceName {
  /// The name of one occurrence, counted from 1.
  package static func numbered(_ id: String, _ number: Int) -> String { "\(id)#\(number)" }

  /// The id without the number of the occurrence.
  package static func id(of name: String) -> String { String(name.prefix { $0 != "#" }) }

  /// The name of what an occurrence makes: an id with the number that the occurrence has, if any.
  package static func of(_ id: String, madeBy occurrence: String) -> String {
    id + occurrence.drop { $0 != "#" }
  }

  /// Whether a name is the one asked for, or that of one of its occurrences.
  package static func isMeant(_ name: String, by asked: String) -> Bool {
    name == asked || name.hasPrefix("\(asked)#")
  }
}
