import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../process/config.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { startTracing } from '../../../process/tracing/start-tracing.ts';
import {
  currentTraceparent,
  inTrace,
  outsideTraces,
  parseTraceparent,
  traceIds,
} from '../../../process/tracing/trace-context.ts';
import { inSpan } from '../../../process/tracing/tracing.ts';

const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

test.for([
  [{}, false],
  [endpoint, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' }, true],
  [{ ...endpoint, OTEL_SDK_DISABLED: 'true' }, false],
  [{ ...endpoint, OTEL_SDK_DISABLED: 'false' }, true],
  [{ ...endpoint, OTEL_TRACES_EXPORTER: 'none' }, false],
  [{ ...endpoint, OTEL_TRACES_EXPORTER: 'otlp' }, true],
] as const)('switches tracing by %j: %s', ([environment, isTracing]) => {
  expect(loadConfig(environment)).toMatchObject({ isTracing });
});

test('refuses a protocol of OTLP that the gateway does not support', () => {
  const grpc = { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
  expect(() => loadConfig(grpc)).toThrow('OTEL_EXPORTER_OTLP_PROTOCOL: must be http/protobuf');
  expect(loadConfig({ ...grpc, OTEL_SDK_DISABLED: 'true' })).toMatchObject({ isTracing: false });
});

test('loads no package that records or exports spans while tracing is off', async () => {
  const { log } = memoryLog();
  const tracing = await startTracing({ isOn: false, serviceName: 'a', version: '1', log });
  expect(tracing).toBeNull();
  const { cache } = createRequire(import.meta.url);
  expect(
    Object.keys(cache).filter((file) => /opentelemetry\/(sdk|exporter|otlp)/.test(file)),
  ).toEqual([]);
  const run = inSpan(
    tracing,
    { name: 'a', kind: 'internal', parent: traceparent, attributes: {} },
    async ({ traceparent: own }) => [own, currentTraceparent()],
  );
  expect(await run).toEqual([null, null]);
});

test.for([
  '',
  'a',
  traceparent.toUpperCase(),
  traceparent.replace('00-', 'ff-'),
  traceparent.replaceAll('a', '0'),
  traceparent.replaceAll('b', '0'),
  `${traceparent}-more`,
  `${traceparent}\n`,
])('refuses %j as the name of a span', (text) => {
  expect(parseTraceparent(text)).toBeNull();
});

test('keeps work in the trace that it began in, and shared work in none', async () => {
  expect(traceIds()).toEqual({});
  await inTrace(traceparent, async () => {
    await Promise.resolve();
    expect(traceIds()).toEqual({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) });
    outsideTraces(() => expect(currentTraceparent()).toBeNull());
    expect(currentTraceparent()).toBe(traceparent);
  });
  expect(currentTraceparent()).toBeNull();
});
