import ClosedLoop
import Dosing
import Foundation
import Quantities
import Simulation
import StructuredText
import Testing

@testable import Scenarios

/// What the reference publishes is what a run is built from: ranges and defaults of every key.
@Suite("Ranges and defaults of the reference")
struct SchemaRangeTests {
  /// The place of values that stand in no file.
  private static let place = TextPosition(file: "probe", line: 1, column: 1)

  /// A value of a key to try, and whether it lies in the published range.
  private struct Probe {
    var value: JSONNode
    var isInside: Bool
    var text: String
  }

  private static func node(_ value: JSONNode.Value) -> JSONNode { JSONNode(value, at: place) }

  private static func probes(of shape: Shape) -> [Probe] {
    func number(_ value: Double) -> JSONNode {
      node(Int64(exactly: value).map { .integer($0) } ?? .number(value))
    }
    func numbers(_ range: ClosedRange<Double>, step: Double? = nil) -> [Probe] {
      let (low, high) = (range.lowerBound, range.upperBound)
      let beyond = step ?? (low > 0 ? low * 0.01 : (high - low) * 0.001)
      let above = step ?? (high - low) * 0.001
      var probes = [low, high].map { Probe(value: number($0), isInside: true, text: "\($0)") }
      guard high < 1e9 else { return probes }
      probes += [low - beyond, high + above].map {
        Probe(value: number($0), isInside: false, text: "\($0)")
      }
      return probes
    }
    func spans(_ range: ClosedRange<TimeSpan>) -> [Probe] {
      func text(_ span: TimeSpan) -> JSONNode { node(.string("\(span)")) }
      var probes = [range.lowerBound, range.upperBound].map {
        Probe(value: text($0), isInside: true, text: "\($0)")
      }
      guard range.upperBound < .days(36_525) else { return probes }
      probes += [range.lowerBound - .milliseconds(100), range.upperBound + .milliseconds(100)].map {
        Probe(value: text($0), isInside: false, text: "\($0)")
      }
      return probes
    }
    switch shape {
    case .number(let range, _), .law(let range, _), .glucose(let range),
      .glucoseChange(let range):
      return numbers(range)
    case .units(let range), .rate(let range): return numbers(range, step: 0.001)
    case .sensitivity: return numbers(Shape.sensitivities)
    case .carbRatio: return numbers(Shape.carbRatios)
    case .integer(let range):
      return [range.lowerBound, range.upperBound].map {
        Probe(value: node(.integer($0)), isInside: true, text: "\($0)")
      }
        + [range.lowerBound - 1, range.upperBound &+ 1].map {
          Probe(value: node(.integer($0)), isInside: false, text: "\($0)")
        }
    case .duration(let range), .durationLaw(let range): return spans(range)
    case .glucoseRange(let range):
      return probes(of: .glucose(range)).map { probe in
        let other = probe.value.double ?? 0
        let inner = min(max(other, range.lowerBound + 1), range.upperBound - 1)
        let pair = [other, inner].sorted().map { number($0) }
        return Probe(value: node(.array(pair)), isInside: probe.isInside, text: probe.text)
      }
    case .schedule(let value):
      return probes(of: value).map { probe in
        let entry = node(.array([node(.string("00:00")), probe.value]))
        return Probe(value: node(.array([entry])), isInside: probe.isInside, text: probe.text)
      }
    case .list(let item), .listOrOne(let item):
      return probes(of: item).map { probe in
        Probe(value: node(.array([probe.value])), isInside: probe.isInside, text: probe.text)
      }
    case .either(let shapes): return shapes.flatMap { probes(of: $0) }
    default: return []
    }
  }

  /// Whether a form reads a value, and whether the check of the file lets it pass.
  private static func isTaken<Value>(_ form: Form<Value>, _ node: JSONNode) -> [Bool] {
    let (reading, checking) = (ProblemList(), ProblemList())
    let field = Field(node, in: .plain, problems: reading)
    let isRead = form.read(field) != nil
    SchemaCheck(problems: checking).check(field.reporting(to: checking), form.shape)
    return [isRead && !reading.hasErrors, !checking.hasErrors]
  }

