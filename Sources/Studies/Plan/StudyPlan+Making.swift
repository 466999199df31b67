public import RunPlans
import ScenarioLanguage

extension StudyPlan {
  /// The plan of a scenario's study, over all patients of its cohort.
  public init(of runs: RunPlan, file: String, files: FrozenFiles, version: String) {
    self.init(
      version: version, id: runs.document.id, title: runs.document.title ?? runs.document.id,
      file: file, files: files, seed: runs.run(at: 0).seed, patients: runs.patientCount,
      replicates: runs.replicates, arms: runs.variantNames.map { $0 ?? "" },
      points: runs.pointCount)
  }
}
