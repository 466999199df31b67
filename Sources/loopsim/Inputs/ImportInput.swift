import HealthStore
import Interchange

/// The file of an import, read part by part.
///
/// An actor, so that the next samples are read on one processor while those before are stored on
/// another; see ``ImportTarget/take(from:into:)``.
actor ImportInput {
  /// The first bytes of the file, by which its form is known.
  let first: [UInt8]
  private let file: String
  private let parts: () throws -> [UInt8]
  private var isFirstRead = false
  private var reader: AppleHealthReader

  /// How many samples are read at a time; at most twice as many are in memory at once.
  private static let batchSize = 5_000

  /// Opens a file, or takes standard input for `-`.
  ///
  /// - Parameters:
  ///   - file: The path of the file.
  ///   - types: Which types are read of an export of Apple Health; all when `nil`.
  /// - Throws: ``FileProblem`` where it cannot be read, ``Failure`` where it is empty.
  init(_ file: String, types: Set<ObjectType>?) throws {
    self.file = file
    parts = try Files.parts(of: file)
    first = try parts()
    reader = AppleHealthReader(file: file, types: types)
    guard !first.isEmpty else { throw Failure(.badInput, "\(file): the file is empty.") }
  }

  /// The next samples of an export of Apple Health; `nil` at its end.
  func samples() throws -> [RestoredSample]? {
    try reader.next(upTo: Self.batchSize) { try part() }
  }

  /// What came of the records of an export of Apple Health so far.
  var report: ImportReport { reader.report }

  /// The facts about the user in an export of Apple Health, by type.
  var characteristics: [(type: ObjectType, value: Int)] { reader.characteristics }

  /// The bytes of a whole document.
  ///
  /// - Throws: ``FileProblem`` where it is larger than ``Files/sizeLimit``.
  func document() throws -> [UInt8] {
    var bytes: [UInt8] = []
    while case let part = try part(), !part.isEmpty {
      bytes += part
      guard bytes.count <= Files.sizeLimit else { throw Files.tooLarge(file) }
    }
    return bytes
  }

  private func part() throws -> [UInt8] {
    guard isFirstRead else {
      isFirstRead = true
      return first
    }
    return try parts()
  }
}
