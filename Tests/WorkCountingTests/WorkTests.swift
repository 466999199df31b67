import Testing
import WorkCounting

@Suite("Work")
struct WorkTests {
  @Test("Rows and points are counted apart")
  func counts() {
    let before = Work.done
    Work.visit(rows: 3)
    Work.visit(rows: 4)
    Work.compute(points: 11)
    #expect(Work.done - before == Work(rows: 7, points: 11))
  }

  @Test("What other threads do is not counted")
  func ownThread() async {
    // Each counts without a pause, and so on one thread from beginning to end.
    let counts = await withTaskGroup(of: Work.self) { group in
      for number in 1...32 {
        group.addTask {
          let before = Work.done
          for _ in 0..<10_000 {
            Work.visit(rows: number)
            Work.compute(points: 1)
          }
          return Work.done - before
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(
      counts.sorted { $0.rows < $1.rows }
        == (1...32).map { Work(rows: 10_000 * $0, points: 10_000) })
  }
}
