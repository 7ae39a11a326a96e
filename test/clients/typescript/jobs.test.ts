import { expect } from 'vitest';
import type { Job } from '../../../clients/typescript/src/resources/jobs.ts';
import { perfume, runJob } from '../../api/jobs/job-fixture.ts';
import { clientTest as test, collect } from './client-fixture.ts';

const items = (count: number) => Array.from({ length: count }, (_, index) => perfume(`j-${index}`));
const rows = 'vendorExternalId,rawBrandName,rawProductName,cost,costIsVatInclusive\n';
const csv = `${rows}csv-1,Brand,"Oud, 50",1250.50,false\ncsv-2,,Oud,10,false\n`;

test('creates a job, follows it to its end and reads its results', async ({
  gateway,
  own: { client, calls },
}) => {
  const { id, ...job } = await client.jobs.create({
    kind: 'createOffers',
    items: [...items(120), perfume('bad', { cost: -1 })],
  });
  expect(job).toMatchObject({ counts: { accepted: 121, remaining: 121 }, endedAt: null });

  const steps: Job[] = [];
  const running = runJob(gateway, id, 50);
  const ended = await client.jobs.wait(id, { onProgress: (step) => steps.push(step) });
  await running;
  expect(ended).toMatchObject({ state: 'Finished', counts: { done: 120, failed: 1 } });
  expect(steps.at(-1)).toEqual(ended);
  const done = steps.map(({ counts }) => counts.done + counts.failed);
  expect(done).toEqual([...new Set(done)].toSorted((one, other) => one - other));

  const before = calls.length;
  const results = await collect(client.jobs.results(id));
  expect(results.map(({ index }) => index)).toEqual(Array.from({ length: 121 }, (_, n) => n));
  expect(calls.slice(before)).toHaveLength(2);
  expect(await collect(client.jobs.results(id, { failed: true }))).toMatchObject([
    { index: 120, state: 'VALIDATION_ERRORS' },
  ]);
  expect(await collect(client.jobs.list({ kind: 'createOffers' }))).toEqual([ended]);
  expect(await collect(client.jobs.list({ kind: 'pushCosts' }))).toEqual([]);

  expect((await client.jobs.resultsFile(id)).split('\r\n')).toHaveLength(results.length + 2);
  const file = await client.jobs.resultsFile(id, { failed: true });
  expect(file).toMatch(/^index,httpStatus,.*\r\n120,400,VALIDATION_ERRORS,/);
});

test('sends a file as text, as a blob and as a stream', async ({ gateway, own: { client } }) => {
  const line = `${rows}line-1,Brand,Oud,10.50,false\n`;
  const bytes = new TextEncoder().encode(line);
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      // The pieces end within a line.
      controller.enqueue(bytes.slice(0, 10));
      controller.enqueue(bytes.slice(10));
      controller.close();
    },
  });
  const kind = 'createOffers';
  const sent = [
    await client.jobs.create({ kind, csv }),
    await client.jobs.create({ kind, csv: new File([line], 'items.csv') }),
    await client.jobs.create({ kind, csv: stream }, { validateOnly: true }),
  ];
  for (const { id } of sent) await runJob(gateway, id);
  const [first, ...others] = await Promise.all(sent.map(({ id }) => client.jobs.get(id)));
  expect(first).toMatchObject({ counts: { done: 1, failed: 1 }, validateOnly: false });
  expect(others).toMatchObject([
    { counts: { done: 1, failed: 0 }, validateOnly: false },
    { counts: { done: 1, failed: 0 }, validateOnly: true },
  ]);
  const offers = await collect(client.offers.list());
  expect(offers.map(({ vendorExternalId }) => vendorExternalId)).toEqual(['line-1', 'csv-1']);
});

test('ends a wait at an abort with the reason of its signal', async ({ own: { client } }) => {
  const { id } = await client.jobs.create({ kind: 'createOffers', items: items(1) });
  const controller = new AbortController();
  const { signal } = controller;
  const waiting = client.jobs.wait(id, {
    signal,
    onProgress: () => controller.abort(new Error('enough')),
  });
  await expect(waiting).rejects.toThrow('enough');
});
