import CLoopsim
import TestSupport
import Testing

@testable import CInterface

extension CInterfaceTests {
  /// Whatever a caller passes, a code comes back: a trap would end the process of its host.
  ///
  /// `LOOPSIM_MUTATIONS` asks for more calls than the few that every run of the tests tries. Open
  /// handles are those of the process, so that the tests that count them run one after the other.
  @Suite("Damaged calls from C")
  struct FuzzInterfaceTests {
    private static let scenario =
      "{ format: 'loopsim/1', id: 'half', clock: { duration: '30m' }, patient: { model: "
      + "'tidepool-simple', initialGlucose: 170, needs: { basal: [['00:00', 1]], sensitivity: "
      + "[['00:00', 45]], carbRatio: [['00:00', 10]] } }, cgm: { model: 'dexcomG6' } }"

    private static let messages = [
      #"{"type":"reset","text":"\#(scenario)","seed":"7","privileged":true}"#,
      #"{"type":"reset","text":"\#(scenario)","answers":[]}"#,
      #"{"type":"act","run":"r1","n":0,"tempBasal":{"rate":1.3,"duration":1800},"bolus":0.5}"#,
      #"{"type":"advance","run":"r2","through":"2026-01-05T01:00:00Z"}"#,
      #"{"type":"fork","run":"r1"}"#, #"{"type":"records","run":"r2","table":"timeline"}"#,
      #"{"type":"batch","text":"\#(scenario)","members":2}"#,
      #"{"type":"batchReset","batch":"b1","seeds":["1","2"]}"#,
      #"{"type":"batchStep","batch":"b1","actions":[1,0,2,0]}"#, #"{"type":"close"}"#,
    ]

    private static let requests = [
      #"{"text":"\#(scenario)"}"#, #"{"text":"\#(scenario)","environment":"patient"}"#,
      #"{"text":"\#(scenario)","overrides":{"patient.initialGlucose":90}}"#,
    ]

    private static let words = [
      "null", "-1", "1e400", "9223372036854775808", "NaN", "{}", "[[", "true", "\"r1\"",
      "\"\\u0000\"", "\"patient\"", "\"\\ud800\"",
    ]

    private static let numbers: [Double] = [
      0, -1, 1.2, 1e6, -1e6, 1e300, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, 0.1,
    ]

    /// The codes of the interface.
    private static let codes: Set<Int32> = [0, 64, 65, 66, 75]

    /// A caller of everything, with what it has been given so far.
    private struct Caller {
      var chance: Chance
      var handles: [Int64] = [0, -1, .max, .min]

      /// A handle: one that is open or was, or one that never was.
      mutating func handle() -> Int64 { handles[chance.below(handles.count)] }

      mutating func damaged(_ texts: [String]) -> [CChar] {
        let text = Array(texts[chance.below(texts.count)].utf8)
        let bytes = chance.below(3) == 0 ? text : chance.damaged(text, FuzzInterfaceTests.words)
        return bytes.map { CChar(bitPattern: $0) } + [0]
      }

      mutating func number() -> Double {
        FuzzInterfaceTests.numbers[chance.below(FuzzInterfaceTests.numbers.count)]
      }

      /// Makes a call; the buffers have room for four members, the most that a batch gets.
      mutating func call() -> Int32 {
        var made: Int64 = 0
        defer { if made != 0 { handles.append(made) } }
        var seen = [Double](repeating: 0, count: 40)
        var truth = [Double](repeating: 0, count: 12)
        var ends = [UInt8](repeating: 0, count: 4)
        switch chance.below(12) {
        case 0: return unsafe loopsim_open(&made)
        case 1, 2:
          let line = damaged(FuzzInterfaceTests.messages)
          let length = chance.below(20) == 0 ? [-1, .max, .min][chance.below(3)] : line.count - 1
          return unsafe loopsim_exchange(handle(), line, length, &made)
        case 3:
          var (data, count): (UnsafePointer<CChar>?, Int) = (nil, 0)
          let code = unsafe loopsim_bytes(handle(), &data, &count)
          // What is lent can be read to its end.
          if code == 0, let data = unsafe data { #expect(unsafe data[count] == 0) }
          return code
        case 4:
          var (data, count): (UnsafePointer<Double>?, Int) = (nil, 0)
          let (run, table, column) = (
            damaged(["r1", "r2"]), damaged(["timeline", "pulses"]), damaged(["seconds", "time"])
          )
          return unsafe loopsim_column(handle(), run, table, column, &made, &data, &count)
        case 5:
          let line = damaged(FuzzInterfaceTests.requests)
          let members =
            chance.below(4) == 0 ? Int64(number().isNaN ? -1 : 0) : Int64(chance.below(5))
          return unsafe loopsim_batch(handle(), line, line.count - 1, members, &made)
        case 6:
          var shape = [Int64](repeating: 0, count: 5)
          return unsafe loopsim_batch_shape(handle(), &shape)
        case 7:
          let mask = (0..<4).map { _ in UInt8(chance.below(2)) }
          let seeds = (0..<4).map { _ in UInt64(truncatingIfNeeded: handle()) }
          return unsafe loopsim_batch_reset(handle(), mask, seeds, &seen)
        case 8, 9:
          let actions = (0..<8).map { _ in number() }
          return unsafe loopsim_batch_step(handle(), actions, &seen, &ends, &truth)
        case 10:
          let places = [0, 1, 3, -1, Int64.max]
          return loopsim_copy(
            handle(), places[chance.below(5)], handle(), places[chance.below(5)])
        default:
          guard chance.below(4) == 0 else { return unsafe loopsim_snapshot(handle(), &made) }
          return loopsim_close(handle())
        }
      }
    }

    @Test("Every call has a code, its sentence can be read, and everything can be closed")
    func calls() {
      let before = loopsim_open_handles()
      var caller = Caller(chance: Chance(state: 31))
      var codes: [Int32: Int] = [:]
      for number in 0..<Chance.cases(orElse: 600) {
        let code = caller.call()
        codes[code, default: 0] += 1
        if code != 0 {
          var needed = 0
          var text = [CChar](repeating: 1, count: 1 + caller.chance.below(80))
          #expect(unsafe loopsim_error(&text, text.count, &needed) == 0)
          #expect(text.contains(0) && needed > 1)
        }
        // Now and then everything is closed, so that memory does not grow with the number of calls.
        guard number % 500 == 499 else { continue }
        for handle in caller.handles { _ = loopsim_close(handle) }
        caller.handles.removeLast(caller.handles.count - 4)
      }
      for handle in caller.handles { _ = loopsim_close(handle) }
      #expect(loopsim_open_handles() == before)
      #expect(Set(codes.keys).isSubset(of: Self.codes))
      #expect((codes[0] ?? 0) > 50)
      for code in Self.codes where code != 75 { #expect(codes[code] != nil, "\(code)") }
    }
  }
}
