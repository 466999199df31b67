internal import ClosedLoop
internal import Quantities

/// How carbohydrates are entered in the app.
extension CarbEntryRequest {
  /// The entry as the app has it.
  var entry: CarbStore.Entry {
    CarbStore.Entry(
      date: eatenAt, mass: CarbohydrateMass(grams: grams), absorptionTime: absorption)
  }

  /// A person enters them, whatever was eaten.
  func carryOut(in world: inout World) {
    let entry = entry
    do throws(CarbStore.Refusal) {
      let identifier = try world.phone.enterCarbs(entry, at: world.now)
      world.names.carbEntries.add(name, as: identifier)
      world.names.note(name, made: identifier)
      if world.now >= world.start { world.row.carbsEntered = world.row.carbsEntered + entry.mass }
      world.note(.carbEntry, name, "\(whole(grams)) g are entered in the app.")
    } catch {
      world.note(.warning, name, "The carbs were not taken: \(error)")
    }
  }
}
