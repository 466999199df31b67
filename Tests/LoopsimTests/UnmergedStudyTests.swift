import Foundation
import Testing

@testable import loopsim

/// A study that was planned or carried out, and of which there are no results yet.
@Suite("A study whose shards are not joined")
struct UnmergedStudyTests {
  @Test("Every command says what is missing, and ends with the code of a study that is not whole")
  func says() async throws {
    let scratch = try Scratch()
    let (file, folder) = (try SmallStudy.write(in: scratch), scratch.file("out"))
    let planned = await program(["study", "plan", file, "--out", folder, "--shards", "2"])
    #expect(planned.code == 0, "\(planned.error)")
    let commands = [
      ["study", "verify", folder], ["study", "report", folder], ["study", "runs", folder],
      ["study", "power", folder], ["report", folder, "-o", scratch.file("page.html")],
    ]
    func tell(_ words: String) async {
      for command in commands {
        let told = await program(command)
        #expect(told.code == 3, "\(command): \(told.error)")
        #expect(told.error.contains(words), "\(command): \(told.error)")
      }
    }
    await tell("missing")
    #expect(await program(["study", "run", folder]).code == 0)
    await tell("is not there yet. Join the shards with: loopsim study merge ")
    #expect(await program(["study", "merge", folder]).code == 0)
    let verified = await program(["study", "verify", folder, "--rerun", "99"])
    #expect(verified.output.hasSuffix(", and 5 units ran to the same rows\n"))
  }

