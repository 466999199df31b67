import ClosedLoop
import TestSupport
import Testing

/// What a caller inside the house may not do: the process ends with a sentence.
@Suite("What may not be asked of the app", .enabled(if: hasAssertions))
struct PreconditionTests {
  @Test("An upload of no rows at a time, which would never end")
  func uploadsNothing() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var uploads = RemoteUploads()
      uploads.upload(
        .doses, to: "service", limit: 0, query: { _, _ in [Int64(1)] }, counter: { $0 },
        send: { _ in true })
    }
    #expect(says(result?.standardErrorContent, "An upload takes at least one row at a time."))
  }

  @Test("A queue of uploads that does not move, which would never end")
  func uploadsForEver() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var uploads = RemoteUploads()
      uploads.upload(
        .doses, to: "service", query: { _, _ in [Int64(0)] }, counter: { $0 },
        send: { _ in true })
    }
    #expect(says(result?.standardErrorContent, "A queue moves forward."))
  }
}
