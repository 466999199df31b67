internal import Quantities
public import Simulation
public import StructuredText

/// The whole state of a run at an instant: body, pump, sensor, app, health store and faults.
///
/// The same figures stand in the text for people, rounded, and in the JSON tree in full.
public struct StateReport: Sendable {
  /// One figure of a section.
  struct Row: Sendable {
    var key: String
    var label: String
    var value: JSONValue
    var text: String

    init(_ key: String, _ label: String, _ value: JSONValue, _ text: String) {
      self.key = key
      self.label = label
      self.value = value
      self.text = text
    }
  }

  /// A part of the world with its figures.
  struct Section: Sendable {
    var key: String
    var title: String
    var rows: [Row]
  }

  let setup: Setup
  let state: StateSnapshot
  let sections: [Section]

  /// Describes a state of the run that was made from a setup.
  public init(_ state: StateSnapshot, of setup: Setup) {
    self.state = state
    self.setup = setup
    let writer = StateSections(state: state, glucoseUnit: setup.glucoseUnit)
    let ofApp = setup.hasApp ? [writer.app, writer.decision, writer.store] : []
    sections = [writer.body, writer.pump, writer.sensor] + ofApp + [writer.faults]
  }

  /// How long after the start, such as `+7h15m`.
  private var sinceStart: String {
    let span = state.instant - setup.start
    return span < .zero ? "\(span)" : "+\(span)"
  }

  /// The state for a person.
  public var lines: [String] {
    var lines = [
      "\(setup.id) at \(state.clock.iso8601(state.instant)) (\(sinceStart)), "
        + "seed \(setup.seed)"
    ]
    for section in sections {
      lines += ["", section.title]
      var table = TerminalTable([.left, .left])
      table.rows = section.rows.map { [$0.label, $0.text] }
      lines += table.lines
    }
    return lines + ["", "Not a medical device: this explains a simulation, not a therapy."]
  }

  /// The state as a JSON tree, with units in the names.
  public var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("id", .string(setup.id)), .init("seed", .string("\(setup.seed)")),
      .init("time", .string(state.clock.iso8601(state.instant))),
      .init("since_start_seconds", .number((state.instant - setup.start).seconds)),
    ]
    for section in sections {
      members.append(
        .init(section.key, .object(section.rows.map { JSONValue.Member($0.key, $0.value) })))
    }
    members.append(
      .init("notice", "Not a medical device. Do not use these figures to decide about therapy."))
    return .object(members)
  }
}
