import CLoopsim
import Testing

@testable import CInterface

@Suite("The interface for C", .serialized)
struct CInterfaceTests {
  private static let scenario = """
    { format: 'loopsim/1', id: 'evening', clock: { duration: '2h' },
      patient: { model: 'tidepool-simple', initialGlucose: 170,
        needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 45]],
          carbRatio: [['00:00', 10]] } },
      cgm: { model: 'dexcomG6' } }
    """

  private static var request: String {
    "{\"text\":\"\(scenario.replacing("\n", with: " "))\"}"
  }

  /// Sends a message of a session and gives the code and the answer.
  private static func exchange(_ session: Int64, _ message: String) -> (code: Int32, text: String) {
    let sent = message.utf8.map { CChar(bitPattern: $0) }
    var text: Int64 = 0
    let code = unsafe loopsim_exchange(session, sent, sent.count, &text)
    guard code == 0 else { return (code, "") }
    var data: UnsafePointer<CChar>?
    var count = 0
    #expect(unsafe loopsim_bytes(text, &data, &count) == 0)
    let answer = unsafe data.map { unsafe String(cString: $0) } ?? ""
    #expect(answer.utf8.count == count)
    #expect(loopsim_close(text) == 0)
    return (code, answer)
  }

  @Test("A session answers messages, and nothing is left open")
  func messages() {
    let before = loopsim_open_handles()
    #expect(loopsim_abi() == 2)
    var session: Int64 = 0
    #expect(unsafe loopsim_open(&session) == 0)
    let hello = Self.exchange(session, "{\"type\":\"hello\",\"protocol\":1}").text
    #expect(hello.contains("\"hello\"") && hello.contains("\"loopsim\":\""))
    #expect(!hello.contains("\"loopsim\":\"\""))
    #expect(Self.exchange(session, "nonsense").text.contains("\"error\""))
    #expect(loopsim_open_handles() == before + 1)
    #expect(loopsim_close(session) == 0)
    #expect(loopsim_close(session) == 66)
    #expect(Self.exchange(session, "{}").code == 66)
    #expect(loopsim_open_handles() == before)
  }

