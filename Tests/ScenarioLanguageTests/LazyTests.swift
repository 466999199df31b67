import ScenarioLanguage
import Synchronization
import Testing

@Suite("Values that are made when they are first asked for")
struct LazyTests {
  @Test("A value is made once, also where many ask at a time")
  func isMadeOnce() async {
    let count = Mutex(0)
    let lazy = Lazy {
      count.withLock {
        $0 += 1; return $0
      }
    }
    #expect(count.withLock(\.self) == 0)
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<20 { group.addTask { lazy.value } }
      for await value in group { #expect(value == 1) }
    }
    #expect(count.withLock(\.self) == 1)
  }
}
