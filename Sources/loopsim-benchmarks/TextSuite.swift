import StructuredText

/// Text that is read and written: what a run spends on its files.
enum TextSuite {
  static let suite = Suite(
    name: "text",
    cases: [
      Benchmark(name: "write a number with two decimals", unit: "number", units: 10_000) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(100_000)
        var number = opaque(39.995)
        for _ in 0..<10_000 {
          FixedDecimal.append(number, decimals: 2, to: &bytes)
          number += 0.037
        }
        return checksum(of: bytes)
      },
      Benchmark(name: "write thousandths", unit: "number", units: 10_000) {
        var sum = Checksum()
        for number in 0..<10_000 as Range<Int64> {
          let text = FixedDecimal.text(thousandths: opaque(number) * 25, atLeast: 2)
          sum.absorb(UInt64(text.utf8.count))
        }
        return sum.value
      },
      Benchmark(name: "write CSV rows of twelve numbers", unit: "row", units: 1_000) {
        var writer = CSVWriter(header: (0..<12).map { "column \($0)" })
        for row in 0..<1_000 {
          for column in 0..<12 {
            writer.field(opaque(Double(row) * 1.25 + Double(column)), decimals: 2)
          }
        }
        return checksum(of: writer.bytes)
      },
      Benchmark(name: "read JSON", unit: "byte", units: scenario.count) {
        let reading = JSONReader.read(opaque(scenario), file: "benchmark.json5")
        return UInt64(reading.problems.count) &+ (reading.root == nil ? 1 : 0)
      },
    ])

  /// A scenario-like file of 500 events.
  private static let scenario: [UInt8] = {
    var text = "{\n  // Meals and boluses of a long day.\n  clock: { start: '2026-01-05' },\n"
    text += "  events: ["
    for index in 0..<500 {
      let carbs = "\(index % 90).5"
      text += "\n    { at: '+\(index * 5)m', meal: { carbs: \(carbs), absorption: \"3h\" } },"
    }
    return Array((text + "\n  ],\n}\n").utf8)
  }()

  private static func checksum(of bytes: [UInt8]) -> UInt64 {
    var sum = Checksum()
    for byte in bytes { sum.absorb(UInt64(byte)) }
    return sum.value
  }
}
