/// The parameters of each model, with the symbols of its publication.
extension PatientDescription {
  /// The parameters of the patient, and the therapy figures published with it.
  public var parameters: [Parameter] {
    switch model {
    case .uvaPadova(let p), .uvaPadovaExtended(let p):
      Self.uvaPadova.map { $0.described(in: p) } + Self.therapy(of: p)
    case .hovorka(let p): Self.hovorka.map { $0.described(in: p) }
    case .kanderian(let p): Self.kanderian.map { $0.described(in: p) }
    case .bergman(let p): Self.bergman.map { $0.described(in: p) }
    }
  }

  /// The names of the parameters that the equations use, which can be set.
  public var parameterNames: [String] {
    switch model {
    case .uvaPadova, .uvaPadovaExtended: Self.uvaPadova.usedNames()
    case .hovorka: Self.hovorka.usedNames()
    case .kanderian: Self.kanderian.usedNames()
    case .bergman: Self.bergman.usedNames()
    }
  }

  /// The weights that a patient can have, in kg.
  public static let weights = 2.0...300

  /// The values that a parameter can be given, in the unit of ``parameters``; nothing when the
  /// equations use none of that name.
  ///
  /// They go some orders of magnitude beyond those of the published patients. Nothing in a body is
  /// then so quick that its equations could not be solved in reasonable time.
  public func range(of name: String) -> ClosedRange<Double>? {
    switch model {
    case .uvaPadova, .uvaPadovaExtended: Self.uvaPadova.range(of: name)
    case .hovorka: Self.hovorka.range(of: name)
    case .kanderian: Self.kanderian.range(of: name)
    case .bergman: Self.bergman.range(of: name)
    }
  }

  /// The patient with one parameter of another value, in the unit of ``parameters``; nothing when
  /// the equations use none of that name.
  ///
  /// What follows from the parameters, such as the steady state, follows from the new ones.
  public func setting(_ name: String, to value: Double) -> PatientDescription? {
    let changed: Model? =
      switch model {
      case .uvaPadova(let p):
        Self.uvaPadova.setting(name, to: value, in: p).map { .uvaPadova($0) }
      case .uvaPadovaExtended(let p):
        Self.uvaPadova.setting(name, to: value, in: p).map { .uvaPadovaExtended($0) }
      case .hovorka(let p): Self.hovorka.setting(name, to: value, in: p).map { .hovorka($0) }
      case .kanderian(let p):
        Self.kanderian.setting(name, to: value, in: p).map { .kanderian($0) }
      case .bergman(let p): Self.bergman.setting(name, to: value, in: p).map { .bergman($0) }
      }
    return changed.map { PatientDescription($0) }
  }

  private static func therapy(of p: UVAPadovaParameters) -> [Parameter] {
    let t = p.therapy
    return [
      .init(name: "TDI", value: t.totalDailyInsulin, unit: "U/day"),
      .init(name: "table CR", value: t.tableCarbRatio, unit: "g/U"),
      .init(name: "table CF", value: t.tableCorrectionFactor, unit: "mg/dL per U"),
      .init(name: "simulated CR", value: t.simulatedCarbRatio, unit: "g/U"),
      .init(name: "simulated CF", value: t.simulatedCorrectionFactor, unit: "mg/dL per U"),
    ]
  }

  private static let uvaPadova: [NamedParameter<UVAPadovaParameters>] = [
    .init("age", \.age, "years"),
    .init("BW", \.bodyWeight, "kg", weights),
    .init("Gb", \.gb, "mg/dL", 20...600),
    .init("Ib", \.ib, "pmol/L", 1...10_000),
    .init("EGPb", \.egpb, "mg/kg/min", 1...100),
    .init("Vg", \.vg, "dL/kg", 0.1...100),
    .init("k1", \.k1, "1/min", 1e-5...10),
    .init("k2", \.k2, "1/min", 1e-5...10),
    .init("kp2", \.kp2, "1/min", 1e-6...10),
    .init("kp3", \.kp3, "mg/kg/min per pmol/L", 1e-6...10),
    .init("ki", \.ki, "1/min", 1e-5...10),
    .init("Vmx", \.vmx, "mg/kg/min per pmol/L", 1e-5...10),
    .init("Km0", \.km0, "mg/kg", 1...100_000),
    .init("p2u", \.p2u, "1/min", 1e-5...10),
    .init("kabs", \.kabs, "1/min", 1e-5...100),
    .init("kmax", \.kmax, "1/min", 1e-5...100),
    .init("kmin", \.kmin, "1/min", 1e-6...100),
    .init("b", \.b, "1", 0.001...0.999),
    .init("d", \.d, "1", 0.001...10),
    .init("Vi", \.vi, "L/kg", 0.001...10),
    .init("m1", \.m1, "1/min", 0.0001...100),
    .init("m2", \.m2, "1/min", 0.0001...100),
    .init("ka1", \.ka1, "1/min", 1e-6...10),
    .init("ka2", \.ka2, "1/min", 1e-5...10),
    .init("kd", \.kd, "1/min", 1e-5...10),
    .init("ksc", \.ksc, "1/min", 1e-5...100),
  ]

