import Testing

@Suite("Keys of a study that have no effect")
struct IdleStudyKeyTests {
  private static let goal = "{ metric: 'tdd', better: 'lower', superior: true }"

  /// What is said of a study of six patients, whose groups are laid over those of the fixture.
  private func told(_ keys: String, groups: [String] = []) -> [String] {
    var files = Fixture.scenario(Fixture.arms + "study: { control: 'plain', \(keys) }")
    if !groups.isEmpty {
      let rows = groups.enumerated().map { "p\($0),\(40 + $0),\($1)\n" }
      files["people.csv"] = "id,isf,group\n" + rows.joined()
    }
    return Fixture.check(files).sentences.filter { $0.contains("warning: ") }
  }

  @Test(
    "Groups that leave intervals as they are without them are told",
    arguments: [
      ("abcdef", "on intervals: each of the 6 patients is a group of its own, within which"),
      ("aabbbc", "\"strata\" has no effect on intervals: the group \"c\" has a single patient"),
      ("aaaaaa", "\"strata\" has no effect: the column \"group\" puts all 6 patients into"),
      ("aabbcc", nil),
    ] as [(String, String?)])
  func groups(letters: String, sentence: String?) {
    let told = told(
      "strata: 'group', primary: [\(Self.goal)]", groups: letters.map { "\($0)" })
    #expect(told.count == (sentence == nil ? 0 : 1), "\(told)")
    if let sentence {
      #expect(told.first?.hasPrefix("study.json5:") == true, "\(told)")
      #expect(told.first?.contains(sentence) == true, "\(told)")
    }
  }

  @Test(
    "A margin or a limit of harm that no share of time reaches is told, and one in fractions",
    arguments: [
      ("tir(70,180)", "better: 'higher', noninferior: 100", "this goal is met whatever happens."),
      ("below(70)", "better: 'lower', equivalent: 200", "this goal is met whatever happens."),
      ("below(70)", "better: 'lower', superior: 100", "this goal is never met."),
      ("tir(70,180)", "better: 'higher', noninferior: 0.05", "is next to nothing. Did you mean 5?"),
      ("below(54)", "better: 'lower', noninferior: 0.05", nil),
      ("tir(70,180)", "better: 'higher', superior: 0.05", nil),
      ("tir(70,180)", "better: 'higher', noninferior: 5", nil),
      ("below(54)", "better: 'lower', superior: true, harm: { above: 100 }", "nobody counts"),
      ("below(54)", "better: 'lower', superior: true, harm: { more: 120 }", "nobody counts"),
      ("tir(70,180)", "better: 'higher', superior: true, harm: { below: 0 }", "nobody counts"),
      ("below(54)", "better: 'lower', superior: true, harm: { above: 1 }", nil),
      ("tdd", "better: 'lower', superior: true, harm: { above: 100 }", nil),
    ] as [(String, String, String?)])
  func shares(metric: String, rest: String, sentence: String?) {
    let told = told("primary: [{ metric: '\(metric)', \(rest) }]")
      .filter { $0.contains("is in percent") }
    #expect(told.count == (sentence == nil ? 0 : 1), "\(told)")
    if let sentence { #expect(told.first?.contains(sentence) == true, "\(told)") }
  }

  @Test(
    "Harm by what is good is told of a share of time, and of a mean, whose ends may both harm, not",
    arguments: [
      ("tir(70,180)", "higher", "above: 90", "more is good. Write { below: x }"),
      ("below(70)", "lower", "below: 1", "less is good. Write { above: x }"),
      ("lows(54)", "higher", "more: 1", "more is good. Write { below: x }"),
      ("tir(70,180)", "higher", "below: 50", nil), ("below(70)", "lower", "above: 4", nil),
      ("mean", "lower", "below: 80", nil), ("minGlucose", "higher", "above: 300", nil),
    ] as [(String, String, String, String?)])
  func harmByGood(metric: String, better: String, harm: String, sentence: String?) {
    let told = told(
      "primary: [{ metric: '\(metric)', better: '\(better)', superior: true, harm: { \(harm) } }]"
    ).filter { $0.contains("is harmed by this") }
    #expect(told.count == (sentence == nil ? 0 : 1), "\(told)")
    if let sentence { #expect(told.first?.contains(sentence) == true, "\(told)") }
  }

  @Test("Patients of a pilot count for no group, as they are never analysed")
  func groupsAfterPilot() {
    // Ten of a group of their own, and forty in two.
    let groups = (0..<50).map { $0 < 10 ? "pilot\($0)" : $0.isMultiple(of: 2) ? "a" : "b" }
    let told = told(
      "strata: 'group', precision: { halfWidth: 1, pilot: 10 }, primary: [\(Self.goal)]",
      groups: groups)
    #expect(told == [])
  }

  @Test(
    "Two end points that ask the same are told, and those that differ in a word are not",
    arguments: [
      ("", true), (", per: 'week'", false), (", harm: { more: 1 }", false),
      (", noninferior: 1", false),
    ])
  func endPoints(difference: String, isTold: Bool) {
    let goal = difference.contains("noninferior") ? "" : ", superior: true"
    let told = told(
      """
      primary: [{ id: 'a', metric: 'lows(54,15m)', better: 'lower', superior: true },
        { id: 'b', metric: 'lows(54,15m)', better: 'lower'\(goal)\(difference) }]
      """)
    #expect(told.count == (isTold ? 1 : 0), "\(told)")
    if isTold {
      #expect(
        told.first?.contains("The end point \"b\" asks what \"a\" asks, and its answer") == true,
        "\(told)")
    }
  }

  @Test("Holm's method without goals to share out is told", arguments: [0, 1, 2])
  func holm(goals: Int) {
    let points = ["mean", "cv"].enumerated().map { place, metric in
      "{ metric: '\(metric)', better: 'lower'\(place < goals ? ", superior: true" : "") }"
    }
    let told = told(
      "multiplicity: 'holm', primary: [\(Self.goal)], "
        + "secondary: [\(points.joined(separator: ", "))]")
    #expect(told.count == (goals < 2 ? 1 : 0), "\(told)")
    if goals < 2 {
      let end = "in \"secondary\", and there is \(goals == 0 ? "none" : "one")."
      #expect(told.first?.contains(end) == true, "\(told)")
    }
  }

  @Test(
    "A cohort that is to take more rows than there are is told",
    arguments: [
      ("take: 7", "\"cohort.take\" is 7, and the table has 6 rows: all of them are taken"),
      ("take: 6", nil), ("take: 5, skip: 1", nil),
      ("take: 6, skip: 1", "the table has 5 rows after the 1 left out: all of them are taken"),
    ] as [(String, String?)])
  func take(keys: String, sentence: String?) {
    var files = Fixture.scenario(
      Fixture.arms + "study: { control: 'plain', primary: [\(Self.goal)] }")
    files["study.json5"] = files["study.json5"]?.replacing(
      "from: 'people.csv',", with: "from: 'people.csv', \(keys),")
    let told = Fixture.check(files).sentences.filter { $0.contains("warning: ") }
    #expect(told.count == (sentence == nil ? 0 : 1), "\(told)")
    if let sentence { #expect(told.first?.contains(sentence) == true, "\(told)") }
  }

  @Test("A limit of time, which no study keeps to, is a warning")
  func warnsOfTime() {
    let budget = Fixture.arms + "budget: { maxSeconds: 5 }, " + Fixture.goals
    let told = Fixture.check(Fixture.scenario(budget)).sentences
    #expect(told.contains { $0.contains("maxSeconds\" has no effect on a study") }, "\(told)")
  }
}
