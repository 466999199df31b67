import HealthStore
import Quantities
import Testing

@Suite("Clinical documents, on both backends")
struct DocumentLaws {
  func document(_ world: inout World, _ title: String) -> Sample {
    let content = ClinicalDocument(
      restoring: Array("<ClinicalDocument/>".utf8), title: title, patientName: "Ann Example",
      custodianName: "Clinic", authorName: "Dr Example")
    return Sample(document: content, start: world.start, end: world.start, uuid: world.uuid())
  }

  @Test(
    "H179 H180 Documents are found by their fields, and their XML comes only when asked for",
    arguments: Place.allCases)
  func content(place: Place) throws {
    var world = try World(place)
    let (visit, summary) = (document(&world, "Visit"), document(&world, "Summary"))
    try world.save(visit, summary, by: world.loop)
    let found = try world.store.documents(
      matching: .document(.title, contains: "Vis"), as: world.loop)
    #expect(found.map(\.uuid) == [visit.uuid])
    #expect(found.first?.document?.patientName == "Ann Example")
    #expect(found.first?.document?.xml == nil)
    let whole = try world.store.documents(includingContent: true, as: world.loop)
    #expect(whole.map { $0.document?.xml } == [visit, summary].map { $0.document?.xml })
    let sorted = try world.store.documents(
      sortedBy: [SampleSort(.document(.title))], limit: 1, as: world.loop)
    #expect(sorted.map(\.uuid) == [summary.uuid])
    for sample in try world.store.samples(of: .clinicalDocument, as: world.loop) {
      #expect(sample.document?.xml == nil)
    }
    for sample in try world.store.changes(of: .clinicalDocument, as: world.loop).added {
      #expect(sample.document?.xml == nil)
    }
  }

  @Test(
    "H181 H182 The user is asked once about each document, and never in the background",
    arguments: Place.allCases)
  func grants(place: Place) throws {
    var world = try World(place)
    let (first, second) = (document(&world, "A"), document(&world, "B"))
    try world.save(first, second, by: world.loop)
    var asked: [[SampleUUID]] = []
    #expect(try world.store.documents(as: world.dexcom).isEmpty)
    #expect(try world.store.samples(of: .clinicalDocument, as: world.dexcom).isEmpty)
    for _ in 0..<2 {
      let found = try world.store.documents(
        as: world.dexcom,
        asking: { sheet in
          asked.append(sheet.documents.map(\.uuid))
          return [first.uuid]
        })
      #expect(found.map(\.uuid) == [first.uuid])
    }
    #expect(asked == [[first.uuid, second.uuid]])
    #expect(try world.store.documents(as: world.dexcom).map(\.uuid) == [first.uuid])
    try world.store.setGrant(.granted, of: second.uuid, to: world.dexcom)
    #expect(try world.store.documents(as: world.dexcom).count == 2)
    #expect(try world.store.documents(as: world.loop).count == 2)
  }

  @Test("H183 Changed content is a new sample", arguments: Place.allCases)
  func immutability(place: Place) throws {
    var world = try World(place)
    let old = document(&world, "Draft")
    try world.save(old, by: world.loop)
    let changed = Sample(
      document: ClinicalDocument(
        restoring: [], title: "Final", patientName: "", custodianName: "", authorName: ""),
      start: world.start, end: world.start, uuid: old.uuid)
    #expect(failure { try world.store.save(changed, as: world.loop, at: world.start) } == 3)
    let new = document(&world, "Final")
    try world.save(new, by: world.loop)
    #expect(try world.store.documents(as: world.loop).count == 2)
  }
}
