internal import Devices
internal import Quantities

/// What is done with the pump itself.
extension PumpService {
  /// Somebody does it, and the app reads the pump.
  func carryOut(in world: inout World) {
    if self == .setTime {
      if world.setPumpClock() {
        let whose = world.hasApp ? "the phone's" : "local time"
        world.note(.pump, "setTime", "A person sets the pump's clock to \(whose).")
      }
    } else {
      let gone = isReplacement ? world.delivery.pump.faultsOfPod : []
      if isReplacement, world.delivery.pump.profile.isPatchPump {
        world.loseCommandsUnderway(because: "another pod was put on")
        // The next pod delivers, whoever suspended the last one.
        world.names.noteResumption(by: nil)
      }
      world.delivery.perform(self, at: world.now, noting: &world.trace)
      for id in gone { world.end(faultID: id) }
    }
    world.ingestPump()
  }

  private var isReplacement: Bool {
    if case .replaceReservoir = self { true } else { false }
  }
}

/// What is done with the sensor.
extension SensorService {
  /// Somebody does it.
  func carryOut(in world: inout World) {
    switch self {
    case .replace:
      world.sensor.replace(at: world.now)
      world.note(.cgm, "replace", "A new sensor is put in.")
    case .stop:
      world.sensor.begin(.fail, id: "stopped", at: world.now)
      world.note(.cgm, "stop", "The sensor is stopped.")
    case .calibrate(let meter):
      let isTaken = world.sensor.calibrate(with: meter, at: world.now)
      let words = world.glucoseUnit.words(meter)
      world.note(
        isTaken ? .cgm : .warning, "calibrate",
        isTaken
          ? "The sensor is calibrated with \(words)."
          : "The sensor did not take the calibration with \(words): it has come to its end, or has "
            + "not measured yet.")
    }
  }
}
