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
      // What the health store alone says too much, every other program believes.
      default:
        difference.records.contains(.app)
          || difference.records == [.healthStore] && difference.units > 0
      }
    }
    return together(all, as: .wrongRecord) + misdatedBoluses
  }

  /// Food that the health store alone has too much: what other programs believe.
  var copiedCarbs: [RunTrouble] {
    run.carbsCopiedAtEnd.inGroups(by: \.fault).compactMap { copies in
      guard let first = copies.first, let last = copies.last else { return nil }
      let grams = whole(copies.reduce(0) { $0 + $1.mass.grams })
      let (from, to) = run.times(first.instant, last.instant)
      let moments =
        copies.count == 1 ? "of \(from)" : "in \(copies.count) entries from \(from) to \(to)"
      return RunTrouble(
        .wrongRecord, from: first.instant, to: last.instant, count: copies.count, lasting: .zero,
        "\(grams) g of carbohydrates \(moments) are in the health store besides, from "
          + "\(first.source), because of the fault \(first.fault). The app does not count them.")
    }
  }

  /// What the app counts and the health store lacks: other programs do not know of it.
  var insulinNotStored: [RunTrouble] {
    let all = run.agreement.differences.filter {
      $0.severity <= .check && $0.records == [.healthStore] && $0.units < 0
    }
    return together(all, as: .insulinNotStored)
  }

  /// One sentence for each difference, or one for many that are alike.
  private func together(_ differences: [RecordDifference], as kind: RunTrouble.Kind) -> [RunTrouble]
  {
    AlikeDifferences.groups(of: differences).map { trouble(kind, of: $0) }
  }

  /// One trouble for a difference, or for many that are told together.
  func trouble(_ kind: RunTrouble.Kind, of alike: AlikeDifferences) -> RunTrouble {
    guard alike.isToldTogether else {
      return RunTrouble(kind, from: alike.start, to: alike.end, alike.differences[0].text)
        .extending(over: alike.differences[0].units)
    }
    let lasting = alike.differences.reduce(.zero) { $0 + ($1.end - $1.start) }
    var trouble = RunTrouble(
      kind, from: alike.start, to: alike.end, count: alike.differences.count,
      lasting: min(lasting, alike.end - alike.start), alike.differences[0].text)
    trouble.isVaried = true
    let units = alike.units > 0 ? "\(unitsText(alike.units)) U together, " : ""
    trouble.moments = units + moments(of: trouble)
    return trouble.extending(over: alike.units)
  }

  /// The boluses that the app has at another time, all together where there are several.
  private var misdatedBoluses: [RunTrouble] {
    let found = differences(.wrongRecord) {
      $0.severity <= .check && $0.kind == .misdated && $0.records.contains(.app)
    }
    guard found.count > 1, let first = found.first, let last = found.last else { return found }
    let subject = "The bolus"
    assert(first.text.hasPrefix(subject), "A sentence on a bolus begins with it.")
    let (from, to) = run.times(first.start, last.start)
    return [
      RunTrouble(
        .wrongRecord, from: first.start, to: last.end, count: found.count,
        "\(found.count) boluses from \(from) to \(to) are "
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
