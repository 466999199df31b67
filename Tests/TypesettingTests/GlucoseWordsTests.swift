import Quantities
import StructuredText
import Testing

@testable import Typesetting

@Suite("Glucose on pages")
struct GlucoseWordsTests {
  private let plain = GlucoseWords(.milligramsPerDecilitre)
  private let molar = GlucoseWords(.millimolesPerLitre)

  @Test("The script rounds what stands on a page as the page does, in either unit")
  func roundsOnce() {
    // 161.46 is 161, and its tenth 161.5 would be 162.
    #expect(plain.value(161.46).text == "<span data-mg=\"161.46\">161</span>")
    // 99.97 / 18.0156 is 5.549, and 100.0 / 18.0156 would be 5.551.
    #expect(molar.value(99.97).text == "<span data-mg=\"99.97\">5.5</span>")
    #expect(plain.value(99.97).text == "<span data-mg=\"99.97\">100</span>")
    #expect(plain.value(110.04).text == "<span data-mg=\"110.0\">110</span>")
    #expect(molar.value(54).text == "<span data-mg=\"54.0\">3.0</span>")
  }

  @Test("Glucose below nought has a true minus, and what is rounded to nought has none")
  func minus() {
    #expect(plain.value(-134.1).text == "<span data-mg=\"-134.1\">−134</span>")
    #expect(molar.value(-134.1).text == "<span data-mg=\"-134.1\">−7.4</span>")
    #expect(plain.value(-0.2).text == "<span data-mg=\"-0.2\">0</span>")
  }

  @Test("Every page with glucose tells its script the unit", arguments: [false, true])
  func unit(hasData: Bool) {
    var page = Page(kind: "Test", title: "Unit")
    #expect(!page.html.contains("id=\"data\""))
    page.glucoseUnit = .millimolesPerLitre
    if hasData { page.data = ["unit": "mmol/L", "step": 5] }
    #expect(page.html.contains("id=\"data\">{\"unit\":\"mmol/L\""))
    // A button that changes nothing is none.
    #expect(!page.html.contains("id=\"b-unit\""))
    page.body = molar.value(110)
    #expect(
      page.html.contains("<button id=\"b-unit\" type=\"button\" aria-pressed=\"false\">mg/dL"))
  }
}
