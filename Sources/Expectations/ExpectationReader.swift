internal import Outcomes
internal import Quantities
package import ScenarioLanguage
internal import Simulation
package import StructuredText

/// A kind of expectation: the key that says so, the keys beside it, and what is held against a run.
package struct ExpectationKind: Sendable {
  /// Reads what is expected; `nil` where that cannot be used, which is reported.
  typealias Reading = @Sendable (Field, ExpectationReader) throws(UnusableKey) -> Expectation.Check?

  /// What the reference says of the key, and of those beside it.
  package let schema: SchemaKey
  let check: Reading

  /// Describes the key that says what the expectation is, and the keys beside it.
  init(_ describe: (_ kind: inout Keys, _ beside: inout Keys) -> Reading) {
    var (kind, beside) = (Keys(), Keys())
    check = describe(&kind, &beside)
    var key = kind.all[0].with(beside.all)
    key.isRequired = false
    schema = key
  }

  /// All kinds, as the reference has them.
  package static let all = [metric, series, timeline, event, events, invariant, compare, golden]
}

/// The keys that every expectation may have.
package struct ExpectationKeys: Sendable {
  package static let shared = Self()

  let id: Key<String?>
  let isWarning: Key<Bool>
  let variants: Key<[String]?>
  let after: Key<Instant?>
  let between: Key<Range<Instant>?>
  let outside: Key<[Field]?>
  let across: Key<String?>
  /// All of them, as the reference has them.
  package let all: [SchemaKey]

  private init() {
    var keys = Keys()
    id = keys.optional(
      "id", .text, else: "its form and place", "A name, unique in the file, for test reports.")
    isWarning = keys.key(
      "severity", .words([("error", false), ("warn", true)]), default: "'error'",
      "Whether a failure fails the run.")
    variants = keys.optional(
      "variants", .listOrOne(.text), else: "all", "The variants it holds for.")
    after = keys.optional("after", .time, else: "the start", "From when it is looked at.")
    between = keys.optional("between", .window, else: "the whole run", "When it is looked at.")
    outside = keys.optional(
      "outside", .list(.unread(.either([.text, .window]))), else: "[]",
      """
      Ids of faults, or windows such as `'20:00..+6h'`, that do not count. Of a fault that is over \
      at once that is its moment alone: write a window for what comes of it.
      """)
    across = keys.optional(
      "across", .text, else: "'each'",
      """
      How the runs of the sweep, the cohort and the replicates are looked at: `'each'`, `'all'`, \
      `'mean'`, `'p05'`, `'p95'`, `'fraction>=0.95'`.
      """)
    all = keys.all
  }
}

