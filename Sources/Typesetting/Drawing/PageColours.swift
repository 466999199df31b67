/// The colours of all pages and figures, each with its value on light and on dark ground.
///
/// Text reaches a contrast of 4.5 : 1 against card and page in both. The five ranges of glucose
/// stay apart under simulated deuteranopia, protanopia and tritanopia: their least distance in
/// CIELAB is 15 on light ground and 13 on dark.
enum PageColours {
  /// A colour by its name in the style sheets.
  struct Colour {
    var name: String
    var light: String
    var dark: String

    init(_ name: String, _ light: String, _ dark: String) {
      (self.name, self.light, self.dark) = (name, light, dark)
    }
  }

  static let all: [Colour] = [
    Colour("bg", "#f4f6f9", "#0e141b"), Colour("card", "#fff", "#161e28"),
    Colour("ink", "#17212e", "#e6ecf3"), Colour("mut", "#566272", "#98a6b6"),
    Colour("line", "#dfe5ec", "#293544"), Colour("soft", "#eef2f6", "#1d2733"),
    Colour("grid", "#e6ebf1", "#263140"), Colour("grid2", "#f1f4f8", "#1c2531"),
    Colour("focus", "#1667c7", "#6db3ff"),
    // Records
    Colour("pump", "#1867ab", "#6cc6ff"), Colour("pump2", "#9cc4e6", "#2c5c86"),
    Colour("sched", "#c3d8ea", "#24425d"), Colour("loop", "#4a2fa8", "#a78bff"),
    Colour("loop2", "#e5defa", "#322a55"), Colour("health", "#c42d6b", "#f473a4"),
    Colour("health2", "#fbe1ec", "#4a2136"), Colour("healthz", "#f3eef1", "#2a2430"),
    Colour("body", "#5c4a1e", "#d9c08a"),
    // Ranges of glucose
    Colour("tgt", "#12805a", "#2fb67d"), Colour("hi", "#b97300", "#f5c563"),
    Colour("vhi", "#a4480b", "#e8702e"), Colour("lo", "#d83a5a", "#ff9ba0"),
    Colour("vlo", "#7a0c1e", "#f0304a"), Colour("cob", "#c08a16", "#e0ad41"),
    // What a difference means
    Colour("info", "#526176", "#9aa9ba"), Colour("ok", "#117047", "#43c38b"),
    Colour("warn", "#8f4e00", "#f0b04a"), Colour("bad", "#c4202f", "#ff6b75"),
    Colour("badbg", "#fdeced", "#3a1a20"), Colour("warnbg", "#fff4e2", "#38290f"),
    Colour("okbg", "#e8f6ef", "#12301f"), Colour("infobg", "#eef1f5", "#202b38"),
    // Grounds and lines of charts
    Colour("band", "#e9f5ef", "#12281f"), Colour("target", "#cfe8dc", "#1b4030"),
    Colour("level", "#8fbfa8", "#3c6b56"), Colour("gap", "#d9dfe7", "#39465a"),
    Colour("pred", "#7a68c9", "#a497ee"), Colour("truth", "#8593a3", "#74838f"),
    Colour("onbadge", "#fff", "#0e141b"),
  ]

  /// The declarations for one ground.
  static func declarations(isDark: Bool) -> String {
    all.map { "--\($0.name):\(isDark ? $0.dark : $0.light)" }.joined(separator: ";")
  }

  /// A style sheet's text with the light value in place of every reference to a colour.
  ///
  /// Programs that read figures, such as typesetters, know no references.
  static func resolved(_ css: String) -> String {
    all.reduce(css) { $0.replacing("var(--\($1.name))", with: $1.light) }
  }
}
