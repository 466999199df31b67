/// The style sheet of charts: their words and boxes, and with ``ChartStyle/sheet`` their shapes.
enum ChartSheet {
  /// Words keep their size while shapes stretch; a word that needs a zoom is hidden below it.
  ///
  /// A chart is as high as it says where letters have 14 pixels, and grows with them, so that words
  /// above one another stay apart where a reader enlarges text alone.
  static let words = """
    .cv{position:relative;height:calc(var(--h)/14*1rem);min-width:0}\
    .cv svg{position:absolute;inset:0;width:100%;height:100%;overflow:visible;display:block}\
    .w{position:absolute;white-space:nowrap;font-style:normal;font-size:11px;line-height:1;\
    transform:translateY(-50%);color:var(--ink);text-decoration:none;z-index:1}\
    .w.m{transform:translate(-50%,-50%)}.w.e{transform:translate(-100%,-50%)}\
    .w.z2,.w.z4,.w.z8{display:none}\
    [data-zoom="2"] .w.z2,[data-zoom="4"] .w.z2,[data-zoom="4"] .w.z4,[data-zoom="8"] .w.z2,\
    [data-zoom="8"] .w.z4,[data-zoom="8"] .w.z8{display:block}\
    .w.mu,.w.ax{color:var(--mut)}.w.b{font-weight:600}.w.bw{color:var(--bad);font-weight:650}\
    .w.st{color:var(--mut);text-decoration:line-through}\
    .w.pw{color:var(--pump);font-weight:600}.w.lw{color:var(--loop);font-weight:600}\
    .w.hw{color:var(--health);font-weight:600}.w.cw,.w.pq{color:var(--ink);font-weight:600}\
    .w.sg{font-size:10px;font-weight:550}\
    .w.b,.w.pw,.w.lw,.w.hw,.w.cw,.w.pq,.w.mu{text-shadow:0 0 2px var(--card),0 0 3px var(--card)}\
    .w.g{width:1.57rem;height:1.57rem;border-radius:50%;display:grid;place-items:center;\
    font-weight:700;color:var(--onbadge)}\
    .g.bad{background:var(--bad)}.g.warn{background:var(--warn)}.g.ok{background:var(--ok)}\
    .g.info{background:var(--info)}\
    .bx{position:absolute;display:block}\
    .bx.gp{background:repeating-linear-gradient(45deg,var(--gap) 0 2px,transparent 2px 6px)}\
    .bx.wb{background:var(--warn);opacity:.1}.bx.db{background:var(--bad);opacity:.12}\
    .bx.cc{border-left:1px dashed var(--mut)}\
    .bx.su{background:repeating-linear-gradient(-45deg,var(--vlo) 0 1px,transparent 1px 4px);\
    border:1px solid var(--vlo)}\
    .bx.ms{border:1.6px dashed var(--bad)}.bx.mo{border:1px dashed var(--mut)}
    """

  /// The declarations of words in a figure that is a file, by the class of the style.
  static let figureWords = """
    text{font:11px -apple-system,"Segoe UI",Inter,Roboto,"Helvetica Neue",Arial,sans-serif;\
    fill:#17212e}.mu,.ax{fill:#566272}.b{font-weight:600}.bw{fill:#c4202f;font-weight:650}\
    .st{fill:#566272;text-decoration:line-through}.pw{fill:#1867ab;font-weight:600}\
    .lw{fill:#4a2fa8;font-weight:600}.hw{fill:#c42d6b;font-weight:600}.cw,.pq{font-weight:600}\
    .sg{font-size:10px}.g{font-weight:700;fill:#fff}
    """
}
