public import Quantities

/// Wrong data in the app while a fault lasts: the algorithm sees it, and nothing of it is stored.
public enum DataDisturbance: Hashable, Sendable {
  /// The glucose of some time ago is taken for present.
  case stale(age: TimeSpan)
  /// One value is not what it should be.
  case corrupt(CorruptTarget, CorruptMode)
}

/// The values that can be corrupted: an input, two states and two outputs of the algorithm.
public enum CorruptTarget: String, Hashable, Sendable, CaseIterable {
  /// The readings since the fault began, in mg/dL.
  case glucose
  /// Net insulin on board, in U.
  case insulinOnBoard = "iob"
  /// Carbohydrates on board, in grams.
  case carbsOnBoard = "cob"
  /// The basal rate that the algorithm recommends, in U/h.
  case recommendedRate
  /// The bolus that the algorithm recommends, automatic or for a person to take, in U.
  case recommendedBolus
}

/// How a value is corrupted: the classes of UVA-DSA/APS_TestBed, which come from recalls published
/// by the FDA (truncate, hold, max, min, add and subtract).
public enum CorruptMode: Hashable, Sendable {
  /// The value becomes 0.
  case zero
  /// The value of the beginning stays.
  case hold
  /// The largest value there is.
  case max
  /// The smallest value there is.
  case min
  /// So much is added to the value.
  case add(Double)
  /// The value is multiplied.
  case scale(Double)
}
