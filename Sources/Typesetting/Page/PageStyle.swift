/// The style sheet of all pages.
enum PageStyle {
  /// The sheet, with the paper's direction.
  static func sheet(isLandscape: Bool) -> String {
    let dark = PageColours.declarations(isDark: true)
    return """
      :root{\(PageColours.declarations(isDark: false));--lab:14.7rem;--sh:0 1px 2px #1721300d;\
      --ff:-apple-system,"Segoe UI",Inter,Roboto,"Helvetica Neue",Arial,sans-serif;\
      font:14px/1.45 var(--ff)}
      :root[data-theme=dark]{\(dark);--sh:none}
      @media (prefers-color-scheme:dark){:root:not([data-theme=light]){\(dark);--sh:none}}
      \(base)
      \(tables)
      \(ChartStyle.sheet)
      \(ChartSheet.words)
      \(TimelineSheet.text)
      \(narrow)
      @media print{@page{size:\(isLandscape ? "landscape" : "portrait");margin:9mm 10mm}\
      :root,:root[data-theme=dark]{\(PageColours.declarations(isDark: false));--bg:#fff;\
      --ink:#000;--mut:#444}
      \(print)}
      @media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
      @media (forced-colors:active){.chip{border:1px solid}\
      .cv path{stroke:CanvasText}.g,.badge,.bar i,s,.bx{forced-color-adjust:none}\
      button[aria-pressed=true]{background:Highlight;\
      color:HighlightText;forced-color-adjust:none}}

      """
  }

