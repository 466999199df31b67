import HealthStore
import Quantities
import Testing

@testable import Interchange

/// Food that an export of Apple Health holds in a correlation of which a part cannot be read.
@Suite("Correlations of Apple Health that are left out")
struct LeftOutCorrelationTests {
  private typealias Exports = AppleHealthTests

  private static let date = "2026-02-03 07:00:00 +0000"
  private static let carbs = Exports.record("DietaryCarbohydrates", "g", "30", at: date)
  private static let unknown = Exports.record("DietaryUnknown", "g", "5", at: date)

  private static func food(_ members: String...) -> String {
    """
    <Correlation type="HKCorrelationTypeIdentifierFood" sourceName="Loop" \
    creationDate="\(date)" startDate="\(date)" endDate="\(date)">
    \(members.joined(separator: "\n"))
    </Correlation>
    """
  }

  /// The grams that are handed out as records of their own, and those in correlations.
  private static func grams(
    _ records: String..., types: Set<ObjectType>? = nil
  ) throws -> (alone: [Double], inside: [Double], report: ImportReport) {
    let text =
      "<HealthData locale=\"en_US\">\n\(records.joined(separator: "\n"))\n</HealthData>"
    let read = try Exports.read(text, types: types)
    let samples = read.samples.map(\.sample)
    #expect(Set(samples.map(\.uuid)).count == samples.count)
    for total in read.reader.report.account.totals {
      #expect(read.reader.report.account.unexplained(of: total.quantity) == .zero)
    }
    return (
      samples.filter { $0.type == .dietaryCarbohydrates }.compactMap(\.storedValue),
      samples.flatMap(\.members).compactMap(\.storedValue), read.reader.report
    )
  }

  @Test("The carbohydrates stay, whether a copy of them stands beside the correlation or not")
  func keepsMembers() throws {
    let broken = Self.food(Self.carbs, Self.unknown)
    for records in [[broken], [broken, Self.carbs], [Self.carbs, broken]] {
      let read = try Self.grams(records.joined(separator: "\n"))
      #expect(read.alone == [30])
      #expect(read.inside.isEmpty)
      #expect(read.report.account.totals.map(\.amountIn.value) == [30])
      #expect(
        read.report.omissions.map(\.reason)
          == ["the type 'HKQuantityTypeIdentifierDietaryUnknown' is not known"])
    }
    // The unreadable member may stand before the other.
    #expect(try Self.grams(Self.food(Self.unknown, Self.carbs), Self.carbs).alone == [30])
    // A copy beside what is no part of the correlation is another meal.
    #expect(try Self.grams(broken, Self.carbs, Self.carbs).alone == [30, 30])
  }

  @Test("Copies of a correlation that stays are still copies")
  func keepsCopies() throws {
    let (whole, broken) = (Self.food(Self.carbs), Self.food(Self.carbs, Self.unknown))
    let known = try Self.grams(whole, Self.carbs)
    #expect(known.alone.isEmpty && known.inside == [30])
    for copies in [[Self.carbs], [Self.carbs, Self.carbs]] {
      let read = try Self.grams(whole, broken, copies.joined(separator: "\n"))
      #expect(read.alone == [30] && read.inside == [30])
    }
  }

  @Test("Carbohydrates are handed out although the meal that holds them is not asked for")
  func freesMembers() throws {
    let protein = Exports.record("DietaryProtein", "g", "9", at: Self.date)
    let meal = Self.food(Self.carbs, protein)
    for (records, grams) in [
      ([meal], [30.0]), ([meal, Self.carbs, protein], [30]), ([Self.carbs, protein, meal], [30]),
      // What is like a member and no copy is another meal.
      ([meal, Self.carbs, Self.carbs], [30, 30]),
    ] {
      let read = try Self.grams(
        records.joined(separator: "\n"), types: [.dietaryCarbohydrates])
      #expect(read.alone == grams)
      #expect(read.inside.isEmpty)
      #expect(read.report.account.totals.map(\.amountIn.value) == [grams.reduce(0, +)])
    }
    // Whoever takes over the meal later has its carbohydrates already.
    let text = Exports.export(meal)
    let alone = try Exports.read(text, types: [.dietaryCarbohydrates]).samples.map(\.sample.uuid)
    let members = try Exports.read(text).samples.flatMap(\.sample.members)
    #expect(alone == [members.first { $0.type == .dietaryCarbohydrates }?.uuid])
  }

  @Test("Nothing is handed out of a type that is not asked for")
  func keepsToTypes() throws {
    let read = try Self.grams(Self.food(Self.carbs, Self.unknown), types: [.food])
    #expect(read.alone.isEmpty && read.inside.isEmpty)
  }
}
