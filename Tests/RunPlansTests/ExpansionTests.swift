import RunPlans
import StructuredText
import Testing

@Suite("Expanding a scenario into runs")
struct ExpansionTests {
  @Test("Without variants, sweep, cohort and replicates there is one run, named like the file")
  func single() {
    #expect(Read("title: 't'").runs == ["a"])
  }

  @Test("Runs are the product of variants, sweep, patients and replicates, the last fastest")
  func product() throws {
    let read = Read([
      "Scenarios/a.json5": """
      { format: 'loopsim/1', id: 'late', random: { replicates: 2 }, therapy: {}, events: [{ id: \
      'd' }],
        variants: { auto: {}, open: { app: { closedLoop: false } } },
        sweep: { 'events[d].grams': [1, 2], zip: { 'therapy.x': [5, 6], 'therapy.y': ['p', 'q'] } },
        cohort: { from: 'c.csv', columns: { isf: 'patient.isf' }, take: 2 } }
      """,
      "Scenarios/c.csv": "id,isf\nadult#001,40\nadult#002,50.5\nadult#003,60\n",
    ])
    #expect(read.sentences == [])
    #expect(read.runs.count == 2 * 2 * 2 * 2 * 2)
    #expect(
      read.runs.prefix(3) == [
        "late/auto/s0/adult#001/r0", "late/auto/s0/adult#001/r1", "late/auto/s0/adult#002/r0",
      ])
    #expect(read.runs.last == "late/open/s3/adult#002/r1")
    #expect(Set(read.runs).count == 32)
    #expect(try read.values("patient.isf").prefix(4) == [40, 40, 50.5, 50.5])
    #expect(
      try read.values("events[d].grams")[0..<16] == [
        1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2,
      ])
    #expect(try read.values("therapy")[0] == ["x": 5, "y": "p"])
    #expect(try read.values("therapy")[4] == ["x": 6, "y": "q"])
    #expect(try read.values("app.closedLoop").prefix(16) == ArraySlice(repeating: nil, count: 16))
    #expect(try read.values("app.closedLoop").suffix(16).allSatisfy { $0 == false })
    #expect(try read.values("sweep").allSatisfy { $0 == nil })
    let cell = try #require(read.plan).run(at: 2).tree["patient"]?["isf"]?.position
    #expect(cell == TextPosition(file: "Scenarios/c.csv", line: 3, column: 11))
  }

  @Test("Edits in a variant change what the file says")
  func editsInVariants() throws {
    let read = Read([
      "Scenarios/b.json5": "{ format: 'loopsim/1', variants: { old: {}, gone: {} } }",
      "Scenarios/a.json5": """
      { format: 'loopsim/1', extends: 'b.json5', events: [{ id: 'x', at: 1, n: 2 }],
        variants: { gone: { $remove: true }, edited: { events: { $merge: { byKey: 'id',
          items: [{ id: 'x', n: 3 }] } } }, more: { events: { $append: [{ at: 5 }] } } } }
      """,
    ])
    #expect(read.sentences == [])
    #expect(read.runs == ["a/old", "a/edited", "a/more"])
    #expect(try read.values("events[0].n") == [2, 3, 2])
    #expect(try read.values("events[0].at") == [1, 1, 1])
    #expect(try read.values("events[1].at") == [nil, nil, 5])
  }

  @Test(
    "All inherited variants can be taken away, one by one or together",
    arguments: ["{ old: { $remove: true }, gone: { $remove: true } }", "{ $remove: true }"])
  func noVariantLeft(variants: String) {
    let read = Read([
      "Scenarios/b.json5": "{ format: 'loopsim/1', variants: { old: {}, gone: {} } }",
      "Scenarios/a.json5": "{ format: 'loopsim/1', extends: 'b.json5', variants: \(variants) }",
    ])
    #expect(read.sentences == [])
    #expect(read.runs == ["a"])
  }

  @Test(
    "What makes no runs, or is the same in all runs of a file, is an error where it is written",
    arguments: [
      ("variants: { note: 'none yet' }", "1:34: error: \"variants\" names no variant."),
      ("variants: {}", "1:34: error: \"variants\" names no variant."),
      ("sweep: { zip: [] }", "1:38: error: \"zip\" must hold paths and values"),
      (
        "variants: { a: { random: { seed: 1, replicates: 3 } } }",
        "1:60: error: \"random.replicates\" belongs to the file as a whole"
      ),
      (
        "sweep: { 'random.replicates': [1, 2] }",
        "1:33: error: \"random.replicates\" belongs to the file as a whole"
      ),
      (
        "sweep: { random: [{ seed: 1 }, { replicates: 2 }] }",
        "1:33: error: \"random\" belongs to the file as a whole"
      ),
      ("sweep: { id: ['x', 'y'] }", "1:33: error: \"id\" belongs to the file as a whole"),
      ("sweep: { 'random.seed': [1, 2] }", nil), ("sweep: { random: [{ seed: 1 }] }", nil),
    ] as [(String, String?)])
  func ofTheFile(body: String, expected: String?) {
    let sentences = Read(body).sentences
    guard let expected else {
      #expect(sentences.isEmpty, "\(sentences)")
      return
    }
    #expect(sentences.count == 1 && sentences[0].contains(expected), "\(sentences)")
  }

  @Test(
    "Ranges give the numbers that people expect",
    arguments: [
      ("{ from: 30, to: 60, step: 15 }", [30, 45, 60]),
      ("{ from: 0.1, to: 0.4, step: 0.1 }", [0.1, 0.2, 0.3, 0.4]),
      // Rates of models are as small.
      ("{ from: 1.23456e-5, to: 1.23466e-5, step: 5e-10 }", [1.23456e-5, 1.23461e-5, 1.23466e-5]),
      ("{ from: 1.234567891e-5, to: 3e-5, n: 2 }", [1.234567891e-5, 3e-5]),
      ("{ from: -0.3, to: 0.1, step: 0.2 }", [-0.3, -0.1, 0.1]),
      ("{ from: 2, to: 1, step: -0.5 }", [2, 1.5, 1]), ("{ from: 0, to: 1, n: 3 }", [0, 0.5, 1]),
      ("{ from: '5m', to: '1h', step: '25m' }", ["5m", "30m", "55m"]),
      ("[true, 'x']", [true, "x"]),
    ] as [(String, [JSONValue?])])
  func ranges(text: String, values: [JSONValue?]) throws {
    let read = Read("therapy: {}, sweep: { 'therapy.x': \(text) }")
    #expect(read.sentences == [])
    #expect(try read.values("therapy.x") == values)
  }

  @Test("A logarithmic range has a constant ratio and exact ends")
  func logarithmic() throws {
    let read = Read("therapy: {}, sweep: { 'therapy.x': { from: 1, to: 100, n: 3, scale: 'log' } }")
    let values = try read.values("therapy.x")
    #expect(values[0] == 1)
    #expect(values[2] == 100)
    guard case .number(let middle) = values[1] ?? nil else { return #expect(values[1] == 10) }
    #expect((middle - 10).magnitude < 1e-12)
  }

  @Test("Normal values come from the seed and the address alone")
  func normal() throws {
    func values(_ more: String) throws -> [JSONValue?] {
      try Read(
        "\(more), therapy: {}, sweep: { 'therapy.x': { normal: { mean: 50, sd: 5, n: 4 } } }"
      ).values("therapy.x")
    }
    let first = try values("random: { seed: 1 }")
    #expect(first.count == 4)
    #expect(try values("title: 'x', random: { seed: 1 }") == first)
    #expect(try values("random: { seed: 2 }") != first)
  }

  @Test("A model generates the patients of a cohort by number")
  func generated() throws {
    let read = Read("patient: {}, cohort: { generate: { model: 'hovorka', n: 12, seed: 5 } }")
    #expect(read.sentences == [])
    // A chance of their own goes by the names, which are the same however many there are.
    let three = Read("patient: {}, cohort: { generate: { model: 'hovorka', n: 3, seed: 5 } }")
    #expect(three.runs == ["a/g0", "a/g1", "a/g2"] && three.runs == Array(read.runs.prefix(3)))
    #expect(
      try read.values("patient").last == [
        "model": "hovorka",
        "generated": ["law": "logNormal", "member": 11, "seed": 5],
      ])
  }

  @Test("A JSON cohort and names that are not safe for a file system")
  func jsonCohort() throws {
    let read = Read([
      "Scenarios/a.json5":
        "{ format: 'loopsim/1', patient: {}, cohort: { from: 'c.json', id: 'name', skip: 1, "
        + "columns: { isf: 'patient.isf' } } }",
      "Scenarios/c.json":
        "[{ name: 'x' }, { name: '../é', isf: [1, 2] }, { name: '../é', isf: 3 }]",
    ])
    #expect(read.sentences.count == 1)
    #expect(
      read.sentences.first?.contains(
        #"warning: The results name 2 patients otherwise than the table: "../é" is "-.--", "#
          + #""../é" is "-.---2"."#) == true)
    #expect(read.runs == ["a/-.--", "a/-.---2"])
    #expect(try read.values("patient.isf") == [[1, 2], 3])
  }

  @Test(
    "What cannot be expanded is located",
    arguments: [
      ("sweep: { 'a..b': [1] }", "\"a..b\" is not a path"),
      ("sweep: { 'events[x].at': [1] }, events: []", "names an item with the id \"x\""),
      ("sweep: { a: [] }", "The list of values for \"a\" is empty"),
      ("sweep: { a: 5 }", "must be a list of values"),
      ("sweep: { a: { from: 1, to: 2, step: 0 } }", "\"step\" must lead"),
      ("sweep: { a: { from: 1, to: 2, step: -1 } }", "\"step\" must lead"),
      (
        "sweep: { a: { from: 1, to: 5, step: '1s' } }",
        "\"sweep.a.step\" must be a number, as \"from\" is"
      ),
      (
        "sweep: { a: { from: '1h', to: '3h', step: 3600000 } }",
        "\"sweep.a.step\" must be a span of time, as \"from\" is"
      ),
      ("sweep: { a: { from: 1, to: 1e9, step: 1e-9 } }", "more than 100000 values"),
      ("sweep: { a: { from: 1, to: 2, n: 1 } }", "from 2 to 100000"),
      ("sweep: { a: { from: -1, to: 2, n: 3, scale: 'log' } }", "above zero"),
      ("sweep: { a: { from: 1, too: 2, step: 1 } }", "Did you mean \"to\"?"),
      (
        "sweep: { zip: { a: [1, 2], b: [1] } }", "must be of one length, and these have 2, 1 values"
      ),
      ("sweep: 3", "\"sweep\" must be an object"),
      (
        "sweep: { a: { from: 1, to: 100, step: 1 }, b: { from: 1, to: 101, step: 1 } }",
        "expands to 10100 runs (100 values of a × 101 values of b), above the budget of 10000"
      ),
      (
        "budget: { maxRuns: 1 }, random: { replicates: 2 }",
        "expands to 2 runs (2 replicates), above the budget of 1"
      ),
      ("variants: { 'a/b': {} }", "A variant's name consists of"),
      ("variants: { a: 1 }", "A variant is an object"),
      ("variants: { a: { sweep: {} } }", "belongs to the file as a whole"),
      ("variants: 1", "\"variants\" must be an object"),
      ("cohort: { from: 'x.csv', columns: { a: 'b' } }", "There is no file"),
      ("cohort: 1", "\"cohort\" must be an object"),
      ("cohort: { generate: { model: 'hovorka', n: 0 } }", "from 1 to 1000000"),
    ])
  func located(body: String, sentence: String) {
    let read = Read(body)
    #expect(read.plan == nil)
    #expect(
      read.sentences.contains { $0.contains("error:") && $0.contains(sentence) },
      "\(read.sentences)")
  }

  @Test("Columns that a table does not have are reported with the nearest one")
  func columns() {
    let read = Read([
      "Scenarios/a.json5":
        "{ format: 'loopsim/1', cohort: { from: 'c.csv', id: 'nam', columns: { isv: 'patient.isf' "
        + "} } }",
      "Scenarios/c.csv": "name,isf\nx,1\n",
    ])
    #expect(read.sentences.count == 2)
    #expect(read.sentences[0].contains("no column \"nam\". Did you mean \"name\"?"))
    #expect(read.sentences[1].contains("no column \"isv\". Did you mean \"isf\"?"))
  }

  /// A cohort with a table.
  private func cohort(_ table: String) -> Read {
    Read([
      "Scenarios/a.json5": """
      { format: 'loopsim/1', patient: {},
        cohort: { from: 'c.csv', columns: { body: 'patient.name', isf: 'patient.isf' } } }
      """,
      "Scenarios/c.csv": table,
    ])
  }

  @Test("Rows of commas below the last patient are nobody, and semicolons are told of")
  func spreadsheets() {
    let table = cohort("id,body,isf\na,adult#001,50\nb,adult#002,60\n,,\n,,\n")
    #expect(table.runs == ["a/a", "a/b"])
    #expect(table.sentences.isEmpty)
    #expect(
      cohort("id;body;isf\na;adult#001;50,5\n").sentences == [
        "Scenarios/c.csv:1:1: error: The columns of this table are separated by semicolons, and "
          + "not by commas. Save it with these."
      ])
  }

  @Test("A patient of whom the table lacks a value is told of, in whatever row")
  func emptyCells() {
    let first = cohort("id,body,isf\na,adult#001,\nb,adult#002,60\n")
    #expect(
      first.sentences == [
        "Scenarios/c.csv:2:13: warning: The table has no \"isf\" of \"a\", 1 of 2 patients: there "
          + "\"patient.isf\" is what the scenario says, or the default. Write the "
          + "value, or leave the row out. [W-EMPTY]"
      ])
    let second = cohort("id,body,isf\na,adult#001,50\nb,,60\n")
    #expect(
      second.sentences.map { $0.hasPrefix("Scenarios/c.csv:3:3: warning: The table has no") }
        == [true])
    #expect(cohort("id,body,isf\na,adult#001,50\nb,adult#002,60\n").sentences.isEmpty)
    let unnamed = cohort("id,body,isf\n,adult#001,50\nb,adult#002,60\n")
    #expect(unnamed.runs == ["a/p0", "a/b"])
    #expect(
      unnamed.sentences == [
        "Scenarios/c.csv:2:1: warning: The table has no \"id\" of \"p0\", 1 of 2 patients: it has "
          + "its name from the number of the row. Write the value, or leave the row out. [W-EMPTY]"
      ])
  }

  @Test("A patient's name in results is the very text of the table")
  func namesAsWritten() {
    let read = cohort(
      "id,body,isf\n007,adult#001,50\n7,adult#002,50\n1e3,adult#003,50\n"
        + "12345678901234567890,adult#001,50\n")
    #expect(read.runs == ["a/007", "a/7", "a/1e3", "a/12345678901234567890"])
    #expect(read.sentences.isEmpty)
  }

  @Test(
    "What is set twice in a run is told, for the first value would be listed and not be there",
    arguments: [
      (
        "'x.y': [1], zip: { 'x.y': [2] }", "",
        "error: The sweep's \"x.y\" has no effect: "
          + "the sweep sets \"x.y\" after it. Remove one of them."
      ),
      (
        "'x.y': [1], x: [{ y: 3 }]", "",
        "error: The sweep's \"x.y\" has no effect: the sweep "
          + "sets \"x\" after it. Remove one of them."
      ),
      (
        "'e[0].n': [1], 'e[d].n': [2]", "",
        "error: The sweep's \"e[0].n\" has no effect: the "
          + "sweep sets \"e[d].n\" after it. Remove one of them."
      ),
      (
        "'x.y': [1]", "full: 'x.y'",
        "error: The sweep's \"x.y\" has no effect: the cohort's "
          + "column \"full\" sets \"x.y\" after it. Remove one of them."
      ),
      (
        "'x.y': [1]", "part: 'x.y'",
        "warning: The sweep's \"x.y\" has no effect for 1 of 2 "
          + "patients: the cohort's column \"part\" sets \"x.y\" after it. [W-NULL]"
      ),
      (
        "'x.z': [1]", "part: 'x.y', full: 'x.y'",
        "error: The column \"part\" has no effect: "
          + "the cohort's column \"full\" sets \"x.y\" after it. Remove one of them."
      ),
      ("x: [{ y: 3 }], 'x.y': [1], 'x.yy': [2]", "full: 'x.z'", ""),
    ] as [(String, String, String)])
  func setTwice(sweep: String, columns: String, sentence: String) {
    let read = Read([
      "Scenarios/a.json5": """
      { format: 'loopsim/1', id: 'a', x: {}, e: [{ id: 'd' }],
      sweep: { \(sweep) },
      \(columns.isEmpty ? "" : "cohort: { from: 'c.csv', columns: { \(columns) } }") }
      """,
      "Scenarios/c.csv": "id,full,part\na,1,2\nb,3,\n",
    ])
    let found = read.sentences.filter { !$0.contains("The table has no") }
    #expect(found.joined().contains(sentence) || sentence.isEmpty, "\(found)")
    #expect(found.isEmpty == sentence.isEmpty, "\(found)")
  }

  @Test("An address that leads nowhere for a later patient, or after another value, is refused")
  func addressWithoutPlace() {
    let cohort = Read([
      "Scenarios/a.json5":
        "{ format: 'loopsim/1', t: [[0, 1]], "
        + "cohort: { from: 'c.csv', columns: { x: 't[5][1]' } } }",
      "Scenarios/c.csv": "id,x\na,\nb,0.9\n",
    ])
    #expect(cohort.plan == nil)
    #expect(
      cohort.sentences.contains {
        $0.contains("error: The path \"t[5][1]\" names an item beyond the 1 of the list")
      }, "\(cohort.sentences)")
    for (sweep, isRefused) in [
      ("t: [[[0, 1]], [[0, 1], [5, 2]]], 't[1][1]': [3, 4]", true),
      ("t: [[[0, 1], [4, 2]], [[0, 1], [5, 2]]], 't[1][1]': [3, 4]", false),
      ("zip: { t: [[[0, 1], [4, 2]], [[0, 1]]], 't[1][1]': [3, 4] }", true),
    ] {
      let read = Read("t: [[0, 1], [6, 2]], sweep: { \(sweep) }")
      #expect((read.plan == nil) == isRefused, "\(sweep): \(read.sentences)")
      #expect(
        read.sentences.contains { $0.contains("error: The path \"t[1][1]\" names an item beyond") }
          == isRefused, "\(sweep): \(read.sentences)")
    }
  }

  @Test("What a variant says is told of where the sweep sets it after that")
  func setAfterTheVariant() {
    let read = Read(
      "t: {}, variants: { low: { t: { x: 3, y: 1 } }, high: {} }, sweep: { 't.x': [1, 2] }")
    #expect(
      read.sentences == [
        "Scenarios/a.json5:1:58: warning: What the variant \"low\" says of \"t.x\" has no effect: "
          + "the sweep sets \"t.x\" after it. [W-NULL]"
      ])
    #expect(read.runs.count == 4)
  }

  @Test(
    "Points that are the same are warned of, also where a range or a law without spread has them",
    arguments: [
      ("[5, 6, 5.0]", "5.0 twice, and the runs are the same. Remove one."),
      ("{ from: 5, to: 5, n: 3 }", "5 twice, and the runs are the same. Widen its range or law"),
      ("{ normal: { mean: 5, sd: 0, n: 2 } }", "5.0 twice, and the runs are the same. Widen its"),
      ("{ from: 5, to: 5, step: 1 }", nil), ("{ from: 5, to: 6, n: 3 }", nil),
      ("{ normal: { mean: 5, sd: 0, n: 1 } }", nil), ("{ normal: { mean: 5, sd: 1, n: 3 } }", nil),
    ] as [(String, String?)])
  func repeats(values: String, expected: String?) {
    let sentences = Read("therapy: {}, sweep: { 'therapy.x': \(values) }").sentences
    guard let expected else {
      #expect(sentences.isEmpty, "\(sentences)")
      return
    }
    #expect(sentences.count == 1 && sentences[0].contains(expected), "\(sentences)")
  }
}
