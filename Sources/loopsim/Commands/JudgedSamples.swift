import HealthStore
import Quantities
import Records
import StructuredText

/// Judges the samples of one type in the order of their starts, each by itself and by the one
/// before it, and keeps none of them.
struct JudgedSamples {
  private let type: ObjectType
  /// The pump's smallest amount, in U, as the caller or the run has said it.
  private let pulse: Double?
  private var duplicates: [String] = []
  private var seams: [String] = []
  private var amounts: [String] = []
  private var last: Sample?
  private var lastBasal: Sample?
  private var tolerance: BasalTolerance

  /// How many there were.
  private(set) var count = 0
  /// What HealthKit stores and yet asks to avoid: amounts over a day or longer, of which no chart
  /// of hours can be drawn (Apple, "Saving data to HealthKit").
  private(set) var longOnes: [String] = []
  /// When there is glucose; nothing of samples of another type.
  private(set) var extent = GlucoseExtent()

  init(_ type: ObjectType, pulse: Double?) {
    self.type = type
    self.pulse = pulse
    tolerance = BasalTolerance(pulse: pulse ?? BasalLine.usualPulse)
  }

  /// What is wrong with them.
  var findings: [String] { duplicates + seams + amounts }

  /// Judges the next sample.
  mutating func take(_ sample: Sample) {
    assert(sample.type == type, "Samples are judged type by type.")
    assert(last.map { $0.start <= sample.start } ?? true, "Samples come by their starts.")
    count += 1
    if let last, Self.isSame(last, sample) {
      duplicates.append(
        "Duplicate: \(last.type) at \(last.start), \(last.uuid) and \(sample.uuid).")
    }
    last = sample
    if type.aggregation == .cumulative, sample.end - sample.start >= .days(1) {
      longOnes.append(Self.sentence(onLong: sample))
    }
    if type == .bloodGlucose, sample.storedValue != nil { extent.take(sample) }
    if type == .insulinDelivery, sample.metadata.insulinDeliveryReason == .basal,
      sample.metadata.hasLoopKitOrigin
    {
      judge(basal: sample)
    }
  }

  private static func isSame(_ one: Sample, _ other: Sample) -> Bool {
    one.start == other.start && one.end == other.end && one.value == other.value
      && one.source == other.source
      && one.metadata.insulinDeliveryReason == other.metadata.insulinDeliveryReason
  }

  private static func sentence(onLong sample: Sample) -> String {
    guard !sample.hasUndeterminedDuration else {
      return "Open: \(sample.type) from \(sample.start) has no end yet."
    }
    let hours = FixedDecimal.text((sample.end - sample.start).seconds / 3_600, decimals: 1)
    return
      "Long: \(sample.type) from \(sample.start) lasts \(hours) h. Apple asks apps to write "
      + "samples shorter than 24 hours, so that the hours of a day can be told apart."
  }

  private mutating func judge(basal sample: Sample) {
    if let before = lastBasal, before.end != sample.start {
      let word = before.end < sample.start ? "Gap" : "Overlap"
      seams.append(
        "\(word): basal ends at \(before.end), and the next segment starts at \(sample.start).")
    }
    // One within another ends nothing: what follows is held against the longer.
    if sample.end >= lastBasal?.end ?? sample.end { lastBasal = sample }
    let step = pulse ?? BasalLine.usualPulse
    let line = BasalLine(sample, pulse: step)
    let pulses = line.reported / step
    // Of an imported record the pump is not known, and it may give finer amounts.
    let isOurs = !(sample.source?.bundleIdentifier.hasPrefix("import.") ?? true)
    if isOurs || pulse != nil, (pulses - pulses.rounded()).magnitude > 1e-6 {
      amounts.append(
        "Pulses: the segment at \(sample.start) reports \(line.reported) U, no whole pulses of "
          + "\(step) U.")
    }
    guard let programmed = line.programmed, let rate = line.rate else { return }
    if tolerance.excess(of: sample, units: line.reported, rate: rate, after: nil as Double?) != nil
    {
      amounts.append(
        "Conservation: the segment at \(sample.start) reports "
          + "\(FixedDecimal.text(line.reported, decimals: 3)) U where its rate "
          + "amounts to \(FixedDecimal.text(programmed, decimals: 3)) U.")
    }
  }
}
