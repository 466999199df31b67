internal import Physiology
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// Food that is eaten, and what the app is told of it.
enum FoodEvents {
  /// A meal, and an entry for none.
  static let kinds: [EventKind] = [
    EventKind(
      "meal", "Food that is eaten.",
      beside: {
        $0.optional(
          "entry",
          .either(Form.only(false).map { _, _ in { _, _ in [] } }, entryOfMeal),
          else: "the same values at the same time",
          "What the app learns of the meal; `false` for nothing.")
      }
    ) { entry in .event { meal(&$0, entry) } },
    EventKind(
      "entry", "An entry for food that nobody eats.",
      loneEntry.happens { $0(nil, $1) }),
  ]

  /// Makes the carb entry of a meal, or of none.
  private typealias EntryMaker = (_ meal: CarbEntryRequest?, Occasion) -> [ScenarioEvent]

  private static func meal(
    _ keys: inout Keys, _ entry: Key<EntryMaker?>
  ) -> ObjectMaker {
    let grams = keys.required("grams", .grams, "The carbohydrate truly eaten.")
    let absorption = keys.key(
      "absorption", .absorption, default: "'3h'",
      "How long it truly takes. The bodies of `uva-padova-s2008`, `uva-padova-s2013` and `hovorka` "
        + "know that themselves: with them it is what the app is told, and no more.")
    let name = keys.optional("name", .text, "A name to show.")
    let shape = keys.key(
      "shape",
      .words(["firstOrder", "triangle", "model"].map { ($0, $0) }).map { supportedShape($0, $1) },
      default: "'model'",
      "How it appears; `model` leaves it to the body, and is all that this version does.")
    keys.refuse(
      "fat", .grams, "0", "Fat, for bodies that know it.",
      because: "None of the published models of the body has equations for fat; "
        + "a longer \"absorption\" comes nearest.")
    keys.refuse(
      "protein", .grams, "0", "Protein, for bodies that know it.",
      because: "None of the published models of the body has equations for protein; "
        + "a second meal later comes nearest.")
    return { field, on throws(UnusableKey) in
      _ = field[shape]
      let mass = try field[grams]
      let absorption = field[absorption]
      let typed = CarbEntryRequest(
        name: on.id, grams: mass.grams, absorption: absorption, eatenAt: on.instant)
      let eaten = ScenarioEvent.Action.eat(
        MealInput(grams: mass.grams, absorption: absorption), name: field[name] ?? on.id)
      return [on.event(eaten)] + (on.item[entry]?(typed, on) ?? [on.event(.enterCarbs(typed))])
    }
  }

  /// Each body absorbs by its own published equations; nothing else would be that body.
  private static func supportedShape(_ shape: String, _ field: Field) -> String? {
    guard shape != "model" else { return shape }
    field.error(
      """
      The shape "\(shape)" is not supported by this version: each body absorbs a meal by its own \
      published equations. Write 'model' and choose "absorption", or another patient.model.
      """)
    return nil
  }

  // MARK: - Entries

  /// The entry of a meal, which has the meal's values where it states none.
  private static let entryOfMeal = entry(isOfMeal: true)
  /// An entry by itself, which must state its grams.
  private static let loneEntry = entry(isOfMeal: false)

  private static func entry(isOfMeal: Bool) -> Form<EntryMaker> {
    .object { keys in
      let owner = isOfMeal ? "meal" : "event"
      let ofMeal = "the meal's"
      let at = keys.optional(
        "at", .timeInRun, else: "with the \(owner)",
        "When it is typed; spans count from the \(owner).")
      let grams = keys.optional(
        "grams", .grams, else: isOfMeal ? ofMeal : nil,
        isOfMeal ? "What is typed." : "What is typed; it must be stated.")
      let absorption = keys.optional(
        "absorption", .absorption, else: isOfMeal ? ofMeal : "'3h'", "What is typed.")
      let eatenAt = keys.optional(
        "eatenAt", .time, else: isOfMeal ? ofMeal : "when it is typed",
        "The time of eating that is typed.")
      let id = keys.optional("id", .text, "A name by which it is found.")
      let edits = keys.key(
        "edits", .list(.object { edit(&$0, of: owner) }), default: "[]",
        "Later changes of the entry.")
      return { field in
        { meal, on in
          guard let typed = field[grams]?.grams ?? meal?.grams ?? field.needed(grams)?.grams else {
            return []
          }
          let entered = field[at] ?? on.instant
          let name = field[id].map { OccurrenceName.of($0, madeBy: on.id) } ?? on.id
          let request = CarbEntryRequest(
            name: name, grams: typed,
            absorption: field[absorption] ?? meal?.absorption ?? .hours(3),
            eatenAt: field[eatenAt] ?? meal?.eatenAt ?? entered)
          return [ScenarioEvent(at: entered, id: name, .enterCarbs(request))]
            + field[edits].map { ScenarioEvent(at: $0.instant, id: name, $0.action(name)) }
        }
      }
    }
  }

  /// A later change of an entry, by the entry's name.
  private struct Edit: Sendable {
    var instant: Instant
    var action: @Sendable (String) -> ScenarioEvent.Action
  }

  private static func edit(_ keys: inout Keys, of owner: String) -> Maker<Edit> {
    let at = keys.required(
      "at", Form(.time) { $0.timeInRun() }, "When it is changed; spans count from the \(owner).")
    let grams = keys.optional("grams", .grams, "The new grams.")
    let absorption = keys.optional("absorption", .absorption, "The new absorption time.")
    let eatenAt = keys.optional("eatenAt", .time, "The new time of eating.")
    let delete = keys.optional("delete", .only(true), "Deletes the entry.")
    return { field throws(UnusableKey) in
      let instant = try field[at]
      if field[delete] == true {
        return Edit(instant: instant) { .deleteCarbs(entry: $0) }
      }
      let (grams, absorption, eatenAt) = (field[grams]?.grams, field[absorption], field[eatenAt])
      return Edit(instant: instant) {
        .editCarbs(entry: $0, grams: grams, absorption: absorption, eatenAt: eatenAt)
      }
    }
  }
}
