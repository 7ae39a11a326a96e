import type { SchemaNode } from '../../nodes.ts';
import { escaped } from '../html.ts';
import { markdown } from '../markdown.ts';
import { entriesOf, nodesIn, resolved, textOf } from '../../nodes.ts';
import { fieldList, parameterList } from './fields.ts';

/** An operation of the document, with its path or, for an event, its name. */
export type Operation = {
  readonly path: string;
  readonly method: string;
  readonly node: SchemaNode;
};

const parameterTitles = { path: 'In the path', query: 'Query', header: 'Headers' } as const;

const json = (value: unknown): string =>
  `<pre><code>${escaped(JSON.stringify(value, null, 2))}\n</code></pre>`;

/** The first example of a body, and the others behind their summaries. */
function examplesOf(document: SchemaNode, media: SchemaNode): string {
  if ('example' in media) return json(media['example']);
  const [first, ...others] = entriesOf(media['examples']).map(([, node]) =>
    resolved(document, node),
  );
  if (first === undefined) return '';
  const rest = others.map(
    ({ summary, value }) =>
      `<details><summary>${escaped(textOf(summary))}</summary>${json(value)}</details>`,
  );
  return json(first['value']) + rest.join('');
}

const jsonOf = (document: SchemaNode, node: SchemaNode): SchemaNode =>
  resolved(document, resolved(document, node['content'])['application/json']);

function bodyOf(document: SchemaNode, node: SchemaNode): string {
  if (node['requestBody'] === undefined) return '';
  const body = resolved(document, node['requestBody']);
  const media = jsonOf(document, body);
  const others = entriesOf(body['content'])
    .map(([type]) => type)
    .filter((type) => type !== 'application/json');
  const also = others.length === 0 ? '' : `<p>Also as ${others.map(escaped).join(', ')}.</p>`;
  return `<h4>Body</h4>${also}${fieldList(document, media['schema'])}${examplesOf(document, media)}`;
}

/** The fields of the payload. The envelope around it is the same everywhere. */
function payloadOf(document: SchemaNode, media: SchemaNode): string {
  const schema = resolved(document, media['schema']);
  const parts = Object.fromEntries(entriesOf(schema['properties']));
  const payload = parts['payload'];
  if (payload === undefined) return fieldList(document, schema);
  const { properties, ...rest } = schema;
  const kept = Object.fromEntries(Object.entries(parts).filter(([name]) => name !== 'state'));
  const details = fieldList(document, parts['details']) === '' ? { payload } : kept;
  return properties === undefined ? '' : fieldList(document, { ...rest, properties: details });
}

/** The answers that succeed, with their fields. */
function answersOf(document: SchemaNode, node: SchemaNode): string {
  const answers = entriesOf(node['responses']).filter(([status]) => status.startsWith('2'));
  return answers
    .map(([status, raw]) => {
      const media = jsonOf(document, resolved(document, raw));
      return `<h4>${status}</h4>${payloadOf(document, media)}${examplesOf(document, media)}`;
    })
    .join('');
}

/** The errors by status: their descriptions name each code and lead to its entry. */
function errorsOf(document: SchemaNode, node: SchemaNode): string {
  const errors = entriesOf(node['responses']).filter(([status]) => /^[45]/.test(status));
  if (errors.length === 0) return '';
  const rows = errors.map(([status, raw]) => {
    const description = textOf(resolved(document, raw)['description']);
    return `<dt>${status}</dt><dd>${markdown.parse(description, { async: false })}</dd>`;
  });
  return `<details class="errors"><summary>Errors: ${errors.map(([status]) => status).join(', ')}</summary><dl>${rows.join('')}</dl></details>`;
}

/** The section of an operation: what it does, takes and answers. */
export function operationSection(document: SchemaNode, { path, method, node }: Operation): string {
  const parameters = nodesIn(node['parameters']).map((raw) => resolved(document, raw));
  const lists = Object.entries(parameterTitles).map(([place, title]) => {
    const list = parameterList(
      document,
      parameters.filter((parameter) => parameter['in'] === place),
    );
    return list === '' ? '' : `<h4>${title}</h4>${list}`;
  });
  const id = textOf(node['operationId']);
  const verb = method.toUpperCase();
  return `<section class="operation" id="${id}">
<h3><a href="#${id}">${escaped(textOf(node['summary']))}</a></h3>
<p class="route"><span class="method ${method}">${verb}</span> <code>${escaped(path)}</code></p>
${markdown.parse(textOf(node['description']), { async: false })}
${lists.join('')}${bodyOf(document, node)}${answersOf(document, node)}${errorsOf(document, node)}
</section>
`;
}
