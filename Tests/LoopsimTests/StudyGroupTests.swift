import Foundation
import Testing

@testable import loopsim

/// Groups on the page of a study in which some die, and some have no group.
@Suite("Groups on the page of a study")
struct StudyGroupTests {
  /// A unit of insulin lowers the glucose of a, b and c by at most 45 mg/dL, and kills d and e, who
  /// have no mean glucose then.
  @Test("The harmed of the groups add up, also of those without a value, and no group is named")
  func groupsAddUp() async throws {
    let scratch = try Scratch()
    try Files.write(
      "id,isf,group\na,40,adult\nb,45,adult\nc,45,\nd,300,adult\ne,300,kid\n",
      to: scratch.file("people.csv"))
    try Files.write(
      """
      { format: 'loopsim/1', id: 'groups', clock: { duration: '4h' }, app: 'none',
        patient: { model: 'tidepool-simple', initialGlucose: 120, floor: { glucose: 20 },
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } },
        cohort: { from: 'people.csv', columns: { isf: 'patient.needs.sensitivity[0][1]' } },
        variants: { plain: {}, unit: { events: [{ at: '+5m', id: 'unit',
          injection: { units: 1 } }] } },
        study: { control: 'plain', strata: 'group',
          primary: [{ id: 'mean', metric: 'mean', better: 'lower', noninferior: 10 }],
          safety: [{ id: 'low', metric: 'below(54)', better: 'lower', harm: { above: 1 } }] } }
      """, to: scratch.file("study.json5"))
    let done = await program([
      "study", scratch.file("study.json5"), "--out", scratch.file("out"), "--report",
      scratch.file("page.html"),
    ])
    #expect(done.code == 0, "\(done)")
    // Under one arm d and e have a value.
    let text = try scratch.text(of: "out/results.text.txt").replacing("\n", with: " ")
    #expect(
      text.contains(
        "Note  mean: 3 of 5 patients are compared; of the others no pair of runs has a value under "
          + "both arms."))
    let page = try scratch.text(of: "page.html")
    let card = try #require(page.components(separatedBy: ">Groups: ").last)
    let table = try #require(card.components(separatedBy: "</section>").first)
    let rows = table.components(separatedBy: "<tr").map { row in
      row.replacing(#/<svg.*?<\/svg>/#, with: "").split(separator: #/<t[dh]/#).map { cell in
        String(cell.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" })
      }
    }
    func row(_ name: String) -> [String]? { rows.first { $0.contains(name) } }
    #expect(row("adult")?.contains("2") == true && row("adult")?.last == "1", "\(rows)")
    #expect(row("no group")?.contains("1") == true && row("no group")?.last == "0", "\(rows)")
    #expect(row("kid")?.contains("0") == true && row("kid")?.last == "1", "\(rows)")
    #expect(row("All")?.contains("3") == true && row("All")?.last == "2", "\(rows)")
    #expect(page.contains("<h3>no group <span"))
  }
}
