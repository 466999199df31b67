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
    .init("age", \.age, "years", isUsed: false),
    .init("BW", \.bodyWeight, "kg"),
    .init("Gb", \.gb, "mg/dL"),
    .init("Ib", \.ib, "pmol/L"),
    .init("EGPb", \.egpb, "mg/kg/min"),
    .init("Vg", \.vg, "dL/kg"),
    .init("k1", \.k1, "1/min"),
    .init("k2", \.k2, "1/min"),
    .init("kp2", \.kp2, "1/min"),
    .init("kp3", \.kp3, "mg/kg/min per pmol/L"),
    .init("ki", \.ki, "1/min"),
    .init("Vmx", \.vmx, "mg/kg/min per pmol/L"),
    .init("Km0", \.km0, "mg/kg"),
    .init("p2u", \.p2u, "1/min"),
    .init("kabs", \.kabs, "1/min"),
    .init("kmax", \.kmax, "1/min"),
    .init("kmin", \.kmin, "1/min"),
    .init("b", \.b, "1"),
    .init("d", \.d, "1"),
    .init("Vi", \.vi, "L/kg"),
    .init("m1", \.m1, "1/min"),
    .init("m2", \.m2, "1/min"),
    .init("ka1", \.ka1, "1/min"),
    .init("ka2", \.ka2, "1/min"),
    .init("kd", \.kd, "1/min"),
    .init("ksc", \.ksc, "1/min"),
  ]

  private static let hovorka: [NamedParameter<HovorkaParameters>] = [
    .init("BW", \.bodyWeight, "kg"),
    .init("EGP0", \.egp0, "mmol/kg/min"),
    .init("F01", \.f01, "mmol/kg/min"),
    .init("k12", \.k12, "1/min"),
    .init("VG", \.vg, "L/kg"),
    .init("Rthr", \.renalThreshold, "mmol/L"),
    .init("Rcl", \.renalClearance, "1/min"),
    .init("tauS", \.sensorDelay, "min"),
    .init("ka1", \.ka1, "1/min"),
    .init("ka2", \.ka2, "1/min"),
    .init("ka3", \.ka3, "1/min"),
    .init("SIT", \.sit, "1/min per mU/L"),
    .init("SID", \.sid, "1/min per mU/L"),
    .init("SIE", \.sie, "1 per mU/L"),
    .init("ke", \.ke, "1/min"),
    .init("VI", \.vi, "L/kg"),
    .init("tmaxI", \.tmaxI, "min"),
    .init("tmaxG", \.tmaxG, "min"),
    .init("AG", \.ag, "1"),
    .init("HRrest", \.restingHeartRate, "1/min"),
    .init("HRmax", \.maximumHeartRate, "1/min"),
  ]

  private static let kanderian: [NamedParameter<KanderianParameters>] = [
    .init("BW", \.bodyWeight, "kg", isUsed: false),
    .init("TDI", \.totalDailyInsulin, "U/day", isUsed: false),
    .init("CI", \.ci, "mL/min"),
    .init("tau1", \.tau1, "min"),
    .init("tau2", \.tau2, "min"),
    .init("VG", \.vg, "dL"),
    .init("p2", \.p2, "1/min"),
    .init("EGP", \.egp, "mg/dL/min"),
    .init("GEZI", \.gezi, "1/min"),
    .init("SI", \.si, "mL/µU/min"),
    .init("tauSensor", \.sensorDelay, "min"),
    .init("tauMeal", \.mealTimeConstant, "min"),
  ]

  private static let bergman: [NamedParameter<BergmanParameters>] = [
    .init("BW", \.bodyWeight, "kg"),
    .init("MCR", \.clearance, "L/kg/min"),
    .init("tauI", \.tauI, "min"),
    .init("VG", \.vg, "L/kg"),
    .init("P1", \.p1, "1/min"),
    .init("P2", \.p2, "1/min"),
    .init("P3", \.p3, "1/min² per mU/L"),
    .init("Gb", \.gb, "mmol/L"),
    .init("e1", \.e1, "1"),
    .init("e2", \.e2, "1"),
    .init("Bio", \.bioavailability, "1"),
    .init("tauM", \.tauM, "min"),
    .init("tauS", \.tauS, "min"),
  ]
}