  private static let base = """
    *{box-sizing:border-box}
    html{background:var(--bg);color:var(--ink);-webkit-text-size-adjust:100%;\
    scroll-behavior:smooth}
    body{margin:0 auto;max-width:1400px;padding:22px 24px 48px;font-variant-numeric:tabular-nums;\
    overflow-wrap:break-word}
    h1,h2,h3,p,ul,ol,dl,dd{margin:0;padding:0}
    a{color:var(--focus);text-underline-offset:2px}
    :focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:4px}
    h1{unicode-bidi:plaintext}.meta b,code{unicode-bidi:isolate}
    .vh{position:absolute!important;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);\
    white-space:nowrap}
    .skip{position:absolute;left:-999px;top:8px;background:var(--card);padding:8px 12px;\
    border-radius:8px;z-index:9}.skip:focus{left:12px}
    .mut{color:var(--mut);font-weight:400}.badt{color:var(--bad);font-weight:600}
    .warnt{color:var(--warn);font-weight:600}.okt{color:var(--ok);font-weight:600}
    header{display:flex;gap:24px;justify-content:space-between;align-items:flex-end;\
    margin-bottom:16px;flex-wrap:wrap}
    header>div:first-child{flex:1 1 480px;min-width:0}
    .over{font-size:12px;color:var(--mut);letter-spacing:.02em}
    h1{font-size:25px;line-height:1.2;letter-spacing:-.015em;font-weight:650;\
    overflow-wrap:anywhere}
    .meta{color:var(--mut);margin-top:4px;overflow-wrap:anywhere}
    .meta b{color:var(--ink);font-weight:550}
    .tools{display:none;gap:8px;flex-wrap:wrap}.js .tools{display:flex}
    button{font:inherit;font-size:13px;color:var(--ink);background:var(--card);\
    border:1px solid var(--line);border-radius:9px;padding:5px 11px;cursor:pointer;\
    line-height:1.35;min-height:32px}
    button:hover{background:var(--soft)}
    button[aria-pressed=true]{background:var(--soft);border-color:var(--mut)}
    .card{background:var(--card);border:1px solid var(--line);border-radius:14px;\
    box-shadow:var(--sh)}
    main{container-type:inline-size}
    .kpis{display:grid;grid-auto-flow:dense;grid-template-columns:minmax(0,1fr);gap:14px;\
    margin-bottom:14px}.kpis>*{min-width:0}
    @container (min-width:45rem){.kpis,.kpis.two{grid-template-columns:1fr 1fr}}
    @container (min-width:92.3rem){.kpis{grid-template-columns:1.2fr 1.5fr 1.15fr .95fr}}
    .kpi{padding:14px 16px}
    .kpi h2{font-size:13px;font-weight:550;color:var(--mut);margin-bottom:6px}
    .big{font-size:27px;font-weight:650;letter-spacing:-.02em;line-height:1.1}
    .big small{font-size:14px;font-weight:500;color:var(--mut);letter-spacing:0}
    .verdict{border-left-width:5px}.verdict.bad{border-left-color:var(--bad)}\
    .verdict.warn{border-left-color:var(--warn)}.verdict.ok{border-left-color:var(--ok)}\
    .verdict.info{border-left-color:var(--info)}
    .verdict.bad .big{color:var(--bad)}.verdict.warn .big{color:var(--warn)}\
    .verdict.ok .big{color:var(--ok)}
    .verdict p{margin-top:6px}
    .chip{display:inline-block;font-size:12px;font-weight:600;padding:1px 9px;\
    border-radius:20px;white-space:nowrap;text-decoration:none}
    a.chip{padding:4px 11px}a.chip:hover{text-decoration:underline}
    .chip.info{background:var(--infobg);color:var(--info)}\
    .chip.ok{background:var(--okbg);color:var(--ok)}\
    .chip.warn{background:var(--warnbg);color:var(--warn)}\
    .chip.bad{background:var(--badbg);color:var(--bad)}
    .f-twice{background:repeating-linear-gradient(-45deg,var(--bad) 0 1.5px,transparent 1.5px 5px)}
    .sums{display:grid;grid-template-columns:5.6rem minmax(0,1fr) 5rem;gap:0 10px;font-size:13px;\
    align-items:center;margin-top:10px}.sums h3{font-size:13px;font-weight:600;grid-column:1/-1}\
    .sums .bar{height:10px;margin:4px 0;border-radius:3px}.sums b{text-align:right}
    .bar{display:flex;gap:1px;height:16px;border-radius:5px;overflow:hidden;margin:9px 0 8px;\
    background:var(--soft)}
    .kpi ul{list-style:none;font-size:12.5px;display:grid}
    .kpi li{display:flex;flex-wrap:wrap;gap:0 7px;align-items:center}
    .kpi li b{margin-left:auto;font-weight:600}
    .wrongs{grid-column:1/-1}.kpi ul.wrong{display:block;columns:2 23rem;column-gap:28px;\
    font-size:13px}
    .kpi ul.wrong li{white-space:normal;align-items:baseline;overflow-wrap:anywhere;\
    break-inside:avoid;padding-bottom:4px}
    s,.k s{display:inline-block;width:10px;height:10px;border-radius:3px;text-decoration:none;\
    flex:none}
    .kpi ul.two{grid-template-columns:repeat(auto-fit,minmax(min(100%,9.4rem),1fr));\
    gap:1px 10px}.kpi h3{font-size:13px;font-weight:600;margin-top:8px}\
    .kpi .stat{margin-top:8px}
    .kpi ul.three{grid-template-columns:auto auto;\
    grid-auto-flow:column;grid-template-rows:repeat(3,auto)}
    .f-vhi{background:var(--vhi)}.f-hi{background:var(--hi)}.f-tgt{background:var(--tgt)}\
    .f-lo{background:var(--lo)}.f-vlo{background:var(--vlo)}
    .i-s{background:var(--pump2)}.i-t{background:var(--pump)}.i-b{background:var(--loop)}\
    .i-x{background:var(--health)}.i-a{background:var(--tgt)}
    .stat{display:grid;grid-template-columns:auto auto;gap:3px 12px;font-size:12.5px}
    .stat dt{color:var(--mut)}.stat dd{text-align:right;font-weight:600}
    .cols{display:grid;grid-template-columns:minmax(0,1.35fr) minmax(0,1fr);gap:14px;\
    align-items:start}.cols>*,.stack>*{min-width:0}
    .cols section,.more{padding:16px 18px}.more ul{padding-left:18px}\
    .more ul.dlist{padding:0}.dlist.plain li{\
    grid-template-columns:minmax(0,1fr) fit-content(45%)}
    .stack{display:grid;gap:14px;grid-template-columns:minmax(0,1fr)}
    .stat.wide{grid-template-columns:1fr auto;font-size:13px;gap:0}
    .stat.wide dt,.stat.wide dd{padding:5px 6px;border-bottom:1px solid var(--line)}
    h2.t{font-size:16px;font-weight:620;margin-bottom:8px}
    .small{font-size:13px;color:var(--mut);margin-top:8px;max-width:80ch}
    .badge{width:1.57rem;height:1.57rem;border-radius:50%;display:grid;place-items:center;\
    font-weight:700;font-size:12px;color:var(--onbadge);text-decoration:none}
    .dlist{list-style:none;display:grid}
    .dlist li{display:grid;gap:10px;\
    grid-template-columns:2rem minmax(0,1fr) fit-content(45%);\
    padding:10px 0;border-top:1px solid var(--line)}
    .dlist li:first-child{border-top:0;padding-top:2px}
    .dlist li:target,.dlist li:has(:target){background:var(--soft);\
    box-shadow:0 0 0 8px var(--soft);border-radius:4px}
    .dlist h3{font-size:14px;font-weight:600}
    .dlist p{color:var(--mut);font-size:13px;max-width:68ch;overflow-wrap:anywhere}
    .dlist p.so{color:var(--ink)}
    .amt{text-align:right;overflow-wrap:anywhere}\
    .amt b{display:block;font-weight:600;white-space:nowrap;flex:none}\
    .amt b:empty{display:none}
    .more{margin-top:14px}
    details{border-top:1px solid var(--line)}details:first-of-type{border-top:0}
    summary{cursor:pointer;font-weight:600;padding:9px 0}
    details[open]>summary{margin-bottom:4px}
    .set{display:grid;gap:6px 24px;\
    grid-template-columns:repeat(auto-fill,minmax(max(10rem,20%),1fr));font-size:13px;\
    padding-bottom:10px}.set dt{color:var(--mut);font-size:12px}
    .set dd{margin:0 0 4px;font-weight:550;overflow-wrap:anywhere}
    footer{margin-top:16px;color:var(--mut);font-size:12px;display:flex;gap:6px 22px;\
    flex-wrap:wrap;overflow-wrap:anywhere}
    code,pre{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;\
    overflow-wrap:anywhere}
    pre{white-space:pre-wrap;margin:0;background:var(--soft);border-radius:9px;padding:10px 12px}
    time{white-space:nowrap}
    @container (max-width:20rem){time{white-space:normal}}
    pre.wide{white-space:pre;overflow-x:auto}
    .copy{display:flex;gap:10px;align-items:flex-start;background:var(--soft);\
    border-radius:9px;padding:7px 10px;margin-top:8px}
    .copy code{flex:1;min-width:0;padding-top:6px}.cp{display:none}.js .cp{display:block}
    """

