import { expect } from 'vitest';
import { stubTest as test, type CommandLine } from './cli-fixture.ts';

// What the command line sends after a body that did not arrive in time, or was too large.

const header = 'vendorExternalId,declaredStockQuantity';
const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => `oud-${index},1`);

type Item = { readonly vendorExternalId: string };
const itemsIn = (body: string): readonly Item[] =>
  (JSON.parse(body || '{}') as { readonly items?: readonly Item[] }).items ?? [];

const envelopeOf = (state: string, payload: object | null) =>
  JSON.stringify({ state, payload, details: {} });

const pushStock = async (cli: CommandLine, count: number) =>
  cli.run('stock', 'push', await cli.write('stock.csv', header, ...rowsOf(count)), '--json');

test.for([
  [408, 'REQUEST_TIMEOUT'],
  [413, 'PAYLOAD_TOO_LARGE'],
] as const)(
  'sends the halves of stock that ended with %i',
  async ([status, state], { cli, stub }) => {
    const sizes: number[] = [];
    const sent: string[] = [];
    stub.answerWith((response, request) => {
      response.setHeader('content-type', 'application/json');
      const items = itemsIn(stub.requests[request - 1]?.body ?? '');
      if (items.length === 0)
        return void response.end(envelopeOf('SUCCESS', { accessToken: 't', expiresIn: 300 }));
      sizes.push(items.length);
      if (items.length > 300) {
        response.statusCode = status;
        return void response.end(envelopeOf(state, null));
      }
      sent.push(...items.map(({ vendorExternalId }) => vendorExternalId));
      const results = items.map((_, index) => ({
        index,
        httpStatus: 200,
        state: 'SUCCESS',
        details: {},
      }));
      return void response.end(envelopeOf('SUCCESS', { results }));
    });
    expect(await pushStock(cli, 1000)).toMatchObject({ exitCode: 0 });
    expect(sizes).toEqual([1000, 500, 250, 250, 500, 250, 250]);
    expect(sent).toEqual(rowsOf(1000).map((row) => row.split(',')[0]));
  },
);

test('ends when one row is too large', async ({ cli, stub }) => {
  stub.answerWith((response, request) => {
    response.setHeader('content-type', 'application/json');
    const items = itemsIn(stub.requests[request - 1]?.body ?? '');
    response.statusCode = items.length === 0 ? 200 : 413;
    const token = { accessToken: 't', expiresIn: 300 };
    response.end(
      items.length === 0 ? envelopeOf('SUCCESS', token) : envelopeOf('PAYLOAD_TOO_LARGE', null),
    );
  });
  expect(await pushStock(cli, 2)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('PAYLOAD_TOO_LARGE'),
  });
  expect(stub.requests).toHaveLength(3);
});

test('continues an import by halves of a job that did not arrive', async ({ cli, stub }) => {
  const accepted = new Map<string, number>();
  stub.answerWith((response, request) => {
    const { method, url = '' } = response.req;
    const { body, headers } = stub.requests[request - 1] ?? expect.unreachable();
    const items = itemsIn(body);
    const [, id = ''] = /\/jobs\/(\w+)/.exec(url) ?? [];
    const count = accepted.get(id) ?? 0;
    if (url.includes('/results')) {
      const rows = Array.from({ length: count }, (_, index) => `${index},200,SUCCESS,,,,{}`);
      response.setHeader('content-type', 'text/csv');
      response.end(
        ['index,httpStatus,state,offerId,vendorExternalId,version,details', ...rows].join('\r\n'),
      );
      return;
    }
    response.setHeader('content-type', 'application/json');
    if (id === '' && method === 'POST' && url.includes('/scent/jobs')) {
      if (items.length > 700) {
        response.statusCode = 408;
        response.end(envelopeOf('REQUEST_TIMEOUT', null));
        return;
      }
      const job = String(headers['idempotency-key']).slice(0, 12);
      accepted.set(job, items.length);
      response.end(envelopeOf('SUCCESS', { id: job }));
      return;
    }
    const counts = { accepted: count, done: count, failed: 0, remaining: 0 };
    const job = { id, state: 'Finished', endedAt: 'NOW', counts, accessToken: 't', expiresIn: 300 };
    response.end(envelopeOf('SUCCESS', job));
  });
  const rows = rowsOf(2000).map((row) => `${row}0.00,false`);
  const file = await cli.write('p.csv', 'vendorExternalId,cost,costIsVatInclusive', ...rows);
  expect(await cli.run('prices', 'push', file, '--field', 'cost')).toMatchObject({
    exitCode: 0,
    stdout: 'Pushed 2000, failed 0.\n',
    stderr: expect.stringContaining('too large to send: it goes in halves.'),
  });
  expect([...accepted.values()]).toEqual([500, 500, 500, 500]);
});
