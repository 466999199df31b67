import Dosing
import Quantities
import Testing

/// Numbers of the original program, LoopKit/LoopAlgorithm at 2f5c630, for one input.
@Suite("A complete run gives the original's numbers")
struct CompleteRunTests {
  let output = LoopAlgorithm.run(WorkedExample.input)

  func at(_ hour: Int, _ minute: Int, _ second: Int = 0) -> Instant {
    WorkedExample.at(hour, minute, second)
  }

  @Test("Insulin and carbs on board, and the recommendation")
  func recommendation() throws {
    #expect(agree(try #require(output.activeInsulin), 1.8577865935140045))
    #expect(agree(try #require(output.activeCarbs), 17.513828328897283))
    let dose = try #require(output.automatic)
    #expect(dose.basalAdjustment == .init(unitsPerHour: 1, duration: .minutes(30)))
    #expect(dose.direction == .increase)
    #expect(agree(try #require(dose.bolusUnits), 0.8545052260924777))
  }

  @Test("Doses are cut where the basal schedule changes")
  func doses() {
    let doses = output.dosesRelativeToBasal
    #expect(doses.map(\.startDate) == [at(10, 45), at(11, 0), at(11, 16), at(11, 30)])
    #expect(doses.map(\.endDate) == [at(11, 0), at(11, 15), at(11, 17, 30), at(12, 0)])
    #expect(agree(doses.map(\.volume), [0.45, 0.45, 2.35, 0]))
    #expect(
      doses.map(\.type) == [
        .basal(scheduledRate: 0.8), .basal(scheduledRate: 1), .bolus, .basal(scheduledRate: 1),
      ])
  }

  @Test(
    "The insulin effect",
    arguments: [
      (10, 45, 0), (10, 50, 0), (11, 0, -0.01004126427035327), (11, 20, -0.4762820801204648),
      (11, 30, -1.4148704103915128), (12, 0, -19.968868830695747), (12, 30, -46.16653867849934),
      (13, 0, -69.24281849756343), (15, 0, -110.9996301002854), (18, 10, -115),
    ])
  func insulinEffect(hour: Int, minute: Int, expected: Double) throws {
    #expect(output.effects.insulin.count == 90)
    let value = try #require(output.effects.insulin.quantity(at: at(hour, minute)))
    #expect(agree(value, expected, to: 1e-12))
  }

  @Test("Counteraction of insulin")
  func counteraction() {
    let expected = [
      -0.006389563275889707, -0.0028579268506329636, 0.007373999174390579,
      0.020923456224996334, 0.03220517154257383, 0.03839133825535603, 0.04491564401062812,
      0.04340919489014084, 0.04172457942850305, 0.03628989418654303, 0.03382617266821153,
    ]
    let velocities = output.effects.insulinCounteraction
    #expect(agree(velocities.map(\.mgdLPerSecond), expected, to: 1e-14))
    #expect(velocities.map(\.startDate) == WorkedExample.glucose.dropLast().map(\.date))
    #expect(velocities.map(\.endDate) == WorkedExample.glucose.dropFirst().map(\.date))
  }

  @Test("What was observed of the meal")
  func carbStatus() throws {
    let status = try #require(output.effects.carbStatus.first)
    #expect(agree(status.estimatedTimeRemaining, 6446.5502366017))
    #expect(agree(status.remaining, 18.50148264988494))
    #expect(status.observedDuration == .seconds(2_470))
    #expect(agree(status.timeToAbsorbObservedCarbs, 4353.4497633983))
    let timeline = try #require(status.observedTimeline)
    #expect(timeline.first?.startDate == at(11, 19, 10))
    let expected = [
      1.25540737349978, 1.9323102925544298, 2.3188368306235043, 2.676972383033436,
      2.6045516934084505, 2.503474765710183, 2.1773936511925815, 2.0295703600926918,
    ]
    #expect(agree(timeline.map(\.grams), expected))
  }

  @Test(
    "The carb effect",
    arguments: [
      (11, 25, 6.2770368674989), (11, 30, 15.938588330271049), (12, 0, 88.72715465180987),
      (12, 5, 96.13456205921729), (12, 30, 131.69576113945325), (13, 0, 162.12004292218327),
      (14, 0, 180),
    ])
  func carbEffect(hour: Int, minute: Int, expected: Double) throws {
    #expect(output.effects.carbs.count == 61)
    #expect(output.effects.carbs.first?.startDate == at(9, 0))
    let value = try #require(output.effects.carbs.quantity(at: at(hour, minute)))
    #expect(agree(value, expected))
  }

  @Test("Discrepancies, summed, and their correction")
  func retrospection() throws {
    let summed = output.effects.retrospectiveGlucoseDiscrepancies
    #expect(summed.first?.startDate == at(11, 14, 11))
    #expect(agree(summed.prefix(2).map(\.mgdL), [-0.8573780551898891, 1.3548216971272848]))
    let last = [
      1.367870308637819, 2.2252483638277223, 0.01304861151052883, -1.2215192897240392,
    ]
    #expect(agree(summed.suffix(4).map(\.mgdL), last))
    #expect(
      summed.suffix(4).map(\.startDate) == [
        at(11, 14, 11), at(11, 19, 10), at(11, 24, 10), at(11, 29, 10),
      ])
    let total = try #require(output.effects.totalRetrospectiveCorrectionEffect)
    #expect(agree(total.mgdL, -1.2215192897240392))
    let effect = output.effects.retrospectiveCorrection
    #expect(effect.count == 13)
    for (hour, minute, value) in [
      (11, 55, 209), (12, 0, 208.96478364000586), (12, 5, 208.76428173638953),
      (12, 30, 208.03939023869975), (12, 55, 207.77719544166303),
    ] {
      #expect(agree(try #require(effect.quantity(at: at(hour, minute))), value))
    }
  }

  @Test("Momentum")
  func momentum() {
    let momentum = output.effects.momentum
    #expect(momentum.first?.startDate == at(11, 55))
    let expected = [
      0, 1.0833333333333335, 7.583333333333334, 14.083333333333334, 20.583333333333336,
    ]
    #expect(agree(momentum.map(\.quantity), expected, to: 1e-13))
  }

  @Test(
    "The prediction",
    arguments: [
      (11, 59, 10, 209), (12, 0, 0, 210.08333333333334), (12, 5, 0, 216.38290721803156),
      (12, 10, 0, 221.45386039776952), (12, 15, 0, 225.29456743863102),
      (12, 20, 0, 228.05139994638174), (12, 30, 0, 232.60457051955032),
      (13, 0, 0, 239.69037768617952), (14, 0, 0, 228.09840852599672),
      (15, 0, 0, 215.81352316127428), (18, 0, 0, 211.8128412511747),
      (18, 10, 0, 211.8131532615597), (18, 12, 30, 211.8131532615597),
    ])
  func prediction(hour: Int, minute: Int, second: Int, expected: Double) throws {
    #expect(output.predictedGlucose.count == 77)
    let value = try #require(output.predictedGlucose.quantity(at: at(hour, minute, second)))
    #expect(agree(value, expected, to: 1e-12))
  }
}
