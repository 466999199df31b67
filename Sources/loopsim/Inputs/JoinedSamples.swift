import HealthStore
import Interchange
import Quantities
import StructuredText

/// The samples of several files, of which one that is named later has the last word.
struct JoinedSamples {
  private(set) var samples: [RestoredSample] = []
  /// Where the samples stand of each identity.
  private var places: [SampleUUID: Int] = [:]
  /// Where the samples stand that have a sync identifier, and in which file.
  private var synced: [Identifier: (place: Int, file: Int)] = [:]
  private var files = 0

  /// What stands for one sample of a source, in whatever version.
  private struct Identifier: Hashable {
    var type: ObjectType
    var source: String
    var identifier: SyncIdentifier
    var start: Instant

    init?(_ sample: Sample) {
      guard let identifier = sample.metadata.syncIdentifier else { return nil }
      (type, source) = (sample.type, sample.source?.bundleIdentifier ?? "")
      (self.identifier, start) = (identifier, sample.start)
    }
  }
  /// Sentences on samples of which files say something else.
  private(set) var notes: [String] = []

  /// Adds the samples of a file, in place of those of the same identities in the files before, and
  /// before in it.
  mutating func add(_ own: [RestoredSample], of file: String) {
    var (elsewhere, here) = (Again(), Again())
    let before = samples.count
    // The places of samples of files before that hold one of this file now.
    var taken: Set<Int> = []
    files += 1
    for restored in own {
      guard let place = place(of: restored.sample) else {
        places[restored.sample.uuid] = samples.count
        if let name = Identifier(restored.sample) { synced[name] = (samples.count, files) }
        samples.append(restored)
        continue
      }
      let (former, sample) = (samples[place].sample, restored.sample)
      places[sample.uuid] = place
      // Of two versions the higher counts, as in a health store.
      let isOld = (sample.metadata.syncVersion ?? 0) < (former.metadata.syncVersion ?? 0)
      if place < before, !taken.contains(place) {
        elsewhere.note(sample, former)
      } else {
        here.note(sample, former)
      }
      guard !isOld else { continue }
      samples[place] = restored
      if place < before { taken.insert(place) }
    }
    for (again, there) in [
      (here, "there again"), (elsewhere, "in a file that is named before it too"),
    ]
    where again.same > 0 {
      notes.append(
        "\(file): \(WordList.counted(again.same, "sample", "is")) \(there), and "
          + "\(WordList.verb("counts", of: again.same)) once.")
    }
    if let first = here.firstOther {
      notes.append(
        "\(file): \(WordList.counted(here.others, "sample", "is")) there again, with another "
          + "amount or time; the higher version counts, else the later one. The first is \(first).")
    }
    if let first = elsewhere.firstOther {
      notes.append(
        "\(file): \(WordList.counted(elsewhere.others, "sample")) with another amount or time than "
          + "in a file that is named before it; the higher version counts, else the file that is "
          + "named later. The first is \(first).")
    }
  }

  /// How many samples of a file are those of others again.
  private struct Again {
    /// How many have the same amount and time.
    var same = 0
    /// How many have another, and the first of these in words.
    var others = 0
    var firstOther: String?

    mutating func note(_ sample: Sample, _ former: Sample) {
      guard
        former.start != sample.start || former.end != sample.end
          || former.storedValue != sample.storedValue
      else {
        same += 1
        return
      }
      others += 1
      firstOther = firstOther ?? "\(SampleWords(former)), and \(SampleWords(sample)) here"
    }
  }

  /// Where the same sample stands of a file before, in this or in another version.
  private func place(of sample: Sample) -> Int? {
    if let place = places[sample.uuid] { return place }
    guard let name = Identifier(sample), let found = synced[name], found.file < files else {
      return nil
    }
    return samples[found.place].sample.metadata.syncVersion == sample.metadata.syncVersion
      ? nil : found.place
  }
}

/// A sample in words, such as `1.2 U, 2026-02-03T01:30:00Z`.
struct SampleWords: CustomStringConvertible {
  let description: String

  init(_ sample: Sample, _ clock: WallClock = .utc) {
    let end =
      sample.hasUndeterminedDuration
      ? ", without an end"
      : sample.end == sample.start ? "" : " to \(clock.iso8601(sample.end))"
    let unit = sample.type == .insulinDelivery ? "U" : sample.type.unit?.unitString ?? ""
    // Of what is no quantity the time alone.
    let amount = sample.storedValue.map { "\(JSONField.shortText($0)) \(unit), " } ?? ""
    description = "\(amount)\(clock.iso8601(sample.start))\(end)"
  }
}
