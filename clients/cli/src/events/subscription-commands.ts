import { randomUUID } from 'node:crypto';
import type { Argv } from 'yargs';
import type { Subscription, VendorClient } from 'vendor-gateway-client';
import { calling, idOf, limitOption, listing, type CallOptions } from '../core/calling.ts';
import type { CommonArguments, Run } from '../core/command.ts';
import { required } from '../core/option-kinds.ts';

type NewSubscription = Parameters<VendorClient['webhooks']['create']>[0];
type EventType = NewSubscription['eventTypes'][number];

const secretText = (secret: string): string =>
  `Its secret is ${secret}\nNo later response has it: store it with your receiver now.`;

/** The types of events; the gateway refuses those that the credential may not have. */
async function eventTypesOf(
  client: VendorClient,
  names: readonly string[],
  options: CallOptions,
): Promise<NewSubscription['eventTypes']> {
  // The gateway checks the names.
  if (names.length > 0) return names as EventType[];
  const types = await client.events.types(options);
  return types.items.map(({ eventType }) => eventType as EventType);
}

const header = ['SUBSCRIPTION', 'ACTIVE', 'URL', 'EVENTS', 'LAST DELIVERY', 'STATUS'];
const rowOf = (subscription: Subscription): readonly (string | number | null)[] => {
  const { id, isActive, url, eventTypes, lastDeliveryAt, lastDeliveryStatus } = subscription;
  return [id, isActive ? 'yes' : 'no', url, eventTypes.length, lastDeliveryAt, lastDeliveryStatus];
};

function addCreate(webhooks: Argv<CommonArguments>, run: Run): Argv<CommonArguments> {
  return webhooks.command(
    'create <url>',
    'Subscribe a receiver, and print its secret once',
    (command) =>
      command
        .positional('url', required('Your receiver'))
        .option('event', {
          type: 'string',
          array: true,
          nargs: 1,
          default: [] as string[],
          describe: 'A type of events, again for each type; all types by default',
        })
        .example('$0 webhooks create https://example.org/hook', 'Every type of events'),
    run(
      calling(
        async (client, { url, event }, options) => {
          const body = { url, eventTypes: await eventTypesOf(client, event, options) };
          return client.webhooks.create(body, { idempotencyKey: randomUUID(), ...options });
        },
        ({ subscription: { id, url }, secret }) =>
          `Subscription ${id} sends to ${url}.\n${secretText(secret)}`,
        { hasSecret: true },
      ),
    ),
  );
}

/** `webhooks create`, `webhooks list`, `webhooks test-fire` and `webhooks rotate`. */
export const addSubscriptionCommands = (
  webhooks: Argv<CommonArguments>,
  run: Run,
): Argv<CommonArguments> =>
  addCreate(webhooks, run)
    .command(
      'list',
      'List your subscriptions',
      (command) =>
        command.option('limit', limitOption).example('$0 webhooks list', 'Where events go'),
      run(
        listing((client, _, options) => client.webhooks.list(options), {
          header,
          rowOf,
          none: 'There are no subscriptions.',
        }),
        'reads',
      ),
    )
    .command(
      'test-fire <id>',
      'Send a sample to a subscription',
      (command) =>
        idOf(command, 'Subscription')
          .option('event', {
            type: 'string',
            default: 'vendor.order.assigned',
            describe: 'The type of the sample',
          })
          .example('$0 webhooks test-fire ID', 'A sample of an assigned shipment'),
      run(
        calling(
          (client, { id, event }, options) =>
            client.webhooks.testFire(id, { eventType: event as EventType }, options),
          ({ httpStatus, errorSummary }) =>
            httpStatus === null
              ? `The receiver did not answer: ${errorSummary ?? 'for an unknown reason'}.`
              : `The receiver answered ${httpStatus}.`,
        ),
      ),
    )
    .command(
      'rotate <id>',
      'Replace the secret of a subscription, and print the new one once',
      (command) =>
        idOf(command, 'Subscription').example('$0 webhooks rotate ID', 'The old one ends at once'),
      run(
        calling(
          (client, { id }, options) => client.webhooks.rotateSecret(id, options),
          ({ secret }, { id }) => `Subscription ${id} has a new secret.\n${secretText(secret)}`,
          { hasSecret: true },
        ),
      ),
    );
