internal import Quantities

/// A sentence of a run on a page, where its times are read by people.
///
/// What a run says of itself has times as tables have them, `2026-03-07T11:00:00-06:00`; a page has
/// `Sat 7 Mar 11:00 UTC−06:00`, which no line breaks, and a minus before a number that is one.
package struct PageSentence {
  private let text: String
  private let withYear: Bool

  /// Takes a sentence.
  ///
  /// - Parameters:
  ///   - text: The sentence.
  ///   - withYear: Whether its dates have their years, without which several could be meant.
  package init(_ text: String, withYear: Bool = false) {
    self.text = text
    self.withYear = withYear
  }

  /// The sentence with its times.
  package var markup: Markup {
    var (result, plain) = (Markup(), "")
    var rest = text[...]
    while let first = rest.first {
      guard let stamp = Stamp(rest, withYear: withYear), plain.last.map({ !$0.isNumber }) ?? true
      else {
        plain.append(Self.isMinus(rest, after: plain.last) ? "−" : first)
        rest.removeFirst()
        continue
      }
      let time: Markup = "<time datetime=\"\(String(stamp.text))\">\(stamp.words)</time>"
      result = "\(result)\(plain)\(time)"
      plain = ""
      rest = rest.dropFirst(stamp.text.count)
    }
    return "\(result)\(plain)"
  }

  /// A text as it stands, also with columns below one another, but for a minus before each number
  /// that is one.
  package static func withMinus(_ text: String) -> String {
    var (result, rest) = ("", text[...])
    while let first = rest.first {
      result.append(isMinus(rest, after: result.last) ? "−" : first)
      rest.removeFirst()
    }
    return result
  }

  /// Whether a text begins with the hyphen of a number, given what stands before it: a space or
  /// the bracket of an interval.
  private static func isMinus(_ text: Substring, after last: Character?) -> Bool {
    text.first == "-" && text.dropFirst().first?.isNumber == true
      && last.map { $0.isWhitespace || $0 == "[" } ?? true
  }

  /// A date and a time of day at the start of a text, with the part of a second and the offset
  /// where they follow.
  private struct Stamp {
    /// The characters, as they stand there.
    let text: Substring
    /// The same for people.
    let words: String

    init?(_ rest: Substring, withYear: Bool) {
      let form = "0000-00-00T00:00:00"
      let head = rest.prefix(form.count)
      guard Self.fits(head, form), let year = Int(head.prefix(4)),
        let month = Int(head.dropFirst(5).prefix(2)), let day = Int(head.dropFirst(8).prefix(2)),
        (1...12).contains(month), (1...31).contains(day)
      else { return nil }
      let part = rest.dropFirst(form.count)
      let digits = part.dropFirst().prefix { $0.isASCII && $0.isNumber }
      let fraction = part.first == "." && !digits.isEmpty ? part.prefix(1 + digits.count) : ""
      let tail = part.dropFirst(fraction.count)
      let offset: Substring =
        tail.first == "Z"
        ? tail.prefix(1)
        : Self.fits(tail.dropFirst().prefix(5), "00:00") && "+-".contains(tail.first ?? " ")
          ? tail.prefix(6) : ""
      let zone =
        offset.isEmpty
        ? ""
        : offset == "Z" ? " UTC" : " UTC\(offset.first == "-" ? "−" : "+")\(offset.dropFirst())"
      let clock = head.dropFirst(11)
      let time = fraction.isEmpty && clock.hasSuffix(":00") ? clock.dropLast(3) : clock + fraction
      text = rest.prefix(form.count + fraction.count + offset.count)
      let date = CivilTime(year: year, month: month, day: day).dayInWords
      words = "\(date)\(withYear ? " \(year)" : "") \(time)\(zone)"
    }

    /// Whether a text has digits where a form has noughts, and else its characters.
    private static func fits(_ text: Substring, _ form: String) -> Bool {
      text.count == form.count
        && zip(text, form).allSatisfy { $1 == "0" ? $0.isASCII && $0.isNumber : $0 == $1 }
    }
  }
}

extension CivilTime {
  /// The day as pages have it, `Tue 4 Mar`.
  package var dayInWords: String {
    let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    // The day of the week counts from Monday on: day 0 of the count was a Thursday.
    let weekday = days[Int(((dayNumber + 3) % 7 + 7) % 7)]
    return "\(weekday) \(day) \(months[month - 1])"
  }
}
