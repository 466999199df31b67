internal import Quantities

/// How much data there is, and what it is enough for.
public struct DataSufficiency: Hashable, Sendable {
  /// The number of readings.
  public let readings: Int
  /// The number of readings that a gapless sensor would have given.
  public let expectedReadings: Int
  /// How far apart readings are where none is missing, in whole minutes.
  public let intervalMinutes: Int
  /// The days of 24 hours from the first reading to the last.
  public let spanDays: Double
  /// The percentage of the expected readings that are there, at most 100.
  public let wearPercent: Double
  /// The local dates with at least one reading.
  public let calendarDays: Int
  /// The local dates with at least 70 % of a day's readings.
  public let daysWith70Percent: Int
  /// The number of gaps longer than 45 minutes.
  public let gapsOver45Minutes: Int
  /// The longest distance of neighbouring readings, in minutes.
  public let longestGapMinutes: Double
  /// The mean wear of the seven fullest dates, in percent.
  public let meanWearOfBestSevenDays: Double
  /// The local dates with an hour of readings or more.
  public let daysWithAnHour: Int
  /// The readings that gave way to a later one within the same second.
  public let duplicates: Int
  /// The readings below 20 and above 600 mg/dL, which no sensor shows and no model is made for.
  public let impossible: Int
  /// The readings more than 45 minutes from both neighbours and at no slot of the grid: no event,
  /// and nothing of how glucose moves, is seen in them.
  public let apart: Int
  private let series: GlucoseSeries

  /// Measures a series; nothing without readings.
  public init?(_ series: GlucoseSeries) {
    guard let first = series.points.first, let last = series.points.last else { return nil }
    self.series = series
    let span = last.instant - first.instant
    readings = series.points.count
    duplicates = series.duplicates
    impossible = series.points.count { !(20...600).contains($0.mgdL) }
    intervalMinutes = GlucoseSeries.wholeMinutes(series.interval.minutes)
    spanDays = span.hours / 24
    let minutes = series.interval.minutes
    let expected = (span.minutes / minutes).rounded(.toNearestOrAwayFromZero) + 1
    assert(expected >= 1, "A series with a reading could have had one.")
    expectedReadings = Int(min(1e15, expected))
    wearPercent = min(100, 100 * Double(readings) / expected)
    let perDay = Self.countsPerDay(series)
    let fullDay = 1_440 / minutes
    calendarDays = perDay.count
    daysWith70Percent = perDay.count { Double($0) >= 0.7 * fullDay }
    daysWithAnHour = perDay.count { Double($0) * minutes >= 60 }
    let best = perDay.sorted(by: >).prefix(7).map { min(100, 100 * Double($0) / fullDay) }
    meanWearOfBestSevenDays = Statistics.mean(Array(best)) ?? 0
    let gaps = zip(series.points.dropFirst(), series.points).map { $0.instant - $1.instant }
    gapsOver45Minutes = gaps.count { $0 > .minutes(45) }
    apart = Self.apart(series, gaps)
    longestGapMinutes = gaps.max()?.minutes ?? 0
  }

  /// The wear in percent of a reporting window of so many days.
  public func wearPercent(ofDays days: Int) -> Double {
    guard days > 0 else { return 0 }
    return 100 * Double(readings) / (Double(days) * 1_440 / series.interval.minutes)
  }

  /// The percentage of the readings that a gapless sensor gives in a span, at most 100.
  ///
  /// A span shorter than that of the readings changes nothing.
  func wearPercent(from start: Instant, to end: Instant) -> Double {
    let slots = (end - start).quotient(by: series.interval)
    return min(100, 100 * Double(readings) / max(Double(expectedReadings), Double(slots)))
  }

  /// What a reader should know before trusting a figure; empty when there is enough of everything.
  public var notes: [String] {
    var notes: [String] = []
    if duplicates > 0 {
      notes.append(
        "\(duplicates) \(duplicates == 1 ? "reading gives" : "readings give") way to a later one "
          + "of the same time.")
    }
    if impossible > 0 {
      let lie = impossible == 1 ? "reading lies" : "readings lie"
      notes.append(
        "\(impossible) \(lie) below 20 or above 600 mg/dL, where no sensor shows any: figures over "
          + "them are arithmetic, not physiology.")
    }
    if readings < 30 {
      notes.append(
        "SD and CV rest on \(readings) \(readings == 1 ? "reading" : "readings"); 30 are asked for."
      )
    }
    // Many days of few readings have as many of them as 14 days that are worn well.
    if wearPercent < 70 || wearPercent(ofDays: 14) < 70 || spanDays < 13.5 {
      notes.append("The consensus asks for 14 days with 70 % of the readings for these shares.")
    }
    if daysWithAnHour < 7 || meanWearOfBestSevenDays < 70 {
      notes.append("A daily profile asks for seven days with a mean wear of 70 %.")
    }
    if apart > 0, readings > 1 {
      notes.append(
        "\(apart) of \(readings) readings \(apart == 1 ? "stands" : "stand") "
          + "more than 45 minutes from any other: lows, highs and how glucose moves are told "
          + "without \(apart == 1 ? "it" : "them").")
    }
    if let spanNote {
      notes.append(spanNote)
      return notes
    }
    let variability = series.variability
    let lacking = [
      variability?.meanOfDailyDifferences == nil ? "MODD" : nil,
      variability?.conga24 == nil ? "CONGA over 24 hours" : nil,
    ].compactMap(\.self)
    if !lacking.isEmpty {
      notes.append(
        "\(lacking.joined(separator: " and ")) \(lacking.count == 1 ? "has" : "have") no value: "
          + "readings at the same times of two days are needed.")
    }
    return notes
  }

  /// Why no event, and nothing of how glucose moves, is told of readings from a time longer than a
  /// grid holds, as one of a device without a clock among those of today; `nil` where it is told.
  public var spanNote: String? {
    guard GlucoseGrid(series) == nil, let first = series.points.first,
      let last = series.points.last
    else { return nil }
    func date(_ point: GlucoseSeries.Point) -> String {
      series.clock.civilTime(at: point.instant).dateText
    }
    return "The readings are from \(date(first)) to \(date(last)), a time too long for lows, highs "
      + "and how glucose moves, which are not told. A clock may have been wrong: leave out what is "
      + "of another time."
  }

  /// How many readings neither stand at a slot of the grid nor within reach of a neighbour.
  private static func apart(_ series: GlucoseSeries, _ gaps: [TimeSpan]) -> Int {
    guard let first = series.points.first else { return 0 }
    let start = series.clock.startOfDay(containing: first.instant)
    let step = TimeSpan.minutes(Int64(series.intervalMinutes))
    return series.points.indices.count { index in
      guard index == 0 || gaps[index - 1] > GlucoseGrid.longestBridge,
        index == gaps.count || gaps[index] > GlucoseGrid.longestBridge
      else { return false }
      let time = series.points[index].instant - start
      return time != step * time.quotient(by: step)
    }
  }

  /// How many readings each local date has, in no order; a traveller may come back to one.
  private static func countsPerDay(_ series: GlucoseSeries) -> [Int] {
    var counts: [Int64: Int] = [:]
    for point in series.points {
      counts[series.clock.civilTime(at: point.instant).dayNumber, default: 0] += 1
    }
    return Array(counts.values)
  }
}
