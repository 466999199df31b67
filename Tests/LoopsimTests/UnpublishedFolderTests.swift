import FileSystem
import FoundationEssentials
import RunPlans
import TestSupport
import Testing

@testable import loopsim

@Suite("Results that wait for the medium while other runs go on")
struct UnpublishedFolderTests {
  private static let scenario = """
    { format: 'loopsim/1', id: 'hour', clock: { duration: '1h' }, random: { replicates: 24 },
      patient: { model: 'tidepool-simple', initialGlucose: 120, needs: { basal: [['00:00', 1]],
        sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
      cgm: { model: 'ar1', noise: { sd: 4, phi: 0.7 } } }
    """

  private func written(at path: String) throws -> UnpublishedFolder {
    let folder = try OutputFolder(at: path)
    try folder.write("{}\n", named: "summary.json")
    return UnpublishedFolder(folder)
  }

  @Test("A folder is in its place when it is published, and not before")
  func publishes() async throws {
    let scratch = try Scratch()
    let folder = try written(at: scratch.file("result"))
    #expect(!FileManager.default.fileExists(atPath: scratch.file("result")))
    try await folder.publish()
    #expect(try scratch.names == ["result"])
    try await folder.publish()
    #expect(try scratch.names == ["result"])
  }

  @Test("A folder that is not published leaves nothing behind")
  func vanishes() throws {
    let scratch = try Scratch()
    do { _ = try written(at: scratch.file("result")) }
    #expect(try scratch.names.isEmpty)
  }

  @Test("What stands in the way of a folder is thrown where it is published")
  func fails() async throws {
    let scratch = try Scratch()
    let folder = try written(at: scratch.file("deep/result"))
    try FileManager.default.removeItem(atPath: scratch.file("deep"))
    await #expect(throws: FileProblem.self) { try await folder.publish() }
  }

  @Test(
    "Every run is handed over in its order, with its folder in its place", arguments: [1, 3, 16])
  func handsOver(jobs: Int) async throws {
    let scratch = try Scratch()
    try Files.write(Self.scenario, to: scratch.file("hour.json5"))
    let batch = await ScenarioBatch.reading([scratch.file("hour.json5")])
    let out = scratch.file("out")
    var order: [String] = []
    _ = try await ScenarioBatch.carryOut(
      batch.runs, jobs: jobs, seed: nil,
      keep: { run in
        guard let folder = try RunFolder.written(run, into: "\(out)/\(run.id)") else { return nil }
        return UnpublishedFolder(folder)
      }
    ) { run in
      order.append(run.id)
      #expect(FileManager.default.fileExists(atPath: "\(out)/\(run.id)/summary.json"))
      return true
    }
    #expect(order == batch.runs.map(\.run.id))
    #expect(NewFolder.names(in: "\(out)/hour").count == 24)
  }

  @Test("A folder that cannot be published ends the batch, and leaves nothing unfinished")
  func endsBatch() async throws {
    let scratch = try Scratch()
    try Files.write(Self.scenario, to: scratch.file("hour.json5"))
    let batch = await ScenarioBatch.reading([scratch.file("hour.json5")])
    let out = scratch.file("out")
    let failing = try #require(batch.runs.dropFirst(9).first).run.id
    await #expect(throws: FileProblem.self) {
      _ = try await ScenarioBatch.carryOut(
        batch.runs, jobs: 4, seed: nil,
        keep: { run in
          let place = run.id == failing ? "\(out)/gone/\(run.id)" : "\(out)/\(run.id)"
          guard let folder = try RunFolder.written(run, into: place) else { return nil }
          if run.id == failing { try NewFolder.removeTree("\(out)/gone") }
          return UnpublishedFolder(folder)
        }
      ) { _ in true }
    }
    let names = NewFolder.names(in: "\(out)/hour")
    #expect(!names.contains { $0.hasPrefix(".") })
    #expect(!names.contains(failing.replacing("hour/", with: "")))
  }
}
