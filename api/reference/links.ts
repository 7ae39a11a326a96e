import { isNode, type SchemaNode } from './examples.ts';

/** An answer that names something, and the paths that take its name. */
type Source = {
  /** `METHOD /path`, and the status of the answer. */
  readonly answer: string;
  readonly status: number;
  /** Where the name stands in the answer's body: a JSON pointer. */
  readonly at: string;
  /** Every operation whose path begins so takes it as its first parameter. */
  readonly to: string;
};

const v1 = '/api/v1';
const operator = '/operator/v1';
const item = '/payload/items/0/id';

const sources: readonly Source[] = [
  { answer: `POST ${v1}/scent/offers`, status: 201, at: '/payload/id', to: `${v1}/scent/offers/{` },
  { answer: `POST ${v1}/scent/offers`, status: 200, at: '/payload/id', to: `${v1}/scent/offers/{` },
  { answer: `GET ${v1}/scent/offers`, status: 200, at: item, to: `${v1}/scent/offers/{` },
  {
    answer: `GET ${v1}/scent/orders`,
    status: 200,
    at: '/payload/items/0/groupId',
    to: `${v1}/scent/orders/{`,
  },
  { answer: `GET ${v1}/scent/returns`, status: 200, at: item, to: `${v1}/scent/returns/{` },
  {
    answer: `POST ${v1}/webhooks`,
    status: 201,
    at: '/payload/subscription/id',
    to: `${v1}/webhooks/{`,
  },
  { answer: `GET ${v1}/webhooks`, status: 200, at: item, to: `${v1}/webhooks/{` },
  { answer: `GET ${v1}/webhooks`, status: 200, at: item, to: `${v1}/scent/webhooks/{` },
  { answer: `POST ${v1}/credentials`, status: 201, at: '/payload/id', to: `${v1}/credentials/{` },
  { answer: `GET ${v1}/credentials`, status: 200, at: item, to: `${v1}/credentials/{` },
  {
    answer: `POST ${operator}/vendors`,
    status: 201,
    at: '/payload/id',
    to: `${operator}/vendors/{`,
  },
  { answer: `GET ${operator}/vendors`, status: 200, at: item, to: `${operator}/vendors/{` },
  {
    answer: `POST ${operator}/vendors/{id}/credentials`,
    status: 201,
    at: '/payload/id',
    to: `${operator}/credentials/{`,
  },
  {
    answer: `GET ${operator}/vendors/{id}/credentials`,
    status: 200,
    at: item,
    to: `${operator}/credentials/{`,
  },
  {
    answer: `POST ${operator}/variants`,
    status: 201,
    at: '/payload/id',
    to: `${operator}/variants/{`,
  },
  { answer: `GET ${operator}/variants`, status: 200, at: item, to: `${operator}/variants/{` },
  {
    answer: `POST ${operator}/vendors/{id}/offers`,
    status: 201,
    at: '/payload/id',
    to: `${operator}/offers/{`,
  },
  { answer: `GET ${operator}/offers`, status: 200, at: item, to: `${operator}/offers/{` },
  {
    answer: `POST ${operator}/orders`,
    status: 201,
    at: '/payload/groups/0/groupId',
    to: `${operator}/groups/{`,
  },
  {
    answer: `POST ${operator}/returns`,
    status: 201,
    at: '/payload/id',
    to: `${operator}/returns/{`,
  },
  { answer: `GET ${operator}/returns`, status: 200, at: item, to: `${operator}/returns/{` },
  {
    answer: `GET ${operator}/webhook-deliveries`,
    status: 200,
    at: item,
    to: `${operator}/webhook-deliveries/{`,
  },
];

const redeliver = `POST ${v1}/webhooks/{id}/deliveries/{attemptId}/redeliver`;
/** An attempt has two names: its subscription's, which the path of the answer has, and its own. */
const attempts = [
  { answer: `GET ${v1}/webhooks/{id}/deliveries`, at: item },
  { answer: `POST ${v1}/webhooks/{id}/test-fire`, at: '/payload/id' },
];

const operationsOf = (paths: SchemaNode) =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(isNode(operations) ? operations : {}).map(([method, operation]) => ({
      path,
      at: `${method.toUpperCase()} ${path}`,
      operationId: isNode(operation) ? String(operation['operationId']) : '',
    })),
  );

/** Where the answer of an operation leads: what it made, or lists, is what the next call names. */
export function linksOf(paths: SchemaNode, answer: string, status: number): SchemaNode | null {
  const operations = operationsOf(paths);
  const direct = sources
    .filter((source) => source.answer === answer && source.status === status)
    .flatMap(({ at, to }) =>
      operations
        .filter(({ path, at: name }) => path.startsWith(to) && name !== redeliver)
        .map(({ path, operationId }) => {
          const [, parameter = ''] = /\{(\w+)\}/.exec(path) ?? [];
          return [
            operationId,
            { operationId, parameters: { [parameter]: `$response.body#${at}` } },
          ] as const;
        }),
    );
  const [attempt] = attempts.filter((source) => source.answer === answer && status === 200);
  const { operationId } = operations.find(({ at }) => at === redeliver) ?? {};
  const toAttempt =
    attempt === undefined || operationId === undefined
      ? []
      : [
          [
            operationId,
            {
              operationId,
              parameters: { id: '$request.path.id', attemptId: `$response.body#${attempt.at}` },
            },
          ] as const,
        ];
  const all = [...direct, ...toAttempt];
  return all.length === 0 ? null : Object.fromEntries(all);
}
