import Arguments
import Studies

/// Prints the results of a study again.
struct StudyReportCommand: Command {
  static let name = "report"
  static let abstract = "Print the results of a study, and write its files anew from its cases."

  var folder = ""
  var page: String?

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("dir", \.folder, help: "The folder of the study.")
    it.destination(
      "report", \.page, valueName: "file", help: "Write a page of the study to this file.")
  }

  func run(to console: any Console) async throws {
    let place = StudyFolder(path: folder)
    try Files.keepFolder(folder, apartFrom: page)
    let results = StudyResults(folder: place, planned: try place.load())
    try results.confirmCases()
    for remark in try place.remarks() { console.note(remark) }
    try results.answer(to: console, isStrict: false, requires: false, page: page)
  }
}
