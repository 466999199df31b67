internal import Quantities

/// The script of all pages: what it adds is convenience, and without it nothing is missing.
enum PageScript {
  /// The script; each part looks for what it serves and does nothing where that is not there.
  static let text = "(function(){'use strict';\n" + common + tables + TimelineScript.text + "})();"

  /// The ranges of the consensus in mmol/L, by their words in mg/dL.
  private static let ranges =
    GlucoseWords.molarRanges.map { "'\($0.mgdL)': '\($0.mmolL)'" }.joined(separator: ", ")

  /// The unit of glucose, the theme, printing, copying, and what a link opens.
  private static let common = """
    var root = document.documentElement;
    function $(id) { return document.getElementById(id); }
    function all(what, inside) {
      return [].slice.call((inside || document).querySelectorAll(what));
    }
    var source = $('data'), data = source ? JSON.parse(source.textContent) : {};
    var molar = data.unit === 'mmol/L';
    function glucose(v) {
      var size = Math.abs(v), text = molar
        ? (size / \(GlucoseConcentration.mgdLPerMmolL)).toFixed(1) : String(Math.round(size));
      return v < 0 && +text ? '\u{2212}' + text : text;
    }
    function unitName() { return molar ? 'mmol/L' : 'mg/dL'; }
    var ranges = { \(ranges) };
    var changed = [];
    function isDark() {
      return root.dataset.theme ? root.dataset.theme === 'dark'
        : matchMedia('(prefers-color-scheme:dark)').matches;
    }
    var unitButton = $('b-unit'), theme = $('b-theme'), printing = $('b-print');
    if (unitButton) unitButton.onclick = function () {
      molar = !molar;
      unitButton.textContent = molar ? 'mg/dL' : 'mmol/L';
      all('[data-mg]').forEach(function (e) { e.textContent = glucose(+e.dataset.mg); });
      all('[data-unit]').forEach(function (e) { e.textContent = unitName(); });
      all('[data-rng]').forEach(function (e) {
        e.textContent = molar ? ranges[e.dataset.rng] || e.dataset.rng : e.dataset.rng;
      });
      changed.forEach(function (f) { f(); });
    };
    function nameTheme() { theme.textContent = isDark() ? 'Light' : 'Dark'; }
    if (theme) {
      nameTheme();
      theme.onclick = function () {
        root.dataset.theme = isDark() ? 'light' : 'dark';
        nameTheme();
      };
    }
    if (printing) printing.onclick = function () { print(); };
    var closed = [];
    addEventListener('beforeprint', function () {
      closed = all('details[data-print]:not([open])');
      closed.forEach(function (d) { d.open = true; });
    });
    addEventListener('afterprint', function () {
      closed.forEach(function (d) { d.open = false; });
    });
    function reveal() {
      var name = location.hash.slice(1), target = null;
      // What is no part of an address, as a lone sign of per cent, leads nowhere and stops nothing.
      try { target = name && $(decodeURIComponent(name)); } catch (e) { return; }
      for (var e = target; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
      if (target) target.scrollIntoView();
    }
    addEventListener('hashchange', reveal);
    if (location.hash.length > 1) reveal();
    all('.cp').forEach(function (b) {
      b.onclick = function () {
        var code = b.parentElement.querySelector('code');
        function select() {
          var range = document.createRange();
          range.selectNodeContents(code);
          getSelection().removeAllRanges();
          getSelection().addRange(range);
        }
        if (!navigator.clipboard) return select();
        navigator.clipboard.writeText(code.textContent).then(function () {
          b.textContent = 'Copied';
        }, select);
      };
    });

    """

  /// Sorting by the heads of columns, and filters by a word.
  private static let tables = """
    all('th .sort').forEach(function (b) {
      b.onclick = function () {
        var head = b.parentElement, table = head.closest('table');
        var column = [].indexOf.call(head.parentElement.children, head);
        var down = head.getAttribute('aria-sort') === 'ascending';
        all('th[aria-sort]', table).forEach(function (h) { h.setAttribute('aria-sort', 'none'); });
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        function key(row) {
          var cell = row.children[column];
          return cell.dataset.v === undefined ? cell.textContent.trim() : cell.dataset.v;
        }
        var body = table.tBodies[0], rows = [].slice.call(body.rows);
        rows.map(function (row, place) { return [key(row), place, row]; }).sort(function (a, b) {
          var x = parseFloat(a[0]), y = parseFloat(b[0]);
          // Names that begin with one number, as dates of a year do, are told apart by the rest,
          // and those that begin alike by the number in them: s2 before s10.
          var order = (isNaN(x) || isNaN(y) ? 0 : x - y)
            || a[0].localeCompare(b[0], 'en', { numeric: true });
          return (down ? -order : order) || a[1] - b[1];
        }).forEach(function (entry) { body.appendChild(entry[2]); });
      };
    });
    all('[data-filters]').forEach(function (field) {
      var list = $(field.dataset.filters), count = $(field.dataset.filters + '-n');
      field.oninput = function () {
        var word = field.value.toLowerCase(), shown = 0;
        all('[data-name]', list).forEach(function (e) {
          var fits = e.dataset.name.toLowerCase().indexOf(word) >= 0;
          e.hidden = !fits;
          if (fits) shown += 1;
        });
        if (word) all('details', list).concat(list.tagName === 'DETAILS' ? [list] : [])
          .forEach(function (d) { d.open = true; });
        if (count) count.textContent = shown;
      };
    });

    """
}
