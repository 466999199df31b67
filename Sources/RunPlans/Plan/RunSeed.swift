internal import Determinism

/// The seed of one run, from which every stream of chance in it is named.
///
/// The seed belongs to a person and a repetition. Variants and points of a sweep share it, so that
/// they differ by the treatment alone: the method of common random numbers (A. M. Law,
/// "Simulation Modeling and Analysis", chapter 11); a study that is not paired gives each arm its
/// own. The patients of a cohort do not share it unless the file says so (`random.patients`):
/// bodies that eat the same grams at the same second and wear the same sensor are one draw of
/// chance and not many. A patient is known by its id, not by its row: adding one moves none of the
/// others.
public enum RunSeed {
  /// The seed of a run.
  ///
  /// - Parameters:
  ///   - seed: The seed of the scenario.
  ///   - replicate: The number of the repetition, from 0.
  ///   - patient: The id of the patient of a cohort, where arms are to have chance of their own
  ///     with the arm's name after a slash; `nil` where the run has the scenario's own chance.
  /// - Returns: The seed, the same on every machine.
  public static func value(
    seed: UInt64, replicate: Int = 0, patient: String? = nil
  ) -> UInt64 {
    assert(replicate >= 0, "Replicates are counted from 0.")
    let repeated = replicate > 0 ? drawn(from: seed, "replicate", member: replicate) : seed
    guard let patient else { return repeated }
    return drawn(from: repeated, "patient.\(patient)")
  }

  private static func drawn(from seed: UInt64, _ name: String, member: Int = 0) -> UInt64 {
    assert(member >= 0, "Replicates are numbered from 0.")
    var stream = RandomStream(seed: seed, name: name, member: UInt64(member))
    return stream.next()
  }
}