/// Reads the list `expect` of a scenario.
package struct ExpectationReader {
  let root: Field
  let run: RunPlace
  /// Which files the scenario may name.
  let reach: FileReach
  private let keys = ExpectationKeys.shared

  /// Creates a reader for a run of a scenario.
  package init(root: Field, run: RunPlace, reach: FileReach) {
    self.root = root
    self.run = run
    self.reach = reach
  }

  /// What is expected of the run; what cannot be used is reported and left out.
  package func expectations() -> [Expectation] {
    guard root["expect"].exists, let items = root["expect"].items() else { return [] }
    var expectations: [Expectation] = []
    var names: Set<String> = []
    for (index, item) in items.enumerated() {
      guard item.node?.members != nil else {
        item.reportUnusable(expected: "an expectation such as { id: 'tir', metric: … }")
        continue
      }
      let kinds = ExpectationKind.all.filter { item[$0.schema.name].exists }
      guard kinds.count == 1, let kind = kinds.first else {
        let known = ExpectationKind.all.map(\.schema.name).joined(separator: ", ")
        item.error("An expectation has exactly one of: \(known).")
        continue
      }
      item.allowOnly((keys.all + [kind.schema] + kind.schema.companions).map(\.name))
      let id = item[keys.id] ?? "\(kind.schema.name)-\(index + 1)"
      if !names.insert(id).inserted {
        item[keys.id.name].error("Two expectations are called \"\(id)\". Give each its own id.")
      }
      guard let check = try? kind.check(item, self) else { continue }
      refuseScope(item, of: check)
      var expectation = Expectation(
        id: id, isWarning: item[keys.isWarning], variants: item[keys.variants],
        position: item.position, scope: scope(item, of: check), check: check)
      expectation.across = across(item, check)
      if let role = role(of: expectation, item["compare"]["this"].node?.string) {
        if !root.hasApp, let need = check.needOfApp { item[kind.schema.name].needsApp(need) }
        expectation.isReference = role == .reference
        expectations.append(expectation)
      }
    }
    return expectations
  }

  /// What the run of a variant is to an expectation.
  private enum Role { case subject, reference }

  /// What this run is to an expectation; nothing where it has no part in it.
  private func role(of expectation: Expectation, _ chosen: String?) -> Role? {
    if case .compare(let compare) = expectation.check, case .variant(let other) = compare.other {
      if run.variant == other { return .reference }
    }
    if let chosen, run.variant != chosen { return nil }
    guard let variants = expectation.variants else { return .subject }
    return run.variant.map { variants.contains($0) } ?? false ? .subject : nil
  }

  private func scope(_ item: Field, of check: Expectation.Check) -> Expectation.Scope {
    let context = root.context
    var scope = Expectation.Scope(
      from: context.start, through: context.end, isNarrowed: false, outside: [],
      outsideFaults: [])
    if let window = item[keys.between] {
      scope.from = window.lowerBound
      scope.through = window.upperBound
      scope.isNarrowed = true
    }
    if let after = item[keys.after] {
      // Without a stretch it may begin before the run, of which events and basal samples tell.
      scope.from = scope.isNarrowed ? max(scope.from, after) : after
      scope.isNarrowed = true
      if scope.from > scope.through, item[keys.between.name].exists {
        item[keys.after.name].error(
          "Nothing is left to look at: \"after\" begins where \"between\" has ended.")
      }
    }
    if scope.isNarrowed, max(scope.from, scope.through) > context.end {
      let name = item[keys.between.name].exists ? keys.between.name : keys.after.name
      let end = context.wallClock.iso8601(context.end)
      // No error: a scenario may inherit what is expected of a longer one.
      item[name].warning(
        scope.from > context.end
          ? "Nothing is left to look at: this begins after the end of the run at \(end)."
          : "This ends after the end of the run at \(end), until which it is looked at.")
    }
    if scope.isNarrowed, !check.reachesBack, scope.from < context.start {
      let name = item[keys.between.name].exists ? keys.between.name : keys.after.name
      let start = context.wallClock.iso8601(context.start)
      item[name].warning(
        scope.through < context.start
          ? "Nothing is left to look at: this ends before the start of the run at \(start)."
          : "This begins before the start of the run at \(start), from which on it is looked at.")
    }
    for field in item[keys.outside] ?? [] {
      if let name = field.node?.nameOfFault {
        scope.outsideFaults.append(name)
      } else if let window = field.writtenWindow() {
        scope.outside.append(window)
        let first = check.reachesBack ? context.start - context.preRoll : context.start
        if window.upperBound <= first || window.lowerBound > context.end {
          let clock = context.wallClock
          field.warning(
            "Nothing is left out here: no moment of the run from \(clock.iso8601(first)) to "
              + "\(clock.iso8601(context.end)) lies in this window.")
        }
      }
    }
    return scope
  }

  /// Reports times that the expectation would not heed.
  private func refuseScope(_ item: Field, of check: Expectation.Check) {
    let measured: Metric?
    switch check {
    case .series, .events, .golden: return
    case .metric(let metric, _): measured = metric
    case .compare(let compare):
      guard case .metric(let metric) = compare.subject else { return }
      measured = metric
    case .timeline: measured = nil
    case .invariant:
      for name in [keys.after.name, keys.between.name, keys.outside.name]
      where item[name].exists {
        item[name].error("A law holds in the whole run: \"\(name)\" has no part in it. Remove it.")
      }
      return
    }
    if item[keys.outside.name].exists {
      item[keys.outside.name].error(
        "\"outside\" is for series, events and golden files. Narrow the stretch with \"between\" "
          + "or \"after\".")
    }
    guard let measured, measured.name.isOfWholeRun else { return }
    for name in [keys.after.name, keys.between.name] where item[name].exists {
      item[name].error(
        "\(measured.name.rawValue) comes from the accounts of the whole run: a part of it has none."
          + " Remove \"\(name)\".")
    }
  }

  /// How the runs of the scenario are looked at together.
  private func across(_ item: Field, _ check: Expectation.Check) -> Across {
    guard let text = item[keys.across] else { return .each }
    let field = item[keys.across.name]
    guard let across = Across(text) else {
      field.error("\"across\" is one of \(Across.forms), not \"\(text)\".")
      return .each
    }
    guard across.needsValues else { return across }
    switch check {
    case .metric: break
    case .compare(let compare):
      if case .series = compare.subject {
        field.error("A series has no \(across.valueName). Compare a metric, or write 'all'.")
      } else if compare.difference != nil, compare.ratio != nil {
        field.error("The \(across.valueName) is of one value: a difference or a ratio, not both.")
      }
    default:
      field.error(
        "Only a metric has a \(across.valueName). Write 'all' or a fraction such as "
          + "'fraction>=0.95'.")
    }
    return across
  }
}

extension JSONNode {
  /// The fault that an item of `outside` names, which the run need not have; `nil` for a window.
  package var nameOfFault: String? { string.flatMap { $0.contains("..") ? nil : $0 } }
}
