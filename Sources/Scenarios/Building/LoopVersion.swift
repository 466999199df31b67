internal import Dosing

/// Which Loop a scenario means, by the words of `app.algorithm`.
///
/// Sources: github.com/LoopKit/LoopAlgorithm (the package and its published defaults);
/// github.com/LoopKit/Loop, branch `dev` (the released Loop 3, with the algorithm inside LoopKit);
/// github.com/tidepool-org/Loop (Tidepool's app around the package).
enum LoopVersion: CaseIterable {
  /// The package LoopAlgorithm with the defaults it publishes.
  case published
  /// The released Loop 3.
  case released
  /// Tidepool's app.
  case tidepool

  /// The words for it, the first being the one to write; the others are of older files.
  private var spellings: [String] {
    switch self {
    case .published: ["loop-algorithm", "loop"]
    case .released: ["loop-3", "loop-3.4"]
    case .tidepool: ["tidepool"]
    }
  }

  /// All words that the format takes, those to write first.
  static let words: [(word: String, value: Self)] =
    allCases.map { ($0.spellings[0], $0) }
    + allCases.flatMap { version in version.spellings.dropFirst().map { ($0, version) } }

  /// What the words mean, for the reference.
  static let meaning = """
    Which Loop doses: `loop-algorithm` is the package LoopAlgorithm as published, with its \
    defaults (no mid-absorption ISF); `loop-3` is the released Loop 3, whose rules differ (glucose \
    may be dated 5 minutes ahead and not 15, a jump of glucose switches neither momentum nor \
    retrospection off, a dose aims at the correction range of each predicted moment, an automatic \
    dose counts from the last glucose and with the ISF of its time, the part that an automatic \
    bolus gives follows the time since the last cycle, and there is no mid-absorption ISF); \
    `tidepool` is Tidepool's app: the package with mid-absorption ISF. `loop` and `loop-3.4` are \
    older names of the first two.
    """

  /// The rules around the algorithm.
  var generation: LoopGeneration { self == .released ? .older : .current }

  /// Whether ISF is the one at the time insulin acts.
  var usesMidAbsorptionISF: Bool { self == .tidepool }
}
