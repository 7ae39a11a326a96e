import { once } from 'node:events';
import { createServer } from 'node:http';
import protobuf from 'protobufjs';
import { listen } from '../../process/health/listen.ts';

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
export type CollectedSpan = ReturnType<typeof spansIn>[number];

/** A collector of OTLP over HTTP in Protobuf, as the exporter sends it. */
export async function startCollector() {
  const spans: CollectedSpan[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') spans.push(...spansIn(Buffer.concat(chunks)));
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  return {
    endpoint: await listen(server, { host: '127.0.0.1', port: 0 }),
    spans: spans as readonly CollectedSpan[],
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
