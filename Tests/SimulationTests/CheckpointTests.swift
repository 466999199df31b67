import ClosedLoop
import Devices
import Quantities
import Simulation
import Testing

@Suite("Checkpoints and repetition")
struct CheckpointTests {
  private static func fixture(seed: UInt64) -> Fixture {
    var fixture = Fixture()
    fixture.basal = [(0, 1_000), (6, 1_200)]
    fixture.glucose = 190
    fixture.isClosedLoop = true
    fixture.strategy = seed % 2 == 0 ? .tempBasal : .automaticBolus
    fixture.sensor = .generic
    fixture.seed = seed
    fixture.duration = .hours(6)
    return fixture
  }

  @Test("A copied run goes on to the same bytes", arguments: [1, 17, 40] as [Int])
  func resumes(steps: Int) throws {
    var run = Run(try Self.fixture(seed: 3).setup())
    for _ in 0..<steps { _ = run.step() }
    var resumed = run
    while run.step() {}
    while resumed.step() {}
    let (first, second) = (run.finish(), resumed.finish())
    #expect(first.digest == second.digest)
    #expect(first.trace.rows == second.trace.rows)
    #expect(first.insulinSamples == second.insulinSamples)
  }

  @Test("The same seed gives the same digest, another seed another one")
  func seedDecides() throws {
    let first = try Self.fixture(seed: 4).result()
    let again = try Self.fixture(seed: 4).result()
    let other = try Self.fixture(seed: 6).result()
    #expect(first.digest == again.digest)
    #expect(first.digest != other.digest)
  }

  @Test("Rows come every five minutes from start to end")
  func rowsAreRegular() throws {
    let run = try Self.fixture(seed: 1).result()
    #expect(run.trace.rows.count == 73)
    #expect(run.trace.rows.first?.instant == .at(0))
    #expect(run.trace.rows.last?.instant == .at(6))
  }
}
