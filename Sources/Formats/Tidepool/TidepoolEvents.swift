internal import Interchange
internal import Quantities
internal import StructuredText

/// An event of an imported scenario with its place in time.
struct ImportedEvent {
  var offset: TimeSpan
  /// The order among events of one moment: switches, meals, boluses, the rest.
  var rank: Int
  var value: JSONValue
}

/// What stands at a moment, be it true or told.
protocol TimedEntry {
  /// When, counted from the start.
  var offset: TimeSpan { get }
}

extension TidepoolSimulation.Carbs: TimedEntry {}
extension TidepoolSimulation.Bolus: TimedEntry {}

extension Array where Element: TimedEntry {
  /// The place of what is told of an entry: of the same moment, and of several that which says the
  /// same, else the first that says the same as none of the entries after it.
  func place(
    for entry: Element, before later: ArraySlice<Element>, _ isSame: (Element, Element) -> Bool
  ) -> Int? {
    let near = indices.filter { self[$0].offset == entry.offset }
    guard near.count > 1 else { return near.first }
    return near.first { isSame(self[$0], entry) }
      ?? near.first { place in
        !later.contains { $0.offset == entry.offset && isSame(self[place], $0) }
      } ?? near.first
  }
}

/// Turns the pairs of true and reported entries of a simulation into events that hold both.
struct TidepoolEvents {
  let mode: ImportMode
  let problems: ProblemList
  let journal: ImportJournal
  /// The smallest bolus that the pump can give, in units; nothing for a continuous pump.
  var pulse: Double?

  /// How far back the original shows Loop what happened before the start.
  static let lookBack = TimeSpan.hours(8)

  /// The events of the simulation; those beyond its time are reported and left out.
  func events(_ simulation: TidepoolSimulation) -> [ImportedEvent] {
    state(simulation)
    var events = meals(simulation) + boluses(simulation)
    if mode == .asIntended {
      events += exercise(simulation) + switches(simulation)
    } else {
      reportIgnored(simulation)
    }
    return events
  }

  /// Adds up what the simulation states.
  private func state(_ simulation: TidepoolSimulation) {
    for entry in simulation.eaten where entry.grams > 0 {
      journal.account.state(.carbohydratesEaten, entry.grams)
    }
    for entry in simulation.reportedCarbs where entry.grams > 0 {
      journal.account.state(.carbohydratesEntered, entry.grams)
    }
    for bolus in simulation.given {
      if let units = bolus.units, units > 0 { journal.account.state(.bolusGiven, units) }
    }
    for bolus in simulation.reportedBoluses {
      if let units = bolus.units, units > 0 { journal.account.state(.bolusReported, units) }
    }
  }

  func event(
    _ offset: TimeSpan, _ simulation: TidepoolSimulation, rank: Int,
    _ members: [(String, JSONValue?)]
  ) -> ImportedEvent {
    let at: (String, JSONValue?) = ("at", ImportText.moment(offset, after: simulation.start))
    return ImportedEvent(offset: offset, rank: rank, value: ImportText.object([at] + members))
  }

  /// Whether an entry lies within the run; reports it when not, and when it is no part of the past
  /// that the history holds.
  func isInside(
    _ offset: TimeSpan, _ amount: Double, _ quantity: ImportAccount.Quantity,
    _ simulation: TidepoolSimulation, _ position: TextPosition
  ) -> Bool {
    if offset >= .zero, offset <= simulation.duration { return true }
    if Self.isPast(offset) { return false }
    let side = offset < .zero ? "more than 8 h before the start" : "after the end"
    problems.add(
      .warning, .time, at: position, "This entry lies \(side) of the run and is left out.")
    journal.leaveOut(quantity, amount, because: "\(side) of the run", at: position)
    return false
  }

  /// Whether an entry belongs to the history.
  static func isPast(_ offset: TimeSpan) -> Bool { offset < .zero && offset >= -lookBack }

  /// Whether the original program lets the patient meet an entry at this time.
  func happens(_ offset: TimeSpan, _ position: TextPosition) -> Bool {
    guard offset.milliseconds % 300_000 != 0 else { return true }
    problems.add(
      mode == .literal ? .warning : .note, .offGrid, at: position,
      "This entry lies between five-minute steps, where the original program forgets it for the "
        + "patient" + (mode == .literal ? "." : "; here it happens at its own second."))
    return mode == .asIntended
  }

  func reportOverwritten(_ position: TextPosition) {
    problems.add(
      mode == .literal ? .warning : .note, .duplicate, at: position,
      "A later entry has the same time and replaces this one in the original program"
        + (mode == .literal ? "." : "; here both happen."))
  }

  /// An amount of insulin in whole thousandths of a unit, the finest that scenarios have.
  func units(
    _ units: Double, _ quantity: ImportAccount.Quantity, at position: TextPosition,
    isFromPump: Bool = true
  ) -> JSONValue {
    let rounded = (units * 1_000).rounded() / 1_000
    if (units - rounded).magnitude > 1e-9 {
      problems.add(
        .note, .decided, at: position,
        "\(JSONField.shortText(units)) U is rounded to \(JSONField.shortText(rounded)) U, a whole "
          + "number of thousandths.")
      journal.account.change(
        quantity, by: ImportAccount.Amount(rounded) - ImportAccount.Amount(units),
        because: "rounded to thousandths of a unit", at: position)
    }
    if let pulse, isFromPump, quantity == .bolusGiven {
      let pulses = rounded / pulse
      if (pulses - pulses.rounded()).magnitude > 1e-6 {
        problems.add(
          .note, .decided, at: position,
          "\(JSONField.shortText(rounded)) U is no whole number of the pump's pulses of "
            + "\(JSONField.shortText(pulse)) U; the pump gives the nearest amount below.")
      }
    }
    return ImportText.number(rounded)
  }
}
