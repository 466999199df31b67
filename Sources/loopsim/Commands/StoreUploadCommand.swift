import Arguments
import HealthStore
import HealthStoreSQLite
import Quantities
import StructuredText

/// A set of types to subscribe to, on the command line.
struct SubscriptionWord: ArgumentValue {
  var name: SubscriptionSet

  init?(argument: String) {
    guard let set = SubscriptionSet(rawValue: argument) else { return nil }
    name = set
  }

  static var allowedWords: [String] { SubscriptionSet.allCases.map(\.rawValue) }
  var word: String { name.rawValue }
}

/// Sends what a service has not had yet.
struct StoreUploadCommand: Command {
  static let name = "upload"
  static let abstract = "Send new records to a folder, or as lines to a program."
  static let discussion = """
    The first time, name what the service subscribes to with --subscribe. A subscription begins \
    then: what the store holds already is not sent, but for --history. What is sent and \
    acknowledged is kept in the store: a command that is killed goes on where it was, and no \
    record is lost. To a folder, which is made where there is none, each record is one file, named \
    by its sample and 'add' or 'delete'; where a sample has both, the one with the higher number \
    is the later. To '-' each record is one line of JSON on standard output, and the receiver \
    answers each with 'ok' on standard input. What is not acknowledged is sent again by the next \
    command; with --at when it is due, after 1, 2, 4 … minutes and at most an hour. With --end the \
    service's subscriptions end: what is queued already is still sent, and nothing new.
    """

  var file = ""
  var destination = "-"
  var service = "upload"
  var subscriptions: [SubscriptionWord] = []
  var hasHistory = false
  var hasIntraday = false
  var isEnding = false
  var time: InstantWord?

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.positional("to", \.destination, isRequired: false, help: "A folder, or '-' for lines.")
    it.option("service", \.service, help: "The name of the service.")
    it.option(
      "subscribe", \.subscriptions, valueName: "set", help: "Subscribe to a set; repeatable.")
    it.flag(
      "history", \.hasHistory,
      help: "First queue steps and workouts of six months, and a week of fine-grained steps.")
    it.flag("intraday", \.hasIntraday, help: "The service may have fine-grained steps.")
    it.flag("end", \.isEnding, help: "End the subscriptions, after what is queued already.")
    it.option(
      "at", \.time, valueName: "time", help: "The time now; else that of the latest sample.")
  }

  func validate() throws {
    if isEnding, !subscriptions.isEmpty || hasHistory || hasIntraday {
      throw Failure(
        .usage, "A subscription that ends takes nothing new: --end goes without the others.")
    }
  }

  func run(to console: any Console) async throws {
    var store = try StoreFile.writing(file)
    let bundle = "loopsim.\(service)"
    // What the user decided of a service that is known stays.
    let isNew = store.registry.client(bundleIdentifier: bundle) == nil
    if isEnding,
      !store.registry.subscriptions.contains(where: { $0.service == service && !$0.types.isEmpty })
    {
      throw Failure(.badInput, "The service '\(service)' has no subscription that could end.")
    }
    // A name that may be a slip of the pen is not written into the store.
    guard !isNew || !subscriptions.isEmpty || hasHistory else {
      console.note("0 records sent, 0 waiting.")
      return console.note(withoutSubscription)
    }
    let client = try store.register(
      HealthClient(bundleIdentifier: bundle, name: service), granting: isNew ? .readOnly : nil)
    var subscriber = SubscriptionService(
      name: service, client: client, isIntradayEnabled: hasIntraday)
    let before = Set(subscriber.subscriptions(in: store))
    if !subscriptions.isEmpty {
      try subscriber.setSubscriptions(
        subscriptions.flatMap { $0.name.sampleTypes(osMajor: 18) }, in: &store)
    }
    let now = try time?.instant(on: .utc) ?? latest(in: store)
    if isEnding { try subscriber.endLogin(in: &store) }
    try subscriber.observeCurrentSubscriptions(in: &store)
    if hasHistory {
      try subscriber.fetchHistory(HistorySet.allCases, in: &store, at: now, on: .utc)
    }
    try subscriber.collect(in: &store, at: now)
    var sink = CommandSink(destination: destination, console: console)
    // The time of the latest sample stands still between two commands: what was refused is tried
    // again by the next one, unless that says the time.
    let waited = try time == nil ? subscriber.lastDue(in: store) : nil
    let sent = try subscriber.upload(to: &sink, in: &store, at: max(now, waited ?? now))
    let waiting = try subscriber.waitingCount(in: store)
    console.note("\(WordList.counted(sent, "record")) sent, \(waiting) waiting.")
    let new = try subscriber.subscriptions(in: store).filter { type in
      try !before.contains(type) && store.latestSample(of: type, as: .user) != nil
    }
    if !new.isEmpty {
      console.note(
        "What the store holds already of \(WordList.text(new.map(\.name), atMost: 4)) is not sent: "
          + "the subscription begins now.")
    }
    let types = subscriber.subscriptions(in: store)
    if hasIntraday, !hasHistory, !types.isEmpty, !types.contains(.stepCount) {
      console.note(
        "--intraday has no effect: the service '\(service)' has no subscription to steps.")
    }
    if !isEnding, types.isEmpty { console.note(withoutSubscription) }
    if let problem = sink.problem { throw problem }
  }

  private var withoutSubscription: String {
    "The service '\(service)' has no subscription, and gets nothing. Name what it is to get with "
      + "--subscribe."
  }

  private func latest(in store: SQLiteHealthStore) throws -> Instant {
    var latest = Instant(secondsSince1970: 0)
    for type in ObjectType.allCases where type.isSampleType {
      let sample = try store.latestSample(of: type, as: .user)
      if let sample, !sample.hasUndeterminedDuration { latest = max(latest, sample.end) }
    }
    return latest
  }
}

/// Sends records to a folder, which it makes where there is none, or as lines.
struct CommandSink: UploadSink {
  let destination: String
  let console: any Console
  /// Why a file could not be written, after which nothing more is sent.
  private(set) var problem: FileProblem?

  init(destination: String, console: any Console) {
    self.destination = destination
    self.console = console
    guard destination != "-" else { return }
    do {
      try Files.makeFolder(destination)
    } catch {
      problem = error
    }
  }

  mutating func send(_ record: UploadRecord) -> Bool {
    guard problem == nil else { return false }
    guard destination != "-" else {
      console.write(InertText.json(record.line) + "\n", to: .output)
      return readLine() == "ok"
    }
    do {
      let verb = record.upload.operation == .add ? "add" : "delete"
      try Files.write(
        record.line + "\n", to: "\(destination)/\(record.upload.uuid).\(verb).json")
      return true
    } catch {
      problem = error
      return false
    }
  }
}