  private static let tables = """
    table{border-collapse:collapse;width:100%;font-size:13px}
    th,td{padding:6px;text-align:left;border-bottom:1px solid var(--line);font-weight:400}
    th.num,td.num{text-align:right}td.num{white-space:nowrap}.brk{white-space:normal}
    thead th{font-weight:550;color:var(--mut);font-size:12px;vertical-align:bottom}
    tbody .name{overflow-wrap:anywhere;min-width:7rem}
    tbody th{font-weight:500}tfoot th,tfoot td{font-weight:650;border-bottom:0}
    .c-p{color:var(--pump)!important}.c-l{color:var(--loop)!important}\
    .c-h{color:var(--health)!important}.c-b{color:var(--body)!important}
    .tw{overflow-x:auto;position:relative}\
    td.chart,th.chart{min-width:150px;width:34%}td.chart{padding:0 6px}\
    th.chart{text-align:center}td.half,th.half{min-width:120px;width:20%}
    .kpis.flow{grid-template-columns:minmax(0,1fr)}.cols.even{grid-template-columns:1fr 1fr}
    .pf{display:grid;grid-template-columns:44px minmax(0,1fr);padding-bottom:22px}\
    .pf>*{grid-row:1!important}.pf .cv{grid-column:2!important}
    .pf .ticks{position:relative;left:0;width:auto;justify-self:stretch}\
    .pf .ticks i{left:auto;right:6px;background:none}
    .smalls{display:grid;gap:12px;\
    grid-template-columns:repeat(auto-fit,minmax(min(100%,12rem),1fr));\
    margin-top:10px}.smalls>*{min-width:0;padding-bottom:20px}.smalls h3{font-size:13px}
    .pics{margin:14px 0}.cols.pics section{padding:14px 16px}.profile{margin-bottom:14px}
    .exp{display:grid;grid-template-columns:9.3rem minmax(0,1fr);gap:4px 12px;font-size:13px;\
    margin:10px 0}.exp dt{color:var(--mut)}.exp dd{overflow-wrap:anywhere}
    .rlanes{margin:12px 0}.rl2{display:grid;grid-template-columns:5rem minmax(0,1fr);gap:8px;\
    align-items:center;font-size:12px;margin:3px 0}
    .fold{display:grid;grid-template-columns:9.3rem minmax(0,1fr) auto;gap:10px;font-size:12px;\
    padding:3px 0;align-items:center;overflow-wrap:anywhere}
    .sq{display:flex;flex-wrap:wrap;gap:2px}.sq i{width:12px;height:12px;border-radius:3px;\
    background:var(--okbg);border:1px solid var(--ok)}
    .sq a{width:18px;height:18px;border-radius:4px;display:grid;place-items:center;\
    font-size:11px;font-weight:700;color:var(--onbadge);text-decoration:none}
    .sq a.bad{background:var(--bad)}.sq a.warn{background:var(--warn)}\
    .sq a.info{background:var(--info)}
    .names{columns:3;font-size:12px;padding-left:16px;overflow-wrap:anywhere}
    .filters input{font:inherit;padding:5px 9px;border:1px solid var(--line);\
    border-radius:8px;background:var(--card);color:var(--ink);min-height:32px}
    .filters{display:none}.js .filters{display:block}
    .fail ul{padding-left:18px;margin-top:6px;font-size:13px;overflow-wrap:anywhere}
    .sort{background:none;border:0;padding:0;font:inherit;color:inherit;min-height:24px;\
    text-align:inherit}
    th[aria-sort=ascending] .sort::after{content:" ▴"}
    th[aria-sort=descending] .sort::after{content:" ▾"}
    """

