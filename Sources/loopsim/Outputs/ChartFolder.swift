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
    for (figure, name) in zip(figures, names(of: figures.map(\.name))) {
      try Files.write(figure.text, to: "\(folder)/\(name)")
    }
    console.note("charts in \(folder)")
  }

  /// The names of the files: a number behind a name that is given already, the first that no other
  /// chart has.
  static func names(of names: [String]) -> [String] {
    var taken = Set(names)
    var given: Set<String> = []
    return names.map { name in
      guard !given.insert(name).inserted else { return name }
      let stem = name.hasSuffix(".svg") ? String(name.dropLast(4)) : name
      var number = 2
      while !taken.insert("\(stem)-\(number).svg").inserted { number += 1 }
      return "\(stem)-\(number).svg"
    }
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
