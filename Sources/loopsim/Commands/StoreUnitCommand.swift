import Arguments
import HealthStore
import HealthStoreSQLite

/// Chooses the unit in which a type is shown.
struct StoreUnitCommand: Command {
  static let name = "unit"
  static let abstract = "Show or choose the unit in which a type is shown."
  static let discussion = """
    The choice is the user's, as in the health app, and holds for what these commands print. \
    Samples and dosing stay as they are.
    """

  var file = ""
  var kind = TypeWord(.bloodGlucose)
  var unitWord: UnitWord?

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.positional("type", \.kind, help: "The type, such as BloodGlucose.")
    it.positional("unit", \.unitWord, isRequired: false, help: "The unit, such as mmol/L.")
  }

  func run(to console: any Console) async throws {
    if let unit = unitWord?.unit {
      var store = try StoreFile.writing(file)
      try store.setPreferredUnit(unit, for: kind.type)
    }
    let shown = try StoreFile.reading(file).registry.preferredUnit(for: kind.type)
    console.print("\(kind.type): \(shown.map { StoreSelection.text(of: $0) } ?? "no unit")")
  }
}
