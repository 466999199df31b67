internal import Quantities
internal import ScenarioLanguage
internal import StructuredText

/// What the streams of the items of a list are called.
///
/// A stream is named after what its item is, never after the place of the item: an item more or
/// less in one arm of a study then moves nothing of the others. Nor does it matter how a time is
/// written.
struct StreamNames {
  private let names: [String]

  /// Names items by what `describe` makes of each; the second of the same gets `#2`, and so on.
  init(_ items: [JSONNode], describe: (JSONNode) -> String) {
    var counts: [String: Int] = [:]
    names = items.map { item in
      let name = describe(item)
      let count = (counts[name] ?? 0) + 1
      counts[name] = count
      return count == 1 ? name : "\(name)#\(count)"
    }
  }

  /// The names of the list `events`: the id, or the kind and the time, such as `meal@12:30`.
  static func ofEvents(_ items: [JSONNode], in context: ReadingContext) -> StreamNames {
    StreamNames(items) { event in
      if let id = event["id"]?.string { return id }
      let kind = EventKind.names.first { event[$0] != nil } ?? "event"
      let at = event["at"]
      if let daily = at?["daily"]?.string { return "\(kind)@\(timeOfDay(daily))" }
      let time = at?.string ?? at?.items?.first?.string ?? ""
      return "\(kind)@\(TimeText.plain(time, in: context) ?? time)"
    }
  }

  /// The names of `behaviour.meals`: the name, or from when it may be eaten, such as `@07:00`.
  static func ofMeals(_ items: [JSONNode]) -> StreamNames {
    StreamNames(items) { meal in
      meal["name"]?.string ?? "@\(timeOfDay(meal["window"]?.items?.first?.string ?? ""))"
    }
  }

  private static func timeOfDay(_ text: String) -> String {
    TimeOfDay(text).map { TimeText.text(of: $0) } ?? text
  }

  /// The name of the item at a place.
  subscript(place: Int) -> String { names.indices.contains(place) ? names[place] : "" }
}