  @Test("What two machines left goes together by copying it, as it is said where it lacks")
  func twoMachines() async throws {
    let scratch = try Scratch()
    let (file, here, there) = (
      try SmallStudy.write(in: scratch), scratch.file("here"), scratch.file("there")
    )
    _ = await program(["study", "plan", file, "--out", here, "--shards", "2"])
    try FileManager.default.copyItem(atPath: here, toPath: there)
    #expect(await program(["study", "run", here, "--shard", "0/2"]).code == 0)
    #expect(await program(["study", "run", there, "--shard", "1/2"]).code == 0)
    let lacking = await program(["study", "merge", here])
    #expect(lacking.code == 3)
    #expect(
      lacking.error.contains(
        "missing: 1. Run them, or copy what another machine left in shards/ into \(here)/shards, "
          + "then merge."), "\(lacking.error)")
    for name in try FileManager.default.contentsOfDirectory(atPath: "\(there)/shards") {
      try FileManager.default.copyItem(
        atPath: "\(there)/shards/\(name)", toPath: "\(here)/shards/\(name)")
    }
    #expect(await program(["study", "merge", here]).code == 0)
  }

  @Test("What was there to look at while shards were missing goes when the study is joined")
  func partialCases() async throws {
    let scratch = try Scratch()
    let (file, folder) = (try SmallStudy.write(in: scratch), scratch.file("out"))
    _ = await program(["study", "plan", file, "--out", folder, "--shards", "2"])
    #expect(await program(["study", "run", folder, "--shard", "0/2"]).code == 0)
    #expect(await program(["study", "merge", folder, "--partial"]).code == 0)
    let partial = "\(folder)/results.partial.cases.csv"
    #expect(FileManager.default.fileExists(atPath: partial))
    #expect(await program(["study", "run", folder]).code == 0)
    #expect(await program(["study", "merge", folder]).code == 0)
    #expect(FileManager.default.fileExists(atPath: "\(folder)/results.cases.csv"))
    #expect(!FileManager.default.fileExists(atPath: partial))
  }

  @Test("A damaged shard is named also before the shards are joined")
  func damagedShard() async throws {
    let scratch = try Scratch()
    let (file, folder) = (try SmallStudy.write(in: scratch), scratch.file("out"))
    _ = await program(["study", "plan", file, "--out", folder, "--shards", "2"])
    #expect(await program(["study", "run", folder]).code == 0)
    let rows = "out/shards/00001-of-00002.cases.csv"
    try Files.write(scratch.text(of: rows) + "x\n", to: scratch.file(rows))
    let told = await program(["study", "verify", folder])
    #expect(told.code == 65)
    #expect(told.error.contains("\(rows): its content is not what its manifest says"))
    #expect(!told.error.contains("results."))
  }

  @Test("A plan that is there in another number of shards is no other plan")
  func otherShards() async throws {
    let scratch = try Scratch()
    let (file, folder) = (try SmallStudy.write(in: scratch), scratch.file("out"))
    #expect(await program(["study", "plan", file, "--out", folder, "--shards", "2"]).code == 0)
    let other = await program(["study", "plan", file, "--out", folder, "--shards", "3"])
    #expect(other.code == 65)
    #expect(other.error.contains("holds this plan already, in 2 shards and not in 3."))
    #expect(other.error.contains("Give --shards 2, or choose another folder."))
    // Another study is another plan.
    try Files.write(
      String(decoding: Files.read(file), as: UTF8.self).replacing("'30m'", with: "'35m'"),
      to: file)
    let changed = await program(["study", "plan", file, "--out", folder, "--shards", "2"])
    #expect(changed.code == 65 && changed.error.contains("holds another plan already."))
  }

  @Test("A number that no study has is refused before anything is written")
  func numbers() async throws {
    let scratch = try Scratch()
    let (file, folder) = (try SmallStudy.write(in: scratch), scratch.file("out"))
    for shards in ["--shards=0", "--shards=-4", "--shards=100001"] {
      for command in [["study", file], ["study", "plan", file]] {
        let told = await program(command + ["--out", folder, shards])
        #expect(told.code == 64)
        #expect(told.error.contains("The number of shards must be from 1 to 100000."))
      }
    }
    let plan = ["study", "plan", file, "--out", folder, "--follows"]
    #expect(await program(plan + ["the first one"]).code == 64)
    #expect(try !scratch.names.contains("out"))
    let digest = String(repeating: "0a", count: 32)
    #expect(await program(plan + [digest]).code == 0)
    #expect(try scratch.text(of: "out/plan.json").contains(digest))
    try FileManager.default.removeItem(atPath: folder)
    #expect(await program(["study", file, "--out", folder]).code == 0)
    #expect(await program(["study", "verify", folder, "--rerun=-1"]).code == 64)
    #expect(await program(["study", "runs", folder, "--worst", "0"]).code == 64)
    let both = await program(["study", "runs", folder, "--worst", "2", "--case", "1"])
    #expect(both.code == 64 && both.error.contains("Give one of them."), "\(both.error)")
  }

  @Test("A study is read without writing what stands there already, and a lost file comes back")
  func readsAlone() async throws {
    let scratch = try Scratch()
    let (file, folder) = (try SmallStudy.write(in: scratch), scratch.file("out"))
    #expect(await program(["study", file, "--out", folder]).code == 0)
    // A file that is written anew is another one with the same name.
    func files() throws -> [String: Int] {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      return try Dictionary(
        uniqueKeysWithValues: names.map { name in
          let facts = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
          return (name, facts[.systemFileNumber] as? Int ?? 0)
        })
    }
    let before = try files()
    #expect(before.count > 8)
    #expect(await program(["study", "report", folder]).code == 0)
    #expect(await program(["report", folder, "-o", scratch.file("page.html")]).code == 0)
    #expect(try files() == before)
    let text = try scratch.text(of: "out/results.text.txt")
    try FileManager.default.removeItem(atPath: folder + "/results.text.txt")
    #expect(await program(["study", "report", folder]).code == 0)
    #expect(try scratch.text(of: "out/results.text.txt") == text)
  }

  @Test("A flag for scenarios is refused beside a study's folder")
  func outside() async throws {
    let scratch = try Scratch()
    let (file, folder) = (try SmallStudy.write(in: scratch), scratch.file("out"))
    #expect(await program(["study", file, "--out", folder]).code == 0)
    for words in [["study", "power", folder], ["report", folder]] {
      let told = await program(words + ["--allow-outside"])
      #expect(told.code == 64 && told.output.isEmpty, "\(words): \(told.output)")
      #expect(
        told.error.contains("--allow-outside is for a scenario; \(folder) is a study"),
        "\(told.error)")
    }
    let named = await program(["study", "power", file, "--sd", "2", "--allow-outside"])
    #expect(named.code == 0, "\(named.error)")
  }

  @Test("Plan and start put a study at the same place, and not among kept results")
  func place() throws {
    let scratch = try Scratch()
    _ = try SmallStudy.write(in: scratch)
    let planned = try Binary.runByHand(["study", "plan", "study.json5"], in: scratch)
    #expect(planned.code == 0, "\(planned.error)")
    #expect(planned.output.hasSuffix("in Results/runs/studies/small\n"), "\(planned.output)")
    let started = try Binary.runByHand(["study", "study.json5"], in: scratch)
    #expect(started.code == 0, "\(started.error)")
    #expect(started.output.hasSuffix("results in Results/runs/studies/small\n"))
    let places = try FileManager.default.contentsOfDirectory(atPath: scratch.file("Results"))
    #expect(places == ["runs"])
  }
}
