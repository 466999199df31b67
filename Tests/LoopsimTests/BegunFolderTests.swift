import FileSystem
import FoundationEssentials
import HealthStore
import HealthStoreSQLite
import RunPlans
import Simulation
import TestSupport
import Testing

@testable import loopsim

@Suite("Folders that runs begin with their health stores")
struct BegunFolderTests {
  private static let scenario = """
    { format: 'loopsim/1', id: 'hour', clock: { duration: '1h' },
      patient: { model: 'tidepool-simple', initialGlucose: 120, needs: { basal: [['00:00', 1]],
        sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } } }
    """

  /// A run of an hour and its result, begun below a folder or not.
  private func carriedOut(
    in scratch: Scratch, below folder: String?
  ) async throws -> FinishedRun {
    try Files.write(Self.scenario, to: scratch.file("hour.json5"))
    let batch = await ScenarioBatch.reading([scratch.file("hour.json5")])
    var planned = try #require(batch.runs.first)
    if let folder { planned = planned.beginningFolder(below: folder) }
    return ScenarioBatch.carryOut(planned, seed: nil)
  }

  @Test("A run that begins its folder leaves the same files as one that writes them after its end")
  func leavesTheSame() async throws {
    let scratch = try Scratch()
    let (early, late) = (scratch.file("early/hour"), scratch.file("late/hour"))
    let begun = try await carriedOut(in: scratch, below: scratch.file("early"))
    #expect(begun.begun != nil)
    try RunFolder.write(begun, into: early)
    try RunFolder.write(try await carriedOut(in: scratch, below: nil), into: late)
    let names = NewFolder.names(in: late).sorted()
    #expect(NewFolder.names(in: early).sorted() == names)
    #expect(names.contains("health.sqlite"))
    for name in names where name != "health.sqlite" {
      #expect(try scratch.text(of: "early/hour/\(name)") == scratch.text(of: "late/hour/\(name)"))
    }
    let glucose = try [early, late].map { folder in
      try SQLiteHealthStore(reading: "\(folder)/health.sqlite")
        .samples(of: .bloodGlucose, as: .user)
    }
    #expect(glucose[0].count > 11)
    #expect(glucose[0] == glucose[1])
  }

  @Test("A begun folder that nobody takes over leaves nothing behind")
  func vanishes() async throws {
    let scratch = try Scratch()
    do { _ = try await carriedOut(in: scratch, below: scratch.file("out")) }
    #expect(NewFolder.names(in: scratch.file("out")).isEmpty)
  }

  @Test("What stands in the way of a begun folder is told where the rest is written")
  func tellsLater() async throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      atPath: scratch.file("out/hour"), withIntermediateDirectories: true)
    try Files.write("mine", to: scratch.file("out/hour/diary.txt"))
    let run = try await carriedOut(in: scratch, below: scratch.file("out"))
    #expect(run.begun == nil)
    #expect {
      try RunFolder.write(run, into: scratch.file("out/hour"))
    } throws: { "\($0)".contains("diary.txt") }
    #expect(try scratch.text(of: "out/hour/diary.txt") == "mine")
  }

  @Test("A run that is refused when it is over leaves no folder that was not there")
  func leavesNoFolder() throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      atPath: scratch.file("kept.csv"), withIntermediateDirectories: true)
    let text = Self.scenario.dropLast() + ", expect: [{ id: 'as-before', golden: 'kept.csv' }] }"
    try Files.write(String(text), to: scratch.file("hour.json5"))
    let words = ["run", "hour.json5", "--out", "new/results"]
    let refused = try Binary.runByHand(words, in: scratch)
    #expect(refused.code == 65, "\(refused.error)")
    #expect(try !scratch.names.contains("new"))
  }
}
