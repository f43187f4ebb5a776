import assert from 'node:assert/strict';
import { readArguments } from '../../../bench/timeline/arguments';
import { joinTurns, NOTHING, type Turn } from '../../../bench/timeline/outcome';
import { writeGoals, writeMarks, writeTables, type Outcomes } from '../../../bench/timeline/report';

const turn = (firstMs: number, scriptMs: number, cpuMs: number): Turn => ({ firstMs, scriptMs, cpuMs, bytes: 59e6, stopped: null });

const OUTCOMES: Outcomes = new Map([
  [100_000, new Map([['ours', joinTurns([turn(100, 8, 15)])]])],
  [
    1_000_000,
    new Map([
      ['ours', joinTurns([turn(200, 9, 20), turn(260, 7, 10), turn(300, 8, 15)])],
      ['typed-canvas', joinTurns([turn(800, 700, 750)])],
      ['d3-svg', joinTurns([turn(15_000, 3000, 12_000)])],
      ['echarts', joinTurns([{ ...NOTHING, firstMs: 16_000, bytes: 9e8, stopped: 'none in 120 s' }])],
      ['plotly', joinTurns([{ ...NOTHING, stopped: 'none in 60 s' }])],
    ]),
  ],
  [5_000_000, new Map([['ours', joinTurns([turn(900, 24, 30)])]])],
]);

describe('The table of the timeline benchmark', () => {
  it('shows medians and multiples of ours', () => {
    const lines = writeTables(OUTCOMES).split('\n');
    assert.ok(lines.includes('### 1,000,000 checkpoints'));
    assert.ok(lines.includes('| Checkpoint Health | 260 ms | 1.0 | 8.0 ms | 1.0 | 15 ms | 1.0 | 59 MB | 3 |'));
    assert.ok(lines.includes('| canvas, one fillRect each from typed columns | 800 ms | 3.1 | 700 ms | 88 | 750 ms | 50 | 59 MB | 1 |'));
  });

  it('says why a contender was stopped, where its figure would be', () => {
    const lines = writeTables(OUTCOMES).split('\n');
    assert.ok(lines.includes('| Plotly, lines | none in 60 s |  |  |  |  |  |  |  |'));
    assert.ok(lines.includes('| ECharts, lines in large mode | 16,000 ms | 62 | none in 120 s |  |  |  | 900 MB | 1 |'));
  });

  it('holds goals to what was seen, and does not judge what was not', () => {
    const goals = writeGoals(OUTCOMES);
    assert.match(goals, /typed columns over ours \| 50 \| 30 \| 60 \| must \|/);
    assert.match(goals, /D3, SVG over ours \| 800 \| 400 \| 900 \| must \|/);
    assert.match(goals, /large mode over ours \| {2}\| 500 \| 1000 \| none in 120 s \|/);
    assert.match(goals, /points over ours \| {2}\| 200 \| 400 \| not measured in this run \|/);
    assert.match(goals, /over 100 thousand \| 3\.00 \| 2\.5 \| 1\.5 \| \*\*missed\*\* \|/);
    assert.match(goals, /first picture of 1 million \| 260 ms \| 300 ms \| {2}\| must \|/);
    assert.match(goals, /1 million \| 59 MB \| 60 MB \| {2}\| must \|/);
  });

  it('counts marks that are missing and ghosts', () => {
    assert.equal(writeMarks([{ zoom: 4_100, marked: 12_000, missing: 0, ghosts: 3 }]).split('\n')[2], '| 4,100 × | 12,000 | 0 | 3 |');
  });
});

describe('The command line of the timeline benchmark', () => {
  it('takes sizes in order, contenders as the tables have them, rounds', () => {
    assert.deepEqual(readArguments(['--sizes', '100000,10000', '--only', 'uplot,ours', '--rounds', '1']), {
      sizes: [10_000, 100_000],
      contenders: ['ours', 'uplot'],
      rounds: 1,
    });
  });

  it('refuses what it does not know', () => {
    assert.throws(() => readArguments(['--size', '10']), /--size is not an option/);
    assert.throws(() => readArguments(['--sizes', '10,few']), /"few" is not a number/);
    assert.throws(() => readArguments(['--only', 'highcharts']), /"highcharts" does not take part/);
    assert.throws(() => readArguments(['--rounds']), /"" is not a number/);
  });
});
