import Testing

@testable import Studies

@Suite("In what the arms of a study differ")
struct ArmDifferenceTests {
  @Test("An arm that does not state a setting is said to have the default, where there is one")
  func defaultsOfArms() {
    var difference = ArmDifference(
      path: "app.dosing", values: [nil, "'automaticBolus'"], origin: "s.json5:1",
      standard: "'tempBasal'")
    #expect(difference.words == ["'tempBasal' (not stated)", "'automaticBolus'"])
    difference.standard = nil
    #expect(difference.words == ["not stated", "'automaticBolus'"])
  }

  @Test("An arm that states the default differs in nothing from one that does not")
  func statedDefault() throws {
    let study = try Fixture.study(
      Fixture.scenario(
        """
        variants: { temp: {},
          automatic: { app: { dosing: 'automaticBolus', applicationFactor: 0.4 } } },
        study: { control: 'temp',
          primary: [{ id: 'mean', metric: 'mean', better: 'lower', superior: true }] }
        """))
    #expect(study.differences.map(\.path) == ["app.dosing"])
  }

  @Test("A block without settings is no setting, and one that means something by itself is")
  func emptyBlocks() throws {
    let study = try Fixture.study(
      Fixture.scenario(
        """
        variants: { plain: { therapy: {} }, low: { therapy: { suspendThreshold: 70 } },
          suspended: { events: [{ at: '+10m', suspend: {} }] } },
        study: { control: 'plain',
          primary: [{ id: 'mean', metric: 'mean', better: 'lower', superior: true }] }
        """))
    let paths = study.differences.map(\.path)
    #expect(paths.contains("therapy.suspendThreshold") && !paths.contains("therapy"), "\(paths)")
    #expect(paths.contains("events[0].suspend"), "\(paths)")
  }

  @Test(
    "A whole block or list that is empty is no difference, also where no arm has more of it",
    arguments: ["faults: []", "events: []", "behaviour: {}", "therapy: {}"])
  func emptyAlone(_ block: String) throws {
    let study = try Fixture.study(
      Fixture.scenario(
        """
        variants: { plain: {}, low: { therapy: { suspendThreshold: 70 } }, same: { \(block) } },
        study: { control: 'plain',
          primary: [{ id: 'mean', metric: 'mean', better: 'lower', superior: true }] }
        """))
    #expect(study.differences.map(\.path) == ["therapy.suspendThreshold"])
  }

  @Test("Where arms differ the control comes first, wherever the file has it")
  func controlFirst() throws {
    let study = try Fixture.study(
      Fixture.scenario(
        """
        variants: { low: { therapy: { suspendThreshold: 70 } }, plain: {},
          high: { therapy: { suspendThreshold: 110 } } },
        study: { control: 'high',
          primary: [{ id: 'mean', metric: 'mean', better: 'lower', superior: true }] }
        """))
    #expect(study.differences.map(\.words) == [["110", "70", "75 (not stated)"]])
    #expect(study.differences.map(\.values) == [["70", nil, "110"]])
    let analysis = try Fixture.analysis(of: study) { ["mean": "\(100 + $0.arm)"] }
    let digest = StudyDigest(plan: "", cases: "", summary: "")
    #expect(
      StudyChecklist(analysis, digest: digest).text.contains(
        "* The arms differ in therapy.suspendThreshold: 110 against 70 against 75 (not stated) ("))
  }
}
