import StructuredText
import Testing

@testable import Formats

/// Small files in the shapes of Tidepool's simulator, made for these tests.
enum TidepoolFixtures {
  static let body = """
    {"basal_rate": {"start_times": ["0:00:00"], "values": [0.6]},
     "carb_insulin_ratio": {"start_times": ["0:00:00"], "values": [12]},
     "insulin_sensitivity_factor": {"start_times": ["0:00:00", "6:00:00"], "values": [48, 42.5]}}
    """

  static let glucose = """
    datetime,value,units
    2/03/2021 07:50:00,104,mg/dL
    02/03/2021 07:55:00,106,mg/dL
    2/3/2021 8:00:00,108,mg/dL
    """

  static let base = """
    {"sim_id": "plain", "time_to_calculate_at": "2/3/2021 8:00:00", "duration_hours": 10.0,
     "patient": {
       "sensor": {"glucose_history": "reusable.glucose.rising", "type": "IdealSensor", \
    "parameters": {}},
       "pump": {"metabolism_settings": "reusable.metabolism_settings.walker",
         "bolus_entries": [], "carb_entries": [],
         "target_range": {"start_times": ["0:00:00"], "lower_values": [95], "upper_values": [115]}},
       "patient_model": {"metabolism_settings": "reusable.metabolism_settings.walker",
         "glucose_history": "reusable.glucose.rising", "bolus_entries": [], "carb_entries": [],
         "physical_activity_entries": []}},
     "controller": {"id": "swift", "settings": "reusable.loop_settings.plain",
       "automation_control_timeline": []}}
    """

  static let settings = """
    {"max_basal_rate": 3, "max_bolus": 8, "suspend_threshold": 72, "model": "rapid_acting_adult",
     "partial_application_factor": 0.4, "use_mid_absorption_isf": true,
     "includePositiveVelocityAndRC": true, "max_active_insulin_modifier": 3.0}
    """

  static let ride = """
    {"metabolism_parameters": {"w_hr": 1.0, "a": -0.002, "tau": 0.9, "n": 20},
     "physical_activity_entries": [{"start_time": "2/3/2021 9:30:00", "activity": "biking",
       "duration": 40, "intensity": "light", "expected_hr": 120}]}
    """

  static let files = [
    "simulations/base/plain.json": base,
    "metabolism_settings/profiles/walker.json": body,
    "glucose/rising.csv": glucose,
    "glucose/warming.csv": """
    datetime,value,units
    2/3/2021 07:45:00,104,mg/dL
    2/3/2021 07:50:00,null,mg/dL
    2/3/2021 07:55:00,104,mg/dL
    2/3/2021 08:00:00,104,mg/dL
    """,
    "glucose/wordy.csv": """
    datetime,value,units
    2/3/2021 08:00:00,much,mg/dL
    """,
    "loop_settings/Plain.json": settings,
    "loop_settings/plain.json": settings,
    "mitigations/guardrails/narrow.json": "{\"max_bolus\": 4}",
    "physical_activities/profiles/ride.json": ride,
    "attic/old_bolus.json": "[{\"time\": \"2/3/2021 8:00:00\", \"value\": 1.5}]",
    "ring/a.json": "\"reusable.ring.b\"", "ring/b.json": "\"reusable.ring.a\"",
    "broken/half.json": "{\"max_bolus\": ",
  ]

  static var parts: ReusableParts {
    ReusableParts(paths: files.keys.sorted()) { files[$0].map { Array($0.utf8) } }
  }

  /// A scenario file with these overrides.
  static func file(_ overrides: String, base: String = "\"reusable.simulations.plain\"") -> String {
    """
    {"metadata": {"risk-id": "TLR-1", "simulation_id": "Suite_One", "risk_description": "A risk"},
     "base_config": \(base),
     "override_config": [\(overrides)]}
    """
  }

  static func outcome(
    _ overrides: String, mode: ImportMode = .asIntended,
    base: String = "\"reusable.simulations.plain\""
  ) -> ImportOutcome {
    importing(file(overrides, base: base), mode: mode)
  }

  static func importing(_ text: String, mode: ImportMode = .asIntended) -> ImportOutcome {
    TidepoolImporter(parts: parts, mode: mode).importing(Array(text.utf8), file: "suite/one.json")
  }
}

extension JSONValue {
  /// The value at keys and places one after another.
  func at(_ path: String...) -> JSONValue? {
    path.reduce(self as JSONValue?) { value, key in
      if case .array(let items)? = value, let index = Int(key) {
        return items.indices.contains(index) ? items[index] : nil
      }
      return value?[key]
    }
  }

  /// How many items a list has.
  var count: Int {
    if case .array(let items) = self { items.count } else { 0 }
  }
}

extension ImportOutcome {
  /// How many problems have a reason.
  func count(_ reason: ImportReason) -> Int { problems.count { $0.code == reason.rawValue } }
}
