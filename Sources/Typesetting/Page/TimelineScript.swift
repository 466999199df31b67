/// The cursor and the zoom of timelines: of a run, and of the days of a record.
///
/// What there is to read at the cursor comes from the page's data; a field that a page has not is
/// left out.
enum TimelineScript {
  static let text = """
    var days = all('.tl[data-t0]').map(function (card) {
      return { card: card, from: +card.dataset.t0, span: +card.dataset.len,
        plot: card.querySelector('.plot'), wrap: card.querySelector('.wrap'), zoom: 1 };
    }).sort(function (a, b) { return a.from - b.from; });
    var now = data.at || 0, T = data;
    function stretches(flat, size) {
      var list = [], end = 0, s;
      for (var i = 0; i < flat.length; i += size) {
        s = flat.slice(i, i + size);
        s[0] = Math.round((s[0] + end) * 100) / 100;
        s[1] = end = Math.round((s[0] + s[1]) * 100) / 100;
        list.push(s);
      }
      return list;
    }
    [['mode', 3], ['pump', 5], ['app', 3], ['store', 4]].forEach(function (entry) {
      T[entry[0]] = stretches(T[entry[0]] || [], entry[1]);
    });
    T.sources = (T.sources || []).map(function (s) { return [stretches(s[0], 4), s[1]]; });
    [['bg', 1], ['iob', 100], ['all', 100], ['cob', 1]].forEach(function (entry) {
      var sum = 0;
      T[entry[0]] = (T[entry[0]] || []).map(function (v) {
        return v == null ? null : (sum += v) / entry[1];
      });
    });
    function length(minutes) {
      return minutes < 60 ? +minutes.toFixed(minutes < 10 ? 1 : 0) + ' min'
        : +(minutes / 60).toFixed(1) + ' h';
    }
    days.forEach(function (day) {
      if (!day.card.querySelector('.read')) ['.tlh', '.read', '.hint'].forEach(function (part) {
        var copy = document.querySelector(part).cloneNode(true);
        all('[id]', copy).forEach(function (e) { e.remove(); });
        if (part === '.hint') day.card.appendChild(copy);
        else day.card.insertBefore(copy, day.wrap);
      });
      all('[data-z]', day.card).forEach(function (b) {
        b.textContent = length(day.span / b.dataset.z);
      });
    });
    function put(day, name, words) {
      var e = day.card.querySelector('[data-r=' + name + ']');
      if (e) e.textContent = words;
    }
    function offset(t) {
      var o = T.off, i = o.length - 1;
      while (i > 0 && o[i][0] > t) i -= 1;
      return o[i][1];
    }
    function clock(t, isEnd) {
      var s = Math.round((t + offset(isEnd ? t - 0.01 : t)) * 60), d = (s % 86400 + 86400) % 86400;
      function two(n) { return ('0' + Math.floor(n)).slice(-2); }
      if (isEnd && d === 0) return '24:00';
      return two(d / 3600) + ':' + two(d / 60 % 60) + (d % 60 ? ':' + two(d % 60) : '');
    }
    // What tells a time from the other that shows the same, as when a clock is set back.
    function again(t, isEnd, before) {
      var s = within(T.twice || [], isEnd ? t - 0.01 : t);
      return s ? before + s[2] : '';
    }
    function span(s) {
      // Times of day do not tell how many days lie between them.
      var long = s[1] - s[0] >= 1440 ? ' (' + length(s[1] - s[0]) + ')' : '';
      return clock(s[0]) + again(s[0], false, ' ') + '–' + clock(s[1], true)
        + again(s[1], true, ' ') + long;
    }
    function valueAt(list, t) {
      // The last row is read until the end, which may lie some minutes after it.
      return list[Math.min(list.length - 1, Math.round(t / T.step))];
    }
    function units(v) {
      return v.toFixed(Math.round(v * 1000) % 10 ? 3 : 2).replace('-', '\u{2212}');
    }
    function within(list, t) {
      for (var i = 0; i < list.length; i += 1) {
        if (list[i][0] <= t && t < list[i][1]) return list[i];
      }
    }
    function near(list, t) {
      return (list || []).filter(function (e) { return e[0] <= t && t - e[0] < T.step; })
        .map(function (e) { return '; ' + e[1]; }).join('');
    }
    function holds(list, t, none) {
      return list.filter(function (s) { return s[0] <= t && t < s[1]; }).map(function (s) {
        return (s[3] ? s[2] == null ? 'Missing for ' : 'Missing, ' : '')
          + (s[2] == null ? '' : units(s[2]) + ' U for ') + span(s);
      }).join('; ') || none;
    }
    function found(t) {
      return (T.found || []).filter(function (f) {
        return f[0] <= t && t < Math.max(f[1], f[0] + T.step);
      }).map(function (f) { return T.findings[f[2]]; }).join('; ') || 'none';
    }
    function dayAt(t) {
      for (var i = days.length - 1; i > 0; i -= 1) if (t >= days[i].from) return days[i];
      return days[0];
    }
    function shown(day) {
      return Math.max(T.from, day.from, Math.min(T.to, day.from + day.span, now));
    }
    function draw(day) {
      var at = shown(day), g = valueAt(T.bg, at), cob = valueAt(T.cob, at);
      // The end of a day, or of all, is read as its last moment.
      var isEnd = at === T.to || at === day.from + day.span;
      var last = isEnd ? at - 0.01 : at, mode = within(T.mode, last);
      day.plot.style.setProperty('--at', (at - day.from) / day.span);
      var isDaysEnd = at === day.from + day.span;
      put(day, 't', clock(at, isDaysEnd));
      put(day, 'st', (mode ? mode[2] : '') + again(at, isDaysEnd, mode ? ', ' : ''));
      put(day, 'bg', g == null ? 'no reading' : glucose(g) + ' ' + unitName());
      ['iob', 'all'].forEach(function (name) {
        var v = valueAt(T[name], at);
        put(day, name, v == null ? '–' : units(v) + ' U');
      });
      put(day, 'cob', cob == null ? '–' : cob + ' g');
      var p = within(T.pump, last), a = within(T.app, last);
      var pulses = p && (p[4] + (p[4] === 1 ? ' pulse ' : ' pulses '));
      put(day, 'p', (p ? (p[2] > 1 ? T.pumpKinds[p[2]] + ' ' : units(p[3]) + ' U/h, ') + pulses
        + span(p) : '') + near(T.pumpAt, at));
      put(day, 'l', (a ? a[2] == null ? 'Suspended'
        : 'Temp basal ' + units(a[2]) + ' U/h' : 'Scheduled, no event') + near(T.appAt, at));
      put(day, 'h', holds(T.store, last, 'No basal yet') + near(T.storeAt, at));
      T.sources.forEach(function (s, k) {
        put(day, 's' + k, holds(s[0], last, 'No basal') + near(s[1], at));
      });
      put(day, 'found', found(at));
      var lane = day.plot.querySelector('[data-glucose] svg');
      var line = lane && lane.querySelector('.sel');
      if (!lane) return;
      if (!line) {
        line = document.createElementNS(lane.namespaceURI, 'path');
        line.setAttribute('class', 'sel');
        lane.appendChild(line);
      }
      var best = null;
      T.pred.forEach(function (q) { if (q[0] <= at && at - q[0] < T.predEvery) best = q; });
      var d = '', low = +lane.parentElement.parentElement.dataset.low,
        high = +lane.parentElement.parentElement.dataset.high, goesOn = false;
      // The line is cut where it crosses an edge of the chart.
      if (best) for (var k = 2; k < best.length; k += 1) {
        var t = best[0] + (k - 2) * T.predStep, a = best[k - 1], rise = best[k] - a;
        if (t + T.predStep > day.from + day.span) break;
        var u = (low - a) / rise, w = (high - a) / rise;
        var p = rise ? Math.max(0, Math.min(u, w)) : 0;
        var q = rise ? Math.min(1, Math.max(u, w)) : a < low || a > high ? -1 : 1;
        if (p < q) d += (goesOn && !p ? '' : 'M' + spot(p)) + 'L' + spot(q);
        goesOn = p < q && q === 1;
      }
      function spot(part) {
        return Math.round((t + part * T.predStep - day.from) / day.span * 10000) + ' '
          + Math.round((high - a - part * rise) / (high - low) * 1000);
      }
      line.setAttribute('d', d);
    }
    function side(day) {
      return parseFloat(getComputedStyle(day.plot).getPropertyValue('--lab')) || 0;
    }
    function place(day) {
      var room = day.plot.clientWidth - side(day) - 22;
      return side(day) + (shown(day) - day.from) / day.span * room;
    }
    function center(day) { day.wrap.scrollLeft = place(day) - day.wrap.clientWidth / 2; }
    function bounded(t, day) {
      return Math.max(day.from, Math.min(day.from + day.span, t));
    }
    function stepped(t) {
      return Math.max(T.from, Math.min(T.to, Math.round(t / T.step) * T.step));
    }
    function go(t, follow, only, stays) {
      now = stepped(t);
      // A day that neither begins nor ends on a step is left by no rounding.
      if (stays) now = bounded(now, only);
      var day = only && now >= only.from && now <= only.from + only.span ? only : dayAt(now);
      if (day.card.tagName === 'DETAILS') day.card.open = true;
      draw(day);
      if (!follow) return;
      var x = place(day), wrap = day.wrap;
      var left = wrap.scrollLeft + side(day) + 30, right = wrap.scrollLeft + wrap.clientWidth - 40;
      if (x < left || x > right) center(day);
      if (only && day !== only) { day.card.scrollIntoView(); wrap.focus({ preventScroll: true }); }
    }
    function zoomTo(day, zoom) {
      day.zoom = zoom;
      day.plot.dataset.zoom = zoom;
      all('[data-z]', day.card).forEach(function (b) {
        b.setAttribute('aria-pressed', String(+b.dataset.z === zoom));
      });
      center(day);
    }
    function jump(direction, day) {
      var stops = T.stops.map(stepped), i;
      if (!stops.length) return;
      if (direction > 0) {
        for (i = 0; i < stops.length; i += 1) if (stops[i] > now) return go(stops[i], true, day);
        return go(stops[0], true, day);
      }
      for (i = stops.length - 1; i >= 0; i -= 1) if (stops[i] < now) return go(stops[i], true, day);
      go(stops[stops.length - 1], true, day);
    }
    days.forEach(function (day) {
      var plot = day.plot, down = false;
      function at(e) {
        var box = plot.getBoundingClientRect(), left = side(day);
        return day.from + (e.clientX - box.left - left) / (box.width - left - 22) * day.span;
      }
      function point(e) {
        go(at(e), false, day, true);
      }
      plot.addEventListener('pointermove', function (e) {
        if (e.pointerType === 'mouse' || down) point(e);
      });
      plot.addEventListener('pointerdown', function (e) { down = true; point(e); });
      addEventListener('pointerup', function () { down = false; });
      day.wrap.addEventListener('focus', function () {
        if (now < day.from || now > day.from + day.span) go(day.from, false, day, true);
      });
      day.wrap.addEventListener('keydown', function (e) {
        if (e.target !== day.wrap || e.ctrlKey || e.metaKey || e.altKey) return;
        var by = e.shiftKey ? 30 : T.step, levels = [1, 2, 4, 8], i = levels.indexOf(day.zoom);
        if (e.key === 'ArrowRight') go(now + by, true, day);
        else if (e.key === 'ArrowLeft') go(now - by, true, day);
        else if (e.key === ']') jump(1, day);
        else if (e.key === '[') jump(-1, day);
        else if (e.key === 'Home') go(day.from - T.step, true, day, true);
        else if (e.key === 'End') go(day.from + day.span + T.step, true, day, true);
        else if ((e.key === '+' || e.key === '=') && i < 3) zoomTo(day, levels[i + 1]);
        else if (e.key === '-' && i > 0) zoomTo(day, levels[i - 1]);
        else return;
        e.preventDefault();
      });
      all('[data-jump]', day.card).forEach(function (b) {
        b.onclick = function () { jump(+b.dataset.jump, day); };
      });
      all('[data-z]', day.card).forEach(function (b) {
        b.onclick = function () { zoomTo(day, +b.dataset.z); };
      });
      all('[data-c]', day.card).forEach(function (b) {
        b.onclick = function () {
          var on = b.getAttribute('aria-pressed') === 'true';
          b.setAttribute('aria-pressed', String(!on));
          day.wrap.classList.toggle(b.dataset.c, on);
        };
      });
      draw(day);
      if (day.wrap.scrollWidth > day.wrap.clientWidth && dayAt(now) === day) center(day);
    });
    if (days.length) {
      all('[data-go]').forEach(function (a) {
        a.addEventListener('click', function () { go(+a.dataset.go, true); });
      });
      changed.push(function () { days.forEach(draw); });
    }

    """
}
