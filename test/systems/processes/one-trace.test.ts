import * as v from 'valibot';
import { expect, vi } from 'vitest';
import { offerReviewId } from '../../../workflows/ids.ts';
import { readableHistory, replayRun } from '../../support/history.ts';
import { processTest } from '../../support/gateway/gateway-processes.ts';
import { seedSubscription } from '../../support/seeds/seed.ts';
import { createDeliveryFixture } from '../../support/webhooks/delivery.ts';
import { startTestReceiver, statuses } from '../../support/webhooks/receiver.ts';
import { callersOf, operator } from './callers.ts';
import protobuf from 'protobufjs';

/** The part of OTLP's trace messages that the tests read. */
const proto = `syntax = "proto3";
message Request { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeSpans { repeated Span spans = 2; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue {
  oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; }
}
message Link { bytes trace_id = 1; bytes span_id = 2; }
message Status { string message = 2; int32 code = 3; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
  fixed64 start_time_unix_nano = 7;
  repeated KeyValue attributes = 9; repeated Link links = 13; Status status = 15;
}`;
const requestType = protobuf.parse(proto).root.lookupType('Request');

type KeyValue = { readonly key: string; readonly value: Readonly<Record<string, unknown>> };
type RawSpan = Readonly<Record<'traceId' | 'spanId' | 'parentSpanId' | 'name', string>> & {
  readonly attributes: readonly KeyValue[];
  readonly links: readonly { readonly traceId: string }[];
  readonly startTimeUnixNano: string;
  readonly status?: { readonly code: number; readonly message: string };
};
type Raw = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[];
  }[];
};

const hex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');
const valuesOf = (attributes: readonly KeyValue[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** The spans as the collector got them. Ids are in hex. */
function spansIn(body: Uint8Array) {
  const raw = requestType.toObject(requestType.decode(body), {
    bytes: String,
    longs: String,
    arrays: true,
  }) as Raw;
  return raw.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        service: String(valuesOf(resource.attributes)['service.name']),
        name: span.name,
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        /** Empty for the first span of a trace. */
        parentSpanId: hex(span.parentSpanId ?? ''),
        linkedTraceIds: span.links.map(({ traceId }) => hex(traceId)),
        attributes: valuesOf(span.attributes),
        startMs: Number(span.startTimeUnixNano) / 1e6,
        /** Why the span failed; null if it did not. */
        failure: span.status?.code === 2 ? span.status.message : null,
      })),
    ),
  );
}

/** A span as the collector got it. */
type CollectedSpan = ReturnType<typeof spansIn>[number];

/** A collector of OTLP over HTTP in Protobuf, as the exporter sends it. */
async function startCollector() {
  const { origin, requests, close } = await startTestReceiver();
  return {
    endpoint: origin,
    spans: (): readonly CollectedSpan[] => requests.flatMap(({ bytes }) => spansIn(bytes)),
    close,
  };
}

/** Traces of the real processes, as a collector gets them (D111). */

const test = processTest
  .extend('settings', { scope: 'file' }, { WEBHOOK_RETRY_DELAYS_MS: '100,100' })
  .extend('collector', async ({}, { onCleanup }) => {
    const collector = await startCollector();
    onCleanup(() => collector.close());
    return collector;
  });
const waiting = { timeout: 60_000, interval: 100 };
const withVersion = v.object({ id: v.string(), version: v.number() });

/** The children of each span, by their names: `a > b`. */
const pathsOf = (spans: readonly CollectedSpan[]): readonly string[] => {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const pathOf = (span: CollectedSpan): string => {
    const parent = byId.get(span.parentSpanId);
    return parent === undefined ? span.name : `${pathOf(parent)} > ${span.name}`;
  };
  return spans.map(pathOf);
};

/** The trace that a route began, once it has all that a test waits for. */
async function traceFrom(
  collector: Awaited<ReturnType<typeof startCollector>>,
  name: string,
  hasAll: (paths: readonly string[]) => boolean,
): Promise<readonly CollectedSpan[]> {
  return vi.waitFor(() => {
    const spans = collector.spans();
    const first = spans.find((span) => span.name === name);
    const trace = spans.filter(({ traceId }) => traceId === first?.traceId);
    expect(hasAll(pathsOf(trace)), pathsOf(trace).join('\n')).toBe(true);
    return trace;
  }, waiting);
}

