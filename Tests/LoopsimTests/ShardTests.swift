import Arguments
import Foundation
import RunPlans
import TestSupport
import Testing

@testable import loopsim

@Suite("Runs at a time, and shards")
struct ShardTests {
  private static let replicates = Extent.of(2, whole: 3)
  private static let swept = Extent.of(3, whole: 5)
  private static let values = "{ from: 90, to: 130, n: \(swept) }"
  private static let runs = 2 * replicates + 1 + swept

  /// A dozen runs, or eight: variants and replicates with noise, some looked at together, and a
  /// quiet night.
  private func folder() throws -> Scratch {
    let count = Self.replicates
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      atPath: scratch.file("in"), withIntermediateDirectories: false)
    let noisy = scenario().replacingOccurrences(of: "'quiet-night'", with: "'noisy-night'")
      .replacingOccurrences(
        of: "cgm: { model: 'ideal' },",
        with: """
          cgm: { model: 'ar1' }, random: { seed: 3, replicates: \(count) },
          variants: { open: {}, closed: { app: { closedLoop: true } } },
          """
      ).replacingOccurrences(of: "random: { seed: 7 },", with: "")
      .replacingOccurrences(of: "id: 'basal',", with: "id: 'basal', variants: 'open',")
      .replacingOccurrences(
        of: "{ id: 'ledger', invariant: 'insulin-conservation' },",
        with: """
          { id: 'ledger', invariant: 'insulin-conservation', across: 'all' },
          { id: 'error', metric: 'mard', max: 50, across: 'mean' },
          { id: 'pairs', compare: { metric: 'mean', other: 'open' }, difference: { max: 50 } },
          """)
    try Files.write(noisy, to: scratch.file("in/noisy.json5"))
    try Files.write(scenario(), to: scratch.file("in/quiet.json5"))
    let swept = scenario().replacingOccurrences(of: "'quiet-night'", with: "'swept-night'")
      .replacingOccurrences(
        of: "random: { seed: 7 },",
        with:
          "random: { seed: 7 }, sweep: { 'patient.initialGlucose': \(Self.values) },")
    try Files.write(swept, to: scratch.file("in/swept.json5"))
    return scratch
  }

  private func run(_ words: [String]) async -> (code: Int32, output: String) {
    let console = QuietConsole()
    return (await Loopsim.run(words, to: console), console.output)
  }

  /// Every file below a folder with its bytes.
  private func contents(_ folder: String) throws -> [String: [UInt8]] {
    let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    var contents: [String: [UInt8]] = [:]
    for path in paths where path.hasSuffix(".csv") || path.hasSuffix(".json") {
      contents[path] = try Files.read("\(folder)/\(path)")
    }
    return contents
  }

  @Test("There are no more shards than there can be runs, whatever a file is called")
  func mostShards() async throws {
    #expect(Shard("200000/200000")?.count == 200_000)
    #expect(Shard("1/200001") == nil && Shard("1/9223372036854775807") == nil)
    #expect(BatchFiles.absent(among: ["runs.1-of-9223372036854775807.csv"]) == [])
    let others = BatchFiles.absent(among: ["runs.1-of-3.csv"])
    #expect(others == ["runs.2-of-3.csv", "runs.3-of-3.csv"])
    let many = await program(["run", "x.json5", "--shard", "1/9223372036854775807"])
    #expect(many.code == 64 && many.error.contains("at most 200000."), "\(many.error)")
  }

  @Test("Of some runs, chosen by their ids, the bytes are those of the whole batch")
  func chosenRuns() async throws {
    let scratch = try folder()
    let whole = scratch.file("whole")
    _ = await run(["run", scratch.file("in"), "--out", whole])
    let kept = try contents(whole)
    let out = scratch.file("chosen")
    let words = ["run", scratch.file("in"), "--out", out, "--quiet", "--junit"]
    let chosen = await run(
      words + [scratch.file("a.xml"), "--run", "noisy-night/closed", "--run", "quiet-night"])
    #expect(chosen.code == 0)
    let found = try contents(out).filter { $0.key.contains("/") }
    #expect(found.keys.count { $0.hasSuffix("summary.json") } == Self.replicates + 1)
    for (path, bytes) in found { #expect(bytes == kept[path], "\(path)") }
    // What looks at the runs of both variants is said to be left out, and nothing passes for it.
    let report = String(decoding: try Files.read(scratch.file("a.xml")), as: UTF8.self)
    #expect(report.contains("name=\"pairs\">\n      <skipped message=\"It looks at several runs"))
    #expect(report.contains("skipped=\"\(3 * Self.replicates)\""))
    let wrong = await program(["run", scratch.file("in"), "--out", out, "--run", "quiet-nigth"])
    #expect(wrong.code == 65)
    #expect(wrong.error.contains("There is no run \"quiet-nigth\". Did you mean"))
    let cleaning = await run(["run", scratch.file("in"), "--run", "quiet-night", "--clean"])
    #expect(cleaning.code == 64)
  }

  @Test("However many runs go on at a time, and in however many shards, the bytes are the same")
  func sameBytes() async throws {
    let scratch = try folder()
    let out = scratch.file("whole")
    let first = await run(["run", scratch.file("in"), "--out", out, "--jobs", "1"])
    #expect(first.code == 0)
    let whole = try contents(out)
    #expect(whole.keys.count { $0.hasSuffix("summary.json") } == Self.runs)
    // Shards have three runs at a time, the whole has one.
    for jobs in Extent.of([], whole: [2, 5]) {
      let folder = scratch.file("jobs\(jobs)")
      let again = await run(["run", scratch.file("in"), "--out", folder, "--jobs", "\(jobs)"])
      #expect(again.output == first.output)
      #expect(try contents(folder) == whole)
    }
    for count in Extent.of([2], whole: [1, 2, 3]) {
      let folder = scratch.file("shards\(count)")
      var expectations = 0
      for index in 1...count {
        let part = await run([
          "run", scratch.file("in"), "--out", folder, "--jobs", "3", "--shard", "\(index)/\(count)",
        ])
        #expect(part.code == 0)
        expectations += Int(part.output.split(separator: " ").dropLast(4).last ?? "") ?? 0
      }
      // What tells of a whole batch is in as many files as there are parts.
      let (parts, runs) = (try contents(folder), whole.filter { $0.key.contains("/") })
      #expect(parts.filter { $0.key.contains("/") } == runs)
      #expect(
        Set(parts.keys.filter { !$0.contains("/") })
          == Set(
            (1...count).flatMap { ["runs.\($0)-of-\(count).csv", "batch.\($0)-of-\(count).json"] }))
      // 3 + 2 + 2 + 3 of the noisy night, 2 of the quiet one, 10 of the swept ones.
      #expect(expectations == 2 * Self.replicates + 6 + 2 * Self.swept, "\(count)")
    }
  }

  @Test("The runs of a scenario that are looked at together stay together")
  func staysTogether() throws {
    let scratch = try folder()
    let batch = ScenarioBatch(try ScenarioFolder.files([scratch.file("in")]))
    let shards = (1...3).map { batch.shard(Shard("\($0)/3")).map(\.run.id) }
    #expect(shards.flatMap(\.self).sorted() == batch.runs.map(\.run.id).sorted())
    #expect(shards.count { $0.contains { $0.hasPrefix("noisy-night") } } == 1)
    #expect(shards.allSatisfy { $0.contains { $0.hasPrefix("swept-night") } })
  }

  @Test("Golden files are kept on request, compared ever after, and never kept in CI")
  func golden() async throws {
    let scratch = try Scratch()
    let text = scenario().replacingOccurrences(
      of: "{ id: 'ledger', invariant: 'insulin-conservation' },",
      with: "{ id: 'kept', golden: 'golden/{run}.csv', tolerance: { glucose: 0.01 } },")
    try Files.write(text, to: scratch.file("night.json5"))
    let words = ["run", "night.json5", "--out", "out"]
    let person = ["CI": "false"]
    func loopsim(_ more: [String], _ environment: [String: String]) throws -> Binary.Result {
      try Binary.run(words + more, environment: environment, in: scratch.url)
    }
    let missing = try loopsim([], ["CI": "true"])
    #expect(missing.code == 1)
    #expect(
      missing.output.contains("keep one with: loopsim run night.json5 --update-golden"))
    #expect(try loopsim(["--update-golden"], ["CI": "true"]).code == 64)
    #expect(try loopsim(["--update-golden"], person).code == 0)
    #expect(try loopsim([], ["CI": "true"]).code == 0)
    let path = scratch.file("golden/quiet-night.csv")
    let kept = try scratch.text(of: "golden/quiet-night.csv")
    try Files.write(kept.replacingOccurrences(of: ",0.40,0.05,", with: ",0.40,0.10,"), to: path)
    let changed = try loopsim([], person)
    #expect(changed.code == 1)
    #expect(changed.output.contains("column basal_delivered_U: kept 0.10, found 0.05"))
    let update = ["verify", "night.json5", "--results", "kept", "--update"]
    #expect(try Binary.run(update, environment: person, in: scratch.url).code == 0)
    #expect(try scratch.text(of: "golden/quiet-night.csv") == kept)
  }

  @Test("The page of a batch in parts is that of the whole, and says which part is not there")
  func pageOfParts() async throws {
    let scratch = try folder()
    let (whole, parts) = (scratch.file("whole"), scratch.file("parts"))
    let words = ["run", scratch.file("in"), "--quiet", "--out"]
    #expect(await run(words + [whole]).code == 0)
    for part in [3, 1, 2] {
      #expect(await run(words + [parts, "--shard", "\(part)/3"]).code == 0)
    }
    func page(_ folder: String) async throws -> (text: String, said: String) {
      let told = await program(["report", folder, "-o", scratch.file("page.html")])
      #expect(told.code == 0, "\(told.error)")
      return (try scratch.text(of: "page.html"), told.error)
    }
    // Joined without their lines of names, the tables of the parts are that of the whole.
    func rows(_ table: String) throws -> [String] {
      let lines = try scratch.text(of: table).split(separator: "\n").map(String.init)
      #expect(lines.first?.hasPrefix("id,file,scenario,") == true)
      return Array(lines.dropFirst())
    }
    let joined = try (1...3).flatMap { try rows("parts/runs.\($0)-of-3.csv") }
    #expect(try joined.sorted() == rows("whole/runs.csv").sorted() && joined.count > 3)
    let (first, second) = (try await page(whole), try await page(parts))
    #expect(first.text == second.text)
    #expect(!second.text.contains("is not there") && !second.said.contains("is not there"))
    try FileManager.default.removeItem(atPath: "\(parts)/runs.2-of-3.csv")
    let lacking = try await page(parts)
    #expect(lacking.text.contains("! runs.2-of-3.csv is not there: runs of that part are"))
    #expect(lacking.said.contains("Warning: runs.2-of-3.csv is not there"))
    // The page of a whole batch tells nothing of the parts of another, whichever is the newer.
    #expect(await run(words + [whole, "--shard", "1/3"]).code == 0)
    let beside = try await page(whole)
    #expect(beside.text == first.text)
    #expect(
      beside.said.contains(
        "Warning: runs.1-of-3.csv is of another batch, in parts, and the page is that of runs.csv."
      ), "\(beside.said)")
  }

  @Test("Of more parts than there are runs none is said to be missing, and parts do not mix")
  func emptyParts() async throws {
    let scratch = try Scratch()
    let (file, out) = (scratch.file("night.json5"), scratch.file("out"))
    try Files.write(
      scenario().replacingOccurrences(
        of: "random: { seed: 7 },", with: "random: { seed: 7, replicates: 2 },"), to: file)
    for part in [3, 1, 2] {
      let done = await program(["run", file, "--out", out, "--quiet", "--shard", "\(part)/3"])
      #expect(done.code == 0, "\(done)")
      // The last part has no run, and of nothing there is no page.
      #expect(await program(["report", out]).code == (part == 3 ? 65 : 0))
    }
    let page = await program(["report", out])
    #expect(page.code == 0 && page.error.isEmpty, "\(page)")
    // The first of two parts, with another seed, replaces a run of three parts.
    let other = ["run", file, "--out", out, "--quiet", "--shard", "1/2", "--seed", "9"]
    #expect(await program(other).code == 0)
    let mixed = await program(["report", out])
    #expect(mixed.code == 65)
    #expect(mixed.error.contains("/runs.1-of-3.csv:2:1: error: "), "\(mixed.error)")
    #expect(mixed.error.contains("they are parts of different batches."), "\(mixed.error)")
  }

  @Test("A part without a run is there also where a file of the batch cannot be read")
  func emptyPartBesideErrors() async throws {
    let scratch = try Scratch()
    let (file, wrong) = (scratch.file("night.json5"), scratch.file("wrong.json5"))
    try Files.write(scenario(), to: file)
    try Files.write("{", to: wrong)
    func part(_ index: Int, into out: String, _ more: [String] = []) async -> Int32 {
      let words = ["run", file, wrong, "--out", out, "--quiet", "--shard", "\(index)/2"]
      return await program(words + more).code
    }
    let out = scratch.file("out")
    for index in 1...2 { #expect(await part(index, into: out) == 65) }
    let page = await program(["report", out])
    #expect(page.code == 0 && page.error.isEmpty, "\(page)")
    // What stops at the file that cannot be read has carried out no part.
    #expect(await part(2, into: scratch.file("fast"), ["--fail-fast"]) == 65)
    #expect(!FileManager.default.fileExists(atPath: scratch.file("fast")))
  }
}
