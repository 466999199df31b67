import Foundation
import Testing

@testable import loopsim

@Suite("The record of a run, judged as that of a person")
struct RunRecordTests {
  /// A day in Chicago on 0.4 U/h, during two hours of which another app writes 5 U of basal, with a
  /// measurement of a meter.
  private static let scenario = """
    {
      format: 'loopsim/1',
      clock: { start: '2026-01-15T00:00:00', timeZone: 'America/Chicago' },
      patient: {
        model: 'tidepool-simple', initialGlucose: 110,
        needs: {
          basal: [['00:00', 0.4]], sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]],
        },
      },
      app: { closedLoop: false },
      events: [{
        at: '08:00',
        healthStore: { write: { basal: 5, duration: '2h', source: 'Other' } },
      }, { at: '12:00', fingerstick: { value: 110 } }],
    }
    """

  private static func folder(in scratch: Scratch) async throws -> String {
    let file = scratch.file("day.json5")
    try Files.write(scenario, to: file)
    let run = await program(["run", file, "--out", scratch.file("out"), "--quiet"])
    #expect(run.code == 0, "\(run.error)")
    return scratch.file("out/day")
  }

  @Test("Days begin by the clock of the run, which stands beside its store")
  func zone() async throws {
    let scratch = try Scratch()
    let folder = try await Self.folder(in: scratch)
    for path in [folder, folder + "/health.sqlite"] {
      let audit = await program(["audit", path])
      // 24 h at 0.4 U/h and the 5 U, in one day that begins at midnight in Chicago.
      #expect(audit.output.contains("\n  2026-01-15      14.60         9.60"), "\(audit.output)")
      // The last reading is that of the next midnight.
      #expect(audit.output.contains("\n  2026-01-16       0.00         0.00"), "\(audit.output)")
      #expect(!audit.output.contains("crosses midnight"))
      #expect(audit.output.contains("Days and times are those of America/Chicago."))
      #expect(
        audit.error.contains("days begin at midnight America/Chicago, which the record names."))
    }
    let asked = await program(["audit", folder, "--zone", "UTC"])
    #expect(asked.output.contains("Days and times are those of UTC."))
    let outcomes = await program(["outcomes", folder + "/health.sqlite", "--no-chart"])
    #expect(outcomes.error.contains("those of America/Chicago"), "\(outcomes.error)")
  }

  @Test("An export beside the store of a run is another record, whose own zone counts")
  func exportBeside() async throws {
    let scratch = try Scratch()
    let folder = try await Self.folder(in: scratch)
    let export = folder + "/export.xml"
    #expect(await program(["store", "export", folder + "/health.sqlite", export]).code == 0)
    let audit = await program(["audit", export])
    #expect(audit.output.contains("Days and times are those of UTC."), "\(audit.output)")
  }

  @Test("The order of sources that the user has set counts in a folder and on a page too")
  func priority() async throws {
    let scratch = try Scratch()
    let folder = try await Self.folder(in: scratch)
    let store = folder + "/health.sqlite"
    let set = await program(["store", "priority", store, "InsulinDelivery", "Other"])
    #expect(set.code == 0, "\(set.error)")
    // The other app's 5 U, and 0.4 U/h of Loop in the 22 hours around: 13.80 U.
    for path in [folder, store] {
      let audit = await program(["audit", path])
      #expect(
        audit.output.contains("\n  2026-01-15      14.60        13.80        9.60"),
        "\(audit.output)")
    }
    let page = scratch.file("page.html")
    #expect(await program(["report", store, "-o", page]).code == 0)
    let text = try String(contentsOfFile: page, encoding: .utf8)
    #expect(text.contains("13.80") && !text.contains(">9.60</td><td>9.60</td>"))
    // The meter is a source, and none of these units.
    let title = "14.6 U on 2026-01-15, 5 U of it counted twice, from 2 sources"
    #expect(text.contains("<h1>\(title)</h1>"))
    #expect(text.contains("<p class=\"small\">5 U of it counted twice.</p>"))
  }
}
