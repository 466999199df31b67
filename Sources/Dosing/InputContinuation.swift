/// What of a list stands in it as somebody saw it last.
///
/// Invariant: the first ``count`` elements are those that stood behind the first ``gone`` when
/// somebody looked. Whoever keeps the list notes what changes; then the one who looks again need
/// not compare what has stayed.
public struct KeptElements: Hashable, Sendable {
  /// How many elements at the beginning have left since.
  public private(set) var gone = 0
  /// How many of the elements that followed are the same, without a gap.
  public private(set) var count = 0

  /// Of nothing is it known that it has stayed.
  public init() {}

  /// Somebody looks at the list, of which the first elements are known to be carried on.
  public mutating func noteLook(at count: Int) {
    gone = 0
    self.count = count
  }

  /// Elements at the beginning leave.
  public mutating func noteRemovedFirst(_ leaving: Int) {
    assert(leaving >= 0, "Elements that leave are counted.")
    gone += leaving
    count = max(0, count - leaving)
  }

  /// The elements from an index on may be others.
  public mutating func noteChange(from index: Int) { count = min(count, index) }
}

extension AlgorithmInput {
  /// How an input continues the one before it, where whoever makes one after the other knows.
  ///
  /// It says nothing that a comparison of the two would not find, and spares that comparison.
  public struct Continuation: Hashable, Sendable {
    /// What of the glucose samples was in the input before.
    public var glucose: KeptElements
    /// What of the doses was in the input before.
    public var doses: KeptElements
    /// Over which time the doses of the input reach.
    public var extent: DoseExtent

    /// Creates a `Continuation` from its parts; see the properties.
    public init(glucose: KeptElements, doses: KeptElements, extent: DoseExtent) {
      self.glucose = glucose
      self.doses = doses
      self.extent = extent
    }

    /// Nothing is known but what the input itself says.
    init(of input: AlgorithmInput) {
      self.init(glucose: .init(), doses: .init(), extent: DoseExtent(input.doses))
    }
  }
}
