internal import ScenarioLanguage
public import Simulation
internal import StructuredText

/// The record of a program's answers that a frozen scenario takes in place of the program.
public struct FrozenAnswers: Sendable {
  /// What the program was.
  public var role: ProgramRole
  /// The path of the record, as seen from where the scenario will stand.
  public var path: String
  /// Whether the program was told the truth about the body.
  public var isPrivileged: Bool

  /// Names a record.
  ///
  /// - Parameters:
  ///   - role: What the program was.
  ///   - path: The path of the record, as seen from where the scenario will stand.
  ///   - isPrivileged: Whether the program was told the truth about the body.
  public init(of role: ProgramRole, at path: String, isPrivileged: Bool = false) {
    assert(!path.isEmpty, "A record is a file.")
    self.role = role
    self.path = path
    self.isPrivileged = isPrivileged
  }

  /// The record that a scenario names itself; `nil` where it names none.
  init?(_ program: ProgramSpec, seenFrom paths: FrozenPaths) {
    guard let path = program.transcript else { return nil }
    self.init(
      of: program.role, at: paths.rewritten(path, namedIn: program.place.file),
      isPrivileged: program.rules.isPrivileged)
  }

  /// The keys of a program that say how it is started, and how long it may take.
  private static let keysOfPrograms: Set = [
    "command", "timeout", "startTimeout", "environment", "onTimeout",
  ]

  /// The scenario with the record in place of the program.
  func named(in tree: JSONNode) -> JSONNode {
    let key = role == .body ? "patient" : "controller"
    var block = tree[key] ?? JSONNode(.object([]), at: tree.position)
    block = block.removing(Self.keysOfPrograms)
    block = block.setting("transcript", to: .string(path))
    if isPrivileged {
      block = block.setting("privileged", to: .bool(true))
    }
    return tree.setting(key, to: block)
  }
}
