import type { WorkflowExecutionInfo } from '@temporalio/client';
import { expect, vi } from 'vitest';
import type { WebhookDelivery } from '../../db/webhooks/webhook-deliveries.ts';
import { ofQueues } from '../../temporal/task-queues.ts';
import { offerReviewId, returnInspectionId, webhookDeliveryId } from '../../workflows/ids.ts';
import {
  deadLetteredAtKey,
  decisionDueAtKey,
  deliveryStateKey,
  silenceOutcomeKey,
} from '../../workflows/search-attributes.ts';
import { decideOffer, readDetails } from '../support/gateway/runs.ts';
import { readableHistory } from '../support/history.ts';
import { createInspectionFixture } from '../support/returns/inspection.ts';
import { seedOffer, seedOperator, seedVariant } from '../support/seeds/seed.ts';
import { waiting } from '../support/webhooks/delivery.ts';
import { status, statuses } from '../support/webhooks/receiver.ts';
import { deliveryTest } from '../support/webhooks/delivery-test.ts';
import { readFileSync } from 'node:fs';

const page = new URL('../../docs/temporal-ui.md', import.meta.url);

function readViews() {
  const text = readFileSync(page, 'utf8');
  const sections = text.split(/^## /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [title = ''] = section.split('\n');
      const name = /\[Open the view\]\[([\w-]+)\]/.exec(section)?.[1] ?? title;
      const url = new RegExp(`^\\[${name}\\]:\\s+(\\S+)$`, 'm').exec(text)?.[1] ?? '';
      const [query = '', narrowed = ''] = Array.from(
        section.matchAll(/```sql\n([^`]+)\n```/g),
        ([, block = '']) => block,
      );
      return [name, { title, url: new URL(url), query, narrowed: narrowed.split('\n') }] as const;
    }),
  );
}

/**
 * The views of docs/temporal-ui.md by the names of their links and images: each with the query of
 * its link, and narrower ones with placeholders in capital letters.
 */
const views = readViews();

/**
 * A query of a view with its placeholders replaced: of the link, or a narrowed one by its position.
 */
function queryOf(
  name: string,
  position: number | 'link',
  values: Readonly<Record<string, string>> = {},
): string {
  const view = views.get(name);
  const query = position === 'link' ? view?.query : view?.narrowed[position];
  if (query === undefined) throw new Error(`no such query: ${name} ${position}`);
  const filled = Object.entries(values).reduce(
    (text, [placeholder, value]) => text.replaceAll(placeholder, value),
    query,
  );
  if (/"[A-Z_]+"/.test(filled)) throw new Error(`a placeholder has no value: ${filled}`);
  return filled;
}

/** Gives each test the runs of the gateway that the `ui` lists. */
const test = deliveryTest({
  // Deliveries have runs of their own only where the page says so.
  WEBHOOK_RUNS_PER_SECOND: '0',
  WEBHOOK_RETRY_DELAYS_MS: '50,50,3600000',
}).extend('ui', ({ gateway }) => {
  const { client, config } = gateway;
  const listed = async (query: string) => {
    const own = `(${query}) and ${ofQueues(config.TEMPORAL_TASK_QUEUE)}`;
    const runs: WorkflowExecutionInfo[] = [];
    for await (const run of client.workflow.list({ query: own })) runs.push(run);
    return runs;
  };
  return {
    /** Waits until a query lists exactly these workflow ids; the list may lag behind. */
    untilListed: (query: string, workflowIds: readonly string[]) =>
      vi.waitFor(async () => {
        const runs = await listed(query);
        const found = runs.map(({ workflowId }) => workflowId).toSorted();
        expect(found).toEqual(workflowIds.toSorted());
        return runs;
      }, waiting),
    /** Waits until a query lists a run or does not. */
    untilIsListed: (query: string, workflowId: string, isListed = true) =>
      vi.waitFor(async () => {
        const ids = (await listed(query)).map((run) => run.workflowId);
        expect(ids.includes(workflowId)).toBe(isListed);
      }, waiting),
    details: (workflowId: string) => readDetails(client, workflowId),
  };
});

const hourMs = 3_600_000;
const fromNow = (ms: number): string => new Date(Date.now() + ms).toISOString();

const undecided = (ms: number): string => queryOf('failing', 2, { INSTANT: fromNow(ms) });
const runOf = ({ id }: WebhookDelivery): string => webhookDeliveryId(id);

test('has seven views in docs/temporal-ui.md, each with a link to its query', () => {
  expect(views.size).toBe(7);
  for (const { url, query, title } of views.values()) {
    expect(url.origin + url.pathname, title).toBe(
      'http://127.0.0.1:8233/namespaces/default/workflows',
    );
    expect(url.searchParams.get('query'), title).toBe(query);
  }
});

test('finds dead letters by their views', async ({ gateway, receiver, fixture, ui }) => {
  const since = fromNow(-1000);
  const { vendorId } = fixture;
  const name = `Oud${vendorId.replaceAll('-', '')} & Amber`;
  await gateway.sql`update vendors set name = ${name} where id = ${vendorId}`;
  receiver.answerWith(status(410));
  const fail = async () => {
    const dead = await fixture.ended(await fixture.emit());
    await fixture.switchOn();
    return dead;
  };
  const [first, second] = [await fail(), await fail()];
  const both = [runOf(first), runOf(second)];
  const values = { VENDOR_ID: vendorId, VENDOR_NAME: name.split(' ')[0]?.toLowerCase() ?? '' };
  await ui.untilListed(queryOf('dead-letters', 0, values), both);
  receiver.answerWith(status(200));
  await fixture.redeliver(first);
  await fixture.untilOutboxIsEmpty();
  expect(await fixture.ended(first)).toMatchObject({ state: 'succeeded', attempts: 2 });

  const [run] = await ui.untilListed(queryOf('redelivered', 0, values), [runOf(first)]);
  expect(run?.typedSearchAttributes.get(deliveryStateKey)).toBe('succeeded');
  expect(run?.typedSearchAttributes.get(deadLetteredAtKey)).toEqual(first.deadLetteredAt);
  // The run that ended as a dead letter stays in the lists.
  await ui.untilListed(queryOf('dead-letters', 0, values), both);
  await ui.untilListed(queryOf('dead-letters', 1, values), both);
  const all = queryOf('dead-letters', 2, { ...values, INSTANT: since });
  await ui.untilListed(all, [...both, runOf(first)]);
  await ui.untilIsListed(queryOf('dead-letters', 'link'), runOf(second));
  await ui.untilIsListed(queryOf('redelivered', 'link'), runOf(second), false);
});

test('finds by their views returns that silence or staff will decide', async ({ gateway, ui }) => {
  const inspection = await createInspectionFixture(gateway);
  const soon = await inspection.underInspection(hourMs / 2);
  const later = await inspection.underInspection(2 * hourMs);
  const staffed = await inspection.underInspection(hourMs / 2);
  await inspection.propose(staffed, 'Rejected');
  const idOf = ({ id }: typeof soon) => returnInspectionId(id);

  const withinTheHour = queryOf('silence', 0, { INSTANT: fromNow(hourMs) });
  const [run] = await ui.untilListed(withinTheHour, [idOf(soon)]);
  expect(run?.typedSearchAttributes.get(silenceOutcomeKey)).toBe('AcceptedDefect');
  expect(run?.typedSearchAttributes.get(decisionDueAtKey)).toEqual(soon.inspectionDeadline);
  await ui.untilListed(queryOf('silence', 'link'), [idOf(soon), idOf(later)]);
  await ui.untilListed(queryOf('silence', 1), [idOf(soon), idOf(later)]);
  await ui.untilListed(queryOf('staff', 'link'), [idOf(staffed)]);
  const ofVendor = queryOf('staff', 0, { VENDOR_ID: staffed.vendorId ?? '' });
  await ui.untilListed(ofVendor, [idOf(staffed)]);
});

test('finds who approved an offer by its view', async ({ gateway, fixture, ui }) => {
  const { sql } = gateway;
  const offer = await seedOffer(sql, fixture.vendorId);
  const operator = await seedOperator(sql);
  const variantId = await seedVariant(sql);
  const command = { action: 'approve', variantId, expectedVersion: null } as const;
  const { operatorId } = operator;
  expect(await decideOffer(gateway, operator, offer, command)).toMatchObject({ ok: true });

  const workflowId = offerReviewId(offer.id);
  await ui.untilIsListed(queryOf('approved', 'link'), workflowId);
  const runs = await ui.untilListed(queryOf('approved', 0, { OFFER_ID: offer.id }), [workflowId]);
  const history = await readableHistory(gateway.client, workflowId, runs[0]?.runId);
  expect(history).toContain(`"operatorId\\":\\"${operatorId}`);
  expect(await ui.details(workflowId)).toContain(`**Approved** by operator \`${operatorId}\``);
});

