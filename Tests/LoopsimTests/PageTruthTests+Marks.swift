import Outcomes
import Pages
import Reports
import Simulation
import Testing

@testable import loopsim

extension PageTruthTests {
  // MARK: - Marks and shares

  @Test("A bolus without room for its amount has a mark in each record")
  func marks() throws {
    // Three boluses within ten minutes have room for two words, in the two rows of a lane.
    let three = [10, 14, 18].map { "{ at: '\($0):00', bolus: { units: 1 } }" }
    let near = (0..<3).map { "{ at: '10:0\($0 * 4)', bolus: { units: 1 } }" }
    func marks(_ events: [String], _ style: String) throws -> Int {
      let html = try page(
        text("events: [\(events.joined(separator: ","))]", clock: "duration: '24h'")
      ).html
      let path = html.firstMatch(of: try Regex("<path class=\"\(style)\" d=\"([^\"]*)\""))
      return path?.output[1].substring.map { $0.count { $0 == "h" } } ?? 0
    }
    #expect(try marks(three, "br") == 0)
    #expect(try marks(three, "dw") == 0)
    #expect(try marks(near, "br") == 1)
    #expect(try marks(near, "dw") == 1)
  }

  @Test("A prediction is cut where it leaves the chart, and the chart says how far it goes")
  func predictionsBeyond() throws {
    // 8 U at 50 mg/dL per U take 400 mg/dL from 120 in the end, and most of it in 150 minutes.
    let low = try page(text("events: [{ at: '+1h', bolus: { units: 8 } }]")).html
    #expect(low.contains("\"w pq\"") || low.contains("\"w e pq\""))
    #expect(low.contains(">predictions below the chart, min <span data-mg=\"-"))
    #expect(low.contains(" Predictions go down to \u{2212}"))
    #expect(!low.contains("redictions above the chart") && !low.contains("Predictions go up"))
    // The last points of a line at the lower edge are the only ones there.
    let path = try #require(low.firstMatch(of: /<path class="pd" d="([^"]*)"/)?.output.1)
    var (y, isLevelAtEdge) = (0, false)
    for step in path.matches(of: /([Mmlhv])(-?\d+)(?: ?(-?\d+))?/) {
      let (first, second) = (Int(step.output.2) ?? 0, step.output.3.flatMap { Int($0) } ?? 0)
      switch step.output.1 {
      case "M": y = second
      case "m", "l": y += second
      case "v": y += first
      default: isLevelAtEdge = isLevelAtEdge || y == 1000
      }
    }
    #expect(!isLevelAtEdge)
    let calm = try page(text("")).html
    #expect(!calm.contains("predictions below the chart") && !calm.contains("Predictions go"))
  }

  @Test("What is said of predictions covers nothing that is said of true glucose")
  func predictionsBesideTruth() throws {
    // 6 U at 50 mg/dL per U take 300 mg/dL from 66 in the end: of the readings the lowest stands at
    // the left, and true glucose is told at the right.
    let html = try page(
      text("events: [{ at: '+5m', bolus: { units: 6 } }]", clock: "duration: '150m'")
        .replacing("initialGlucose: 120", with: "initialGlucose: 66")
    ).html
    func place(_ words: String) throws -> (x: Double, y: Double, isEnd: Bool) {
      let word = try Regex(
        "<i class=\"w ([^\"]*)\" style=\"left:([0-9.]+)%;top:([0-9.]+)%\">\(words)")
      let match = try #require(html.firstMatch(of: word))
      func number(_ index: Int) throws -> Double {
        try #require(match.output[index].substring.flatMap { Double($0) })
      }
      return (try number(2), try number(3), match.output[1].substring?.hasPrefix("e ") == true)
    }
    let truth = try place("true glucose below")
    let predictions = try place("predictions below")
    #expect(truth.isEnd && truth.x == 100 && !predictions.isEnd)
    // Words are 11 of the 204 pixels high, and these are less than 225 of at least 900 wide.
    let isAbove = truth.y - predictions.y > 5.4
    #expect(isAbove || truth.x - 25 > predictions.x + 25, "\(truth) \(predictions)")
  }

