import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Operation } from '../../support/api/openapi-document.ts';
import { documentTest as test } from './document-test.ts';

// `test/systems/guides/` sends the requests, and checks their responses.

function fileOf({ path }: Operation): string {
  if (path.startsWith('/operator/')) return 'operator.http';
  return path.startsWith('/api/v1/sandbox/') ? 'sandbox.http' : 'vendor.http';
}

/** The requests of a file: the operation id of each, and its method and address. */
function requestsIn(file: string) {
  const text = readFileSync(new URL(`../../../docs/http/${file}`, import.meta.url), 'utf8');
  const requests = text.split(/^### /m).slice(1);
  return requests.map((request) => {
    const [, operationId = '', line = ''] =
      /^# @name ([A-Za-z]+)\w*\n(?:# @.+\n)*(.+)$/m.exec(request) ?? [];
    return { operationId, line };
  });
}

test.for(['vendor.http', 'operator.http', 'sandbox.http'])(
  'calls each operation of its document in docs/http/%s, and nothing else',
  (file, { references: [, operators, sandbox] }) => {
    const all = [...sandbox.operations, ...operators.operations];
    const operations = all.filter((operation) => fileOf(operation) === file);
    // A vendor of a sandbox makes what it acts on.
    const requests = requestsIn(file).filter(
      ({ line }) => file !== 'sandbox.http' || line.includes('/sandbox/'),
    );
    expect(new Set(requests.map(({ operationId }) => operationId))).toEqual(
      new Set(operations.map(({ operationId }) => operationId)),
    );
    for (const { operationId, line } of requests) {
      const { method, path } =
        operations.find((each) => each.operationId === operationId) ?? expect.unreachable();
      const url = path.replaceAll(/\{\w+\}/g, String.raw`\{\{\w+\}\}`);
      expect(line).toMatch(
        new RegExp(String.raw`^${method} \{\{baseUrl\}\}${url}(?:\?[\w=&{}]+)?$`),
      );
    }
  },
);
