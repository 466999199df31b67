extension RunCommand {
  /// The words of the command that say which runs are carried out, and how: without them the same
  /// files make another batch.
  var options: [String] {
    func words(_ name: String, _ values: [String]) -> [String] {
      values.flatMap { ["--\(name)", $0] }
    }
    return words("seed", seed.map { ["\($0)"] } ?? []) + words("tag", tags) + words("run", only)
      + words("shard", shard.isEmpty ? [] : [shard]) + (failsFast ? ["--fail-fast"] : [])
      + words("controller", controller.isEmpty ? [] : [controller])
      + (programOptions.isAllowed ? ["--allow-programs"] : [])
      + (allowsOutside ? ["--allow-outside"] : [])
  }
}