test('has one trace from a request through outbox and workflow to the delivered webhook', async ({
  gateway,
  processes,
  receiver,
  collector,
}) => {
  const tracing = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  };
  const [api, worker] = await Promise.all([
    processes.startApi(tracing),
    processes.startWorker(tracing),
  ]);
  const callers = await callersOf(gateway, api.url);
  const { vendor, vendorId, variantId, credential, token } = await callers.newVendor('Vendor');
  await seedSubscription(gateway.sql, vendorId, receiver.url, gateway.config.SECRETS_KEY);

  const foreign = 'f'.repeat(31) + '1';
  const offer = await vendor.expect('POST /api/v1/scent/offers', withVersion, {
    body: { variantId, vendorSku: 'S-1', cost: 10, costIsVatInclusive: true },
    // The caller asks not to be sampled, and names a trace.
    headers: {
      traceparent: `00-${foreign}-${'e'.repeat(16)}-00`,
      tracestate: 'a=b',
      baggage: 'c=d',
    },
    status: 201,
  });
  const submitted = await traceFrom(collector, 'POST /api/v1/scent/offers', (paths) =>
    paths.some((path) => path.includes('outbox offerReview > activity ')),
  );
  const [first] = submitted.filter(({ parentSpanId }) => parentSpanId === '');
  expect(first).toMatchObject({
    service: 'vendor-gateway-api',
    linkedTraceIds: [foreign],
    attributes: {
      'http.route': '/api/v1/scent/offers',
      state: 'SUCCESS',
      vendorId,
    },
  });
  expect(first?.traceId).not.toBe(foreign);
  expect(submitted.map(({ service }) => service)).toContain('vendor-gateway-worker');

  receiver.answerWith(statuses(503));
  await callers.operator.expect(`POST /operator/v1/offers/${offer.id}/approve`, v.unknown(), {
    body: { expectedVersion: offer.version },
  });
  const root = 'POST /operator/v1/offers/:id/approve';
  const approved = await traceFrom(collector, root, (paths) =>
    paths.some((path) => path.endsWith('activity attemptDelivery > POST webhook')),
  );
  const outbox = `${root} > activity applyReviewDecision > outbox webhookDelivery`;
  expect(pathsOf(approved)).toEqual(
    expect.arrayContaining([
      root,
      outbox,
      `${outbox} > POST webhook`,
      expect.stringMatching(/outbox webhookDelivery > activity attemptDelivery > POST webhook$/),
    ]),
  );
  // The span of the first attempt covers its time in the queue: it begins with the event.
  const [queued] = approved
    .filter(({ name }) => name === 'outbox webhookDelivery')
    .toSorted((a, b) => a.startMs - b.startMs);
  const uuid = String(queued?.attributes['eventId']).replace('evt_', '').replaceAll('-', '');
  expect(Math.round(queued?.startMs ?? 0)).toBe(Number.parseInt(uuid.slice(0, 12), 16));
  // Each receiver sees the trace, and the span of its own request.
  const sends = approved
    .filter(({ name }) => name === 'POST webhook')
    .toSorted((a, b) => a.startMs - b.startMs);
  expect(sends.map(({ failure }) => failure)).toEqual(['http_status', null]);
  expect(receiver.requests.map(({ headers }) => headers['traceparent'])).toEqual(
    sends.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`),
  );
  // Nothing that a person wrote, no secret, and no path with an id.
  const attributes = JSON.stringify(collector.spans().map((span) => [span.name, span.attributes]));
  for (const secret of [
    credential.clientSecret,
    operator.operatorSecret,
    operator.operatorId,
    await token(),
    receiver.origin,
    'S-1',
  ])
    expect(attributes).not.toContain(secret);
  expect(collector.spans().filter(({ name }) => name.includes(offer.id))).toEqual([]);
  // The histories carry the trace in headers, and replay.
  const delivery = approved.find(({ name }) => name === 'activity attemptDelivery');
  const runs = [offerReviewId(offer.id), String(delivery?.attributes['workflowId'])];
  for (const workflowId of runs) {
    expect(await readableHistory(gateway.client, workflowId)).toContain('_tracer-data');
    await replayRun(gateway.client, workflowId);
  }
  await Promise.all([api.end('SIGTERM'), worker.end('SIGTERM')]);
});

test(
  'traces no webhook without an endpoint, or with OTEL_SDK_DISABLED',
  { timeout: 120_000 },
  async ({ gateway, processes, receiver, collector }) => {
    const before = receiver.requests.length;
    await processes.startWorker({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_SDK_DISABLED: 'true',
    });
    const fixture = await createDeliveryFixture(gateway, receiver);
    await fixture.emitMany(2);
    await vi.waitFor(() => expect(receiver.requests.length).toBe(before + 2), waiting);
    for (const { headers } of receiver.requests.slice(before))
      expect(headers).not.toHaveProperty('traceparent');
    expect(collector.spans()).toEqual([]);
    const [stored] = await gateway.sql`
      select count(traceparent)::int as traces from webhook_events`;
    expect(stored).toEqual({ traces: 0 });
  },
);
