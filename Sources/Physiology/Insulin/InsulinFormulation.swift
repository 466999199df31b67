import Quantities

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

  /// How the curve is found.
  public enum Action: Hashable, Sendable {
    /// One curve for every dose.
    case fixed(InsulinActivityCurve)
    /// The exponential model with a duration that grows with the dose for each kilogram:
    /// `hours + hoursPerUnitAndKilogram · D / W`, and a peak at a part of the duration.
    case doseDependent(
      hours: Double, hoursPerUnitAndKilogram: Double, peakDivisor: Double,
      otherwise: InsulinActivityCurve)
  }

  /// The word that names it in scenario files.
  public var id: String
  /// Trade names, for people.
  public var name: String
  /// How quickly it acts.
  public var kind: Class
  /// How it may be given.
  public var routes: [Route]
  /// How its activity is found.
  public var action: Action
  /// Where the curve comes from.
  public var source: String

  /// Creates a `InsulinFormulation` from its parts; see the properties.
  public init(
    id: String, name: String, kind: Class, routes: [Route], action: Action, source: String
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.routes = routes
    self.action = action
    self.source = source
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

  /// The activity curve of a dose.
  ///
  /// Without a body weight, or for weights and doses that are not positive, an insulin whose
  /// duration depends on the dose takes its fixed curve.
  public func curve(units: Double? = nil, bodyWeight kilograms: Double? = nil)
    -> InsulinActivityCurve
  {
    switch action {
    case .fixed(let curve): return curve
    case .doseDependent(let hours, let slope, let divisor, let otherwise):
      guard let units, let kilograms, units > 0, kilograms > 0,
        let duration = TimeSpan(roundingSeconds: (hours + slope * units / kilograms) * 3_600),
        let peak = TimeSpan(roundingSeconds: duration.seconds / divisor)
      else { return otherwise }
      let curve = InsulinActivityCurve.exponential(
        duration: duration, peak: peak, delay: .zero)
      return curve.isValid ? curve : otherwise
    }
  }
}
