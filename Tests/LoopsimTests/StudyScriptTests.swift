import Foundation
import Testing

@testable import loopsim

@Suite("Job files of a study")
struct StudyScriptTests {
  /// GNU parallel as far as the job file uses it: it joins the words, which a shell then reads
  /// again, and `--quote` keeps each word what it is (its manual, "QUOTING").
  private static let parallel = #"""
    #!/bin/bash
    quotes=no
    while [[ $1 == --* ]]; do
      case $1 in
        --quote) quotes=yes; shift ;;
        *) shift 2 ;;
      esac
    done
    while read -r input; do
      line=
      for word in "$@"; do
        word=${word//'{}'/$input}
        [ $quotes = no ] || printf -v word %q "$word"
        line+=" $word"
      done
      bash -c "$line" || exit
    done
    """#

  @Test(
    "What GNU parallel starts is told the folder whatever its name", arguments: ["a b", "it's"])
  func parallel(name: String) async throws {
    let scratch = try Scratch()
    let study = try SmallStudy.write(in: scratch)
    let folder = scratch.file(name)
    #expect(await program(["study", "plan", study, "--out", folder, "--shards", "2"]).code == 0)
    let script = await program(["study", "script", folder, "--engine", "parallel"])
    #expect(script.code == 0)
    try Files.write(script.output, to: scratch.file("job.sh"))
    try Files.makeFolder(scratch.file("bin"))
    try scratch.writeProgram(Self.parallel, named: "bin/parallel")
    let result = try Binary.run(
      [scratch.file("job.sh")],
      environment: [
        "LOOPSIM": Binary.program.path, "PATH": "\(scratch.file("bin")):/usr/bin:/bin",
      ], in: scratch.url, through: "exec bash \"$1\"")
    #expect(result.code == 0, "\(result.error)")
    #expect(result.output.hasSuffix("results in \(folder)\n"), "\(result.output)\(result.error)")
    #expect(await program(["study", "verify", folder]).code == 0)
  }

  @Test(
    "A folder whose name breaks a line is refused: what comes after it would be carried out",
    arguments: StudyScriptCommand.Engine.allCases)
  func lineBreaks(engine: StudyScriptCommand.Engine) async throws {
    let scratch = try Scratch()
    let study = try SmallStudy.write(in: scratch)
    let folder = scratch.file("a\ntouch b")
    #expect(await program(["study", "plan", study, "--out", folder, "--shards", "2"]).code == 0)
    let script = await program(["study", "script", folder, "--engine", engine.rawValue])
    #expect(script.code == 65)
    #expect(script.output.isEmpty)
    #expect(script.error.contains("has a line break or another control character"))
  }
}
