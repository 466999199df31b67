internal import Devices
internal import Quantities
internal import ScenarioLanguage
internal import Simulation

extension FaultComponent {
  /// What can go wrong with the CGM.
  static let sensorFaults: [Kind<PlannedFault>] = [
    .fault("dropout", "No readings.") {
      let backfill = $0.key("backfill", .bool, default: "true", "Whether readings come later.")
      return { .sensor(.dropout(backfill: $0[backfill])) }
    },
    .fault("delay", "Readings arrive late with the right stamps.") {
      $0.only("by", .duration(.seconds(1)...(.days(1))), "How late.") { .sensor(.delay(by: $0)) }
    },
    .fault("noise", "More noise.") {
      let scale = $0.key("sdScale", .number(0...100), default: "1.0", "A factor on the noise.")
      let more = $0.key("sd", .glucoseStep(0...200), default: "0", "More noise on top.")
      let φ = $0.key("phi", .number(0...0.999), default: "0", "Its correlation.")
      return { .sensor(.noise(scale: $0[scale], standardDeviation: $0[more], φ: $0[φ])) }
    },
    .fault("bias", "A constant error.") {
      let gain = $0.key("gain", .number(0.05...20), default: "1.0", "A factor.")
      let offset = $0.key("offset", .glucoseStep(-400...400), default: "0", "An addition.")
      return { .sensor(.bias(gain: $0[gain], offset: $0[offset])) }
    },
    .fault("drift", "A growing error.") {
      let offset = $0.key(
        "offsetPerDay", .glucoseStep(-400...400), default: "0", "What the offset gains daily.")
      let gain = $0.key("gainPerDay", .number(-1...1), default: "0", "What the gain gains daily.")
      return { .sensor(.drift(gainPerDay: $0[gain], offsetPerDay: $0[offset])) }
    },
    .fault("compression", "Someone sleeps on the sensor.") {
      let depth = $0.key("depth", .glucoseStep(0...300), default: "25", "How low.")
      let few = Form.duration(.zero...(.hours(6)))
      let rise = $0.key("rise", few, default: "'15m'", "How fast it comes.")
      let fall = $0.key("fall", few, default: "'15m'", "How fast it goes.")
      return { .sensor(.compression(depth: $0[depth], rise: $0[rise], fall: $0[fall])) }
    },
    .fault("spike", lasts: .momentary, "Single readings are off.") {
      let delta = $0.key("delta", .glucoseStep(-400...400), default: "50", "How far off.")
      let samples = $0.key("samples", .integer(1...1_000), default: "1", "How many readings.")
      return { .sensor(.spike(delta: $0[delta], samples: $0[samples])) }
    },
    .fault("stuck", "The same value again and again.") {
      let value = $0.optional("value", .glucose(20...600), else: "the last", "Which value.")
      return { .sensor(.stuck($0[value])) }
    },
    .fault("saturate", "No reading is above a value.") {
      $0.only("above", .glucose(20...600), "The highest value that is shown.") {
        .sensor(.saturate(above: $0))
      }
    },
    .fault("timestamp", "Wrong stamps.") {
      let shift = $0.key("shift", .signedSpan, default: "'0s'", "How far stamps are off.")
      let duplicate = $0.key("duplicate", .bool, default: "false", "Whether stamps repeat.")
      return { .sensor(.timestamp(shift: $0[shift], duplicate: $0[duplicate])) }
    },
    .fault("warmUp", "The sensor is silent, as after an insertion.", .sensor(.warmUp)),
    .fault("expire", lasts: .momentary, "The sensor's life ends.", .sensor(.expire)),
    .fault("fail", lasts: .momentary, "The sensor fails.", .sensor(.fail)),
    .fault("unreliable", "Values are marked as not to be used.", .sensor(.unreliable)),
  ]
}
