import { expect, test as base } from 'vitest';
import { runScript } from '../../support/command.ts';
import { longDrill, runDrill } from './drill.ts';
import type { Fault } from './fault.ts';
import { faults } from './faults.ts';
import { judge, type Item } from './player.ts';
import { rowOf } from './stories/story.ts';
import { startFaultGateway } from './gateway/fault-gateway.ts';

/** The short form of `npm run test:faults`: a few faults over one gateway. */

const test = base.extend('gateway', { scope: 'file' }, async ({}, { onCleanup }) => {
  const gateway = await startFaultGateway();
  onCleanup(() => gateway.stop());
  return gateway;
});

// The turns outlast a dump on a loaded machine: at full pace two busy cores end all turns of the
// other stories before a clock has advanced, so that no story can go on after the dump.
const short = { ...longDrill, share: 0.5, pace: 2.5, endedBefore: 1, stepMax: 1 };
/** Longer than the waits of a drill together, so that a drill that is stuck reports its story. */
const timeout = 900_000;
const silent = (): void => undefined;

test.for(['kill-all', 'dump-restored'])(
  'leaves nothing lost, doubled, stuck or wrong under the fault %s',
  { timeout },
  async (id, { gateway, annotate, skip }) => {
    const fault = faults.find((each) => each.id === id) ?? expect.unreachable();
    const missing = fault.missing?.() ?? null;
    skip(missing !== null, `needs ${missing}`);
    const { cells, problems } = await runDrill(gateway, fault, silent, short);
    expect(problems).toEqual([]);
    for (const [story, { recoverySeconds, begun, ...counts }] of Object.entries(cells)) {
      await annotate(`${story}: recovered in ${recoverySeconds.toFixed(1)} s`);
      expect(counts, story).toEqual({ lost: 0, doubled: 0, stuck: 0, wrong: 0, problems: [] });
      expect(begun, story).toBeGreaterThan(0);
    }
  },
);

/** Damages what has ended, so that nothing changes afterwards. */
const sabotage: Fault = {
  id: 'sabotage',
  title: 'Sabotage of the record and of the receiver',
  how: '',
  inject: async ({ sql, receiver }, { endAll, storyContext: { drill } }) => {
    await endAll();
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

test('counts what is lost, doubled and wrong in a drill', { timeout }, async ({ gateway }) => {
  const size = { ...short, share: 0.1, repairMaxMs: 0 };
  const { cells, problems } = await runDrill(gateway, sabotage, silent, size);
  // The offer and the decision about it.
  expect(cells['review']).toMatchObject({ lost: 2, doubled: 0 });
  expect(cells['burst of deliveries']).toMatchObject({ lost: 0, doubled: 1, stuck: 0, wrong: 0 });
  expect(cells['return by silence']).toMatchObject({ lost: 0, doubled: 0, stuck: 0, wrong: 1 });
  expect(cells['bulk job']).toMatchObject({ lost: 0, doubled: 0, stuck: 0, wrong: 1 });
  // A number is missing from the feed, which the first turn says, and an event from its turn.
  expect(cells['event feed']?.problems.join()).toContain('with a gap');
  expect(cells['event feed']?.problems.join()).toContain('has 2 events');
  expect(cells['order intake']).toMatchObject({ lost: 0, doubled: 0, stuck: 0, wrong: 0 });
  expect(problems).toContain('1 requests had no valid signature');
});

test('loads the command without vitest, and lists the faults for an unknown name', async () => {
  const ids = faults.map(({ id }) => id).join(', ');
  expect(await runScript('test/systems/faults/main.ts', ['no-such-fault'], {})).toEqual({
    code: 1,
    stdout: '',
    stderr: `No fault no-such-fault: ${ids}\n`,
  });
});

/** A turn whose client has its responses, unless it owes less or plays. */
const item = (sent: readonly string[], owed = sent, isPlaying = false): Item => ({
  number: 0,
  begunMs: 0,
  sent: new Set(sent),
  owed: new Map(owed.map((key) => [key, 0])),
  isPlaying,
  endedMs: null,
  dueMs: null,
  problem: null,
});
const ended = rowOf('a', { isEnded: true });

test.for([
  ['nothing of what ended once', item(['a']), [ended], {}],
  ['what was acknowledged and is gone as lost', item(['a']), [], { lost: 1 }],
  ['nothing of a call without a response', item(['a'], []), [], {}],
  ['two extra copies as doubled', item(['a']), [{ ...ended, doubled: 2 }], { doubled: 2 }],
  ['what has no end as stuck', item(['a']), [rowOf('a', {})], { stuck: 1 }],
  ['a client without a response as stuck', item(['a'], [], true), [], { stuck: 1 }],
  ['another end as wrong', item(['a']), [{ ...ended, wrong: 'Rejected' }], { wrong: 1 }],
  ['a row that no story sent as wrong', item(['a']), [ended, { ...ended, key: 'b' }], { wrong: 1 }],
] as const)('counts %s in a story', ([, one, rows, counted]) => {
  const none = { lost: 0, doubled: 0, stuck: 0, wrong: 0 };
  expect(judge([one], rows)).toMatchObject({ ...none, ...counted });
});
