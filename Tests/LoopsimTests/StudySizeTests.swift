import Foundation
import Studies
import StructuredText
import TestSupport
import Testing

@testable import loopsim

/// How many patients a study is told to need, where its goal or its arms are not the usual ones.
@Suite("The size of a study")
struct StudySizeTests {
  private static let base = """
    { format: 'loopsim/1', id: 'small', clock: { duration: '1h' }, random: { seed: 7 },
      patient: { model: 'tidepool-simple', initialGlucose: 120, floor: { glucose: 20 },
        needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
          carbRatio: [['00:00', 10]] } },
      cgm: { model: 'ar1', noise: { sd: 4, phi: 0.7 } },
      history: { glucose: { flat: 120 } },
      cohort: { from: 'people.csv', columns: { isf: 'patient.needs.sensitivity[0][1]' } },
    """
  private static let two = "variants: { plain: {}, high: { therapy: { suspendThreshold: 100 } } },"
  private static let three = """
    variants: { plain: {}, high: { therapy: { suspendThreshold: 100 } },
      target: { therapy: { target: [['00:00', [150, 160]]] } } },
    """

  private func scratch(_ body: String, patients: Int = 6) throws -> Scratch {
    let scratch = try Scratch()
    let people = (0..<patients).map { "p\($0),\(40 + $0 % 30)\n" }.joined()
    try Files.write("id,isf\n" + people, to: scratch.file("people.csv"))
    try Files.write("\(Self.base) \(body) }", to: scratch.file("study.json5"))
    return scratch
  }

  private static func goal(_ goal: String) -> String {
    "study: { control: 'plain', primary: [{ id: 'mean', metric: 'mean@cgm', better: 'lower', "
      + "\(goal) }] }"
  }

