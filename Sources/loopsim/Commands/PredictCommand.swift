import Arguments
import Dosing
import Interchange
import StructuredText

/// Runs the Loop algorithm on one input file.
struct PredictCommand: Command {
  enum Format: String, CaseIterable, ArgumentValue {
    case loop
    case text
  }

  static let name = "predict"
  static let abstract = "Run the Loop algorithm on one input and print its prediction and dose."
  static let discussion = """
    INPUT is the JSON of LoopAlgorithm's runner: predictionStart, glucoseHistory, doses, \
    carbEntries, \
    basal, sensitivity, carbRatio, target, maxBolus, maxBasalRate and its options; - reads \
    standard \
    input. The format "loop" prints the runner's own output, errors of the algorithm included; \
    "text" \
    explains the decision.

    loopsim is not a medical device.
    """

  var input = ""
  var format = Format.loop

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("input", \.input, help: "The algorithm's input, a JSON file.")
    it.option("format", \.format, help: "How to print: as the runner does, or for a person.")
  }

  func run(to console: any Console) async throws {
    let bytes = try Files.read(input)
    guard !ScenarioText.isOne(bytes) else {
      throw Failure(
        .badInput,
        "\(input): error: This is a scenario, and no input of the algorithm. That of a cycle is "
          + "written by: loopsim replay \(ShellWord.quoted(input)) --at TIME --input FILE")
    }
    let reading = AlgorithmInputFile.read(bytes, file: input)
    console.note(reading.problems)
    guard let input = reading.input else { throw CommandLineError.exit(.badInput) }
    let output = LoopAlgorithm.run(input)
    switch format {
    case .loop: console.write(AlgorithmOutputFile.text(output), to: .output)
    case .text: console.write(DecisionExplanation.text(input, output), to: .output)
    }
  }
}
