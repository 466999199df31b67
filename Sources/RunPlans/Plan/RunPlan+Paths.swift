package import ScenarioLanguage
package import StructuredText

extension RunPlan {
  /// What the sweep or the cohort sets at one address.
  private struct Setting {
    var path: ScenarioPath
    /// Where the address is written.
    var position: TextPosition
    /// The axis that moves it; for a column of the cohort the number of axes.
    var group: Int
    /// The values with the number of the point or the patient, in the order of these.
    var values: [(number: Int, value: JSONNode)]
  }

  /// Checks that every address of the sweep and the cohort exists in every variant, and that it
  /// still does where another one has replaced what it lies in: it would be ignored there.
  func checkPaths(_ problems: ProblemList) {
    let settings = axisSettings + cohortSettings
    for setting in settings
    where Self.isOfTheFile(setting.path, set: setting.values.map(\.value)) {
      problems.error(
        at: setting.position,
        "\"\(setting.path)\" belongs to the file as a whole; neither a sweep nor a cohort sets it.")
    }
    let parts = settings.map { self.parts(of: $0.path) }
    for variant in variants {
      for (place, setting) in settings.enumerated() {
        guard let value = setting.values.first?.value else { continue }
        do throws(ScenarioPath.Trouble) {
          _ = try setting.path.setting(value, in: variant.tree)
        } catch {
          problems.error(at: setting.position, error.description)
          continue
        }
        for (earlier, outer) in zip(settings, parts).prefix(place)
        where outer.count < parts[place].count && parts[place].starts(with: outer) {
          check(setting, after: earlier, in: variant.tree, problems)
        }
      }
    }
  }

  /// Whether an address sets what all runs of a file have in common, such as how many there are: a
  /// run would say it in vain.
  package static func isOfTheFile(_ path: ScenarioPath, set values: [JSONNode]) -> Bool {
    if path == ScenarioPath(keys: ["random"]) {
      return values.contains { $0["replicates"] != nil }
    }
    guard case .key(let key)? = path.parts.first else { return false }
    return keysOfTheFile.contains(key) || path == ScenarioPath(keys: ["random", "replicates"])
  }

  /// Checks an address after each value that is set before it, and of which it sets a part.
  private func check(
    _ setting: Setting, after earlier: Setting, in tree: JSONNode, _ problems: ProblemList
  ) {
    for (number, value) in earlier.values {
      // Points of one axis, and cells of one row, belong together; all others meet.
      let own =
        setting.group == earlier.group
        ? setting.values.first { $0.number == number } : setting.values.first
      guard let own, let changed = try? earlier.path.setting(value, in: tree) else { continue }
      do throws(ScenarioPath.Trouble) {
        _ = try setting.path.setting(own.value, in: changed)
      } catch {
        problems.error(at: setting.position, error.description)
        return
      }
    }
  }

  private var axisSettings: [Setting] {
    axes.enumerated().flatMap { group, axis in
      axis.paths.enumerated().map { index, path in
        Setting(
          path: path.path, position: path.position, group: group,
          values: axis.points.enumerated().map { (number: $0, value: $1[index]) })
      }
    }
  }

  /// The columns in their order, each with the patients who have a value.
  private var cohortSettings: [Setting] {
    guard let cohort else { return [] }
    let columns = document.tree["cohort"]?["columns"]?.members ?? []
    // Of bodies that a model generates one is as another.
    let members = columns.isEmpty ? cohort.members.prefix(1) : cohort.members[...]
    var found: [(order: Int, setting: Setting)] = []
    for (number, member) in members.enumerated() {
      for (path, value) in member.assignments {
        if let place = found.firstIndex(where: { $0.setting.path == path }) {
          found[place].setting.values.append((number: number, value: value))
          continue
        }
        let order = columns.firstIndex { $0.value.string == path.description }
        let position = order.map { columns[$0].value.position } ?? value.position
        found.append(
          (
            order ?? found.count,
            Setting(
              path: path, position: position, group: axes.count,
              values: [(number: number, value: value)])
          ))
      }
    }
    return found.sorted { $0.order < $1.order }.map(\.setting)
  }
}
