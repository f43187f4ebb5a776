/** Verdicts on an instance as the mock has them, for the states in which its head is drawn in another way. */
import type { ForecastSteps } from '../../src/core/advice/forecast';
import type { Words } from '../../src/core/pages/words';
import type { InstanceView } from '../../src/protocol';

/** `Busy *97 %* of 8 h.`: what stands between asterisks is strong. */
function readWords(line: string): readonly Words[] {
  return line
    .split('*')
    .flatMap((text, at): readonly Words[] =>
      text === '' ? [] : [{ text, weight: at % 2 === 1 ? 'strong' : 'plain' }],
    );
}

function instanceOf(
  state: InstanceView['state'],
  title: string,
  brief: string,
  ...lines: readonly string[]
): InstanceView {
  return {
    state,
    words: { title, lines: lines.map(readWords), note: null, rests: [], brief },
    forecast: null,
    isAdvised: state === 'saturated',
    lastWave: null,
  };
}

/** 78 databases in four waves, the first of which does little. */
export const FAKE_FORECAST: ForecastSteps = {
  now: 0.97,
  bound: 0.3,
  waves: [
    { wave: 1, databases: 3, low: 0.95, high: 1 },
    { wave: 2, databases: 25, low: 0.44, high: 1, likely: 0.72 },
    { wave: 3, databases: 25, low: 0.22, high: 0.78 },
    { wave: 4, databases: 25, low: 0.06, high: 0.29 },
  ],
};

const saturated = instanceOf(
  'saturated',
  'The checkpoint task is almost never free.',
  '97 % busy',
  'Busy *97 %* of 8 h. *172* databases take turns, a typical one every *3 minutes*.',
  '*76 feed the queue*. 2 more hurt on their own. With these 78 on indirect checkpoints, the task should be busy *6 to 29 %*.',
);

/** Some feed the queue. */
export const FAKE_INSTANCE: InstanceView = {
  ...saturated,
  words: {
    ...saturated.words,
    note: 'Waves 1 to 2 alone change little: waiting databases use the time they free.',
    rests: [
      {
        name: 'Busy',
        text: '27,936 of 28,800 s, in 27,050 checkpoints. Longest time without a pause: 2 h 12 min.',
      },
      {
        name: 'Low end, 6 %',
        text: 'What stays automatic (94 databases): as often and for as long as measured, less what half an hour can differ by chance.',
      },
      {
        name: 'High end, 29 %',
        text: 'The same databases and durations, but as often as the capture allows. Plus the chance variation of half an hour.',
      },
      { name: 'Not forecast', text: 'Total writes. They may rise; Before / after shows them.' },
    ],
  },
  forecast: FAKE_FORECAST,
};

/** As many waves as databases of which none stands out need. */
export const manyWaves = (count: number): ForecastSteps => ({
  now: 0.98,
  bound: 0.3,
  waves: Array.from({ length: count }, (_, at) => ({
    wave: at + 1,
    databases: 25,
    low: 1 - (at + 1) / count,
    high: 1 - at / (count + 1),
  })),
});

export const FAKE_INSTANCES: Readonly<Record<string, InstanceView>> = {
  'too little': instanceOf(
    'cannot tell yet',
    'Too early to say.',
    '31 % busy so far',
    '4 minutes seen. A first verdict needs about 6 minutes more.',
    'Ranking starts once there is enough data.',
  ),
  'some feed it': FAKE_INSTANCE,
  'no one stands out': { ...saturated, forecast: manyWaves(17) },
  'one hurts': instanceOf(
    'mostly free',
    'The checkpoint task is mostly free.',
    '9 % busy',
    'Busy *9 %* of 8 h. No checkpoint waited 1 minute or longer.',
    '*Kasse_Süd hurts on its own.* Log writes take 41 ms during its checkpoints, 3 ms otherwise.',
  ),
  blind: instanceOf('cannot tell', 'Cannot tell: this login has no permission to record checkpoints.', ''),
};
