import Foundation
import Testing

@testable import loopsim

/// Files of other programs, and what is said to those who bring them.
@Suite("Files of other programs")
struct ForeignFileTests {
  @Test("A file in the place of a subcommand is told as what it is")
  func fileInPlaceOfVerb() async throws {
    let scratch = try Scratch()
    let file = scratch.file("day.json5")
    try Files.write("{}", to: file)
    let bare = await program([file])
    #expect(bare.code == 64)
    #expect(
      bare.error.hasPrefix(
        "Error: '\(file)' is no subcommand, but the name of a file or a folder. Say first what to "
          + "do with it, such as 'loopsim run \(file)'.\n"))
    let imported = await program(["import", file])
    #expect(imported.code == 64)
    #expect(
      imported.error.hasPrefix(
        "Error: '\(file)' is no form, but the name of a file or a folder. Say whose form it has, "
          + "such as 'loopsim import tidepool \(file)': tidepool, tidepool-table or "
          + "loop-scenario.\n"))
  }

  @Test(
    "A program whose files are no scenarios is answered with the way that they go",
    arguments: [
      ("nightscout", "read them with 'loopsim audit FILE' or 'loopsim store import STORE FILE'."),
      ("oref0", "'oref0' has records of people, which are no scenarios:"),
      ("simglucose", "see \"Coming from another program\" in Scenarios/GUIDE.md."),
      ("tidepol", "Unknown subcommand 'tidepol'. Did you mean 'tidepool'?"),
    ])
  func otherPrograms(word: String, sentence: String) async throws {
    let result = await program(["import", word, "a.json"])
    #expect(result.code == 64)
    #expect(result.error.contains(sentence), "\(result.error)")
  }

  /// The table is that of the public variant of UVA/Padova as simglucose has it, cut to what
  /// distinguishes two of its adults for the model.
  @Test("A table of patients of UVA/Padova is a cohort over one of the published patients")
  func patientsOfUVAPadova() async throws {
    let scratch = try Scratch()
    let listed = await program(["patients", "adult#003", "--format", "csv"])
    let rows = listed.output.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let symbols = Set([
      "BW", "Gb", "Ib", "EGPb", "Vg", "k1", "k2", "kp2", "kp3", "ki", "Vmx", "Km0", "p2u", "kabs",
      "kmax", "kmin", "b", "d", "Vi", "m1", "m2", "ka1", "ka2", "kd", "ksc",
    ])
    let own = rows.filter { symbols.contains($0[2]) }
    #expect(own.count == symbols.count)
    // The table has a column that no patient here has, as others' tables do.
    try Files.write(
      "Name,\(own.map { $0[2] }.joined(separator: ",")),u2ss\n"
        + "somebody,\(own.map { $0[3] }.joined(separator: ",")),1.2\n",
      to: scratch.file("vpatient_params.csv"))
    let columns = own.map { "\($0[2]): 'patient.parameters.\($0[2])'" }.joined(separator: ", ")
    let day = """
      app: 'none', clock: { duration: '6h' }, events: [{ at: '01:00', meal: { grams: 45 } }] }
      """
    try Files.write(
      """
      { format: 'loopsim/1', id: 'table', patient: { model: 'uva-padova-s2008', name: 'adult#001' },
        cohort: { from: 'vpatient_params.csv', id: 'Name', columns: { \(columns) } }, \(day)
      """, to: scratch.file("table.json5"))
    try Files.write(
      """
      { format: 'loopsim/1', id: 'named', patient: { model: 'uva-padova-s2008', name: 'adult#003' },
        \(day)
      """, to: scratch.file("named.json5"))
    for name in ["table", "named"] {
      let result = await program(
        ["run", scratch.file("\(name).json5"), "--out", scratch.file("out")])
      #expect(result.code == 0, "\(result.error)")
    }
    let table = try scratch.text(of: "out/table/somebody/timeline.csv")
    let named = try scratch.text(of: "out/named/timeline.csv")
    #expect(table == named)
    #expect(table.split(separator: "\n").count == 74)
  }
}
