import assert from 'node:assert/strict';
import { describeInstance, joinWords } from '../../../src/core/pages/instance-words';
import type { InstanceVerdict } from '../../../src/core/advice/instance';
import { defaultWaves } from '../../../src/core/advice/plan';
import { type Simulator, startSimulator } from '../../../simulator/index';
import type { ScenarioName } from '../../../simulator/scenarios/scenarios';
import { choiceOf } from '../../core/script/scripts-of';
import { openQueryWindow } from '../../e2e/query-window';
import { type Followed, follow } from '../product/followed-server';

const MINUTE_MS = 60_000;

interface Site extends Followed {
  readonly simulator: Simulator;
  instance(): InstanceVerdict;
  /** All that is said of the instance. */
  text(): string;
  nameOf(databaseId: number): string;
  /** As a person would, in an editor. */
  run(script: string): Promise<void>;
  dispose(): Promise<void>;
}

async function openSite(scenario: ScenarioName): Promise<Site> {
  const simulator = await startSimulator({ rate: 0, tls: 'required', scenario });
  const followed = await follow(simulator);
  const { monitor } = followed;
  await monitor.startTracking(null);
  const instance = (): InstanceVerdict => monitor.snapshot.instance ?? assert.fail('not judged');
  const { databases } = monitor.snapshot.facts ?? assert.fail('no facts');
  return {
    simulator,
    ...followed,
    instance,
    text: () => joinWords(describeInstance(instance(), monitor.snapshot.facts ?? assert.fail('no facts'), monitor.snapshot.verdicts)),
    nameOf: (id) => databases.find(({ databaseId }) => databaseId === id)?.name ?? '',
    run: async (script) => {
      const window = await openQueryWindow({ host: simulator.host, port: simulator.port, ...simulator.administrator });
      const timer = setInterval(() => simulator.server.advance(1_000), 1);
      await window.run(script).finally(() => clearInterval(timer));
      window.close();
    },
    dispose: async () => {
      await monitor.dispose();
      await simulator.close();
    },
  };
}

async function watchFor(site: Site, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) await site.pass(MINUTE_MS);
}

describe('A site as the pane sees it, from the first minute to the forecast that comes true', function () {
  this.timeout(240_000);
  let site: Site;
  const open = async (scenario: ScenarioName, minutes: number): Promise<Site> => {
    site = await openSite(scenario);
    await watchFor(site, minutes);
    return site;
  };
  afterEach(() => site.dispose());

  it('says of the demo how long it still needs, then who feeds the queue, and what it forecasts comes true when the script is run', async () => {
    await open('legacy-upgrade', 4);
    assert.match(site.text(), /^Not known yet\. 4 minutes seen\. A first verdict needs about 6 minutes more\./);
    assert.equal(site.instance().feeders.size, 0);
    await watchFor(site, 8);
    const { forecast, advised, state } = site.instance();
    assert.equal(state, 'queue at times');
    assert.match(site.text(), /feed the queue\. With .* on indirect checkpoints, the task should be busy \d/);
    assert.ok(forecast !== null && forecast.waves.length > 1 && forecast.waves[0]?.databases === 3, 'a canary first');
    const review = await site.monitor.reviewSwitch(choiceOf(advised, false, { waves: defaultWaves }));
    const change = review.scripts?.scripts.find(({ kind }) => kind === 'change') ?? assert.fail('no script');
    const runs = forecast.waves.map(({ wave }) => change.text.replace('DECLARE @wave int = 1;', `DECLARE @wave int = ${wave};`));
    assert.equal(new Set(runs).size, runs.length, 'a wave each');
    for (const text of runs) await site.run(text);
    await watchFor(site, 1);
    assert.match(site.text(), /^Not known yet\. .* seen since the last change\./);
    await watchFor(site, 20);
    const last = forecast.waves[forecast.waves.length - 1] ?? assert.fail('no forecast');
    const seen = site.instance().task?.busyShare ?? NaN;
    assert.ok(seen >= last.low && seen <= last.high, `seen ${seen}, forecast ${last.low} to ${last.high}`);
    assert.match(site.text(), / since the last change; \d+ % before the first\./);
  });

  it('names all 400 where all take turns: nobody stands out, and the task is free only when all have left it', async () => {
    await open('taking-turns', 12);
    assert.match(site.text(), /^The checkpoint task is almost never free\. .* feed the queue\. \d+ databases had no turn yet/);
    await watchFor(site, 22);
    assert.deepEqual([site.instance().state, site.instance().feeders.size], ['saturated', 400]);
    assert.match(site.text(), /No database stands out: each takes about \d\.\d s\. The task is free only when all 400 have left it/);
  });
});
