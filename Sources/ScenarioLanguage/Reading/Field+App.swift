internal import StructuredText

extension Field {
  /// The word in place of the block `app` where there is no app.
  package static let noApp = "none"

  /// Whether the scenario, of which this is the root, has an app.
  package var hasApp: Bool { self["app"].node?.string != Self.noApp }

  /// Warns that the value has no effect, where it is stated.
  ///
  /// - Parameter sentence: Why, in a sentence.
  package func warnOfNoEffect(_ sentence: @autoclosure () -> String) {
    if exists { warning(code: "W-NOEFFECT", sentence()) }
  }

  /// Warns that the value has no effect, where it is stated and the scenario has no app.
  package func warnOfNoApp() {
    warnOfNoEffect("\"\(path)\" has no effect without an app (app: '\(Self.noApp)').")
  }

  /// Reports that something needs an app, where it is stated and the scenario has none.
  ///
  /// - Parameters:
  ///   - need: What needs it, as the subject of a sentence.
  ///   - remedy: What to do, in a sentence of its own; nothing where that is plain.
  package func needsApp(_ need: String, _ remedy: String = "") {
    guard exists else { return }
    let end = remedy.isEmpty ? "" : " \(remedy)"
    error("\(need) needs an app; this scenario has none (app: '\(Self.noApp)').\(end)")
  }
}
