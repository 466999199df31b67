import Arguments
import Foundation
import Testing

@Suite("Completion")
struct CompletionTests {
  @Test(
    "The script is asked for by an option of the root",
    arguments: ["--generate-completion-script bash", "--generate-completion-script=bash"])
  func isPrinted(line: String) async {
    let outcome = await sample(line)
    #expect(outcome.code == 0)
    #expect(outcome.output == CompletionScript(of: Sample.self).text(for: .bash) + "\n")
  }

  @Test(
    "A shell that is not known, or not named, is a usage error",
    arguments: [
      (
        "--generate-completion-script csh",
        "The value 'csh' is invalid for '--generate-completion-script <shell>'. "
          + "Please provide one of 'bash', 'zsh' or 'fish'."
      ),
      (
        "--generate-completion-script",
        "Missing value for '--generate-completion-script <shell>'"
      ),
    ])
  func refusesOtherShells(line: String, message: String) async {
    let outcome = await sample(line)
    #expect(outcome.code == 64)
    #expect(outcome.error.hasPrefix("Error: \(message)\n"))
  }

  @Test("zsh and fish show what each word means")
  func describesWords() {
    let script = CompletionScript(of: Sample.self)
    let (zsh, fish) = (script.text(for: .zsh), script.text(for: .fish))
    #expect(zsh.hasPrefix("#compdef loopsim\n"))
    #expect(zsh.contains("--format) compadd -- 'text' 'json' 'html'; return ;;"))
    #expect(fish.contains("complete -c loopsim -f -n '__loopsim_at loopsim' -a run -d '"))
    #expect(fish.contains("-x -a 'text json html'"))
    // An option belongs to one command, whatever others end with the same verb.
    #expect(fish.contains("      case 'loopsim data sum'; set verb 'loopsim data sum'\n"))
    #expect(fish.contains("complete -c loopsim -n '__loopsim_at loopsim data sum' -l day "))
    #expect(fish.contains("-l noise ") && fish.contains("-l no-noise "))
    // Files are offered beside the verbs where one may stand in place of them.
    #expect(
      fish.contains(
        "      case 'loopsim data -*'\n"
          + "      case 'loopsim data *.*' 'loopsim data */*'; set verb 'loopsim data sum'\n"))
    #expect(fish.contains("complete -c loopsim -n '__loopsim_at loopsim data' -a sum -d '"))
    #expect(
      zsh.contains("      \"loopsim data \"[./]*|\"loopsim data \"[!-]*[./]*) verb=")
        && zsh.contains("_describe word entries || _files; else"))
    for word in ["--version", "-h", "--help"] { #expect(zsh.contains("'\(word):Show ")) }
    #expect(zsh.contains("'help:Show help of a command.'"))
    // zsh shows what stands behind the first colon as it is.
    #expect(zsh.contains("'--key:A key, such as 7:00.'"))
    #expect(fish.contains("complete -c loopsim -l version ") && fish.contains(" -a help "))
  }

  @Test("The manual page has every command, and no line that troff takes for a request")
  func writesManual() {
    let text = ManualPage(of: Sample.self).text
    #expect(text.hasPrefix(".TH LOOPSIM 1 "))
    for verbs in ["loopsim run", "loopsim data sum", "loopsim fail"] {
      #expect(text.contains(".SS \(verbs)\n"))
    }
    let requests = [".TH", ".SH", ".SS", ".PP", ".TP", ".B ", ".I "]
    for line in text.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
      #expect(requests.contains { line.hasPrefix($0) }, "\(line)")
    }
  }

  @Test(
    "Bash offers what may come next",
    arguments: [
      (["loopsim", ""], "run r data fail many help --version -h --help"),
      (["loopsim", "f"], "fail"),
      (["loopsim", "help", "da"], "data"),
      (["loopsim", "data", ""], "sum --version -h --help"),
      (["loopsim", "data", "sum", "--da"], "--day"),
      (["loopsim", "run", "--"], "--seed --format --quiet --noise --no-noise --version --help"),
      (
        ["loopsim", "r", "-"],
        "-s --seed --format -q --quiet --noise --no-noise --version -h --help"
      ),
      (["loopsim", "run", "--format", ""], "text json html"),
      (["loopsim", "run", "--format", "=", "j"], "json"),
      (["loopsim", "run", "--format", "="], "text json html"),
      (["loopsim", "run", "--seed", ""], ""),
      (["loopsim", "run", ""], ""),
      (["loopsim", "fail", "c"], "code clean"),
      // A file in place of a verb means the one that reads it; an option is no file.
      (["loopsim", "data", "./a.json5", "--d"], "--day"),
      (["loopsim", "data", "/a", "--d"], "--day"),
      (["loopsim", "data", "a.json5", "--unit", ""], "units grams"),
      (["loopsim", "data", "--x=a.json5", ""], "sum --version -h --help"),
    ])
  func offers(words: [String], expected: String) throws {
    let script = CompletionScript(of: Sample.self).text(for: .bash)
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let offered = try bash(
      """
      \(script)
      COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1)
      _loopsim
      echo "${COMPREPLY[@]}"
      """)
    #expect(offered == expected + "\n")
  }

  /// What bash prints for a script.
  private func bash(_ script: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["--norc", "-c", script]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? .init()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }
}
