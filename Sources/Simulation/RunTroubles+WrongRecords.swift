internal import Quantities

/// What the app counts otherwise than it was.
extension RunTroubles {
  /// Insulin on board is wrong then, or the schedule.
  var wrongRecords: [RunTrouble] {
    let all = run.agreement.differences.filter { difference in
      guard difference.kind != .misdated, difference.severity <= .check,
        !isInNoRecord(difference)
      else { return false }
      return switch difference.kind {
      case .scheduleDiffers: true
      // So it is by the rules; and what an app that is off does not know is told as missed cycles.
      case .foreignBasal, .appStopped: false
      default: difference.records.contains(.app)
      }
    }
    return together(all) + misdatedBoluses
  }

  /// What sentences have in common that differ in their numbers alone, and in the zones of times.
  static func wording(of text: String) -> [Substring] {
    text.split { $0.isNumber || "+-:Z".contains($0) }
  }

  /// One sentence for each difference, or one for many that differ in their numbers alone: a
  /// health store that is wiped lacks hundreds of doses for one reason.
  private func together(_ differences: [RecordDifference]) -> [RunTrouble] {
    let groups = differences.inGroups { Self.wording(of: $0.text) }
    return groups.flatMap { group -> [RunTrouble] in
      guard group.count > Self.mostTold, let first = group.map(\.start).min(),
        let last = group.map(\.end).max()
      else {
        return group.map { RunTrouble(.wrongRecord, from: $0.start, to: $0.end, $0.text) }
      }
      let units = group.reduce(0) { $0 + $1.units }.magnitude
      let lasting = group.reduce(.zero) { $0 + ($1.end - $1.start) }
      var trouble = RunTrouble(
        .wrongRecord, from: first, to: last, count: group.count,
        lasting: min(lasting, last - first), group[0].text)
      trouble.isVaried = true
      trouble.moments =
        (units > 0 ? "\(unitsText(units)) U together, " : "") + moments(of: trouble)
      return [trouble]
    }
  }

  /// The boluses that the app has at another time, all together where there are several.
  private var misdatedBoluses: [RunTrouble] {
    let found = differences(.wrongRecord) {
      $0.severity <= .check && $0.kind == .misdated && $0.records.contains(.app)
    }
    guard found.count > 1, let first = found.first, let last = found.last else { return found }
    let subject = "The bolus"
    assert(first.text.hasPrefix(subject), "A sentence on a bolus begins with it.")
    return [
      RunTrouble(
        .wrongRecord, from: first.start, to: last.end, count: found.count,
        "\(found.count) boluses from \(run.time(first.start)) to \(run.time(last.start)) are "
          + "recorded at wrong times; that\(first.text.dropFirst(subject.count))")
    ]
  }
}

extension Sequence {
  /// The elements that are alike together, and groups and elements in the order in which they come.
  func inGroups<Key: Hashable>(by key: (Element) -> Key) -> [[Element]] {
    var places: [Key: Int] = [:]
    var groups: [[Element]] = []
    for element in self {
      let key = key(element)
      if let place = places[key] {
        groups[place].append(element)
      } else {
        places[key] = groups.count
        groups.append([element])
      }
    }
    return groups
  }
}