  @Test("What a caller passes never ends the process")
  func wrongArguments() {
    var session: Int64 = 0
    #expect(loopsim_open(nil) == 64)
    #expect(unsafe loopsim_open(&session) == 0)
    defer { _ = loopsim_close(session) }
    var handle: Int64 = 0
    let sent = Self.request.utf8.map { CChar(bitPattern: $0) }
    #expect(unsafe loopsim_exchange(session, nil, 4, &handle) == 64)
    #expect(unsafe loopsim_exchange(session, sent, -1, &handle) == 64)
    #expect(unsafe loopsim_exchange(session, sent, 1 << 40, &handle) == 64)
    #expect(unsafe loopsim_exchange(session, sent, sent.count, nil) == 64)
    #expect(loopsim_bytes(session, nil, nil) == 66)
    for members in [Int64.min, -1, 0, 1 << 40, .max] {
      #expect(unsafe loopsim_batch(session, sent, sent.count, members, &handle) == 64)
    }
    #expect(unsafe loopsim_batch(session, sent, 7, 2, &handle) == 65)
    var text = [CChar](repeating: 0, count: 40)
    var needed = 0
    #expect(unsafe loopsim_error(&text, text.count, &needed) == 0)
    #expect(needed > 1)
    #expect(text.last == 0)
    #expect(unsafe loopsim_batch(session, sent, sent.count, 2, &handle) == 0)
    defer { _ = loopsim_close(handle) }
    for wrong in [Int64.min, -1, 2, .max] { #expect(loopsim_copy(handle, wrong, handle, 0) == 64) }
    #expect(loopsim_copy(session, 0, handle, 0) == 66)
    var ends: [UInt8] = [0, 0]
    var seen = [Double](repeating: 0, count: 20)
    for number in [Double.nan, .infinity, -.infinity, 1e300] {
      let actions = [1, 0, number, 0]
      #expect(unsafe loopsim_batch_step(handle, actions, &seen, &ends, nil) == 64)
    }
    // A member that was never begun stays as it is.
    #expect(unsafe loopsim_batch_step(handle, [1, 0, 1, 0], &seen, &ends, nil) == 0)
    #expect(seen.allSatisfy { $0 == 0 })
  }

  @Test("A member is copied to a batch of the same scenario and environment, and to no other")
  func copiesAmongBatches() {
    var session: Int64 = 0
    #expect(unsafe loopsim_open(&session) == 0)
    func batch(_ request: String) -> Int64 {
      var handle: Int64 = 0
      let sent = request.utf8.map { CChar(bitPattern: $0) }
      #expect(unsafe loopsim_batch(session, sent, sent.count, 1, &handle) == 0)
      return handle
    }
    let first = batch(Self.request)
    let alike = batch(Self.request)
    let bodies = batch("{\"environment\":\"patient\"," + Self.request.dropFirst())
    let others = batch(Self.request.replacing("170", with: "171"))
    var seen = [Double](repeating: 0, count: 10)
    #expect(unsafe loopsim_batch_reset(first, nil, [7], &seen) == 0)
    #expect(loopsim_copy(first, 0, alike, 0) == 0)
    for (target, words) in [(bodies, "two environments"), (others, "two scenarios")] {
      #expect(loopsim_copy(first, 0, target, 0) == 64)
      var text = [CChar](repeating: 0, count: 200)
      var needed = 0
      #expect(unsafe loopsim_error(&text, text.count, &needed) == 0)
      let sentence = String(
        decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      #expect(sentence.contains("The batches are of \(words)"), "\(sentence)")
    }
    for handle in [first, alike, bodies, others, session] { #expect(loopsim_close(handle) == 0) }
  }

  @Test("Members of a batch live as their seeds say, and a copy goes on as its original")
  func batches() {
    var session: Int64 = 0
    var batch: Int64 = 0
    #expect(unsafe loopsim_open(&session) == 0)
    let sent = Self.request.utf8.map { CChar(bitPattern: $0) }
    #expect(unsafe loopsim_batch(session, sent, sent.count, 3, &batch) == 0)
    var shape = [Int64](repeating: 0, count: 5)
    #expect(unsafe loopsim_batch_shape(batch, &shape) == 0)
    #expect(shape == [3, 2, 10, 3, 24])
    var seen = [Double](repeating: 0, count: 30)
    var truth = [Double](repeating: 0, count: 9)
    var ends = [UInt8](repeating: 0, count: 3)
    #expect(unsafe loopsim_batch_reset(batch, nil, [7, 8, 7], &seen) == 0)
    #expect(seen[0..<10] == seen[20..<30])
    #expect(seen[0] > 100)
    var steps = 0
    while ends.contains(0), steps < 40 {
      if steps == 10 { #expect(loopsim_copy(batch, 0, batch, 1) == 0) }
      #expect(
        unsafe loopsim_batch_step(batch, [1.5, 0, 1.5, 0, 1.5, 0], &seen, &ends, &truth) == 0)
      #expect(truth[0..<3] == truth[6..<9])
      if steps >= 10 { #expect(seen[0..<10] == seen[10..<20]) }
      steps += 1
    }
    #expect(ends == [2, 2, 2])
    #expect(steps == 25)
    #expect(loopsim_close(batch) == 0)
    #expect(loopsim_close(session) == 0)
  }

  @Test("A column of a run that is over is lent as numbers, and what is wrong is refused")
  func columns() throws {
    var session: Int64 = 0
    #expect(unsafe loopsim_open(&session) == 0)
    defer { _ = loopsim_close(session) }
    let reset =
      "{\"type\":\"reset\",\"answers\":[],"
      + Self.request.dropFirst()
    #expect(Self.exchange(session, reset).text.contains("\"run\":\"r1\""))
    var (numbers, data, count): (Int64, UnsafePointer<Double>?, Int) = (0, nil, 0)
    func ask(_ run: String, _ table: String, _ column: String) -> Int32 {
      unsafe loopsim_column(session, run, table, column, &numbers, &data, &count)
    }
    #expect(ask("r1", "timeline", "seconds") == 65)
    let end = Self.exchange(
      session, "{\"type\":\"advance\",\"run\":\"r1\",\"through\":\"2026-01-05T02:00:00Z\"}")
    #expect(end.text.contains("\"end\""))
    #expect(ask("r1", "timeline", "seconds") == 0)
    // Two hours by five minutes, both ends included.
    let found: [Double?] = (0..<count).map { unsafe data?[$0] }
    let wanted: [Double?] = (0...24).map { Double($0 * 300) }
    #expect(found == wanted)
    #expect(loopsim_close(numbers) == 0)
    #expect(ask("r1", "timeline", "time") == 0)
    #expect(unsafe data?[1] == 1_767_571_500)
    #expect(loopsim_close(numbers) == 0)
    // Nobody enters carbohydrate, and no reading is there before the first.
    #expect(ask("r1", "timeline", "carbs_entered_g") == 0)
    #expect((0..<count).allSatisfy { unsafe data?[$0] == 0 })
    #expect(loopsim_close(numbers) == 0)
    for wrong in [("r2", "timeline", "seconds"), ("r1", "day", "seconds"), ("r1", "timeline", "x")]
    {
      #expect(ask(wrong.0, wrong.1, wrong.2) == 65)
    }
    #expect(ask("r1", "timeline", "mode") == 65)
    #expect(ask("r1", "timeline", String(repeating: "a", count: 2_000)) == 64)
    #expect(loopsim_column(session, nil, nil, nil, nil, nil, nil) == 64)
    #expect(unsafe loopsim_column(0, "r1", "timeline", "seconds", nil, nil, nil) == 66)
  }

  @Test("A snapshot goes on as the batch does, and leaves it alone")
  func snapshots() {
    var (session, batch, copy): (Int64, Int64, Int64) = (0, 0, 0)
    #expect(unsafe loopsim_open(&session) == 0)
    let sent = Self.request.utf8.map { CChar(bitPattern: $0) }
    #expect(unsafe loopsim_batch(session, sent, sent.count, 1, &batch) == 0)
    var seen = [Double](repeating: 0, count: 10)
    var ends: [UInt8] = [0]
    #expect(unsafe loopsim_batch_reset(batch, nil, [7], &seen) == 0)
    #expect(unsafe loopsim_batch_step(batch, [2, 0], &seen, &ends, nil) == 0)
    #expect(unsafe loopsim_snapshot(batch, &copy) == 0)
    var first = seen
    for _ in 0..<5 { #expect(unsafe loopsim_batch_step(batch, [2, 0], &first, &ends, nil) == 0) }
    for _ in 0..<5 { #expect(unsafe loopsim_batch_step(copy, [2, 0], &seen, &ends, nil) == 0) }
    #expect(seen == first)
    #expect(loopsim_snapshot(batch, nil) == 64)
    #expect(unsafe loopsim_snapshot(session, &copy) == 66)
    for handle in [copy, batch, session] { _ = loopsim_close(handle) }
  }
}
