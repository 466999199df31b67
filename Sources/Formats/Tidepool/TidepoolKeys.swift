internal import StructuredText

/// Finds keys of a simulation that the importer does not know, so that none is dropped in silence.
struct TidepoolKeys {
  let problems: ProblemList

  /// The keys of each object by its place; a place that is not listed may hold anything.
  private static let known: [String: Set<String>] = {
    let metabolism: Set = [
      "basal_rate", "carb_insulin_ratio", "insulin_sensitivity_factor",
      "glucose_sensitivity_factor", "basal_blood_glucose", "insulin_production_rate",
      "patient_insulin_type", "w_hr", "a", "tau", "n",
    ]
    let exercise: Set = [
      "start_time", "activity", "duration", "intensity", "expected_hr",
      "physical_activity_entries", "metabolism_parameters",
    ]
    var known: [String: Set<String>] = [
      "": [
        "sim_id", "time_to_calculate_at", "duration_hours", "offset_applied_to_dates", "patient",
        "controller", "metadata",
      ],
      "patient": ["sensor", "pump", "patient_model"],
      "patient.sensor": ["glucose_history", "type", "parameters"],
      "patient.sensor.parameters": [
        "std_dev", "random_seed", "spurious_prob", "spurious_outage_prob",
        "time_delta_crunch_prob", "bg_spurious_error_delta_mgdl_range",
        "not_working_time_minutes_range", "cgm_offset_minutes_range",
      ],
      "patient.pump": ["metabolism_settings", "bolus_entries", "carb_entries", "target_range"],
      "patient.pump.metabolism_settings": metabolism,
      "patient.pump.carb_entries.edits": [
        "edit_time", "value", "start_time", "duration", "operation",
      ],
      "patient.pump.target_range": ["start_times", "lower_values", "upper_values"],
      "patient.pump.bolus_entries": ["time", "value", "type"],
      "patient.pump.carb_entries": [
        "start_time", "value", "type", "duration", "entry_time", "edits", "id",
      ],
      "patient.patient_model": [
        "metabolism_settings", "glucose_history", "bolus_entries", "carb_entries",
        "physical_activity_entries", "w_hr", "a", "tau", "n", "patient_class",
      ],
      "patient.patient_model.metabolism_settings": metabolism,
      "patient.patient_model.bolus_entries": ["time", "value", "type"],
      "patient.patient_model.carb_entries": ["start_time", "value", "type", "duration", "id"],
      "patient.patient_model.physical_activity_entries": exercise,
      "patient.patient_model.physical_activity_entries.physical_activity_entries": exercise,
      "controller.automation_control_timeline": ["time", "dosing_enabled"],
      "controller": ["id", "settings", "automation_control_timeline"],
      "controller.settings": [
        "max_basal_rate", "max_bolus", "suspend_threshold", "model", "momentum_data_interval",
        "dynamic_carb_absorption_enabled", "retrospective_correction_integration_interval",
        "recency_interval", "retrospective_correction_grouping_interval", "rate_rounder",
        "insulin_delay", "carb_delay", "minimum_autobolus", "maximum_autobolus",
        "partial_application_factor", "default_absorption_times",
        "retrospective_correction_enabled", "use_mid_absorption_isf",
        "max_active_insulin_modifier", "max_active_insulin_multiplier", "carb_absorption_model",
        "includePositiveVelocityAndRC", "glucose_safety_limit", "max_physiologic_slope",
      ],
    ]
    for place in ["patient.pump", "patient.patient_model"] {
      for schedule in schedules {
        known["\(place).metabolism_settings.\(schedule)"] = ["start_times", "values"]
      }
    }
    return known
  }()

  /// The settings of a body or a pump that change with the time of day.
  private static let schedules = [
    "basal_rate", "carb_insulin_ratio", "insulin_sensitivity_factor",
    "glucose_sensitivity_factor", "basal_blood_glucose", "insulin_production_rate",
  ]

  /// Reports what a file holds beside its simulations, and is not known.
  func report(file root: JSONNode) {
    report(
      members: root, known: ["metadata", "base_config", "override_config", "t2_config"], path: nil)
  }

  /// Reports what is not known.
  func report(_ node: JSONNode, path: String = "") {
    guard let known = Self.known[path] else { return }
    for item in node.items ?? [node] { report(members: item, known: known, path: path) }
  }

  /// Reports the members of an object that are not known; with a path also those within them.
  private func report(members node: JSONNode, known: Set<String>, path: String?) {
    for member in node.members ?? [] {
      guard known.contains(member.key) else {
        problems.add(
          .warning, .lost, at: member.keyPosition,
          "\"\(member.key)\" is not known here and is left out."
            + NearestName.suggestion(for: member.key, among: known.sorted()))
        continue
      }
      guard let path else { continue }
      report(member.value, path: path.isEmpty ? member.key : "\(path).\(member.key)")
    }
  }
}
