import assert from 'node:assert/strict';
import {
  findMissingPermission,
  findTrackingObstacle,
  type TrackingStep,
} from '../../../src/monitor/facts/tracking-permission';
import { factsOf } from '../../core/advice/facts-of';

const { server } = factsOf([]);
const PARTS = [
  'createEventSession',
  'enableEventSession',
  'disableEventSession',
  'addSessionEvent',
  'dropSessionEvent',
  'dropEventSession',
];
const none = {
  ...server.permissions,
  viewServerState: true,
  viewPerformanceState: true,
  alterEventSession: false,
  ...Object.fromEntries(PARTS.map((part) => [part, false])),
};
const missing = (more: Partial<typeof none>, step: TrackingStep): string =>
  findMissingPermission({ ...server, permissions: { ...none, ...more } }, step) ?? '';

describe('The permission ladder of SQL Server 2022', () => {
  const ladder: readonly [TrackingStep, Partial<typeof none>, RegExp][] = [
    [
      'start',
      { createEventSession: true },
      /^Tracking needs ALTER ANY EVENT SESSION ENABLE,.* The list of databases and the review of scripts work without it, and so does the error log .* sampled only while tracking\.$/,
    ],
    ['start', { enableEventSession: true }, /^Tracking needs CREATE ANY EVENT SESSION,/],
    [
      'start again',
      { createEventSession: true, enableEventSession: true },
      /in place of the stopped session needs DROP ANY EVENT SESSION,/,
    ],
    [
      'stop',
      {},
      /^Stopping the event session needs ALTER ANY EVENT SESSION,.* the session continues within its limits and is still read/,
    ],
    [
      'change databases',
      { addSessionEvent: true },
      /^Changing the tracked databases needs ALTER ANY EVENT SESSION DROP EVENT,/,
    ],
    ['remove', {}, /^Removing the event session needs ALTER ANY EVENT SESSION,.* it stays as it is/],
    [
      'remove running',
      { dropEventSession: true },
      /needs ALTER ANY EVENT SESSION DISABLE,.* Until then tracking continues\./,
    ],
  ];
  for (const [step, permissions, sentence] of ladder)
    it(`names what "${step}" lacks, and what still works: ${Object.keys(permissions).join(', ') || 'nothing is granted'}`, () => {
      assert.match(missing(permissions, step), sentence);
    });

  it('lets each step pass with the one permission that covers all, or with exactly its parts', () => {
    const parts: Readonly<Record<TrackingStep, Partial<typeof none>>> = {
      start: { createEventSession: true, enableEventSession: true },
      'start again': { createEventSession: true, enableEventSession: true, dropEventSession: true },
      stop: { disableEventSession: true },
      'change databases': { addSessionEvent: true, dropSessionEvent: true },
      remove: { dropEventSession: true },
      'remove running': { dropEventSession: true, disableEventSession: true },
    };
    for (const step of Object.keys(parts) as TrackingStep[]) {
      assert.equal(missing({ alterEventSession: true }, step), '', step);
      assert.equal(missing(parts[step], step), '', step);
    }
  });

  it('names the one permission of earlier versions, which know no other', () => {
    const unknown = {
      createEventSession: null,
      enableEventSession: null,
      disableEventSession: null,
      dropEventSession: null,
    };
    for (const step of ['start', 'stop', 'remove'] as const)
      assert.match(
        missing(unknown as unknown as Partial<typeof none>, step),
        /needs ALTER ANY EVENT SESSION, which/,
      );
  });
});

describe('What keeps a login from tracking', () => {
  const of = (more: Partial<typeof server>, permissions: Partial<typeof none> = {}) =>
    findTrackingObstacle({ ...server, ...more, permissions: { ...none, ...permissions } });
  const blind = { viewServerState: false, viewPerformanceState: false };

  it('comes with the statement that an administrator runs, in master, with exactly what is missing in that release', () => {
    const in2019 = of({ productVersion: '15.0.4322.2', loginName: 'reader' }, blind);
    assert.equal(in2019?.grant, 'USE master; GRANT ALTER ANY EVENT SESSION, VIEW SERVER STATE TO [reader];');
    assert.equal(in2019?.brief, 'needs ALTER ANY EVENT SESSION and VIEW SERVER STATE');
    assert.deepEqual(in2019?.missing, ['ALTER ANY EVENT SESSION', 'VIEW SERVER STATE']);
    const in2022 = of(
      { productVersion: '16.0.4003.1', loginName: 'reader' },
      { ...blind, createEventSession: true },
    );
    assert.equal(
      in2022?.grant,
      'USE master; GRANT ALTER ANY EVENT SESSION ENABLE, VIEW SERVER PERFORMANCE STATE TO [reader];',
    );
    assert.match(
      in2022?.sentence ?? '',
      /needs ALTER ANY EVENT SESSION ENABLE and VIEW SERVER PERFORMANCE STATE, which the login reader does not have/,
    );
  });

  it('quotes a login name as QUOTENAME does, and mentions the group of a Windows login', () => {
    assert.match(of({ loginName: 'a]; DROP LOGIN [b' })?.grant ?? '', / TO \[a\]\]; DROP LOGIN \[b\];$/);
    assert.match(
      of({ loginName: 'CORP\\jane' })?.grant ?? '',
      / TO \[CORP\\jane\]; -- or to the Windows group by which it logs in$/,
    );
  });

  it('has no GRANT if the platform has no such session, and is nothing at all if the login may track', () => {
    const azure = of({ engineEdition: 5 });
    assert.deepEqual(
      [azure?.grant, azure?.brief, azure?.missing],
      [null, 'not possible on Azure SQL Database', []],
    );
    assert.match(azure?.sentence ?? '', /by hand, with sql\/azure\.$/);
    assert.match(of({ engineEdition: 12 })?.sentence ?? '', /Microsoft Fabric.* work without tracking\.$/);
    assert.equal(of({}, { alterEventSession: true }), null);
  });
});
