import assert from 'node:assert/strict';
import { describeInstance, joinWords } from '../../../src/core/pages/instance-words';
import type { InstanceVerdict } from '../../../src/core/advice/instance';
import { defaultWaves } from '../../../src/core/advice/plan';
import { type Simulator, startSimulator } from '../../../simulator/index';
import type { ScenarioName } from '../../../simulator/scenarios/scenarios';
import { choiceOf } from '../../core/script/scripts-of';
import { openQueryWindow } from '../../e2e/query-window';
import { type Followed, follow } from '../product/followed-server';
import { MINUTE_MS } from '../../../src/core/time';

describe('A site as the pane sees it, from the first minute to the forecast that comes true', () => {
  let simulator: Simulator;
  let site: Followed;
  const watchFor = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute++) await site.pass(MINUTE_MS);
  };
  const open = async (scenario: ScenarioName, minutes: number): Promise<void> => {
    simulator = await startSimulator({ rate: 0, tls: 'required', scenario });
    site = await follow(simulator);
    await site.monitor.startTracking(null);
    await watchFor(minutes);
  };
  afterEach(async () => {
    await site.monitor.dispose();
    await simulator.close();
  });

  const instance = (): InstanceVerdict => site.monitor.snapshot.instance ?? assert.fail('not judged');
  /** All that is said of the instance. */
  const text = (): string => {
    const { facts, verdicts } = site.monitor.snapshot;
    return joinWords(describeInstance(instance(), facts ?? assert.fail('no facts'), verdicts));
  };
  /** As a person would, in an editor. */
  const run = async (script: string): Promise<void> => {
    const window = await openQueryWindow({
      host: simulator.host,
      port: simulator.port,
      ...simulator.administrator,
    });
    const timer = setInterval(() => simulator.server.advance(1_000), 1);
    await window.run(script).finally(() => clearInterval(timer));
    window.close();
  };

  it('says of the demo how long it still needs, then who feeds the queue, and what it forecasts comes true when the script is run', async () => {
    await open('legacy-upgrade', 4);
    assert.match(text(), /^Too early to say\. 4 minutes seen\. A first verdict needs about 6 minutes more\./);
    assert.equal(instance().feeders.size, 0);
    await watchFor(8);
    const { forecast, advised, state } = instance();
    assert.equal(state, 'queue at times');
    assert.match(text(), /feed the queue\. With .* on indirect checkpoints, the task should be busy \d/);
    assert.ok(
      forecast !== null && forecast.waves.length > 1 && forecast.waves[0]?.databases === 3,
      'a canary first',
    );
    const review = await site.monitor.reviewSwitch(choiceOf(advised, false, { waves: defaultWaves }));
    const change = review.scripts?.scripts.find(({ kind }) => kind === 'change') ?? assert.fail('no script');
    const runs = forecast.waves.map(({ wave }) =>
      change.text.replace('DECLARE @wave int = 1;', `DECLARE @wave int = ${wave};`),
    );
    assert.equal(new Set(runs).size, runs.length, 'a wave each');
    for (const wave of runs) await run(wave);
    await watchFor(1);
    assert.match(text(), /^\d+ databases changed at [\d:]+\. First result at .* Do nothing now\.$/);
    await watchFor(20);
    const last = forecast.waves[forecast.waves.length - 1] ?? assert.fail('no forecast');
    const seen = instance().task?.busyShare ?? NaN;
    assert.ok(seen >= last.low && seen <= last.high, `seen ${seen}, forecast ${last.low} to ${last.high}`);
    assert.match(text(), / since the last change; \d+ % before the first\./);
  });

  it('names all 400 where all take turns: nobody stands out, and the task is free only when all have left it', async () => {
    await open('taking-turns', 12);
    assert.match(
      text(),
      /^The checkpoint task is almost never free\. .* feed the queue\. \d+ databases had no checkpoint yet/,
    );
    await watchFor(22);
    assert.deepEqual([instance().state, instance().feeders.size], ['saturated', 400]);
    assert.match(
      text(),
      /No database stands out: each takes about \d\.\d s\. The task is free only when all 400 are switched/,
    );
  });
});
