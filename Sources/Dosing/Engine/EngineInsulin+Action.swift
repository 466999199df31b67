extension SlidingList<EngineInsulin.Part> {
  /// Over which time parts act; where there are none, a time.
  func action(from now: Double) -> (start: Double, end: Double) {
    guard !isEmpty else { return (now, now) }
    var start = Double.infinity
    // Of inhaled insulin and of the others, which all act for as long.
    var shortEnd = -Double.infinity
    var longEnd = -Double.infinity
    let stored = storage.span
    for index in gone..<stored.count {
      start = Swift.min(start, stored[index].element.start)
      let end = stored[index].element.end
      if stored[index].element.model.actsForFiveHours {
        shortEnd = Swift.max(shortEnd, end)
      } else {
        longEnd = Swift.max(longEnd, end)
      }
    }
    let end = Swift.max(
      shortEnd + InsulinModel.afrezza.effectDuration,
      longEnd + InsulinModel.rapidActingAdult.effectDuration)
    return (start, end)
  }
}
