import Testing

@testable import loopsim

@Suite("The times that store import prints")
struct StoreImportZoneTests {
  @Test("They are those of the zone that is said, and else of UTC")
  func zone() async throws {
    let scratch = try Scratch()
    let table = scratch.file("night.csv")
    try Files.write(
      "time,glucose_mgdL\n2026-01-15 23:30:00,120\n2026-01-16 00:30:00,130\n", to: table)
    let chicago = await program([
      "store", "import", scratch.file("a.sqlite"), table, "--zone", "America/Chicago",
    ])
    #expect(chicago.code == 0, "\(chicago.error)")
    #expect(
      chicago.output.contains("2026-01-15T23:30:00-06:00  2026-01-16T00:30:00-06:00"),
      "\(chicago.output)")
    let utc = await program([
      "store", "import", scratch.file("b.sqlite"), table, "--zone", "UTC",
    ])
    #expect(utc.code == 0, "\(utc.error)")
    #expect(
      utc.output.contains("2026-01-15T23:30:00Z  2026-01-16T00:30:00Z"), "\(utc.output)")
  }
}
