import RunPlans
import Testing

@Suite("Where each value of a run was written")
struct OriginTests {
  @Test("Items are named by ids that an address can name, and else by their places")
  func names() throws {
    let read = Read(
      "events: [{ id: '1', at: '06:00' }, { at: '07:00' }, { id: 'a]', at: '08:00' }, "
        + "{ id: 'b', at: '09:00' }]")
    let paths = try #require(read.plan).run(at: 0).origins.map(\.path)
    #expect(
      paths.filter { $0.hasSuffix(".at") }
        == ["events[0].at", "events[1].at", "events[2].at", "events[b].at"])
    #expect(Set(paths).count == paths.count)
  }
}
