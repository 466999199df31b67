import Devices
import Quantities
import TestSupport
import Testing

/// A sensor's name is a promise about its accuracy.
@Suite("Sensors and their labels")
struct LabelTests {
  /// The label's figure, in percent: the middle of what the makers state.
  private static let labels: [(id: String, mard: Double)] = [
    ("dexcomG7", 8.2), ("dexcomG7Days15", 8.0), ("libre1", 9.7), ("libre2", 9.25),
    ("libre2Plus", 8.2), ("libre3", 7.9), ("enlite", 13.6), ("guardian3", 9.65),
    ("guardian4", 10.5), ("eversenseE3", 8.5),
  ]

  private static func simulated(_ profile: SensorProfile, sensors: Int, days: Int64) -> Double {
    let study = AccuracyStudy(profile: profile, sensors: sensors, wear: .days(days), seed: 1)
    return AccuracyReport(study.run()).all.mard * 100
  }

  @Test("Sensors without a published model have the label's MARD within half a point")
  func calibrated() throws {
    for label in Self.labels {
      let profile = try #require(SensorProfile.named(label.id))
      #expect(abs(try #require(profile.simulatedMARD) - label.mard) <= 0.5)
      // What is stated is what is measured, of these as of those in the next test.
      guard Extent.isWhole else { continue }
      // Noise of the first order is the same on every day; a drawn drift needs the whole wear.
      let isDrifting = profile.id.hasPrefix("dexcom")
      let mard = Self.simulated(
        profile, sensors: isDrifting ? 40 : 20, days: isDrifting ? 15 : 3)
      #expect(abs(mard - label.mard) <= 0.5, "\(label.id): \(mard)")
    }
  }

  @Test("Every sensor says what the command would measure")
  func stated() throws {
    let labelled = Set(Self.labels.map(\.id))
    let others = SensorProfile.catalogue.filter { !labelled.contains($0.id) }
    for profile in Extent.some(of: others, every: others.count) {
      let stated = try #require(profile.simulatedMARD, "\(profile.id)")
      // As many sensors, worn as long, as by the command: the same figure, to its one decimal.
      let mard = Self.simulated(profile, sensors: 100, days: 10)
      #expect(abs(mard - stated) <= 0.0501, "\(profile.id): \(mard), stated \(stated)")
    }
  }

  @Test("A sensor without end is worn for ten days unless something else is asked for")
  func wear() {
    for profile in SensorProfile.catalogue where profile.isWithoutEnd {
      #expect(AccuracyStudy(profile: profile).wear == .days(10))
      #expect(AccuracyStudy(profile: profile, wear: .days(30)).wear == .days(30))
    }
    #expect(AccuracyStudy(profile: .libre2).wear == .days(14))
    #expect(AccuracyStudy(profile: .libre2, wear: .days(30)).wear == .days(14))
  }

  @Test("Errors times 0 are none, times 1 the same, and a stretched drift ends where it did")
  func scaling() {
    let model = AffineErrorModel.vettorettiEMBC2019
    let same = model.scaled(by: 1, stretching: .days(10), to: .days(10))
    #expect(same.gain(atDay: 7) == model.gain(atDay: 7))
    #expect(same.noiseDeviation == model.noiseDeviation)
    let none = model.scaled(by: 0, stretching: .days(10), to: .days(10))
    #expect(none.gain(atDay: 3) == 1 && none.offset(atDay: 3) == 0 && none.noiseDeviation == 0)
    let slow = model.scaled(by: 1, stretching: .days(10), to: .days(15))
    #expect(abs(slow.gain(atDay: 15) - model.gain(atDay: 10)) < 1e-12)
    #expect(abs(slow.offset(atDay: 7.5) - model.offset(atDay: 5)) < 1e-12)
  }
}
