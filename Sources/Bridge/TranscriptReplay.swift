public import Simulation
public import StructuredText

/// Answers the questions of a run from the record of an earlier one.
public struct TranscriptReplay: Sendable {
  /// The record.
  public let transcript: Transcript
  /// The file of the record, for sentences.
  public let file: String
  /// What to do where the record does not fit, such as a command to type.
  private let remedy: String
  private var next = 0

  /// Creates a `TranscriptReplay` from its parts; see the properties.
  public init(_ transcript: Transcript, file: String, remedy: String) {
    self.transcript = transcript
    self.file = file
    self.remedy = remedy
  }

  /// The recorded answer to a question.
  public mutating func answer(
    _ question: Question, asked: String
  ) throws(ProgramFailure) -> Answer {
    guard next < transcript.entries.count else {
      let reason =
        transcript.digest == nil
        ? "the record breaks off here" : "the record has no answer to this question"
      throw failure(transcript.entries.count + 1, question, reason)
    }
    let entry = transcript.entries[next]
    assert(entry.number == question.number, "Records and questions are numbered without a gap.")
    guard entry.asked == asked else {
      throw failure(
        entry.line, question,
        Self.difference(entry.asked, asked, in: QuestionContent.parts(of: question.role)))
    }
    guard entry.instant == question.instant else {
      throw failure(entry.line, question, "that one was asked at \(entry.instant)")
    }
    guard entry.isForBolus == question.isForBolus else {
      let kind = question.isForBolus ? "a decision" : "a bolus"
      throw failure(entry.line, question, "that one asked for \(kind)")
    }
    next += 1
    return entry.answer
  }

  /// A warning of answers that nobody has asked for, when the run is over; `nil` where none is
  /// left.
  public var unusedAnswers: TextProblem? {
    let count = transcript.entries.count
    guard next < count else { return nil }
    let entry = transcript.entries[next]
    return TextProblem(
      .warning, at: TextPosition(file: file, line: entry.line, column: 1), code: "W-NOEFFECT",
      "The run is over after \(next) of the \(count) recorded answers: that of \(entry.instant) "
        + "and those after it have no effect. \(remedy)")
  }

  private func failure(_ line: Int, _ question: Question, _ reason: String) -> ProgramFailure {
    assert(line > 0, "Lines are numbered from 1.")
    return ProgramFailure(
      .replay,
      "\(file):\(line): question \(question.number) at \(question.instant) is not the one that was "
        + "answered: \(reason). \(remedy)")
  }

  /// Which parts of two questions differ.
  private static func difference(
    _ kept: String, _ asked: String, in parts: [String]
  ) -> String {
    let (old, new) = (kept.split(separator: "."), asked.split(separator: "."))
    guard old.count == new.count else { return "it was asked in another form" }
    let names = zip(zip(old, new), parts).compactMap { pair, name in
      pair.0 == pair.1 ? nil : name
    }
    let list = names.joined(separator: ", ")
    // The digests were written in another way, as those of a record that was edited.
    guard !names.isEmpty else { return "it was asked in another form" }
    return "\(list) \(WordList.verb("differs", of: names.count))"
  }
}
