internal import ClosedLoop
internal import Dosing
internal import Physiology
internal import Quantities

/// What people do with the body.
extension World {
  /// Somebody eats, whatever is entered of it.
  mutating func eat(_ meal: MealInput, _ name: String) {
    assert(meal.grams >= 0, "Nobody eats less than nothing.")
    delivery.body.eat(meal)
    // The rows begin with the part that counts, as what the pump gives does.
    if now >= start {
      let mass = CarbohydrateMass(grams: meal.grams)
      row.carbsEaten = row.carbsEaten + mass
      eatenUntold = eatenUntold + mass
    }
    note(.meal, name, "\(whole(meal.grams)) g of carbohydrate are eaten.")
  }

  /// Insulin from a pen, a syringe or an inhaler.
  mutating func inject(_ units: Double, _ formulation: InsulinFormulation, _ name: String) {
    assert(units >= 0, "Nobody injects less than nothing.")
    let rapidActing = phone.therapy.rapidActingModel
    let model = InsulinType(rawValue: formulation.id)?.model(rapidActing: rapidActing)
    // Loop does not know the type of every insulin of meals.
    let unknown =
      formulation.countsAsInsulinOnBoard
      ? InsulinType.mostUsual.model(rapidActing: rapidActing) : nil
    delivery.body.inject(
      units, formulation, name: name, model: model, countedModel: model ?? unknown, at: now)
    let verb = formulation.routes == [.inhaler] ? "inhaled" : "injected"
    note(.injection, name, "\(unitsText(units)) U are \(verb).")
  }
}