test('finds failing and late runs by their views', async ({ gateway, receiver, fixture, ui }) => {
  receiver.answerWith(status(503));
  const delivery = await fixture.emit();
  await fixture.untilWaiting(delivery, 3);
  const nextMs = (await fixture.attempts()).at(-1)?.nextAttemptAt.getTime() ?? 0;
  const failing = queryOf('failing', 'link');
  await ui.untilIsListed(failing, runOf(delivery));
  const overdueAt = (ms: number): string =>
    queryOf('failing', 0, { INSTANT: new Date(nextMs + ms).toISOString() });
  await ui.untilIsListed(overdueAt(1000), runOf(delivery));
  await ui.untilIsListed(overdueAt(-1000), runOf(delivery), false);
  const inspection = await createInspectionFixture(gateway);
  const { id } = await inspection.underInspection(hourMs);
  await ui.untilIsListed(undecided(2 * hourMs), returnInspectionId(id));
  await ui.untilIsListed(undecided(0), returnInspectionId(id), false);

  await fixture.run(delivery.id).terminate('by a person');
  await ui.untilIsListed(queryOf('failing', 1), runOf(delivery));
  await ui.untilIsListed(failing, runOf(delivery), false);
});

test('shows each attempt of a delivery by its view', async ({ gateway, receiver, fixture, ui }) => {
  receiver.answerWith(statuses(500, 302, 503));
  const delivery = await fixture.emit();
  await fixture.untilWaiting(delivery, 3);
  const { eventId, subscriptionId, id } = delivery;
  const values = { EVENT_ID: eventId, SUBSCRIPTION_ID: subscriptionId, DELIVERY_ID: id };
  for (const position of [0, 1, 2])
    await ui.untilListed(queryOf('delivery', position, values), [runOf(delivery)]);
  await ui.untilIsListed(queryOf('delivery', 'link'), runOf(delivery));

  const attempts = await fixture.attempts();
  const sent = attempts.map(({ sentAt }) => sentAt?.toISOString());
  const due = attempts.at(-1)?.nextAttemptAt.toISOString();
  expect(await ui.details(runOf(delivery))).toBe(
    [
      `**waiting** after attempt 3 of 4 (503). Next attempt at ${due}.\n`,
      `- Attempt 1: 500, sent at ${sent[0]}`,
      `- Attempt 2: \`redirect_not_followed: 302\`, sent at ${sent[1]}`,
      `- Attempt 3: 503, sent at ${sent[2]}\n`,
      // The UI cuts off the last line.
      '\u00a0',
    ].join('\n'),
  );
  const history = await readableHistory(gateway.client, runOf(delivery));
  expect(history).toContain('attempt 2 of 4, after 500');
  expect(history).toContain('attempt 3 of 4, after redirect_not_followed');
});
