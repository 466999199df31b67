import Arguments
import RunPlans
import StructuredText
import Studies

/// Says how many patients a study needs.
struct StudyPowerCommand: Command {
  static let name = "power"
  static let abstract = "Say how many patients a study needs."
  static let discussion = """
    The table goes by the standard deviation of the patients' differences: --sd, or that of a \
    study that was done, for each of its primary end points. With a study's folder, power is also \
    simulated from its differences, so that their skew counts.
    """

  var place = ""
  var deviation: Double?
  var allowsOutside = false

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.place, help: "The scenario with the study, or the folder of one.")
    it.option("sd", \.deviation, help: "The standard deviation of the differences.")
    it.flag("allow-outside", \.allowsOutside, help: OutsideHelp.text)
  }

  /// The deviations that a table can be made of.
  private static let deviations = 1e-6...1e9

  func run(to console: any Console) async throws {
    if let deviation, deviation <= 0 {
      throw Failure(.usage, "--sd must be above 0: differences that do not vary need no table.")
    }
    if let deviation, !Self.deviations.contains(deviation) {
      let (least, most) = (Self.deviations.lowerBound, Self.deviations.upperBound)
      throw Failure(
        .usage,
        "--sd must be from \(StudyNumber.fixed(least, 6)) to \(StudyNumber.fixed(most, 0)), not "
          + "\(deviation).")
    }
    guard let isFolder = Files.isFolder(place) else {
      throw Failure(.badInput, "There is no file or folder \"\(place)\".")
    }
    guard isFolder else {
      guard let deviation else {
        throw Failure(
          .usage, "Give --sd, the standard deviation of the differences, or a study's folder.")
      }
      let planning = try StudyPlanning(place, isStrict: false, allowsOutside: allowsOutside)
      let problems = ProblemList()
      guard let study = StudyProtocol(planning.plan, digest: "", problems: problems),
        let first = study.design.primary.first
      else { throw Failure(problems.sorted) }
      try refuseSampled(study)
      table(first, deviation, study.goalConfidence, to: console)
      return
    }
    try OutsideHelp.refuse(allowsOutside, beside: place, "a study's folder")
    let folder = StudyFolder(path: place)
    let results = StudyResults(folder: folder, planned: try folder.load())
    try refuseSampled(results.planned.study)
    try results.confirmCases()
    let analysis = try results.analysis().analysis
    guard let comparison = analysis.comparisons.first, let first = comparison.results.first
    else { throw Failure(.badInput, "\(place): the study compares nothing.") }
    if deviation == nil, let obstacle = Self.obstacle(first) {
      throw Failure(.badInput, "\(place): \(obstacle). Give --sd.")
    }
    if analysis.comparisons.count > 1 {
      console.print(
        "Of \(analysis.comparisons.count) comparisons the first: \(comparison.name) against "
          + comparison.control)
    }
    // A deviation that is given is that of one end point.
    let others = comparison.results.dropFirst().filter { $0.endPoint.role == .primary }
    for result in [first] + (deviation == nil ? others : []) {
      size(result, analysis.goalConfidence, to: console)
    }
  }

  /// Why the differences of an end point give no size.
  private static func obstacle(_ result: EndPointResult) -> String? {
    switch result.differences?.count ?? 0 {
    case 0: "no patient has a difference"
    case 1: "one patient alone has a difference"
    default:
      result.differences?.standardDeviation ?? 0 > 0 ? nil : "the differences do not vary"
    }
  }

  /// Prints how many patients an end point of a study needs, and its power by simulation.
  private func size(_ result: EndPointResult, _ confidence: Double, to console: any Console) {
    let obstacle = Self.obstacle(result)
    let found = obstacle == nil ? result.differences?.standardDeviation : nil
    guard let deviation = deviation ?? found else {
      let point = result.endPoint
      console.print("\(EndPointWords(point).name) (\(point.id)): \(obstacle ?? "")")
      return
    }
    table(result.endPoint, deviation, confidence, to: console)
    guard let goal = result.endPoint.goal else { return }
    guard obstacle == nil, let differences = result.differences else {
      console.print("No power by simulation: \(obstacle ?? "")")
      return
    }
    console.print("Power by simulation from \(differences.count) differences (2,000 studies)")
    for count in [10, 20, 30, 50, 100] {
      let power = StudySize.simulatedPower(
        count: count, pilot: differences, goal: goal, better: result.endPoint.better,
        confidence: confidence)
      let percent = StudyNumber.fixed(power.map { $0 * 100 }, 1)
      console.print("  \(WordList.counted(count, "patient"))  \(percent) %")
    }
  }

  private func refuseSampled(_ study: StudyProtocol) throws {
    guard study.design.sampled != nil else { return }
    throw Failure(
      .badInput,
      "\(place): a sampled sweep compares no arms, so that there are no differences to size it by.")
  }

  /// By what the numbers of patients go, for each goal.
  private static func measure(_ goal: Goal?) -> String {
    switch goal?.kind {
    case .noninferior: "by how far the true difference lies within the margin"
    case .equivalent: "by the margin, where nothing differs"
    case .superior where goal != .superior(by: 0):
      "by how far the true benefit lies beyond the amount"
    default: "by what is to be seen"
    }
  }

  private func table(
    _ point: StudyEndPoint, _ deviation: Double, _ confidence: Double, to console: any Console
  ) {
    let words = EndPointWords(point)
    let steps = [2, 1, 0.5, 0.2, 0.1]
    // The least of the steps, a tenth, still has two digits.
    var (decimals, thousandths) = (3, 100 * deviation)
    while thousandths < 10, decimals < 12 {
      decimals += 1
      thousandths *= 10
    }
    func shown(_ amount: Double) -> String {
      words.difference(StudyNumber.fixed(amount, decimals))
    }
    console.print(
      "\(words.name) (\(point.id)): standard deviation of the differences \(shown(deviation))")
    let level = "\(StudyNumber.confidence(confidence)) % confidence"
    console.print("Patients for a power of 90 % at \(level), \(Self.measure(point.goal))")
    for step in steps {
      let count = StudySize.count(
        ratio: step, power: 0.9, confidence: confidence, goal: point.goal ?? .superior(by: 0))
      console.print(
        "  \(shown(step * deviation))  "
          + (count.map { WordList.counted($0, "patient") } ?? "too many"))
    }
    console.print("Patients for an interval of \(level) of so much on each side")
    for step in steps {
      let count = StudySize.count(forHalfWidthRatio: 1 / step, confidence: confidence)
      console.print(
        "  \(shown(step * deviation))  "
          + (count.map { WordList.counted($0, "patient") } ?? "too many"))
    }
  }
}
