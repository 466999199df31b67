/// A scenario that uses every part of the format that this version carries out.
enum Tour {
  static let files: [String: String] = [
    "Scenarios/base/body.json5": base,
    "Scenarios/tour.json5": tour,
    "Scenarios/people.csv": "id,isf,cr\nmara,40,9\nolu,55.5,12\n",
  ]

  private static let base = """
    {
      format: 'loopsim/1', id: 'body',
      patient: { model: 'tidepool-simple', initialGlucose: 120,
        needs: { basal: [['00:00', 1.1], ['05:00', 1.3]], sensitivity: [['00:00', 40]],
                 carbRatio: [['00:00', 9]] } },
      events: [{ id: 'breakfast', at: '07:30', meal: { grams: 50 } }],
    }
    """

  private static let tour = """
    {
      format: 'loopsim/1', id: 'tour', title: 'A day with everything', tags: ['tour'],
      references: ['none'], note: 'Only for tests.', extends: ['base/body.json5'],
      clock: { start: '2026-10-24T20:00:00', timeZone: 'Europe/Berlin', duration: '30h', preRoll: '6h',
               loopEvery: '5m', loopJitter: '15s' },
      random: { seed: 11, replicates: 2 }, glucoseUnit: 'mg/dL',
      patient: { secretion: { perGlucose: 0.1 } },
      therapy: { basal: [['00:00', 1.1], ['05:00', 1.3]], sensitivity: [['00:00', 42]],
        carbRatio: [['00:00', 10]], target: [['00:00', [95, 110]]], preMealTarget: [80, 90],
        suspendThreshold: 78, maxBasal: 5, maxBolus: 12, insulinModel: 'fiasp',
        presets: { swim: { target: [140, 160], insulinNeeds: 0.4 } } },
      cgm: { model: 'ar1', lag: '7m', noise: { sd: 5, phi: 0.8 }, range: [40, 400], warmUp: '1h',
        life: '10d', startedAt: '-2d' },
      pump: { model: 'omnipodDASH', reservoir: 150, residual: 'carry' },
      app: { dosing: 'automaticBolus', integralRC: true, scheduleZone: 'wallClock', applicationFactor: 0.5,
        midAbsorptionISF: true, maxActiveInsulin: 20 },
      history: { glucose: [['-10m', 118], ['-5m', 121]], doses: [{ at: '-2h', bolus: 2 },
        { at: '-1h', basal: 0.5, duration: '30m' }], carbs: [{ at: '-2h', grams: 20 }] },
      healthStore: { authorised: ['glucose', 'insulin'], writeBasalSegments: true,
        vendorApp: 'dexcom', reportWrite: 'atTrigger' },
      events: { $append: [
        { at: '21:00', id: 'late', meal: { grams: 30, absorption: '4h' },
          entry: { at: '+15m', grams: 20, edits: [{ at: '+1h', grams: 30 }, { at: '+2h', delete: true }] } },
        { at: '22:00', meal: { grams: 5 }, entry: false }, { at: '22:10', entry: { grams: 40 } },
        { at: '22:20', bolus: { take: 'recommended', scale: 0.8, cap: 3 } },
        { at: ['23:00', '+4h'], bolus: { units: 1, by: 'watch', cancelAt: '+10s' } },
        { at: '02:30~2', injection: { units: 2, insulin: 'humalog' }, entry: { at: '+5m', units: 3 } },
        { at: '02:30', basal: { rate: 0.3, duration: '30m' } }, { at: '+7h', basal: { cancel: true } },
        { at: '04:00', suspend: { duration: '20m' } }, { at: '04:30', resume: {} },
        { at: '05:00', closedLoop: false }, { at: { daily: '06:00', days: [1], jitter: '5m' }, closedLoop: true },
        { at: '07:00', preset: 'preMeal', until: '+30m' }, { at: '09:00', preset: 'swim', duration: '1h' },
        { at: '10:30', preset: { target: [150, 170], insulinNeeds: 0.5 } },
        { at: '09:30', exercise: { heartRate: 130, duration: '45m', intensity: 'high' } },
        { at: '11:00', settings: { maxBasal: 3, dosing: 'tempBasal' } },
        { at: '11:10', delete: { from: 'healthStore', match: { kind: 'carbs', between: ['20:00', '22:00'] } } },
        { at: '11:20', healthStore: { write: { glucose: 99, source: 'Meter' } } },
        { at: '11:30', healthStore: { revoke: ['carbs.read'] } },
        { at: '12:00', pump: { replace: { reservoir: 180 } } },
        { at: '12:05', pump: { setTime: true } }, { at: '12:30', cgm: { calibrate: 105 } },
        { at: '13:00', fingerstick: { error: -8, entry: false } },
        { at: '14:00', timeZone: 'Asia/Tokyo', pumpFollows: true },
        { at: '15:00', phone: 'reboot' }, { at: '16:00', sickness: { scale: 1.4, duration: '5h' } },
      ] },
      faults: [
        { id: 'block', during: ['23:00', '2h'], pump: { occlusion: { alarmAfter: '1h' } } },
        { during: ['+1h', '+2h'], cgm: { dropout: { backfill: false } } },
        { at: '+3h', cgm: { spike: { delta: 90 } } }, { at: '+4h', cgm: { compression: { depth: 30 } } },
        { every: { mean: '8h', count: 3 }, cgm: { dropout: {} }, probability: 0.5 },
        { during: ['+5h', '10m'], app: { skipLoops: {} } },
        { during: ['+8h', '1h'], pump: { commLoss: { commands: 'late', latency: '2m' } } },
        { during: ['+9h', '1h'], pump: { reject: { what: ['bolus'] } } },
        { during: ['+10h', '1h'], phone: { off: {} } }, { at: '+11h', healthStore: { wipe: {} } },
      ],
      expect: [
        { id: 'safe', series: 'glucose.true', never: { below: 54 }, forAtLeast: '10m', outside: ['block', '20:00..+1h'] },
        { id: 'tir', metric: 'tir(70,180)', min: 50, unit: '%' },
        { id: 'rows', timeline: 'healthStore.basal', between: ['23:00', '+5h'],
          equals: [['23:00:00', '23:05:00', 0.5, 0.05, 'basal']],
          tolerance: { time: '1s', units: 1e-9 }, mode: 'prefix' },
        { id: 'alarm', event: { kind: 'alert', name: 'occlusion' }, count: 1 },
        { id: 'short', events: { kind: 'tempBasal' }, eachDuration: { max: '30m' } },
        { id: 'law', invariant: 'insulin-conservation', severity: 'warn', variants: ['auto'] },
      ],
      variants: { auto: {}, open: { app: { closedLoop: false } } },
      sweep: { 'events[late].meal.grams': { from: 20, to: 40, step: 20 },
        zip: { 'therapy.maxBasal': [4, 5], 'therapy.maxBolus': [8, 9] } },
      cohort: { from: 'people.csv', columns: { isf: 'patient.needs.sensitivity[0][1]',
        cr: 'patient.needs.carbRatio[0][1]' } },
      budget: { maxRuns: 100 },
      output: { every: '5m' }, 'x-mine': { any: [1] },
    }
    """
}
