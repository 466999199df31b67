/// An insulin that a person pumps, injects or inhales.
public struct InsulinFormulation: Hashable, Sendable {
  /// How quickly it acts.
  public enum Class: String, Hashable, Sendable, CaseIterable {
    /// How quickly it acts, and that it is inhaled.
    case ultraRapid, rapid, regular, intermediate, longActing, inhaled
  }

  /// How it gets into the body.
  public enum Route: String, Hashable, Sendable, CaseIterable {
    /// How it is given.
    case pump, pen, inhaler
  }

  /// The word that names it in scenario files.
  public var id: String
  /// Trade names, for people.
  public var name: String
  /// How quickly it acts.
  public var kind: Class
  /// How it may be given.
  public var routes: [Route]
  /// How a depot under the skin releases it, from which it is absorbed like rapid-acting insulin;
  /// `nil` where it needs no release.
  public var release: InsulinRelease?

  /// Creates a `InsulinFormulation` from its parts; see the properties.
  public init(
    id: String, name: String, kind: Class, routes: [Route], release: InsulinRelease? = nil
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.routes = routes
    self.release = release
  }

  /// Whether a dose counts as insulin on board unless a scenario says otherwise.
  ///
  /// Loop ignores basal doses of other apps, and knows no intermediate or long-acting insulin.
  public var countsAsInsulinOnBoard: Bool {
    switch kind {
    case .ultraRapid, .rapid, .regular, .inhaled: true
    case .intermediate, .longActing: false
    }
  }
}
