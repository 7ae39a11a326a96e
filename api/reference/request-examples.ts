import { readFileSync } from 'node:fs';

/** Named bodies of an operation, as OpenAPI's `examples`. */
type BodyExamples = Record<string, { readonly summary: string; readonly value: unknown }>;

const read = (file: string): string =>
  readFileSync(new URL(`../../docs/http/${file}`, import.meta.url), 'utf8');

/** Adds the bodies of one `.http` file to `byOperation`. Throws when a body is not JSON. */
function collectBodies(file: string, byOperation: Map<string, BodyExamples>): void {
  const [head = '', ...requests] = file.split(/^### /m);
  const variables = new Map(
    Array.from(head.matchAll(/^@(\w+) = (.+)$/gm), ([, name = '', value = '']) => [name, value]),
  );
  for (const request of requests) {
    const [, summary = ''] = /^(.+)\n/.exec(request) ?? [];
    const [, operationId, name] = /^# @name ([A-Za-z]+)_(\w+)$/m.exec(request) ?? [];
    if (operationId === undefined || name === undefined) continue;
    const body = request
      .slice(request.indexOf('\n\n'))
      .replaceAll(/\{\{(\w+)\}\}/g, (_all, variable: string) => variables.get(variable) ?? '');
    const examples = byOperation.get(operationId) ?? {};
    byOperation.set(operationId, { ...examples, [name]: { summary, value: JSON.parse(body) } });
  }
}

/**
 * The request examples of the OpenAPI document by operation id: the bodies of the requests in
 * `docs/http` that are named `operationId_example`. Tools show the first one.
 */
export const requestExamples: ReadonlyMap<string, BodyExamples> = (() => {
  const byOperation = new Map<string, BodyExamples>();
  for (const file of ['vendor.http', 'operator.http']) collectBodies(read(file), byOperation);
  return byOperation;
})();
