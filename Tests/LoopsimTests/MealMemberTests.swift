import Foundation
import Testing

@testable import loopsim

/// Carbohydrates that are one nutrient of a meal, and so the member of a correlation.
@Suite("Carbohydrates of a meal of several nutrients")
struct MealMemberTests {
  /// A store with a meal of 40 g and one of 7 g, of which the first has 12 g of protein as well.
  private func store() async throws -> StoreFixture {
    let fixture = try StoreFixture()
    for words in [
      ["Food", "DietaryCarbohydrates=40,DietaryProtein=12", "--at", "2026-01-01T02:00:00Z"],
      ["DietaryCarbohydrates", "7", "--at", "2026-01-01T03:00:00Z"],
    ] {
      let added = await fixture.run(words: ["add", fixture.path] + words)
      #expect(added.code == 0, "\(added.error)")
    }
    return fixture
  }

  @Test(
    "They are exported in every form, also where only carbohydrates are asked for",
    arguments: ["apple-health", "tidepool", "nightscout"],
    [[], ["--type", "DietaryCarbohydrates"]])
  func exported(format: String, words: [String]) async throws {
    let fixture = try await store()
    let (file, copy) = (fixture.folder + "/other.txt", fixture.folder + "/copy.sqlite")
    let written = await fixture.run(
      words: ["export", fixture.path, file, "--format", format] + words)
    #expect(written.code == 0, "\(written.error)")
    let read = await fixture.run("import", copy, file)
    #expect(read.code == 0, "\(read.error)")
    let sum = await fixture.run("statistics", copy, "DietaryCarbohydrates", "--format", "csv")
    let row = try #require(sum.output.split(separator: "\n").dropFirst().first)
    let cells = row.split(separator: ",", omittingEmptySubsequences: false)
    #expect(cells[3] == "2" && cells[4] == "47", "\(sum.output)")
  }

  @Test("An audit of the store counts them, as one of its export does")
  func audited() async throws {
    let fixture = try await store()
    let file = fixture.folder + "/export.xml"
    #expect(await fixture.run("export", fixture.path, file).code == 0)
    for record in [fixture.path, file] {
      let audit = await program(["audit", record, "--zone", "UTC"])
      #expect(audit.output.contains("4 samples of insulin, 2 of food"), "\(audit.output)")
      #expect(audit.output.contains("+47 g (Health)"), "\(audit.output)")
    }
  }
}
