public import Quantities

/// Something that went wrong in a run, for every form of its answer.
///
/// Troubles are computed from the finished result alone: see ``RunResult/troubles``.
public struct RunTrouble: Hashable, Sendable {
  /// What kind of trouble, the worst first.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The body did not survive.
    case lethal
    /// A law of the simulation does not hold.
    case brokenLaw
    /// Glucose left the range in which the patient model holds.
    case outsideModel
    /// The pump gave nothing, because of an alarm.
    case stop
    /// The body got another amount than the pump counted, or less than a bolus was to be, or the
    /// pump forgot a fifth of all basal; without an app also what a pump whose clock was wrong gave
    /// at other times than it was to.
    case wrongDelivery
    /// The pump ran a temp basal above the most that the app may let it run.
    case aboveLimit
    /// The insulin on board that the app believed in was not what had entered the body.
    case wrongInsulinOnBoard
    /// The sensor's readings, or those of another app on which the loop decided, were far from
    /// glucose.
    case wrongReading
    /// The app worked with data, settings, stamps or a clock that a fault had made wrong, or with
    /// other carbohydrates than were entered.
    case wrongInApp
    /// Cycles of the loop came to no decision.
    case missedCycles
    /// Insulin that is in the body and in no record.
    case insulinInNoRecord
    /// The app counts other insulin than was given, or believes in another schedule, or the health
    /// store has insulin that was not given, or carbohydrates that nobody entered.
    case wrongRecord
    /// Insulin that the app counts is not in the health store.
    case insulinNotStored
    /// Carbohydrates that a person entered are not in the health store, or were deleted in the app
    /// alone.
    case carbsNotStored
    /// Readings that reached the app are not in the health store.
    case glucoseNotStored
    /// A command failed, or somebody refused what was asked of them.
    case refused
    /// The app warned of what it does, and refused nothing.
    case warning
    /// No reading of the sensor reached the app.
    case sensorGap
    /// The pump alarmed, and went on.
    case alarm
  }

  /// What kind of trouble.
  public var kind: Kind
  /// When it began.
  public var start: Instant
  /// When it ended.
  public var end: Instant
  /// How many times it happened.
  public var count: Int
  /// How long it lasted in all; zero for what happened at instants.
  public var duration: TimeSpan
  /// The insulin of boluses that people asked for and that failed, or what a limit cut off them,
  /// all together; `nil` where it is about none.
  public var units: InsulinAmount?
  /// How large it is, in the unit of its sentence, so that others of its words are larger or
  /// smaller: the insulin it is about, or by how much a figure was wrong; 0 where it is about
  /// neither.
  public var extent: Double { units?.units ?? figure }
  private var figure = 0.0
  /// When it happened, in words, where the text does not say so; empty where it does.
  public var moments = ""
  /// Whether the other times were told in the same words with other numbers.
  public var isVaried = false
  /// One sentence for a person.
  public var text: String

  /// Creates a `RunTrouble` from its parts; see the properties.
  ///
  /// It lasts from its start to its end where nothing else is said.
  public init(
    _ kind: Kind, from start: Instant, to end: Instant, count: Int = 1,
    lasting duration: TimeSpan? = nil, _ text: String
  ) {
    precondition(count > 0, "A trouble happened at least once.")
    assert(start <= end, "A trouble begins before it ends.")
    assert((duration ?? .zero) <= end - start, "A trouble lasts no longer than to its end.")
    assert(!text.isEmpty, "A trouble says what went wrong.")
    self.kind = kind
    self.start = start
    self.end = end
    self.count = count
    self.duration = duration ?? end - start
    self.text = text
  }

  /// The same trouble with how large it is.
  package func extending(over extent: Double) -> Self {
    var trouble = self
    trouble.figure = extent.magnitude
    return trouble
  }

  /// The text, with the number of times and the moments that it does not say itself.
  public var sentence: String {
    let isCounted = kind == .refused || isVaried
    let times = isCounted && count > 1 ? "\(count) \(isVaried ? "of this kind" : "times")" : ""
    let remark = [times, moments].filter { !$0.isEmpty }.joined(separator: ", ")
    return remark.isEmpty ? text : "\(text) (\(remark))"
  }
}

/// The longest time in which no cycle of the loop came to a decision.
public struct CycleGap: Hashable, Sendable {
  /// The last decision before the gap.
  public var start: Instant
  /// The first decision after it, or the end of the run.
  public var end: Instant
  /// Why the first cycle of the gap came to none; `nil` where none was due in it.
  public var cause: String?

  /// How long the gap lasted.
  public var duration: TimeSpan { end - start }
}
