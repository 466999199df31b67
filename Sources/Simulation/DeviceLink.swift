internal import Devices
internal import Quantities

/// What is on its way between the phone and the devices.
struct DeviceLink: Sendable {
  /// Readings that have been measured and have not reached the app.
  private(set) var readings: [GlucoseReading] = []
  /// Commands that have been sent and have not reached the pump, in the order they were sent.
  private var commands: [CommandUnderway] = []
  /// Whether the app could read the pump when it last tried.
  var hearsPump = true
  /// Why the last command failed at once; whoever asks forgets it before the command.
  var failure: PumpError?

  // MARK: - Readings

  mutating func send(_ new: [GlucoseReading]) { readings += new }

  mutating func send(_ reading: GlucoseReading) { readings.append(reading) }

  mutating func forgetReadings() { readings.removeAll(keepingCapacity: true) }

  // MARK: - Commands

  /// When the next command reaches the pump; `nil` if none is on its way.
  var nextCommand: Instant? { commands.first?.due }

  /// Sends a command, behind those sent before it.
  mutating func send(_ command: PumpCommand, at now: Instant, latency: TimeSpan) {
    precondition(latency > .zero, "A command without latency is carried out at once, not sent.")
    let free = max(now, commands.last?.due ?? now)
    commands.append(CommandUnderway(command: command, sent: now, due: free + latency))
    assert(
      commands.count < 2 || commands[commands.count - 2].due < free + latency,
      "Commands arrive one after the other.")
  }

  /// Takes the next command that has reached the pump; `nil` if none has.
  mutating func takeCommand(at now: Instant) -> CommandUnderway? {
    guard let first = commands.first, first.due <= now else { return nil }
    return commands.removeFirst()
  }

  /// Forgets commands that were sent at an instant.
  mutating func forgetCommands(sent instant: Instant) { commands.removeAll { $0.sent == instant } }
}
