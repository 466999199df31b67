internal import ClosedLoop
internal import Devices
internal import Quantities

/// What is on its way between the phone and the devices.
struct DeviceLink: Sendable {
  /// Readings that have been measured and have not reached the app.
  private(set) var readings: [GlucoseReading] = []
  /// Commands that have been sent and have not reached the pump, in the order they were sent.
  private var commands: [CommandUnderway] = []
  /// The number of the act, of a person or of a cycle, that sends commands now.
  private var act = 0
  /// The event whose act that is; `nil` for a cycle of the loop.
  private var event: String?
  /// Whether the app could read the pump when it last tried.
  var hearsPump = true
  /// Why the last command failed at once; whoever asks forgets it before the command.
  var failure: PumpError?
  /// Commands of programs on their way to the pump, with what became of them.
  private var reports: [AwaitedReport] = []

  /// A report of a command on its way.
  private struct AwaitedReport: Sendable {
    var report: CommandReport
    /// When it was sent.
    var sent: Instant
  }

  // MARK: - Readings

  mutating func send(_ new: [GlucoseReading]) { readings += new }

  mutating func send(_ reading: GlucoseReading) { readings.append(reading) }

  mutating func forgetReadings() { readings.removeAll(keepingCapacity: true) }

  // MARK: - Commands

  /// How many commands are on their way.
  var commandCount: Int { commands.count }

  /// When the next command reaches the pump; `nil` if none is on its way.
  var nextCommand: Instant? { commands.first?.due }

  /// What is sent from now on belongs to another act than what was sent before.
  mutating func beginAct(of event: String? = nil) {
    act += 1
    self.event = event
  }

  /// Whether a command of an event has not reached the pump.
  func isUnderway(for event: String) -> Bool { commands.contains { $0.event == event } }

  /// The boluses that people asked for and that have not reached the pump.
  var peoplesBoluses: [PumpCommand] {
    commands.map(\.command).filter {
      if case .startBolus(_, automatic: false) = $0 { true } else { false }
    }
  }

  /// Sends a command, behind those sent before it.
  mutating func send(
    _ command: PumpCommand, misreportedBy fault: Fault? = nil, at now: Instant, latency: TimeSpan
  ) {
    precondition(latency > .zero, "A command without latency is carried out at once, not sent.")
    let free = max(now, commands.last?.due ?? now)
    commands.append(
      CommandUnderway(
        command: command, sent: now, act: act, event: event, misreport: fault, due: free + latency))
    assert(
      commands.count < 2 || commands[commands.count - 2].due < free + latency,
      "Commands arrive one after the other.")
  }

  /// Takes the next command that has reached the pump; `nil` if none has.
  mutating func takeCommand(at now: Instant) -> CommandUnderway? {
    guard let first = commands.first, first.due <= now else { return nil }
    return commands.removeFirst()
  }

  /// Forgets all commands, and returns them.
  mutating func forgetCommands() -> [CommandUnderway] {
    defer { commands = [] }
    return commands
  }

  /// Forgets the commands of an act, and returns them.
  mutating func forgetCommands(of act: Int) -> [PumpCommand] {
    let forgotten = commands.filter { $0.act == act }
    for command in forgotten { settle(command, as: .notReached) }
    commands.removeAll { $0.act == act }
    return forgotten.map(\.command)
  }

  // MARK: - What is told of commands

  /// Keeps a report of a program's command that was sent now, for when it has reached the pump.
  mutating func keep(_ report: CommandReport, sentAt now: Instant) {
    assert(report.outcome == .underway, "What has come to an end is told at once.")
    reports.append(AwaitedReport(report: report, sent: now))
  }

  /// Notes what became of a command.
  mutating func settle(_ command: CommandUnderway, as outcome: CommandReport.Outcome) {
    let place = reports.firstIndex {
      $0.sent == command.sent && $0.report.command.given == command.command
        && $0.report.outcome == .underway
    }
    if let place { reports[place].report.outcome = outcome }
  }

  /// Takes the reports of the commands of which it is known what became of them.
  mutating func takeReports() -> [CommandReport] {
    defer { reports.removeAll { $0.report.outcome != .underway } }
    return reports.map(\.report).filter { $0.outcome != .underway }
  }
}