  private static let narrow = """
    @media (max-width:1340px){.cols{grid-template-columns:minmax(0,1.1fr) minmax(0,1fr)}}
    @media (max-width:1100px){.names{columns:2}\
    .cols,.cols.even{grid-template-columns:minmax(0,1fr)}}
    @media (max-width:640px){
    :root{--lab:0px}
    body{padding:14px 12px 36px}h1{font-size:20px}
    .kpis{gap:10px}.names{columns:1}\
    .exp{grid-template-columns:minmax(0,1fr)}\
    .fold{grid-template-columns:90px minmax(0,1fr) auto}.kpi{padding:12px 14px}\
    .big{font-size:24px}
    .cols section,.more{padding:14px}
    .dlist li{grid-template-columns:1.7rem minmax(0,1fr);gap:4px 8px}
    .dlist .amt{grid-column:2;text-align:left;display:flex;gap:14px}
    .dlist.plain li{grid-template-columns:minmax(0,1fr)}.dlist.plain .amt{grid-column:1}
    table{font-size:12px}th,td{padding:6px 3px}
    .opt{display:none}td .chip{white-space:normal}tbody .name{min-width:4.5rem}
    td.chart,th.chart{min-width:84px}td.half,th.half{min-width:64px}
    th.any{overflow-wrap:anywhere;min-width:42px;white-space:normal}
    }
    @media (max-width:360px){.kpi ul.three{grid-template-columns:1fr;grid-auto-flow:row;\
    grid-template-rows:none}}
    """

  private static let print = """
    html{font-size:10px}body{padding:0;max-width:none;font-size:10.5px;line-height:1.3}\
    h1{font-size:17px}header{margin-bottom:6px}.over{display:none}code,pre{font-size:10px}
    .kpi h2{font-size:10px;margin-bottom:3px}.bar{height:10px;margin:5px 0}
    .verdict p{margin-top:3px}
    .tools,.skip,.cp,.filters{display:none!important}
    .card{box-shadow:none;break-inside:avoid;border-radius:8px}\
    .long{break-inside:auto}details{break-inside:avoid}
    .kpis{grid-template-columns:repeat(auto-fit,minmax(min(100%,245px),1fr));gap:8px;\
    margin-bottom:8px}
    .kpi ul.three{grid-template-columns:1fr;grid-auto-flow:row;grid-template-rows:none}\
    .kpi h3{font-size:10.5px}
    .kpi{padding:8px 10px}.kpi ul,.stat,.kpi ul.wrong{font-size:10px}.big{font-size:18px}\
    .big small{font-size:10px}.chip{font-size:10px}
    .kpi ul.wrong{columns:2 240px}.kpi ul.wrong li{padding-bottom:1px}
    @container (min-width:\(TimelineSheet.uprightPaper + 1)px){
    .kpis{grid-template-columns:1.7fr 1.4fr 1.1fr .9fr;gap:6px;margin-bottom:6px}
    .kpi ul.three{grid-template-columns:auto auto;grid-auto-flow:column;\
    grid-template-rows:repeat(3,auto)}
    .kpi{padding:5px 9px}.stat{gap:1px 12px}.kpi .stat{margin-top:4px}
    .cols{grid-template-columns:minmax(0,1.35fr) minmax(0,1fr)}
    }
    .cols,.stack{gap:8px}.more,.pics{margin:8px 0}.cols section,.cols.pics section,\
    .more{padding:8px 12px}h2.t{font-size:13px;margin-bottom:4px}
    .small,.dlist p{max-width:none}.small{margin-top:4px}.dlist li{padding:4px 0}
    .cols.pics{grid-template-columns:1fr 1fr}
    table,.dlist p,.stat.wide,.small{font-size:10.5px}.dlist h3{font-size:11px}\
    th,td{padding:3px 5px}
    tr{break-inside:avoid}.tw{overflow:visible}pre.wide{white-space:pre-wrap}
    *{print-color-adjust:exact;-webkit-print-color-adjust:exact}
    """
}
