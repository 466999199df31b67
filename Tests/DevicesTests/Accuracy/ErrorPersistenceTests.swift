import Devices
import Quantities
import Testing

@Suite("Persistence of a CGM's errors")
struct ErrorPersistenceTests {
  private func measured(
    _ sensors: [[ErrorPersistence.Moment]], every period: TimeSpan = .minutes(5)
  ) -> ErrorPersistence {
    var persistence = ErrorPersistence()
    for moments in sensors { persistence.add(moments, every: period) }
    return persistence
  }

  @Test("Four errors by hand: 5/11 after one step, −1 after three, nothing beyond")
  func byHand() {
    // Products of neighbours 3·1, 1·(−1), (−1)·(−3): 5; squares on either side 9 + 1 + 1.
    let errors = [3.0, 1, -1, -3].map { ErrorPersistence.Moment.error($0) }
    let one = measured([errors])
    #expect(abs((one.autocorrelation(after: .minutes(5)) ?? 0) - 5.0 / 11) < 1e-12)
    #expect(one.autocorrelation(after: .minutes(15)) == -1)
    #expect(one.autocorrelation(after: .minutes(30)) == nil)
    #expect(one.due == 4 && one.missing == 0 && one.missingShare == 0)
    // What a sensor is off by all the time is no persistence, nor is it one among two sensors.
    let shifted = [13.0, 11, 9, 7].map { ErrorPersistence.Moment.error($0) }
    let two = measured([errors, shifted])
    #expect(abs((two.autocorrelation(after: .minutes(5)) ?? 0) - 5.0 / 11) < 1e-12)
  }

  @Test("What is missing or has no value is in no pair, and moves no reading to another time")
  func gaps() {
    let moments: [ErrorPersistence.Moment] = [
      .error(2), .missing, .withoutValue, .error(-2), .missing,
    ]
    let persistence = measured([moments])
    #expect(persistence.autocorrelation(after: .minutes(5)) == nil)
    #expect(persistence.autocorrelation(after: .minutes(15)) == -1)
    #expect(persistence.due == 5 && persistence.missing == 2)
    #expect(persistence.missingShare == 0.4)
    #expect(measured([]).missingShare == nil)
  }

  @Test("A span that is no multiple of the sensor's period has no pair")
  func periods() {
    let errors = [1.0, -1, 1, -1, 1].map { ErrorPersistence.Moment.error($0) }
    let persistence = measured([errors], every: .minutes(15))
    #expect(persistence.autocorrelation(after: .minutes(5)) == nil)
    #expect((persistence.autocorrelation(after: .minutes(15)) ?? 0) < -0.9)
    #expect((persistence.autocorrelation(after: .minutes(30)) ?? 0) > 0.9)
  }

  @Test("Noise of the first order that fades over 40 minutes keeps e^(−t/40) of itself")
  func simulated() throws {
    let study = AccuracyStudy(profile: .generic, sensors: 10, wear: .days(10), seed: 1)
    let result = study.result()
    #expect(result.pairs == study.run())
    // e^(−1/8), e^(−3/8), e^(−3/4) and e^(−3/2).
    let law = [(5, 0.882), (15, 0.687), (30, 0.472), (60, 0.223)] as [(Int64, Double)]
    for (minutes, published) in law {
      let found = try #require(result.persistence.autocorrelation(after: .minutes(minutes)))
      #expect(abs(found - published) < 0.06, "\(minutes) min: \(found)")
    }
    // One reading each five minutes, that of the insertion included, and all of them come.
    #expect(result.persistence.due == 10 * 2_881 && result.persistence.missing == 0)
    let independent = AccuracyStudy(profile: .mard9, sensors: 4, wear: .days(5)).result()
    let found = try #require(independent.persistence.autocorrelation(after: .minutes(5)))
    #expect(abs(found) < 0.06, "\(found)")
  }

  @Test("Nothing is due in the warm-up")
  func warmUp() {
    var profile = SensorProfile.ideal
    profile.warmUp = .hours(2)
    let study = AccuracyStudy(profile: profile, sensors: 1, wear: .days(1))
    #expect(study.result().persistence.due == 289 - 24)
  }

  @Test("A sensor that loses contact is missing the share that it loses")
  func lostContact() {
    var profile = SensorProfile.ideal
    profile.artefacts.gaps = SensorArtefacts.Gaps()
    let study = AccuracyStudy(profile: profile, sensors: 2, wear: .days(10))
    let persistence = study.result().persistence
    let share = persistence.missingShare ?? 0
    #expect(share > 0 && share < 0.1, "\(share)")
  }
}
