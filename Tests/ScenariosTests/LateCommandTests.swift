import HealthStore
import Quantities
import Simulation
import Testing

/// A command from afar waits for a phone that is off.
@Suite("Commands that come later than they were to")
struct LateCommandTests {
  /// The seconds after 08:00 at which the app takes 20 g for eaten that a carer sends then, 5
  /// seconds before they arrive at a phone that is off until 08:20.
  private static func eaten(_ rest: String) throws -> [Double] {
    let result = try BehaviourFixture.result(
      BehaviourFixture.text(
        """
        events: [{ at: '07:58', phone: 'off' }, { at: '08:20', phone: 'on' },
          { at: '08:00', remote: { carbs: 20, expires: '30m' \(rest) } }]
        """, days: 1))
    return try result.store.samples(of: .dietaryCarbohydrates, as: .user).map {
      ($0.start - result.start).seconds - 28_800
    }
  }

  @Test("Food is dated by the command's arrival, unless it is stated when it is eaten")
  func carbs() throws {
    // The push service tries again every minute after 08:00:05.
    #expect(try Self.eaten("") == [1_205])
    #expect(try Self.eaten(", eatenAt: '+10m'") == [600])
  }
}