  @Test(
    "The numbers go by the goal, and by the confidence at which it is tested",
    arguments: [
      (two, "superior: true", "95 % confidence, by what is to be seen", [5, 13, 44]),
      (two, "equivalent: 5", "95 % confidence, by the margin, where nothing differs", [6, 16, 54]),
      (
        three, "noninferior: 5",
        "97.5 % confidence, by how far the true difference lies within the margin", [6, 16, 53]
      ),
    ])
  func goes(arms: String, goal: String, heading: String, counts: [Int]) async throws {
    let scratch = try scratch("\(arms) \(Self.goal(goal))")
    let told = await program(["study", "power", scratch.file("study.json5"), "--sd", "2"])
    #expect(told.code == 0, "\(told.error)")
    let lines = told.output.split(separator: "\n").map(String.init)
    #expect(lines[1] == "Patients for a power of 90 % at \(heading)")
    #expect(
      Array(lines[2...4])
        == zip(["4.000", "2.000", "1.000"], counts).map { "  \($0) mg/dL  \($1) patients" })
  }

  @Test("A deviation has digits however small it is, and is refused where it is out of reach")
  func extremes() async throws {
    let scratch = try scratch("\(Self.two) \(Self.goal("superior: true"))")
    func power(_ deviation: String) async -> (code: Int32, output: String, error: String) {
      await program(["study", "power", scratch.file("study.json5"), "--sd", deviation])
    }
    let small = await power("0.004")
    #expect(small.code == 0, "\(small.error)")
    // A tenth of it is 0.0004: two digits are five decimals.
    #expect(small.output.contains("\n  0.00800 mg/dL  5 patients\n"), "\(small.output)")
    #expect(small.output.contains("\n  0.00040 mg/dL  "), "\(small.output)")
    for deviation in ["1e308", "1e-300"] {
      let told = await power(deviation)
      #expect(told.code == 64)
      #expect(told.error.contains("--sd must be from 0.000001 to 1000000000"), "\(told.error)")
    }
  }

  @Test("A study that was done is sized by each of its primary end points")
  func everyGoal() async throws {
    let scratch = try scratch(
      """
      variants: { plain: {}, target: { therapy: { target: [['00:00', [150, 160]]] } } },
      study: { control: 'plain', primary: [
        { id: 'shown', metric: 'mean@cgm', better: 'lower', noninferior: 5 },
        { id: 'mean', metric: 'mean', better: 'lower', noninferior: 5 },
        { id: 'pen', metric: 'externalUnits', better: 'lower', noninferior: 1 }] }
      """)
    let out = scratch.file("out")
    #expect(await program(["study", scratch.file("study.json5"), "--out", out]).code == 0)
    let told = await program(["study", "power", out])
    #expect(told.code == 0, "\(told.error)")
    let heading = "Patients for a power of 90 %"
    #expect(told.output.components(separatedBy: heading).count == 3, "\(told.output)")
    #expect(told.output.contains("\nmean glucose (mean): standard deviation of the differences "))
    // Nobody injects anything.
    #expect(told.output.hasSuffix(" (pen): the differences do not vary\n"), "\(told.output)")
    // A deviation that is given is that of the first alone.
    let given = await program(["study", "power", out, "--sd", "2"])
    #expect(given.output.components(separatedBy: heading).count == 2, "\(given.output)")
  }

  @Test("A sampled sweep compares no arms, so that it has no size")
  func sampled() async throws {
    let scratch = try scratch(
      """
      sweep: { morris: { n: 2, of: { 'cgm.bias.offset': { uniform: [0, 20] } } } },
      app: { closedLoop: false },
      study: { primary: [{ id: 'mean', metric: 'mean@cgm', better: 'lower' }] }
      """)
    let told = await program(["study", "power", scratch.file("study.json5"), "--sd", "2"])
    #expect(told.code == 65)
    #expect(told.error.contains("a sampled sweep compares no arms"))
  }

  @Test("A study without differences says so, and is sized by a deviation that is given")
  func withoutDifferences() async throws {
    let scratch = try scratch(
      "variants: { plain: {}, same: { therapy: { maxBolus: 9 } } }, "
        + Self.goal("superior: true"), patients: 5)
    let out = scratch.file("out")
    let done = await program(["study", scratch.file("study.json5"), "--out", out])
    #expect(done.code == 0, "\(done.error)")
    let power = ["study", "power", out]
    let alone = await program(power)
    #expect(alone.code == 65)
    #expect(alone.error.contains("the differences do not vary. Give --sd."), "\(alone.error)")
    let sized = await program(power + ["--sd", "2"])
    #expect(sized.code == 0, "\(sized.error)")
    #expect(sized.output.contains("  2.000 mg/dL  13 patients"), "\(sized.output)")
    #expect(
      sized.output.hasSuffix("No power by simulation: the differences do not vary\n"))
    for wrong in ["--sd=0", "--sd=-3"] {
      let told = await program(power + [wrong])
      #expect(told.code == 64 && told.output.isEmpty, "\(told.output)")
      #expect(told.error.contains("--sd must be above 0"), "\(told.error)")
    }
  }

  @Test("A pilot of several comparisons sizes the widest, at the confidence that they share")
  func pilots() async throws {
    let wish = "control: 'plain', precision: { halfWidth: 0.4, pilot: 10 },"
    let whole = try scratch(
      "\(Self.three) \(Self.goal("noninferior: 5").replacing("control: 'plain',", with: wish))",
      patients: 300)
    let planned = await program([
      "study", "plan", whole.file("study.json5"), "--out", whole.file("out"),
    ])
    #expect(planned.code == 0, "\(planned.error)")
    let plan = JSONReader.read(try Files.read(whole.file("out/plan.json")), file: "plan").root
    // The pilot as a study of its own: the same ten people live the same days.
    let pilot = try scratch("\(Self.three) \(Self.goal("noninferior: 5"))", patients: 10)
    let done = await program([
      "study", pilot.file("study.json5"), "--out", pilot.file("out"),
    ])
    #expect(done.code == 0, "\(done.error)")
    let rows = try pilot.text(of: "out/results.patients.csv").split(separator: "\n").dropFirst()
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let sizes = try ["high - plain", "target - plain"].map { name in
      let values = rows.filter { $0[2] == name }.compactMap { Double($0[6]) }
      let differences = try #require(PairedDifferences(values))
      return try #require(
        StudySize.count(forHalfWidth: 0.4, pilot: differences, confidence: 97.5)
      ).count
    }
    #expect(plan?["patients"]?.integer == sizes.max().map(Int64.init), "\(sizes)")
  }

  /// One of ten differs: a skewness of 8/3, so that 25 × 64/9 = 177.8 patients are wanted.
  @Test("A pilot that asks for patients because of its skew says that no half width makes it less")
  func pilotOfSkew() async throws {
    let scratch = try scratch(
      """
      variants: { plain: {}, more: { events: [
        { at: '+10m', if: 'glucose.cgm < 90', injection: { units: 1 } }] } },
      study: { control: 'plain', precision: { halfWidth: 50, pilot: 10 }, primary: [
        { id: 'pen', metric: 'externalUnits', better: 'lower', noninferior: 1 }] }
      """)
    let people = (0..<40).map { "p\($0),50,\($0 == 3 ? 60 : 120)\n" }.joined()
    try Files.write("id,isf,start\n" + people, to: scratch.file("people.csv"))
    let text = try scratch.text(of: "study.json5").replacing(
      "columns: {", with: "columns: { start: 'patient.initialGlucose',")
    try Files.write(text, to: scratch.file("study.json5"))
    let planned = await program([
      "study", "plan", scratch.file("study.json5"), "--out", scratch.file("out"),
    ])
    #expect(planned.code == 65)
    #expect(
      planned.error.contains(
        "The pilot of 10 patients asks for 178 more; the cohort has 40. Enlarge it: the skew of "
          + "the pilot's differences asks for 178, whatever study.precision.halfWidth is "
          + "(25 × skewness²)."), "\(planned.error)")
  }
}
