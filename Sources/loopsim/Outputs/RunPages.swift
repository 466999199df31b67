import FoundationEssentials

/// The pages of runs, which are written into their folders and nowhere else.
enum RunPages {
  /// The first word that is no scenario but a place for a page, as `verify` and `study` have one.
  static func place(among words: [String]) -> String? {
    words.first { word in
      let name = word.lowercased()
      return isPage(word)
        || word != "-" && !name.hasSuffix(".json5") && !name.hasSuffix(".json")
          && !FileManager.default.fileExists(atPath: word)
    }
  }

  /// Whether a name ends as that of a page does.
  static func isPage(_ name: String) -> Bool {
    [".html", ".htm"].contains(where: name.lowercased().hasSuffix)
  }

  /// What to write in place of a word that is a place for a page.
  static func sentence(on place: String) -> String {
    "\"\(place)\" is no scenario, and --report of run takes no file: the page of each run is "
      + "\(RunFolder.page) in the run's folder, below --out. For a page elsewhere use "
      + "'loopsim report'."
  }
}
