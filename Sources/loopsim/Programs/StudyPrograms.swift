import Bridge
import Determinism
import Scenarios
import Simulation
import StructuredText
import Studies

/// Starts the programs that have a part in a study's runs, and lives through these runs.
struct StudyPrograms: Sendable {
  /// Who may be started, and from which folder: that of the study's file.
  var desk = ProgramDesk.nobody
  /// The programs as the plan knows them.
  var planned: [StudyProgram] = []

  /// No program is started.
  static let none = StudyPrograms()

  /// What may be started from a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder of the study's file.
  ///   - isAllowed: Whether programs may be started.
  ///   - pool: The programs that wait; `nil` where every run gets programs of its own.
  init(from folder: String, isAllowed: Bool, pool: ProgramPool?) {
    desk = ProgramDesk(
      allowsPrograms: isAllowed || ProgramDesk.isAllowedByEnvironment, pool: pool, root: folder)
  }

  private init() {}

  /// Refuses a folder of programs, unless it is empty, for a plan that has none.
  static func check(_ folder: String, for plan: StudyPlan) throws(Failure) {
    guard folder.isEmpty || !plan.programs.isEmpty else {
      throw Failure(.usage, "The study starts no program: leave out --programs.")
    }
  }

  /// The programs that may be started for a plan that is in a folder already.
  ///
  /// - Throws: ``Failure`` where the plan has programs and they may not be started.
  func following(_ plan: StudyPlan, in folder: String) throws -> Self {
    if let first = plan.programs.first, !desk.allowsPrograms {
      throw Failure(
        .badInput,
        "\(folder)/plan.json: This study wants to start the program "
          + "\(ShellWord.line(first.command)). Allow it with --allow-programs, and name the folder "
          + "of the study's file with --programs unless that is the current one.")
    }
    return knowing(plan)
  }

  /// The programs of a plan, which were greeted when it was made.
  func knowing(_ plan: StudyPlan) -> Self {
    var programs = self
    programs.planned = plan.programs
    return programs
  }

  /// Lives through a run in which programs have a part.
  ///
  /// - Throws: ``Failure`` where a program cannot be started or is not the one of the plan: no run
  ///   of the study can be right then. What goes wrong later costs one run.
  func live(_ built: BuiltRun) throws -> CaseCourse {
    var setup = built.setup
    let programs: RunPrograms
    do throws(ProgramFailure) {
      programs = try desk.programs(for: built, &setup, file: setup.id)
    } catch {
      if error.kind == .program, !error.isAtStart { return .failed(error.description) }
      throw Failure(error.kind == .program ? .programFailed : .badInput, error.description)
    }
    if let mismatch = programs.mismatch(with: planned) {
      programs.abandon()
      throw Failure(.badInput, mismatch)
    }
    var run = Run(setup)
    while run.question != nil || run.step() {
      guard !StudyWork.stop.isRequested else {
        programs.abandon()
        return .stopped
      }
      do throws(ProgramFailure) {
        try programs.answer(&run)
      } catch {
        programs.abandon()
        return .failed(error.description)
      }
    }
    let result = (consume run).finish()
    do throws(ProgramFailure) {
      try programs.end(result, digest: RunningDigest.hexadecimal(of: result.digest))
    } catch {
      programs.abandon()
      return .failed(error.description)
    }
    return .over(result)
  }

  /// Greets the programs of runs, so that a plan can say who they are.
  ///
  /// - Throws: ``Failure`` where a program may not or cannot be started.
  func greeted(by runs: [BuiltRun]) throws -> [StudyProgram] {
    // These runs know their files by the paths that lead to them from here.
    var desk = desk
    desk.root = ""
    var known: [StudyProgram] = []
    for built in runs where !built.programs.isEmpty {
      if let spec = built.programs.first(where: { $0.transcript != nil }) {
        throw Failure(
          .badInput,
          "\(spec.place): A study has many runs and takes their answers from a program, not from "
            + "the record of one run. Name its \"command\".")
      }
      var setup = built.setup
      do throws(ProgramFailure) {
        let programs = try desk.programs(for: built, &setup, file: setup.id)
        programs.abandon()
        for program in programs.started where !known.contains(program) { known.append(program) }
      } catch {
        throw Failure(error.kind == .program ? .programFailed : .badInput, error.description)
      }
    }
    return known
  }
}
