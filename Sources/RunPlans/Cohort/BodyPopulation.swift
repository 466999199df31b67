package import Physiology
package import ScenarioLanguage

/// The keys that say which population it is that a model's bodies are drawn from.
package struct BodyPopulation: Sendable {
  /// By which law parameters are drawn.
  package let law: Key<HovorkaCohort>
  /// The seed of the population.
  package let seed: Key<Int>

  package init(_ keys: inout Keys, _ meaning: String) {
    law = keys.key("law", .choice(), default: "'logNormal'", meaning)
    seed = keys.key("seed", .integer(0...Int.max), default: "0", "The seed of the population.")
  }
}
