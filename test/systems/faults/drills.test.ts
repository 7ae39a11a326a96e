import { describe, expect, test as base } from 'vitest';
import { postgresClient } from '../../support/database/postgres-client.ts';
import { runDrill, type DrillSize } from './drill.ts';
import type { Fault } from './fault.ts';
import { faults } from './faults.ts';
import { judge, type Item } from './player.ts';
import { rowOf } from './stories/story.ts';
import { startFaultGateway, type FaultGateway } from './gateway/fault-gateway.ts';

/** The short form of `npm run test:faults`: a few faults over one gateway. */

const test = base.extend('gateway', { scope: 'file' }, async ({}, { onCleanup }) => {
  const gateway = await startFaultGateway();
  onCleanup(() => gateway.stop());
  return gateway;
});

const short: DrillSize = {
  // The turns outlast a dump on a loaded machine; a drill ends when it has recovered.
  share: 0.5,
  pace: 1,
  endedBefore: 1,
  stepMax: 1,
  recoveryMaxMs: 240_000,
  repairMaxMs: 90_000,
};
/** Longer than the waits of a drill together, so that a drill that is stuck reports its story. */
const timeout = 900_000;
const silent = (): void => undefined;

/** Runs a short drill and expects that nothing is lost, doubled, stuck or wrong. */
async function expectGood(
  gateway: FaultGateway,
  id: string,
  annotate: (text: string) => Promise<unknown>,
): Promise<void> {
  const fault = faults.find((each) => each.id === id) ?? expect.unreachable();
  const { cells, problems } = await runDrill(gateway, fault, silent, short);
  expect(problems).toEqual([]);
  for (const [story, { recoverySeconds, begun, ...counts }] of Object.entries(cells)) {
    await annotate(`${story}: recovered in ${recoverySeconds.toFixed(1)} s`);
    expect(counts, story).toEqual({ lost: 0, doubled: 0, stuck: 0, wrong: 0, problems: [] });
    expect(begun, story).toBeGreaterThan(0);
  }
}

test(
  'kill -9 of all four processes loses, doubles, strands and changes nothing',
  { timeout },
  ({ gateway, annotate }) => expectGood(gateway, 'kill-all', annotate),
);

test.skipIf(postgresClient === null)(
  'a dump is restored while Temporal is newer, and nothing is stranded',
  { timeout },
  ({ gateway, annotate }) => expectGood(gateway, 'dump-restored', annotate),
);

/** Damages things that have ended already. */
const sabotage: Fault = {
  id: 'sabotage',
  title: 'Sabotage of the record and of the receiver',
  how: '',
  inject: async ({ sql, receiver }, { storyContext: { drill } }) => {
    const [offer] = await sql<[{ id: string }]>`
      select id from offers where vendor_external_id like ${`${drill}-%`} and status = 'Rejected'
      limit 1`;
    await sql`update offers set vendor_external_id = null where id = ${offer.id}`;
    const [event] = await sql<[{ id: string }]>`
      select id from webhook_events where body like '%"burst":"0.1"%' order by id desc limit 1`;
    await fetch(receiver.steadyUrl, { method: 'POST', headers: { 'webhook-id': event.id } });
    await sql`
      update return_requests set outcome = 'Rejected' where id = (
        select id from return_requests
        where outcome = 'AcceptedDefect' and inspection_decided_at < now()
        order by inspection_decided_at desc limit 1
      )`;
    await sql`
      update offers set declared_stock_quantity = 1
      where id = (select offer_id from bulk_job_results order by job_id desc, index limit 1)`;
    await sql`
      delete from webhook_events where id = (
        select id from webhook_events where event_type = 'vendor.order.changed'
        order by id desc limit 1
      )`;
    return Date.now();
  },
};

test('a drill counts what is lost, doubled and wrong', { timeout }, async ({ gateway }) => {
  const { cells, problems } = await runDrill(gateway, sabotage, silent, {
    ...short,
    // Two of its stories can never end, and nothing repairs them.
    recoveryMaxMs: 100_000,
    repairMaxMs: 0,
  });
  // The offer and the decision about it.
  expect(cells['review']).toMatchObject({ lost: 2, doubled: 0 });
  expect(cells['delivery batch']).toMatchObject({ lost: 0, doubled: 1, stuck: 0, wrong: 0 });
  expect(cells['return by silence']).toMatchObject({ lost: 0, doubled: 0, stuck: 0, wrong: 1 });
  expect(cells['bulk job']).toMatchObject({ lost: 0, doubled: 0, stuck: 0, wrong: 1 });
  // A number is missing from the feed, which the first turn says, and an event from its turn.
  expect(cells['event feed']?.problems.join()).toContain('with a gap');
  expect(cells['event feed']?.problems.join()).toContain('has 2 events');
  expect(cells['order intake']).toMatchObject({ lost: 0, doubled: 0, stuck: 0, wrong: 0 });
  expect(problems).toContain('1 requests had no valid signature');
});

/** A part whose client has its answers. */
const item = (number: number, sent: readonly string[], owed = sent): Item => ({
  number,
  begunMs: 0,
  sent: new Set(sent),
  owed: new Map(owed.map((key) => [key, 0])),
  isPlaying: false,
  endedMs: null,
  dueMs: null,
  problem: null,
});

describe('the judge of a story counts', () => {
  const none = { lost: 0, doubled: 0, stuck: 0, wrong: 0 };

  test.for([
    ['nothing of what ended once', [item(0, ['a'])], [rowOf('a', { isEnded: true })], none],
    ['what was acknowledged and is gone as lost', [item(0, ['a'])], [], { ...none, lost: 1 }],
    ['nothing of a call without an answer', [item(0, ['a'], [])], [], none],
    [
      'what is there twice too often as doubled',
      [item(0, ['a'])],
      [rowOf('a', { isEnded: true, doubled: 2 })],
      { ...none, doubled: 2 },
    ],
    ['what has no end as stuck', [item(0, ['a'])], [rowOf('a', {})], { ...none, stuck: 1 }],
    [
      'a client without an answer as stuck',
      [{ ...item(0, ['a'], []), isPlaying: true }],
      [],
      { ...none, stuck: 1 },
    ],
    [
      'another end than that of the story as wrong',
      [item(0, ['a'])],
      [rowOf('a', { isEnded: true, wrong: 'Rejected' })],
      { ...none, wrong: 1 },
    ],
    [
      'a row that no story sent as wrong',
      [item(0, ['a'])],
      [rowOf('a', { isEnded: true }), rowOf('b', { isEnded: true })],
      { ...none, wrong: 1 },
    ],
  ] as const)('%s', ([, items, rows, counted]) => {
    expect(judge(items, rows)).toMatchObject(counted);
  });
});