  @Test("Marks without an amount strike through no amount, and the legend says what they are")
  func marksBesideWords() throws {
    let near = (0..<3).map { "{ at: '10:0\($0 * 4)', bolus: { units: 1 } }" }
    let html = try page(
      text("events: [\(near.joined(separator: ","))]", clock: "duration: '24h'")
    ).html
    // Figures of 8 px stand at 57 and 76 % of 80 px in the app's lane, and at 58 and 74 % of 92 px
    // in the store's: from 41.6 to 49.6 px and from 56.8 on, and from 49.4 to 57.4 and from 64.1
    // on. Marks of 4 px at 47.5 and 66 % are free of them: from 36 to 40 px, and from 58.7 to 62.7.
    #expect(html.contains(/<path class="br" d="M\d+ 475h1/))
    #expect(html.contains(/<path class="dw" d="M\d+ 660h1/))
    #expect(html.contains("<i class=\"k\"><s class=\"od\"></s>bolus</i>"))
    #expect(html.contains("<i class=\"k\"><s class=\"od h\"></s>bolus or dose</i>"))
    let one = try page(text("events: [{ at: '+1h', bolus: { units: 1 } }]")).html
    #expect(!one.contains("<s class=\"od"))
  }

  @Test("What was deleted from the event history covers no bolus that stands there")
  func deletedBesideRecorded() throws {
    // Twenty minutes are 12.5 of the 900 pixels of a day: the words of the first two boluses have
    // room, each in a row, and none of those after them.
    let times = ["09:00", "09:20", "09:40", "10:00"]
    let boluses = times.enumerated().map { index, time in
      "{ at: '\(time)', id: 'b\(index)', bolus: { units: 1 } }"
    }
    let deleted = [0, 2].map {
      "{ at: '11:00', delete: { from: 'both', match: { id: 'b\($0)' } } }"
    }
    let html = try page(
      text(
        "app: { closedLoop: false }, events: [\((boluses + deleted).joined(separator: ", "))]",
        clock: "duration: '24h'")
    ).html
    let words = html.matches(of: /<i class="w ([^"]*)" style="left:[^;]*;top:76%">([▼▽]) 1\.00</)
      .map { "\($0.1) \($0.2)" }
    #expect(words.filter { !$0.contains("z") } == ["st ▽"])
    let above = html.matches(of: /<i class="w ([^"]*)" style="left:[^;]*;top:57%">▼ 1\.00</)
    #expect(above.count { !$0.1.contains("z") } == 1)
    // The other deletion has its sign below, and the other bolus a dot.
    #expect(html.matches(of: /top:92%">▽</).count == 1)
    let dots = try #require(html.firstMatch(of: /<path class="br" d="([^"]*)"/))
    #expect(dots.1.count { $0 == "h" } == 1)
  }

  @Test("No dose of a pen is without a mark, however near to another it is")
  func pensSideBySide() throws {
    // The words of a dose are about 100 of the 900 pixels of a day, or 160 minutes: of three within
    // an hour two stand in the two rows, and the third has a dot.
    let doses = ["13:00", "13:30", "14:00"].map { "{ at: '\($0)', injection: { units: 2 } }" }
    let html = try page(
      text(
        "app: { closedLoop: false }, events: [\(doses.joined(separator: ", "))]",
        clock: "duration: '24h'")
    ).html
    let words = html.matches(of: /<i class="w ([^"]*)" style="left:[^;]*;top:(\d+)%">◆ 2\.00/)
    #expect(words.filter { !$0.1.contains("z") }.map { String($0.2) } == ["30", "75"])
    let dots = try #require(html.firstMatch(of: /<path class="c3" d="M(\d+) 520h1"/))
    // 14:00 is 5833 ten-thousandths of the day.
    #expect(dots.1 == "5833")
  }

  @Test("A dose at the start of a day is not hidden by the names of the lanes")
  func doseAtTheStart() throws {
    let html = try page(
      text("events: [{ at: '+0m', injection: { units: 1, insulin: 'humalog' } }]")
    ).html
    #expect(html.contains(/style="left:0%;top:58%">◇ 1\.00/))
    #expect(!html.contains("left:-0"))
  }

  @Test("A share that falls short of all by a little is not all of it")
  func nearlyAll() throws {
    // A day of 288 readings of 120 mg/dL or so, one of them 80 too low: 99.65 % in range.
    let low = """
      cgm: { model: 'ideal' },
      faults: [{ at: '03:00', cgm: { spike: { delta: -80, samples: 1 } } }]
      """
    let (html, report) = try page(text(low, clock: "duration: '26h'"))
    let values = report.summary.measurements.cgm.values
    try #require(values.count { $0 < 70 } == 1)
    #expect(html.contains(/<span>In range<\/span>.*?<b>&gt;99%<\/b>/))
    #expect(html.contains(/<span>(Very low|Low)<\/span>.*?<b>&lt;1%<\/b>/))
    #expect(!html.contains("<b>100%</b>"))
  }

  @Test("The one line of a run does not say all of a share that falls short of all")
  func nearlyAllInOneLine() throws {
    // One row every five minutes of five days are 1441. A bolus at once brings 180.4 mg/dL down
    // within a quarter of an hour: at least one row is above 180, and at most three are, which
    // leaves 99.79 % in range.
    let high = text(
      "app: { closedLoop: false }, events: [{ at: '+0m', bolus: { units: 1 } }]",
      clock: "duration: '5d'"
    ).replacing("initialGlucose: 120", with: "initialGlucose: 180.4")
    let report = try page(high).report
    let values = report.summary.measurements.trueGlucose.values
    try #require(values.count == 1441 && (1...3).contains(values.count { $0 > 180 }))
    #expect(report.summary.oneLine.contains(" mg/dL, >99 % in range, "))
  }

  @Test("Amounts and rates of pulses of 0.025 U are told in full")
  func thousandths() throws {
    let more = """
      pump: { pulse: 0.025, basalStep: 0.025, bolusStep: 0.025, capacity: 180, reservoir: 20 },
      app: { closedLoop: false }, therapy: { basal: [['00:00', 0.425]] },
      events: [{ at: '+30m', bolus: { units: 1.075 } },
        { at: '+1h', basal: { rate: 0.125, duration: '2h' } }]
      """
    let html = try page(text(more, clock: "duration: '2h'")).html
    // An hour of 0.425 U/h are 17 pulses, one of 0.125 U/h 5, and the bolus is of 43: 1.625 U.
    #expect(html.contains("<p class=\"big\">1.625 U<small> by the pump"))
    #expect(html.contains("<dt>Basal schedule, U/h</dt><dd>0.425</dd>"))
    #expect(html.contains("</s>Bolus<b>1.075</b>"))
    // In the lanes of the pump, the app and the health store.
    #expect(html.matches(of: />(▼ )?1\.075</).count >= 3)
    #expect(html.contains("\"app\":[60,60,0.125]"))
    #expect(!html.contains(">1.07<") && !html.contains(">0.42<"))
    // At the cursor three decimals stand where two would round.
    #expect(html.contains("v.toFixed(Math.round(v * 1000) % 10 ? 3 : 2)"))
  }

  @Test("The cursor reads the last moment at the end, and keeps to a day that begins on no step")
  func cursorAtTheEnd() throws {
    let html = try page(text("")).html
    #expect(html.contains("var isEnd = at === T.to || at === day.from + day.span;"))
    // All that holds for a while is read then: at the end itself nothing of the run holds.
    for list in ["mode", "pump", "app"] { #expect(html.contains("within(T.\(list), last)")) }
    #expect(html.contains("holds(T.store, last, 'No basal yet')"))
    #expect(html.contains("if (stays) now = bounded(now, only);"))
    #expect(html.contains("var stops = T.stops.map(stepped), i;"))
    // An address that ends in a lone sign of per cent stops no script.
    #expect(html.contains("try { target = name && $(decodeURIComponent(name)); } catch (e)"))
    // Minutes after the last row are read from it, and a stretch of days says how long it is.
    #expect(html.contains("list[Math.min(list.length - 1, Math.round(t / T.step))]"))
    #expect(html.contains("s[1] - s[0] >= 1440 ? ' (' + length(s[1] - s[0]) + ')' : ''"))
  }

  @Test("Pulses of which more reached the body than was counted are not called lost")
  func pulsesThatGiveMore() throws {
    // Two hours at 1 U/h are 40 pulses, of which each gives 1.5 times as much besides, or nothing.
    func lane(_ factor: String) throws -> String {
      let fault = "faults: [{ during: ['+1h', '2h'], pump: { scale: { basal: \(factor) } } }]"
      return try page(text("app: { closedLoop: false }, \(fault)")).html
    }
    let more = try lane("2.5")
    #expect(more.contains("40 pulses reached it otherwise than counted, 3.00 U more in all."))
    #expect(more.contains("pulses not as counted in red") && !more.contains("lost pulses"))
    let less = try lane("0")
    #expect(less.contains("40 pulses reached it otherwise than counted, 2.00 U less in all."))
    #expect(less.contains("lost pulses in red"))
  }

  @Test("The lane of differences says how many of them it has room for")
  func differencesWithoutRoom() throws {
    // Nine within eight minutes of a day, where there are six rows.
    let doses = (0..<9).map {
      "{ at: '+\(60 + $0)m', injection: { units: 0.\($0 + 1) }, entry: false }"
    }
    let html = try page(
      text(
        "app: { closedLoop: false }, events: [\(doses.joined(separator: ", "))]",
        clock: "duration: '24h'")
    ).html
    #expect(html.contains("U, 3 more in the list"))
    #expect(html.contains("Differences: 9, 6 of them with a link to its entry."))
  }
}