  private static let hovorka: [NamedParameter<HovorkaParameters>] = [
    .init("BW", \.bodyWeight, "kg", weights),
    .init("EGP0", \.egp0, "mmol/kg/min", 0.0001...1),
    .init("F01", \.f01, "mmol/kg/min", 1e-5...1),
    .init("k12", \.k12, "1/min", 1e-5...10),
    .init("VG", \.vg, "L/kg", 0.01...10),
    .init("Rthr", \.renalThreshold, "mmol/L", 0.1...1_000),
    .init("Rcl", \.renalClearance, "1/min", 1e-6...10),
    .init("tauS", \.sensorDelay, "min", 0.1...10_000),
    .init("ka1", \.ka1, "1/min", 1e-6...10),
    .init("ka2", \.ka2, "1/min", 1e-5...10),
    .init("ka3", \.ka3, "1/min", 1e-5...10),
    .init("SIT", \.sit, "1/min per mU/L", 1e-6...10),
    .init("SID", \.sid, "1/min per mU/L", 1e-7...1),
    .init("SIE", \.sie, "1 per mU/L", 1e-5...100),
    .init("ke", \.ke, "1/min", 0.0001...100),
    .init("VI", \.vi, "L/kg", 0.001...10),
    .init("tmaxI", \.tmaxI, "min", 0.1...10_000),
    .init("tmaxG", \.tmaxG, "min", 0.1...10_000),
    .init("AG", \.ag, "1", 0.001...10),
    .init("HRrest", \.restingHeartRate, "1/min", 30...120),
    .init("HRmax", \.maximumHeartRate, "1/min", 30...250),
  ]

  private static let kanderian: [NamedParameter<KanderianParameters>] = [
    .init("BW", \.bodyWeight, "kg"),
    .init("TDI", \.totalDailyInsulin, "U/day"),
    .init("CI", \.ci, "mL/min", 1...1_000_000),
    .init("tau1", \.tau1, "min", 0.1...10_000),
    .init("tau2", \.tau2, "min", 0.1...10_000),
    .init("VG", \.vg, "dL", 0.1...100_000),
    .init("p2", \.p2, "1/min", 1e-5...10),
    .init("EGP", \.egp, "mg/dL/min", 0.001...1_000),
    .init("GEZI", \.gezi, "1/min", 1e-10...10),
    .init("SI", \.si, "mL/µU/min", 1e-7...1),
    .init("tauSensor", \.sensorDelay, "min", 0.1...10_000),
    .init("tauMeal", \.mealTimeConstant, "min", 0.1...10_000),
  ]

  private static let bergman: [NamedParameter<BergmanParameters>] = [
    .init("BW", \.bodyWeight, "kg", weights),
    .init("MCR", \.clearance, "L/kg/min", 1e-5...10),
    .init("tauI", \.tauI, "min", 0.1...10_000),
    .init("VG", \.vg, "L/kg", 0.001...10),
    .init("P1", \.p1, "1/min", 1e-6...0.1),
    .init("P2", \.p2, "1/min", 1e-5...10),
    .init("P3", \.p3, "1/min² per mU/L", 1e-8...0.1),
    .init("Gb", \.gb, "mmol/L", 1...1_000),
    .init("e1", \.e1, "1", 0...1_000),
    .init("e2", \.e2, "1", 0...1_000),
    .init("Bio", \.bioavailability, "1", 0.001...10),
    .init("tauM", \.tauM, "min", 0.1...10_000),
    .init("tauS", \.tauS, "min", 0.1...10_000),
  ]
}
