import Testing

@testable import HealthStore

@Suite("Requests for authorization, by themselves")
struct AuthorizationSheetsTests {
  private let client = ClientID(number: 1)

  private func registry() -> StoreRegistry {
    var registry = StoreRegistry()
    for change in registry.beginning { registry.apply(change) }
    let client = HealthClient(bundleIdentifier: "com.loopkit.Loop", name: "Loop")
    for change in registry.changes(registering: client, granting: nil, for: []).changes {
      registry.apply(change)
    }
    return registry
  }

  @Test("A sheet waits until it is answered, and what is not ticked is denied")
  func answering() throws {
    var (registry, sheets) = (registry(), AuthorizationSheets())
    let outcome = try sheets.request(
      toShare: [.bloodGlucose], read: [.stepCount, .bloodGlucose], as: client, in: registry)
    let sheet = try #require(sheets.visible(in: registry))
    #expect(outcome == .pending(sheet))
    #expect(sheet.number == 1)
    let changes = try sheets.answer(sheet, share: [], read: [.bloodGlucose], in: registry)
    for change in changes { registry.apply(change) }
    #expect(sheets.visible(in: registry) == nil)
    let glucose = registry.authorization(of: client, for: .bloodGlucose)
    #expect([glucose.share, glucose.read] == [.denied, .authorized])
    #expect(registry.authorization(of: client, for: .stepCount).read == .denied)
    #expect(
      try sheets.request(toShare: [.bloodGlucose], read: [], as: client, in: registry)
        == .processed)
    #expect(
      registry.requestStatus(toShare: [], read: [.stepCount], as: client) == .unnecessary)
    #expect(
      registry.requestStatus(toShare: [.stepCount], read: [], as: client) == .shouldRequest)
  }

  @Test("H96 A sheet lists only what is still undetermined when the user sees it")
  func deciding() throws {
    var (registry, sheets) = (registry(), AuthorizationSheets())
    for read in [[], [ObjectType.stepCount], []] {
      _ = try sheets.request(
        toShare: [.bloodGlucose], read: read, as: client, in: registry)
    }
    let first = try #require(sheets.visible(in: registry))
    for change in try sheets.answer(first, share: [.bloodGlucose], read: [], in: registry) {
      registry.apply(change)
    }
    let second = try #require(sheets.visible(in: registry))
    #expect(second.number == 2)
    #expect(second.share.isEmpty)
    #expect(second.read == [.stepCount])
    for change in try sheets.answer(second, share: [], read: [.stepCount], in: registry) {
      registry.apply(change)
    }
    #expect(registry.authorization(of: client, for: .bloodGlucose).share == .authorized)
    #expect(sheets.visible(in: registry) == nil, "The third asks for nothing that is open.")
  }

  @Test("What the user decides in the health app while a sheet is shown stays")
  func decidedElsewhere() throws {
    var (registry, sheets) = (registry(), AuthorizationSheets())
    _ = try sheets.request(
      toShare: [.bloodGlucose, .stepCount], read: [], as: client, in: registry)
    let sheet = try #require(sheets.visible(in: registry))
    registry.apply(
      .authorization(
        family: "com.loopkit.Loop", .bloodGlucose,
        Authorization(share: .authorized, read: .notDetermined)))
    for change in try sheets.answer(sheet, share: [], read: [], in: registry) {
      registry.apply(change)
    }
    #expect(registry.authorization(of: client, for: .bloodGlucose).share == .authorized)
    #expect(registry.authorization(of: client, for: .stepCount).share == .denied)
  }

  @Test("A sheet is answered once, and not at all after it was dismissed or while none is shown")
  func once() throws {
    var (registry, sheets) = (registry(), AuthorizationSheets())
    _ = try sheets.request(toShare: [.bloodGlucose], read: [], as: client, in: registry)
    _ = try sheets.request(toShare: [.stepCount], read: [], as: client, in: registry)
    let first = try #require(sheets.visible(in: registry))
    registry.settings.canPrompt = false
    #expect(sheets.visible(in: registry) == nil)
    #expect(throws: HealthStoreError.invalidArgument(.unknownSheet)) {
      try sheets.answer(first, share: [], read: [], in: registry)
    }
    registry.settings.canPrompt = true
    sheets.dismiss(first)
    #expect(throws: HealthStoreError.invalidArgument(.unknownSheet)) {
      try sheets.answer(first, share: [], read: [], in: registry)
    }
    #expect(sheets.visible(in: registry)?.number == 2)
    sheets.removeAll(of: client)
    #expect(sheets.visible(in: registry) == nil)
  }
}
