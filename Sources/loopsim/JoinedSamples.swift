import HealthStore
import Interchange
import StructuredText

/// The samples of several files, of which one that is named later has the last word.
struct JoinedSamples {
  private(set) var samples: [RestoredSample] = []
  /// Where the samples stand of each identity.
  private var places: [SampleUUID: Int] = [:]
  /// Sentences on samples of which files say something else.
  private(set) var notes: [String] = []

  /// Adds the samples of a file, in place of those of the same identities in the files before.
  mutating func add(_ own: [RestoredSample], of file: String) {
    var others: (count: Int, first: String)?
    for restored in own {
      guard let place = places[restored.sample.uuid] else {
        places[restored.sample.uuid] = samples.count
        samples.append(restored)
        continue
      }
      let (former, sample) = (samples[place].sample, restored.sample)
      samples[place] = restored
      guard
        former.start != sample.start || former.end != sample.end
          || former.storedValue != sample.storedValue
      else { continue }
      others = (
        (others?.count ?? 0) + 1,
        others?.first ?? "\(SampleWords(former)), and \(SampleWords(sample)) here"
      )
    }
    guard let others else { return }
    notes.append(
      "\(file): \(WordList.counted(others.count, "sample")) with another amount or time than in a "
        + "file that is named before it; the later counts. The first is \(others.first).")
  }
}

/// A sample in words, such as `1.2 U, 2026-02-03T01:30:00Z`.
struct SampleWords: CustomStringConvertible {
  let description: String

  init(_ sample: Sample) {
    let end = sample.end == sample.start ? "" : " to \(sample.end)"
    let unit = sample.type == .insulinDelivery ? "U" : sample.type.unit?.unitString ?? ""
    description = "\(JSONField.shortText(sample.storedValue ?? 0)) \(unit), \(sample.start)\(end)"
  }
}
