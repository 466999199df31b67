extension OutputGuide {
  /// What the commands say of a health store, each a table.
  static let stores = Chapter(
    title: "What a health store's commands tell",
    about: """
      With `--format csv`, `csv-safe` or `json`: a list of objects with the names of the columns. \
      For people a name has blanks, as `rate U/h`, and numbers have at most four decimals. Times \
      are in UTC, where no other zone is named.
      """,
    files: [
      File(
        name: "store types", about: "A row for each type of which the store has a sample.",
        columns: storeTypes),
      File(
        name: "store samples", about: "A row for each sample of the type, by start.",
        columns: storeSamples),
      File(
        name: "store statistics",
        about: """
          A row, and in JSON an object, for each stretch of time, and below it one for each source \
          where there are several. Of an amount, as insulin, there is a sum, and of what is \
          measured, as glucose, there are the others.
          """,
        columns: storeStatistics),
      File(
        name: "store timeline",
        about: """
          A row for each basal segment that was reported, and for each stretch without one, by \
          start; then one for each deleted sample, and for people the total. Times are in the \
          zone of `--zone`, else of the run. The columns \
          \(words(storeTimelineOfPump)) are there where `pulses.csv` lies beside the store; each \
          pulse stands in one row.
          """,
        columns: storeTimeline),
      File(
        name: "store sources", about: "A row for each source and each type of its samples.",
        columns: storeSources),
      File(
        name: "store authorize",
        about: """
          A row for each type of which a client's permissions are determined. For people those \
          that more than twenty types share are one row, whose `type` says how many.
          """,
        columns: storePermissions),
      File(
        name: "store person", about: "A row for each fact about the person.",
        columns: storePerson),
      File(
        name: "store delete", about: "A row for each sample that was deleted; as text alone.",
        columns: storeDeleted),
      File(
        name: "store import",
        about: "A row for each type that the files have samples of; as text alone.",
        columns: storeImported),
      storeImportReport,
      File(
        name: "store upload",
        about: """
          One line of JSON for each record, the whole of a file `UUID.add.json` or \
          `UUID.delete.json`. Of a deletion there are the first four keys.
          """,
        columns: [
          ("number", "of the record: of two about one sample the higher is the later"),
          ("operation", "`add` or `delete`"), ("type", "HealthKit's identifier of the type"),
          ("uuid", "of the sample"), ("start", "when it begins, in UTC"), ("end", "when it ends"),
          ("value", "of a quantity, in `unit`, or the number of a category; else absent"),
          ("unit", "that of the type; absent for a type without one"),
          ("source", "the bundle identifier of its source; absent without one"),
          ("metadata", "by HealthKit's keys, as text; absent without any"),
        ]),
    ])

  /// The columns of `store types`, each with what it means.
  public static let storeTypes: [(name: String, meaning: String)] = [
    ("type", "HealthKit's name of the type without what all begin with, as `BloodGlucose`"),
    ("kind", words(["quantity", "category", "correlation", "workout", "document"])),
    ("unit", "that the store shows it in, as a health store writes it; empty without one"),
    ("samples", "how many"), ("first", "when the earliest begins"), ("last", "when the last ends"),
  ]

  /// The columns of `store samples`, each with what it means.
  public static let storeSamples: [(name: String, meaning: String)] = [
    ("start", "when it begins"), ("end", "when it ends; an instant is its own end"),
    (
      "value",
      "a number in `unit`; of a category its number, of a workout the minutes, of a correlation "
        + "its members in words, of a document the title; else empty"
    ),
    ("unit", "that of `--unit`, else the one that the store prefers; empty without one"),
    ("reason", "of insulin, `basal` or `bolus`; else empty"), ("source", "the name of its source"),
    ("sync", "its sync identifier; empty without one"), ("uuid", "of the sample"),
  ]

  /// The columns of `store statistics`, each with what it means.
  public static let storeStatistics: [(name: String, meaning: String)] = [
    ("start", "when the stretch begins, in UTC; without `--every` the first sample does"),
    ("end", "when it ends, in UTC; without `--every` the last sample does"),
    ("source", "whose samples; `all sources` count what several recorded once, by their order"),
    ("count", "how many samples"), ("sum", "of an amount; empty of what is measured"),
    ("average", "of what is measured; empty of an amount, as the next three"),
    ("minimum", "the lowest"), ("maximum", "the highest"), ("latest", "the most recent"),
    ("unit", "of the figures: that of `--unit`, else the one that the store prefers"),
  ]

  /// The columns of `store timeline` about what the pump gave.
  public static let storeTimelineOfPump = ["pump_pulses", "pump_U", "reported_minus_pump_U"]

  /// The columns of `store timeline`, each with what it means.
  public static let storeTimeline: [(name: String, meaning: String)] = [
    ("start", "when the segment begins; for people `total` in the last row"),
    ("end", "when it ends"),
    (
      "event",
      "`scheduled basal`, `temp basal`, `suspend`, `basal` of which no rate is known, "
        + "`no segment`, `deleted`"
    ),
    ("rate_U_per_h", "the rate in force, U/h; empty where none is known"),
    ("programmed_U", "what the rate amounts to, U"),
    (
      "reported_pulses",
      "what was reported in pulses, whole or not; empty of what a pen gave at once"
    ),
    ("reported_U", "what was reported, U"),
    ("reported_minus_programmed_U", "by how much that is more, U"),
    ("reported_so_far_U", "the sum of the segments to here, U"),
    ("written", "when the sample was written"),
    (
      storeTimelineOfPump[0],
      "the pulses of the pump in (start, end]; of an overlap in the earlier row alone"
    ),
    (storeTimelineOfPump[1], "what these are, U"),
    (storeTimelineOfPump[2], "by how much more was reported, U"),
    ("remark", "what is to be said of it, such as a stretch without basal; else empty"),
  ]

  /// The columns of `store sources`, each with what it means.
  public static let storeSources: [(name: String, meaning: String)] = [
    ("source", "its name"), ("bundle", "its bundle identifier"), ("type", "as in `store types`"),
    ("samples", "how many of the type it wrote"), ("first", "when the earliest begins"),
    ("last", "when the last ends"),
  ]

  /// The columns of `store authorize`, each with what it means.
  public static let storePermissions: [(name: String, meaning: String)] = [
    ("client", "the client, with all that share its permissions"),
    ("type", "as in `store types`"),
    ("share", "whether it may write: `authorized`, `denied` or `notDetermined`"),
    ("read", "whether it may read, alike"),
  ]

  /// The columns of `store person`, each with what it means.
  public static let storePerson: [(name: String, meaning: String)] = [
    ("fact", "as HealthKit calls it"),
    ("value", "a name as HealthKit's, or a date; `NotSet` of what is not set"),
  ]

  /// The columns of `store delete`, each with what it means.
  public static let storeDeleted: [(name: String, meaning: String)] = [
    ("deleted", "the type, as in `store types`"), ("start", "when the sample began"),
    ("end", "when it ended"),
    (
      "value",
      "with its unit; of a category its number, of a correlation its members in words, of a "
        + "document the title"
    ),
    ("source", "the name of its source"),
  ]

  /// The columns of `store import`, each with what it means.
  public static let storeImported: [(name: String, meaning: String)] = [
    ("type", "as in `store types`"), ("read", "how many samples the files have of it"),
    ("first", "when the earliest begins, in the zone of `--zone`, else in UTC"),
    ("last", "when the last ends"), ("sources", "the names of their sources"),
  ]

  private static let storeImportReport = File(
    name: "store import --report",
    about: "What came of the records of the files, and of the samples in the store.",
    columns: [
      ("file", "what was read"),
      ("in.records", "the records that were looked at, whatever came of them"),
      ("in.controlCharacters", "characters that XML cannot hold, read as blanks"),
      ("out.samples", "the samples that were made of them"),
      ("out.types[].type", "as in `store types`"), ("out.types[].samples", "how many of it"),
      ("out.types[].copies", "records that stood beside the correlation they belong to"),
      ("out.types[].first", "when the earliest begins"), ("out.types[].last", "when the last ends"),
      ("out.types[].sources", "the names of their sources"),
      ("leftOut[].reason", "why records were left out"), ("leftOut[].count", "how many"),
      ("leftOut[].first", "where the first stands; `null` where that is not known"),
      ("remarks[].reason", "what is to be known of records that were taken over"),
      ("remarks[].count", "of how many"), ("remarks[].first", "where the first stands"),
    ] + amounts(of: "samples", "") + [
      ("store.added", "samples that the store has now"),
      ("store.known", "samples that it had already, or that were deleted there"),
      ("store.other", "of these, those with another amount or time, which stay as they were"),
      (
        "store.partial",
        "correlations left out because the store has some of their members alone"
      ),
      ("store.overlaps", "how often basal that was here and basal of the files overlap"),
      (
        "store.copies",
        "boluses and carbohydrates added that were there already under another identity"
      ),
      ("store.facts", "facts about the person that were taken over"),
      ("store.refused[].reason", "why the store refused samples"),
      ("store.refused[].count", "how many"),
    ])

  /// The keys of what insulin and carbohydrates came to, as every report of an import has them.
  ///
  /// - Parameters:
  ///   - made: What is made of records.
  ///   - place: The keys that they are in, with a dot.
  /// - Returns: The keys with what they mean.
  static func amounts(of made: String, _ place: String) -> [(name: String, meaning: String)] {
    [
      (
        "quantity",
        "`bolus`, `basal` or `carbohydrates`; of scenarios what was given or eaten, and what was "
          + "reported or entered"
      ),
      ("unit", "`U` or `g`"), ("in.count", "how many records state an amount"),
      ("in.amount", "what they state"), ("out.count", "how many \(made) hold it now"),
      ("out.amount", "what they hold"), ("differences[].reason", "why both differ"),
      ("differences[].amount", "by how much, below 0 for what was left out"),
      ("differences[].count", "how many records that concerns"),
      ("differences[].first", "where the first stands; `null` where that is not known"),
      ("unexplained", "what no difference explains: 0"),
    ].map { ("\(place)amounts[].\($0.0)", $0.1) }
  }
}
