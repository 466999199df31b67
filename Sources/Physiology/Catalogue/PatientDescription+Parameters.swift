extension PatientDescription {
  /// The parameters of the patient, with the symbols of the publication.
  public var parameters: [Parameter] {
    switch model {
    case .uvaPadova(let p), .uvaPadovaExtended(let p): Self.list(p)
    case .hovorka(let p): Self.list(p)
    case .kanderian(let p): Self.list(p)
    case .bergman(let p): Self.list(p)
    }
  }

  private static func list(_ p: UVAPadovaParameters) -> [Parameter] {
    let body: [Parameter] = [
      .init(name: "age", value: p.age, unit: "years"),
      .init(name: "BW", value: p.bodyWeight, unit: "kg"),
      .init(name: "Gb", value: p.gb, unit: "mg/dL"), .init(name: "Ib", value: p.ib, unit: "pmol/L"),
      .init(name: "EGPb", value: p.egpb, unit: "mg/kg/min"),
    ]
    let glucose: [Parameter] = [
      .init(name: "Vg", value: p.vg, unit: "dL/kg"), .init(name: "k1", value: p.k1, unit: "1/min"),
      .init(name: "k2", value: p.k2, unit: "1/min"),
      .init(name: "kp2", value: p.kp2, unit: "1/min"),
      .init(name: "kp3", value: p.kp3, unit: "mg/kg/min per pmol/L"),
      .init(name: "ki", value: p.ki, unit: "1/min"),
      .init(name: "Vmx", value: p.vmx, unit: "mg/kg/min per pmol/L"),
      .init(name: "Km0", value: p.km0, unit: "mg/kg"),
      .init(name: "p2u", value: p.p2u, unit: "1/min"),
    ]
    let gut: [Parameter] = [
      .init(name: "kabs", value: p.kabs, unit: "1/min"),
      .init(name: "kmax", value: p.kmax, unit: "1/min"),
      .init(name: "kmin", value: p.kmin, unit: "1/min"), .init(name: "b", value: p.b, unit: "1"),
      .init(name: "d", value: p.d, unit: "1"),
    ]
    let insulin: [Parameter] = [
      .init(name: "Vi", value: p.vi, unit: "L/kg"), .init(name: "m1", value: p.m1, unit: "1/min"),
      .init(name: "m2", value: p.m2, unit: "1/min"),
      .init(name: "ka1", value: p.ka1, unit: "1/min"),
      .init(name: "ka2", value: p.ka2, unit: "1/min"),
      .init(name: "kd", value: p.kd, unit: "1/min"),
      .init(name: "ksc", value: p.ksc, unit: "1/min"),
    ]
    let t = p.therapy
    let therapy: [Parameter] = [
      .init(name: "TDI", value: t.totalDailyInsulin, unit: "U/day"),
      .init(name: "table CR", value: t.tableCarbRatio, unit: "g/U"),
      .init(name: "table CF", value: t.tableCorrectionFactor, unit: "mg/dL per U"),
      .init(name: "simulated CR", value: t.simulatedCarbRatio, unit: "g/U"),
      .init(name: "simulated CF", value: t.simulatedCorrectionFactor, unit: "mg/dL per U"),
    ]
    return body + glucose + gut + insulin + therapy
  }

  private static func list(_ p: HovorkaParameters) -> [Parameter] {
    let glucose: [Parameter] = [
      .init(name: "BW", value: p.bodyWeight, unit: "kg"),
      .init(name: "EGP0", value: p.egp0, unit: "mmol/kg/min"),
      .init(name: "F01", value: p.f01, unit: "mmol/kg/min"),
      .init(name: "k12", value: p.k12, unit: "1/min"), .init(name: "VG", value: p.vg, unit: "L/kg"),
      .init(name: "Rthr", value: p.renalThreshold, unit: "mmol/L"),
      .init(name: "Rcl", value: p.renalClearance, unit: "1/min"),
      .init(name: "tauS", value: p.sensorDelay, unit: "min"),
    ]
    let insulin: [Parameter] = [
      .init(name: "ka1", value: p.ka1, unit: "1/min"),
      .init(name: "ka2", value: p.ka2, unit: "1/min"),
      .init(name: "ka3", value: p.ka3, unit: "1/min"),
      .init(name: "SIT", value: p.sit, unit: "1/min per mU/L"),
      .init(name: "SID", value: p.sid, unit: "1/min per mU/L"),
      .init(name: "SIE", value: p.sie, unit: "1 per mU/L"),
      .init(name: "ke", value: p.ke, unit: "1/min"), .init(name: "VI", value: p.vi, unit: "L/kg"),
      .init(name: "tmaxI", value: p.tmaxI, unit: "min"),
    ]
    let meals: [Parameter] = [
      .init(name: "tmaxG", value: p.tmaxG, unit: "min"), .init(name: "AG", value: p.ag, unit: "1"),
      .init(name: "HRrest", value: p.restingHeartRate, unit: "1/min"),
      .init(name: "HRmax", value: p.maximumHeartRate, unit: "1/min"),
    ]
    return glucose + insulin + meals
  }

  private static func list(_ p: KanderianParameters) -> [Parameter] {
    [
      .init(name: "BW", value: p.bodyWeight, unit: "kg"),
      .init(name: "TDI", value: p.totalDailyInsulin, unit: "U/day"),
      .init(name: "CI", value: p.ci, unit: "mL/min"),
      .init(name: "tau1", value: p.tau1, unit: "min"),
      .init(name: "tau2", value: p.tau2, unit: "min"), .init(name: "VG", value: p.vg, unit: "dL"),
      .init(name: "p2", value: p.p2, unit: "1/min"),
      .init(name: "EGP", value: p.egp, unit: "mg/dL/min"),
      .init(name: "GEZI", value: p.gezi, unit: "1/min"),
      .init(name: "SI", value: p.si, unit: "mL/µU/min"),
      .init(name: "tauSensor", value: p.sensorDelay, unit: "min"),
      .init(name: "tauMeal", value: p.mealTimeConstant, unit: "min"),
    ]
  }

  private static func list(_ p: BergmanParameters) -> [Parameter] {
    [
      .init(name: "BW", value: p.bodyWeight, unit: "kg"),
      .init(name: "MCR", value: p.clearance, unit: "L/kg/min"),
      .init(name: "tauI", value: p.tauI, unit: "min"),
      .init(name: "VG", value: p.vg, unit: "L/kg"), .init(name: "P1", value: p.p1, unit: "1/min"),
      .init(name: "P2", value: p.p2, unit: "1/min"),
      .init(name: "P3", value: p.p3, unit: "1/min² per mU/L"),
      .init(name: "Gb", value: p.gb, unit: "mmol/L"), .init(name: "e1", value: p.e1, unit: "1"),
      .init(name: "e2", value: p.e2, unit: "1"),
      .init(name: "Bio", value: p.bioavailability, unit: "1"),
      .init(name: "tauM", value: p.tauM, unit: "min"),
      .init(name: "tauS", value: p.tauS, unit: "min"),
    ]
  }
}
