import StructuredText
import Studies

extension StudyFolder {
  /// The files whose content is not what the manifest says, the cases with the line that differs.
  ///
  /// - Parameter names: The files that are looked at; all unless given.
  /// - Returns: A sentence for each of them.
  /// - Throws: ``Failure`` where a file cannot be read.
  func resultDefects(named names: Set<String>? = nil) throws -> [String] {
    let path = result("manifest.json")
    let reading = JSONReader.read(try Files.read(path), file: path)
    guard let files = reading.root?["files"]?.items else {
      return ["\(path): this is no manifest of results"]
    }
    return try files.compactMap { entry in
      guard let name = entry["name"]?.string, let digest = entry["sha256"]?.string,
        !name.contains("/")
      else { return "\(path): this is no manifest of results" }
      guard names?.contains(name) != false else { return nil }
      let file = "\(self.path)/\(name)"
      let bytes = try Files.read(file)
      guard StudyPlan.digest(of: bytes) != digest else { return nil }
      let line = name == "results.cases.csv" ? differingLine(bytes) : nil
      return "\(file)\(line.map { ":\($0)" } ?? ""): its content is not what the manifest says"
    }
  }

  /// The first line of the cases that differs from the shards, where they are still there.
  private func differingLine(_ bytes: [UInt8]) -> Int? {
    guard let planned = try? load(),
      let states = try? incomplete(in: planned, hashing: true), states.missing.isEmpty
    else { return nil }
    var line = 1
    var offset = 0
    for manifest in states.complete {
      guard let rows = try? Files.read(shard(manifest.rowsName)) else { return nil }
      for byte in rows {
        guard offset < bytes.count, bytes[offset] == byte else { return line }
        if byte == 0x0a { line += 1 }
        offset += 1
      }
    }
    return line
  }
}
