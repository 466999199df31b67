import RunPlans
import Testing

@Suite("Seeds of runs")
struct RunSeedTests {
  /// Computed apart from this program, with SplitMix64 and FNV-1a in Python.
  @Test(
    "The seed of a patient follows from the scenario's, the repetition and the id",
    arguments: [
      (0, "adult-001", 0x2fb6_1b01_68d0_5f13 as UInt64),
      (0, "adult-002", 0xfd2e_6f35_a560_5076),
      (1, "adult-001", 0xc986_a291_f417_ca71),
      (0, "adult-001/b", 0x74fa_e7df_adb6_c40f),
    ] as [(Int, String, UInt64)])
  func seeds(replicate: Int, patient: String, expected: UInt64) {
    #expect(RunSeed.value(seed: 7, replicate: replicate, patient: patient) == expected)
  }
}
