import Devices
import Quantities
import Testing

@Suite("Pumps of the catalogue")
struct PumpCatalogueTests {
  @Test("Omnipod 5 has the figures of its user guide")
  func omnipod5() throws {
    let pump = try #require(PumpProfile.named("omnipod5"))
    #expect(pump.pulse == .milliunits(50))
    #expect(!pump.basalRates.contains(0))
    #expect(pump.basalRates.contains(50) && pump.basalRates.contains(30_000))
    #expect(!pump.basalRates.contains(30_050))
    #expect(pump.maximumScheduleEntries == 24)
    #expect(pump.reservoirCapacity == .milliunits(200_000))
    #expect(pump.life?.end == .hours(80))
  }

  @Test("MockPump has the default figures of LoopKit's developers")
  func mockPump() throws {
    let pump = try #require(PumpProfile.named("mockPump"))
    #expect(pump.basalRates.contains(35_000) && pump.basalRates.contains(0))
    #expect(!pump.bolusVolumes.contains(150) && pump.bolusVolumes.contains(25_000))
    #expect(!pump.bolusVolumes.contains(50))
    #expect(pump.maximumScheduleEntries == 48)
  }

  @Test("Each id names one pump")
  func ids() {
    let ids = PumpProfile.catalogue.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(ids.allSatisfy { PumpProfile.named($0)?.id == $0 })
  }
}
