import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { parametersOf, type Operation } from '../../support/api/openapi-document.ts';
import { documentTest } from './document-test.ts';

const test = documentTest.extend(
  'operations',
  { scope: 'file' },
  ({ references: [, operators, sandbox] }) => [...sandbox.operations, ...operators.operations],
);

const files = ['vendor.http', 'operator.http', 'sandbox.http'] as const;

function fileOf({ path }: Operation): string {
  if (path.startsWith('/operator/')) return 'operator.http';
  return path.startsWith('/api/v1/sandbox/') ? 'sandbox.http' : 'vendor.http';
}

const textOf = (file: string): string =>
  readFileSync(new URL(`../../../docs/http/${file}`, import.meta.url), 'utf8');

/** The requests of a file, each with its operation id and without its body. */
const requestsIn = (file: string) =>
  textOf(file)
    .split(/^### /m)
    .slice(1)
    .map((request) => {
      const [head = ''] = request.split('\n\n');
      const [, operationId = '', line = '', headers = ''] =
        /^# @name ([A-Za-z]+)\w*\n(?:# @.+\n)*(.+)\n?([^]*)$/m.exec(head) ?? [];
      return { operationId, line, headers };
    });

test('docs/http has requests for every operation and for nothing else', ({ operations }) => {
  for (const file of files) {
    const expected = operations.filter((operation) => fileOf(operation) === file);
    const requests = requestsIn(file).filter(
      // A vendor of a sandbox makes what it acts on.
      ({ line }) => file !== 'sandbox.http' || line.includes('/sandbox/'),
    );
    expect(new Set(requests.map(({ operationId }) => operationId))).toEqual(
      new Set(expected.map(({ operationId }) => operationId)),
    );
  }
});

test('every request in docs/http calls its operation with the token and headers that it takes', ({
  operations,
}) => {
  for (const operation of operations) {
    const { operationId, method, path, node } = operation;
    const url = path.replaceAll(/\{\w+\}/g, String.raw`\{\{\w+\}\}`);
    const query = String.raw`(?:\?[\w=&]+)?`;
    const required = parametersOf(operation).filter((parameter) => parameter['required'] === true);
    const requests = requestsIn(fileOf(operation)).filter(
      (each) => each.operationId === operationId,
    );
    for (const { line, headers } of requests) {
      expect(line).toMatch(new RegExp(String.raw`^${method} \{\{baseUrl\}\}${url}${query}$`));
      const isOpen = JSON.stringify(node['security']) === '[]';
      expect(headers.includes('Authorization: Bearer {{token}}'), operationId).toBe(!isOpen);
      expect(headers.includes('Content-Type: application/json'), operationId).toBe(
        node['requestBody'] !== undefined,
      );
      for (const { in: position, name } of required)
        if (position === 'header') expect(headers).toMatch(new RegExp(`^${String(name)}: `, 'm'));
    }
  }
});

test('every variable that a request in docs/http uses is set at the head of its file', () => {
  for (const file of files) {
    const text = textOf(file);
    const used = Array.from(text.matchAll(/\{\{(\w+)/g), ([, name]) => name);
    const named = Array.from(text.matchAll(/^(?:@|# @name )(\w+)/gm), ([, name]) => name);
    expect(used.filter((name) => !named.includes(name))).toEqual([]);
  }
});
