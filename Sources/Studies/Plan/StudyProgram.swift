public import Simulation
internal import StructuredText

/// A program that has a part in the runs of a study: it decides, or it is the body.
///
/// Its code is no part of the plan, so that the plan says who it was: another version is refused.
public struct StudyProgram: Hashable, Sendable {
  /// What it is in the runs.
  public var role: ProgramRole
  /// The words that start it.
  public var command: [String]
  /// What it calls itself.
  public var name: String
  /// Its version, as it says.
  public var version: String
  /// Whether it is told the truth about the body.
  public var isPrivileged: Bool

  /// Creates a `StudyProgram` from its parts; see the properties.
  public init(
    role: ProgramRole, command: [String], name: String, version: String, isPrivileged: Bool
  ) {
    self.role = role
    self.command = command
    self.name = name
    self.version = version
    self.isPrivileged = isPrivileged
  }

  /// Who it is, in a few words: `steady 1.0 (controller)`.
  public var words: String {
    let name = name.isEmpty ? command.joined(separator: " ") : name
    let told = isPrivileged ? ", told the truth about the body" : ""
    return "\(name)\(version.isEmpty ? "" : " \(version)") (\(role.rawValue)\(told))"
  }

  /// What a reader of a study with programs has to know.
  public static let caution =
    "The answers of programs are no part of the plan: the study repeats as far as they answer "
    + "alike."

  var json: JSONValue {
    [
      "role": .string(role.rawValue), "command": .array(command.map { .string($0) }),
      "name": .string(name), "version": .string(version), "privileged": .bool(isPrivileged),
    ]
  }

  /// Reads a program of a plan; what is wrong is reported, and `nil` is returned.
  init?(_ field: JSONField) {
    guard let role = field.required("role").text().flatMap({ ProgramRole(rawValue: $0) }),
      let command = field.required("command").items()?.compactMap({ $0.text() }), !command.isEmpty,
      let name = field.required("name").text(), let version = field.required("version").text(),
      let isPrivileged = field.required("privileged").bool()
    else { return nil }
    self.init(
      role: role, command: command, name: name, version: version, isPrivileged: isPrivileged)
  }
}
