import Devices
import Quantities
import StructuredText

/// Devices in words, for the commands that list them.
enum DeviceText {
  /// One device: a title and lines of a label with its text.
  struct Entry {
    var id: String
    var name: String
    var lines: [(label: String, text: String)]
  }

  static func entry(_ pump: PumpProfile) -> Entry {
    var lines = [
      ("pulse", "\(pump.pulse); \(pump.residualRule)"),
      ("basal", steps(pump.basalRates, unit: "U/h") + schedule(pump)),
      ("temp basal", tempBasal(pump.tempBasal)),
      ("bolus", steps(pump.bolusVolumes, unit: "U") + "; \(speed(pump.bolusSpeed))"),
      ("reservoir", "\(pump.reservoirCapacity), \(reporting(pump.reservoirReporting))"),
    ]
    if let life = pump.life {
      lines.append(
        ("life", "advisory at \(hours(life.advisory)), stops at \(hours(life.end))"))
    }
    lines.append(("source", pump.source))
    return Entry(id: pump.id, name: pump.name, lines: lines)
  }

  static func entry(_ sensor: SensorProfile) -> Entry {
    let range = "\(whole(sensor.minimum.mgdL))-\(whole(sensor.maximum.mgdL)) mg/dL"
    let grace = sensor.grace > .zero ? " and \(hours(sensor.grace)) of grace" : ""
    let keeper =
      sensor.isOnePiece
      ? "thrown away with the sensor" : "by a transmitter that goes on with the next sensor"
    let backfill = sensor.backfill.map { "kept \($0), \(keeper)" } ?? "lost"
    return Entry(
      id: sensor.id, name: sensor.name,
      lines: [
        ("readings", "every \(sensor.period), \(range), steps of \(whole(sensor.resolution))"),
        ("wear", "\(wear(sensor))\(grace), \(warmUp(sensor))"),
        ("lag", lag(sensor)),
        ("error", error(sensor.error)),
        ("gaps", "readings without contact are \(backfill)"),
        ("label", sensor.labelMARD.isEmpty ? "none" : "MARD \(sensor.labelMARD) %"),
        (
          "simulated",
          sensor.simulatedMARD.map { "MARD \(one($0)) %, as cgm accuracy measures it" } ?? "unknown"
        ),
        ("source", sensor.source),
      ])
  }

  private static func wear(_ sensor: SensorProfile) -> String {
    sensor.isWithoutEnd ? "without end" : "\(sensor.wear)"
  }

  private static func warmUp(_ sensor: SensorProfile) -> String {
    sensor.warmUp > .zero ? "warm-up \(sensor.warmUp)" : "no warm-up"
  }

  private static func lag(_ sensor: SensorProfile) -> String {
    sensor.lag > .zero ? "\(sensor.lag) behind plasma" : "none"
  }

  /// An entry as lines: the title, then each label with its text.
  static func lines(_ entry: Entry) -> [String] {
    ["\(entry.id) - \(entry.name)"]
      + entry.lines.map { "  " + $0.label.padded(to: 11) + $0.text }
  }

  private static func error(_ model: SensorErrorModel) -> String {
    switch model {
    case .ideal: "none"
    case .white(let deviation): "independent, SD \(one(deviation)) mg/dL"
    case .autoregressive(let deviation, let time, _):
      "AR(1), SD \(one(deviation)) mg/dL, fading over \(time)"
    case .proportional(let mard): "proportional, MARD \(one(mard * 100)) %"
    case .uniform(let magnitude): "uniform, up to \(one(magnitude)) mg/dL either way"
    case .johnson: "skewed AR(1) of Breton and Kovatchev 2008"
    case .affine(let model):
      "drifting gain from \(FixedDecimal.text(model.a0, decimals: 3)) and offset from "
        + "\(one(model.b0)) mg/dL, AR(2) noise of SD \(one(model.noiseDeviation)) mg/dL"
    case .oscillating(let model):
      "swinging gain around a bias of \(one(model.bias)) mg/dL at 55, independent noise of SD "
        + "\(one(model.noise)) mg/dL"
    case .population: "drawn from the ten-day population of Vettoretti et al. 2019"
    case .scaledPopulation(let factor, let life):
      "drawn from the population of Vettoretti et al. 2019, its errors times "
        + "\(FixedDecimal.text(factor, decimals: 3)), its drift over \(life)"
    }
  }

  private static func schedule(_ pump: PumpProfile) -> String {
    "; up to \(pump.maximumScheduleEntries) entries on multiples of \(pump.scheduleStep)"
  }

  private static func steps(_ steps: SupportedSteps, unit: String) -> String {
    let bands = steps.bands.map { band in
      "\(decimal(band.lower))-\(decimal(band.upper)) step \(decimal(band.step))"
    }
    return (steps.acceptsZero ? "0 or " : "") + bands.joined(separator: ", ") + " \(unit)"
  }

  private static func tempBasal(_ rule: TempBasalRule) -> String {
    let rates =
      switch rule.style {
      case .absolute: steps(rule.rates, unit: "U/h")
      case .percent(let maximum, let step): "0-\(maximum) % of the schedule, step \(step)"
      }
    let cutOff = rule.cutOff.map { "; above \($0.above) % for \($0.duration) at most" } ?? ""
    return "\(rates); \(rule.durations)\(cutOff)"
  }

  private static func speed(_ speed: BolusSpeed) -> String {
    switch speed {
    case .perUnit(let time): return "\(time) per U"
    case .byVolume(let bands):
      let texts = bands.map { band in
        switch band.pace {
        case .perUnit(let time): "\(time) per U up to \(band.upTo)"
        case .total(let time): "\(time) in all up to \(band.upTo)"
        }
      }
      return texts.joined(separator: ", ")
    }
  }

  private static func reporting(_ reporting: ReservoirReporting) -> String {
    switch reporting {
    case .exact: "reported exactly"
    case .rounded(let step): "reported in steps of \(step)"
    case .upTo(let level): "reported from \(level) down"
    }
  }

  private static func decimal(_ thousandths: Int64) -> String {
    FixedDecimal.text(thousandths: thousandths, atLeast: 2)
  }

  private static func hours(_ span: TimeSpan) -> String { "\(whole(span.hours)) h" }
  private static func whole(_ value: Double) -> String { FixedDecimal.text(value, decimals: 0) }
  private static func one(_ value: Double) -> String { FixedDecimal.text(value, decimals: 1) }
}

extension String {
  /// The text with spaces behind it up to a width, and at least one.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
