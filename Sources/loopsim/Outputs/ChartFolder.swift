import Arguments
import Typesetting

/// Writes the charts of a page into a folder, where whatever else is in it stays.
enum ChartFolder {
  /// What the option `--svg` is for, in every command that has it.
  static let help = "Write each chart of the page to a file in this folder."

  /// Writes the charts; of two with one name the later gets a number.
  ///
  /// - Throws: ``Failure`` where there is no chart, and ``FileProblem``.
  static func write(_ figures: [PageFigure], to folder: String, _ console: any Console) throws {
    guard !figures.isEmpty else {
      throw Failure(.badInput, "There is no chart to write to \(folder).")
    }
    try Files.makeFolder(folder)
    var seen: [String: Int] = [:]
    for figure in figures {
      let count = (seen[figure.name] ?? 0) + 1
      seen[figure.name] = count
      let stem = figure.name.hasSuffix(".svg") ? String(figure.name.dropLast(4)) : figure.name
      let name = count == 1 ? figure.name : "\(stem)-\(count).svg"
      try Files.write(figure.text, to: "\(folder)/\(name)")
    }
    console.note("charts in \(folder)")
  }

  /// Writes the charts of what differs; where nothing does, a note says so by the words of
  /// `none`, such as "No chart differs".
  static func write(
    _ figures: [PageFigure], to folder: String?, none: String, _ console: any Console
  ) throws {
    guard let folder else { return }
    guard !figures.isEmpty else {
      return console.note("\(none): nothing is written to \(folder).")
    }
    try write(figures, to: folder, console)
  }
}
