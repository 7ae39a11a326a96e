import { readFileSync } from 'node:fs';
import { sample } from '../validation/sample.ts';

/** Named bodies of an operation, as OpenAPI's `examples`. */
type BodyExamples = Record<string, { readonly summary: string; readonly value: unknown }>;

const byOperation = new Map<string, BodyExamples>();

/** Instead of the variables, which the files take from earlier responses. */
const values: Readonly<Record<string, string>> = sample;

/** Adds the bodies of one `.http` file. Throws when a body is not JSON. */
function collectBodies(name: string): void {
  const file = readFileSync(new URL(`../../docs/http/${name}`, import.meta.url), 'utf8');
  const [, ...requests] = file.split(/^### /m);
  for (const request of requests) {
    const [, summary = ''] = /^(.+)\n/.exec(request) ?? [];
    const [, operationId, example] = /^# @name ([A-Za-z]+)_(\w+)$/m.exec(request) ?? [];
    if (operationId === undefined || example === undefined) continue;
    const body = request
      .slice(request.indexOf('\n\n'))
      .replaceAll(/\{\{(\w+)\}\}/g, (_all, key: string) => values[key] ?? '');
    const value: unknown = JSON.parse(body);
    byOperation.set(operationId, {
      ...byOperation.get(operationId),
      [example]: { summary, value },
    });
  }
}
collectBodies('vendor.http');
collectBodies('operator.http');
collectBodies('sandbox.http');

/**
 * The document's request examples by operation id: the bodies of the requests in `docs/http` that
 * are named `operationId_example`. Tools show the first one.
 */
export const requestExamples: ReadonlyMap<string, BodyExamples> = byOperation;