  /// Fails where a form takes other values than its shape says.
  private static func expect<Value>(_ form: Form<Value>) {
    let probes = probes(of: form.shape)
    #expect(!probes.isEmpty)
    for probe in probes {
      let isTaken = isTaken(form, probe.value)
      #expect(isTaken.allSatisfy { $0 == probe.isInside }, "\(form.shape.words): \(probe.text)")
    }
  }

  @Test("A form reads both ends of the range that the reference says, and nothing beyond them")
  func forms() {
    Self.expect(.number(0.05...20, "mg/dL"))
    Self.expect(.integer(1...1_000))
    Self.expect(.law(0.1...200, "g"))
    Self.expect(.glucose(20...600))
    Self.expect(.glucoseChange(-200...200))
    Self.expect(.glucoseRange(40...400))
    Self.expect(.units(0.001...50))
    Self.expect(.rate(0...35))
    Self.expect(Form<InsulinSensitivity>.sensitivity)
    Self.expect(Form<CarbohydrateRatio>.carbRatio)
    Self.expect(.duration(.minutes(1)...(.hours(1))))
    Self.expect(.durationLaw(.minutes(10)...(.hours(12))))
    Self.expect(.schedule(.rate(0...50)))
    Self.expect(.listOrOne(.units(0...1)))
    Self.expect(.either(.words([("none", 0.0)]), .number(2...3)))
  }

  @Test(
    "Keys of the expansion take both ends of their ranges",
    arguments: [
      ("random: { replicates: N }", 1, 1_000_000), ("random: { replicate: N }", 0, 999_999),
      ("budget: { maxRuns: N }", 1, 100_000_000), ("budget: { maxSeconds: N }", 0, 1_000_000_000),
    ] as [(String, Int, Int)])
  func rangesOfTheExpansion(text: String, low: Int, high: Int) {
    for (value, isInside) in [(low, true), (high, true), (low - 1, false), (high + 1, false)] {
      let body = text.replacingOccurrences(of: "N", with: "\(value)")
      let problems = ProblemList()
      var reader = ScenarioReader(
        files: MemoryFiles([
          "s.json5": """
          { format: 'loopsim/1', patient: { model: 'uva-padova-s2008', name: 'adult#001' },
            \(body)\(body.hasPrefix("budget") ? "" : ", budget: { maxRuns: 100000000 }") }
          """
        ]))
      _ = ScenarioCheck.plan("s.json5", reader: &reader, problems: problems)
      #expect(problems.hasErrors != isInside, "\(body): \(problems.sorted)")
    }
  }

  // MARK: - Which Loop

  @Test(
    "The algorithm's options are those that the named Loop has",
    arguments: [
      ("", false, "current"), ("algorithm: 'loop-algorithm'", false, "current"),
      ("algorithm: 'loop'", false, "current"), ("algorithm: 'loop-3'", false, "older"),
      ("algorithm: 'loop-3.4'", false, "older"), ("algorithm: 'tidepool'", true, "current"),
      ("algorithm: 'tidepool', midAbsorptionISF: false", false, "current"),
      ("midAbsorptionISF: true", true, "current"),
    ] as [(String, Bool, String)])
  func versions(app: String, isMid: Bool, generation: String) throws {
    let built = try BehaviourFixture.built(BehaviourFixture.text("", days: 1, app: app))
    let configuration = built.setup.app.configuration
    #expect(configuration.therapy.usesMidAbsorptionISF == isMid)
    #expect(configuration.generation.rawValue == generation)
    #expect(configuration.therapy.includesPositiveVelocityAndRC)
    #expect(!configuration.therapy.usesIntegralRetrospectiveCorrection)
  }
}
