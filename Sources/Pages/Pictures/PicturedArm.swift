internal import Outcomes
internal import Typesetting

/// What the pictures of an arm are drawn from: a member for each run or patient.
struct PicturedArm {
  /// One run, or one patient under the arm.
  struct Member {
    var id: String
    var group = ""
    var day: DailyPattern?
    var extremes: ControlVariability?
    /// What the pump gave a day, in U, where it is known otherwise than by the hours of the day.
    var dailyDose: Double?
  }

  var name: String
  var members: [Member]

  /// The values of an hour of the day over the members that have one.
  func values(_ hour: Int, _ list: (DailyPattern) -> [Double?]) -> [Double] {
    assert((0..<24).contains(hour), "A day has 24 hours.")
    return members.compactMap { member in
      guard let day = member.day else { return nil }
      return list(day)[hour]
    }
  }

  /// How many members lived only some of the hours that are drawn; nothing where none did.
  static func shortDays(of arms: [Self], noun: String) -> Markup {
    let lived = (0..<24).filter { hour in arms.contains { !$0.values(hour, \.basal).isEmpty } }
    let counts = arms.compactMap { arm -> String? in
      let short = arm.members.count { member in
        guard let day = member.day else { return false }
        return lived.contains { day.basal[$0] == nil }
      }
      return short > 0 ? "\(short) of \(arm.members.count) \(noun) (\(arm.name))" : nil
    }
    guard !counts.isEmpty else { return "" }
    let who = counts.joined(separator: " and ")
    return " \(who) lived only some of these hours, and count in those."
  }

  /// The members of a group alone.
  func group(_ name: String) -> Self {
    Self(name: self.name, members: members.filter { $0.group == name })
  }
}

/// The hours of the day below a chart.
enum DayAxis {
  /// Adds the hours to a chart whose width is a day; a phone has room for five of them.
  static func add(to drawing: inout Drawing, y: Double = 1.05) {
    for hour in stride(from: 0, through: 24, by: 6) {
      drawing.word(
        "\(hour < 10 ? "0" : "")\(hour):00", at: Double(hour) / 24, y,
        hour == 0 ? .start : hour == 24 ? .end : .middle, .axis)
    }
  }
}
