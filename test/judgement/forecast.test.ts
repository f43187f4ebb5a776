/**
 * The forecast and the advised set, over queues that are simulated apart from the product: many fills of the queue, and
 * one look after another.
 */
import assert from 'node:assert/strict';
import { createRandom } from '../../simulator/scenarios/random';
import { estimateLikely, forecastTask } from '../../src/core/advice/forecast';
import type { InstanceVerdict } from '../../src/core/advice/instance';
import { describeInstance, joinWords } from '../../src/core/pages/instance-words';
import { finishSteps } from '../../src/core/steps';
import { judgeServer, noGrounds, noTaskGrounds, summarizeCapture } from '../../src/monitor/facts/judgement';
import { captureOfSite } from '../../tools/judge/capture';
import { factsOfSite } from '../../tools/judge/facts';
import { readSite } from '../../tools/judge/site';
import { type Asker, measureBusy, type Queue, simulateQueue, type Turn } from '../../tools/judge/queue';
import { HOUR_MS, MINUTE_MS } from '../../src/core/time';

const FROM_MS = Date.UTC(2026, 2, 2, 8);

/** @param demand what they ask of the task, as a share of the time: above 1 it cannot do it all */
function createQueue(seed: number, demand: number, hours: number): Queue {
  const random = createRandom(seed, 21);
  const count = random.pick([8, 30, 60]);
  const [weightSpread, spread] = [random.pick([0, 0.5, 1]), random.pick([0.1, 0.5])];
  const weights = Array.from({ length: count }, () => random.factor(weightSpread));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const askers = weights.map((weight, at): Asker => {
    const everyMs = Math.round(MINUTE_MS * random.between(1, 6));
    return {
      databaseId: at + 5,
      askings: [{ everyMs, takesMs: Math.max(2, Math.round((demand * everyMs * weight) / sum)), spread }],
    };
  });
  return { fromMs: FROM_MS, toMs: FROM_MS + hours * HOUR_MS, utcOffsetMin: 0, seed, askers, pauses: null };
}

function judge(queue: Queue, turns: readonly Turn[], toMs: number, before: InstanceVerdict | null = null) {
  const site = readSite({
    name: 'site',
    databases: queue.askers.map(({ databaseId }) => ({
      id: databaseId,
      name: `db${databaseId}`,
      targetSeconds: 0,
    })),
    observedFromMs: queue.fromMs,
    observedToMs: toMs,
    checkpoints: turns
      .filter(({ endMs }) => endMs <= toMs)
      .map((one) => [one.databaseId, one.beginMs, one.endMs, 'automatic']),
  });
  const facts = factsOfSite(site);
  const summary = finishSteps(summarizeCapture(captureOfSite(site, facts), facts, noTaskGrounds));
  const { instance, databases } = finishSteps(judgeServer(facts, summary, null, { ...noGrounds, before }));
  return { instance, text: joinWords(describeInstance(instance, facts, databases)) };
}

