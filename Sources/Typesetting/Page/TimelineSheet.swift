/// The style sheet of timelines: lanes on one axis of time, with a cursor through all of them.
///
/// A lane's chart is as wide as the plot, and the plot as wide as its zoom says; nothing is moved
/// by a script. Where there is no room beside the lanes, their names stand above them.
enum TimelineSheet {
  /// How wide the text is at most on paper that stands upright, in pixels.
  ///
  /// Some programs print so whatever a page asks for. Words shrink there as the plot does, so that
  /// they stay apart, and the names of the lanes stand above them, so that no word is smaller than
  /// 6 pt, which are 8 pixels. On paper on its side the lanes shrink as a whole, so that a day
  /// stands on the first page below the cards, and of several days two stand on one, the first
  /// below the strip. The page's own width tells the two apart: a medium's width is in Chromium
  /// that of paper standing upright, on whichever side the page is printed.
  static let uprightPaper = 820

  static let text = """
    .tl{padding:12px 0 10px;margin-bottom:14px}details.tl{border-top:1px solid var(--line)}
    .tl>summary{padding:2px 18px 8px;font-size:16px}
    .tl>summary .mut{font-size:13px;margin-left:10px}
    .tlh{display:flex;align-items:center;gap:8px 14px;padding:0 18px 8px;flex-wrap:wrap}
    .tlh h2,.tlh h3{font-size:16px;font-weight:620;margin-right:auto}
    .tlh .grp{display:none;gap:6px;flex-wrap:wrap}.js .tlh .grp{display:flex}
    .note{padding:0 18px 8px;color:var(--mut);font-size:12px;max-width:none}
    .read{display:none;margin:0 18px 8px;padding:8px 12px;background:var(--soft);\
    border-radius:10px;grid-template-columns:6rem 1fr 1fr .8fr 1.9fr 2fr 2.1fr;gap:2px 16px;\
    font-size:12.5px;min-height:50px}
    .js .read{display:grid}
    .read.own{grid-template-columns:repeat(auto-fit,minmax(min(100%,9rem),1fr))}
    .more details.tl{padding:0;margin:0}.more .tl>summary{padding:9px 0;font-size:14px}
    .read div{min-width:0}.read span{display:block;color:var(--mut);font-size:11.5px}
    .read b{font-weight:600;display:block;overflow-wrap:anywhere}
    .read .rp b{color:var(--pump)}.read .rl b{color:var(--loop)}.read .rh b{color:var(--health)}
    .read .tm b{font-size:19px;line-height:1.1;letter-spacing:-.01em}
    .wrap{overflow-x:auto;overscroll-behavior-x:contain;position:relative;scrollbar-width:thin}
    .wrap:focus-visible{outline-offset:-2px}
    .plot{position:relative;--z:1;--base:max(64.3rem,100% - var(--lab) - 22px);\
    width:calc(var(--lab) + 22px + var(--z)*var(--base));padding-right:22px}
    .plot[data-zoom="2"]{--z:2}.plot[data-zoom="4"]{--z:4}.plot[data-zoom="8"]{--z:8}
    .row{display:grid;grid-template-columns:var(--lab) minmax(0,1fr);position:relative;\
    border-top:1px solid var(--grid2)}
    .row>*{grid-row:1}.row>.cv{grid-column:2}
    .row.first,.row.axis,.row.mode{border-top:0}
    .lab{grid-column:1;position:sticky;left:0;z-index:3;background:var(--card);\
    padding:4px 32px 0 18px;line-height:1.3;overflow:hidden}
    .lab b{font-weight:600;font-size:13px;display:block;overflow:hidden;text-overflow:ellipsis}
    .lab span{color:var(--mut);font-size:11.5px;display:block}
    .lab .k{display:flex;flex-wrap:wrap;align-items:center;gap:1px 5px;font-style:normal;\
    font-size:11px;color:var(--mut);margin-top:3px}
    .lab.p b{color:var(--pump)}.lab.l b{color:var(--loop)}.lab.h b{color:var(--health)}\
    .lab.y b{color:var(--body)}
    .axis .lab,.mode .lab{padding-right:6px}
    .ticks{grid-column:1;justify-self:end;position:sticky;left:calc(var(--lab) - 34px);\
    z-index:4;width:32px;height:calc(var(--h)/14*1rem);pointer-events:none}
    .ticks i{position:absolute;right:5px;font-style:normal;font-size:11px;color:var(--mut);\
    transform:translateY(-50%);white-space:nowrap}
    .k s{border-radius:2px;height:9px;width:12px}
    .k-target{background:var(--target)}
    .k-sched{background:var(--sched);border-top:1.5px solid var(--pump)}
    .k-temp{background:var(--pump2);border-top:1.5px solid var(--pump)}
    .k-susp{background:repeating-linear-gradient(-45deg,var(--vlo) 0 1px,transparent 1px 4px)}
    .k-ev{background:var(--loop2);border:1px solid var(--loop)}
    .k-hs{background:var(--health2);border:1px solid var(--health)}
    .k s.ln{width:16px;height:0;border-radius:0;border-top:1.5px solid var(--pred)}
    .k s.lt{border-top-color:var(--truth)}
    .k s.dash{border-top:1.5px dashed var(--mut)}.k s.dot{border-top:2px dotted var(--loop)}
    .k s.pl{width:2px;height:10px;border-radius:0;background:var(--pump)}
    .k s.pn{width:10px;height:10px;border-radius:0;background:var(--pump)}
    .k s.wk{width:1.5px;height:7px;border-radius:0;background:var(--health)}
    .k s.o1{width:7px;height:7px;border-radius:50%;background:var(--tgt)}
    .k s.od{width:4px;height:4px;border-radius:50%;background:var(--loop)}\
    .k s.od.h{background:var(--health)}
    .k s.o2{width:6px;height:6px;border-radius:0;background:var(--hi)}
    .k s.o4{width:7px;height:7px;border-radius:50%;border:2px solid var(--lo)}
    .cur{position:absolute;top:1.29rem;bottom:1.29rem;width:0;border-left:1.5px solid var(--ink);\
    opacity:.55;pointer-events:none;z-index:2;display:none;\
    left:calc(var(--lab) + var(--at,0)*(100% - var(--lab) - 22px))}
    .js .cur{display:block}
    .hint{padding:6px 18px 0;color:var(--mut);font-size:12px;display:none}.js .hint{display:block}
    .swipe{display:none;padding:4px 12px;color:var(--mut);font-size:12px}
    kbd{font:inherit;font-size:11px;border:1px solid var(--line);border-bottom-width:2px;\
    border-radius:5px;padding:0 5px;background:var(--card)}
    .nopred .pd,.nopred .pq,.nopulse .pu,.nopulse .pb,.notruth .tr,\
    .nolab .sg{display:none!important}
    .sel{fill:none;stroke:var(--pred);stroke-width:2.2;stroke-dasharray:5 3;\
    vector-effect:non-scaling-stroke}
    .strip{display:grid;gap:8px;\
    grid-template-columns:repeat(auto-fill,minmax(min(100%,10.7rem),1fr));\
    padding:12px 18px 14px;margin-bottom:14px}
    .strip h2{grid-column:1/-1;font-size:16px;font-weight:620}
    .thumb{display:block;text-decoration:none;color:inherit;border:1px solid var(--line);\
    border-radius:9px;padding:6px 8px;min-width:0}
    a.thumb:hover{background:var(--soft)}
    .thumb .hd{display:flex;gap:6px;align-items:center;font-size:12px;font-weight:600}
    .thumb .hd .chip{margin-left:auto;font-size:11px;padding:0 7px}
    .thumb .ft{font-size:11px;color:var(--mut)}
    @media (max-width:1180px){.swipe{display:block;padding:4px 18px}}
    @media (max-width:1100px){.read{grid-template-columns:6rem repeat(3,1fr)}\
    .read .rl,.read .rh{grid-column:span 2}.read .rp{grid-column:1/span 4}}
    @media (max-width:640px){
    .tlh,.hint,.tl>summary,.strip{padding-left:12px;padding-right:12px}
    .read{position:sticky;top:6px;z-index:6;margin:0 8px 8px;\
    grid-template-columns:6rem 1fr 1fr 1fr;box-shadow:0 1px 6px #0003;\
    border:1px solid var(--line)}
    .read .rp,.read .rl,.read .rh{grid-column:1/-1;display:flex;gap:8px}
    .read .rp span,.read .rl span,.read .rh span{min-width:46px}
    .row{grid-template-columns:minmax(0,1fr);grid-template-rows:auto auto}
    .lab{grid-row:1;padding:5px 12px 2px;width:min(100vw - 52px,640px);display:flex;\
    flex-wrap:wrap;align-items:baseline;gap:0 10px;background:none}
    .lab .k{margin-top:0}
    .row>.cv{grid-row:2;grid-column:1}
    .ticks{grid-row:2;grid-column:1;justify-self:start;left:0;width:0}
    .ticks i{right:auto;left:3px;background:var(--card);padding:0 2px;border-radius:3px}
    .axis .lab{display:none}.hint .kb{display:none}
    .swipe{padding:4px 12px}
    }
    @media (max-width:360px){.read{grid-template-columns:1fr 1fr}}
    @media print{
    .tlh .grp,.read,.hint,.swipe,.cur,.sel{display:none!important}
    .wrap{overflow:visible}.tl{padding:6px 0;margin-bottom:8px}.tlh{padding:0 12px 2px}
    :root{--lab:150px}
    .plot{--z:1!important;--base:calc(100% - var(--lab) - 4px)!important;padding-right:4px;\
    width:100%!important}
    .cv,.ticks{height:calc(var(--h)*.7px)}.lab,.ticks{position:relative;left:0}
    .lab{padding:1px 30px 0 10px;font-size:10px;line-height:1.15}.lab b{font-size:10.5px}
    .lab span,.lab .k,.w,.ticks i{font-size:10px}.lab .k{margin-top:0}\
    .w.g{width:22px;height:22px}
    .strip{break-inside:avoid;padding:5px 10px 6px;margin-bottom:6px;gap:6px;\
    grid-template-columns:repeat(auto-fit,minmax(140px,1fr))}
    .strip h2{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
    .thumb{padding:3px 8px}.thumb .cv{height:calc(var(--h)*.5px)}
    .thumb .hd,.thumb .hd .chip,.thumb .ft{font-size:10px}
    @container (max-width:\(uprightPaper)px){.plot .w,.plot .ticks i{font-size:8px}
    .tl .plot{--lab:26px}.tl .lab{grid-column:1/-1;display:flex;flex-wrap:wrap;\
    align-items:baseline;gap:0 8px;padding:1px 10px 0}
    .tl .row{grid-template-rows:auto auto}.tl .axis .lab{display:none}
    .tl .row>.cv,.tl .row>.ticks{grid-row:2}.tl .ticks{left:0;width:24px}
    .tl .ticks i{right:3px}
    }
    @container (min-width:\(uprightPaper + 1)px){
    .tl{zoom:.72}.tl .plot{--lab:200px}
    .tl .lab{display:flex;flex-wrap:wrap;align-content:flex-start;gap:0 6px}
    .tl .lab,.tl .lab span,.tl .lab .k,.tl .w,.tl .ticks i{font-size:11.2px}
    .tl .lab b{font-size:11.7px}.ticks i:has([data-mg="54.0"]){display:none}
    .kpis:has(.wrongs)~section.tl .cv,.kpis:has(.wrongs)~section.tl .ticks{\
    height:calc(var(--h)*.62px)}
    details.tl{zoom:.64;padding:3px 0}details.tl>summary{padding:0 18px 1px}
    details.tl .lab,details.tl .lab span,details.tl .lab .k,details.tl .w,\
    details.tl .plot .ticks i{font-size:12.5px}details.tl .lab b{font-size:12.8px}
    details.tl .cv,details.tl .ticks{height:calc(var(--h)*.66px)}
    .tl .row.two.two>.cv{height:calc(var(--h)*.8px)}
    }
    }
    """
}
