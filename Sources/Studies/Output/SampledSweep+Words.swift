internal import RunPlans

extension SampledSweep.Method {
  /// What the method is called.
  var words: String {
    switch self {
    case .sobol: "Sobol's indices"
    case .morris: "Morris's screening"
    }
  }
}