describe('The forecast, wave after wave', () => {
  /**
   * What is asked of the task, and how wide the range may be in the median. Without pauses no capture shows how often
   * they would ask, so any width is right.
   */
  const fills: readonly (readonly [demand: number, widest: number])[] = [
    [0.2, 0.2],
    [0.5, 0.2],
    [0.8, 0.2],
    [0.97, 0.35],
    [1.5, 1],
    [3, 1],
  ];
  for (const [demand, widest] of fills)
    it(`holds in 95 of 100 switches where databases ask for ${100 * demand} % of the time${widest < 1 ? `, and is at most ${100 * widest} points wide` : ', and its likely value is within 10 points in the median'}`, () => {
      const switches = Array.from({ length: 20 }, (_, seed) => {
        const queue = createQueue(seed, demand, [0.5, 1, 2][seed % 3] ?? 1);
        const { task, room } = judge(queue, simulateQueue(queue), queue.toMs).instance;
        assert.ok(task !== null);
        const bytes = createRandom(seed, 77);
        const logRates = new Map(
          queue.askers.map(({ databaseId, askings }) => [
            databaseId,
            bytes.factor(0.3) / (askings[0]?.everyMs ?? 1),
          ]),
        );
        const likely = estimateLikely(task, logRates);
        const heaviest = [...task.databases].sort(([, a], [, b]) => b.share - a.share).map(([id]) => id);
        return [0.2, 0.5, 0.8].map((part) => {
          const gone = new Set(heaviest.slice(0, Math.ceil(part * heaviest.length)));
          const askers = queue.askers.filter(({ databaseId }) => !gone.has(databaseId));
          const left = { ...queue, toMs: queue.fromMs + HOUR_MS, seed: seed + 1_000, askers };
          return {
            ...forecastTask({ task, room, likely }, gone),
            seen: measureBusy(simulateQueue(left), left),
            seed,
            part,
          };
        });
      }).flat();
      const misses = switches
        .flatMap(({ likely, seen }) => (likely === undefined ? [] : [Math.abs(likely - seen)]))
        .sort((a, b) => a - b);
      assert.ok(
        (misses[misses.length >> 1] ?? 0) <= 0.1 && (demand < 1 || misses.length > 40),
        `${misses.length}: ${misses.join(' ')}`,
      );
      const wrong = switches.filter(({ low, high, seen }) => seen < low || seen > high);
      const widths = switches.map(({ low, high }) => high - low).sort((a, b) => a - b);
      assert.ok(
        wrong.length <= 0.05 * switches.length,
        `${wrong.length} of ${switches.length}: ${JSON.stringify(wrong)}`,
      );
      assert.ok((widths[widths.length >> 1] ?? 1) <= widest, `${widths[widths.length >> 1]}`);
    });
});

describe('The advised databases, look after look', () => {
  function follow(queue: Queue, hours: number): readonly ReturnType<typeof judge>[] {
    const turns = simulateQueue(queue);
    const looks: ReturnType<typeof judge>[] = [];
    for (
      let toMs = queue.fromMs + 10 * MINUTE_MS;
      toMs <= queue.fromMs + hours * HOUR_MS;
      toMs += 10 * MINUTE_MS
    )
      looks.push(judge(queue, turns, toMs, looks[looks.length - 1]?.instance));
    return looks.filter(({ instance }) => instance.forecast !== null);
  }
  const nameSet = ({ instance }: ReturnType<typeof judge>): string =>
    [...instance.advised].sort((a, b) => a - b).join();

  for (const demand of [0.8, 1.5, 3])
    it(`change at most twice in three hours of a steady load of ${100 * demand} %, and it is said when they did`, () => {
      for (let seed = 0; seed < 3; seed++) {
        const looks = follow(createQueue(seed, demand, 3), 3);
        const changed = looks.filter(
          (look, at) => at > 0 && nameSet(look) !== nameSet(looks[at - 1] ?? look),
        );
        assert.ok(
          changed.length <= 2,
          `site ${seed}: ${looks.map(({ instance }) => instance.advised.length).join(' ')}`,
        );
        assert.equal(
          /Advised before: \d+ databases?\. /.test(looks[looks.length - 1]?.text ?? ''),
          changed.length > 0,
        );
      }
    });

  it('become more when others begin to ask for more, and it is said', () => {
    const turn = (id: number, takesMs: number, hours?: readonly [number, number]): Asker => ({
      databaseId: id,
      askings: [{ everyMs: 2 * MINUTE_MS, takesMs, ...(hours && { hours }) }],
    });
    const light = Array.from({ length: 10 }, (_, at) => turn(at + 5, 1_200));
    const askers = [
      turn(30, 40_000),
      ...light,
      ...Array.from({ length: 4 }, (_, at) => turn(at + 40, 20_000, [10, 24])),
    ];
    const queue: Queue = {
      fromMs: FROM_MS,
      toMs: FROM_MS + 6 * HOUR_MS,
      utcOffsetMin: 0,
      seed: 1,
      askers,
      pauses: null,
    };
    const looks = follow(queue, 6);
    assert.deepEqual(looks[0]?.instance.advised, [30]);
    const last = looks[looks.length - 1];
    assert.ok(
      (last?.instance.advised ?? []).some((id) => id >= 40),
      `${last?.instance.advised.join()}`,
    );
    assert.match(last?.text ?? '', /Advised before: /);
  });
});
