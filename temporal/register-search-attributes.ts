import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { Logger } from 'pino';
import * as searchAttributeKeys from '../workflows/search-attributes.ts';

const { IndexedValueType } = proto.temporal.api.enums.v1;

/**
 * Registers the gateway's search attributes, because Temporal refuses a start with an unknown one.
 * Returns the names that were missing. Rejects on Temporal Cloud, where an operator registers them
 * (`docs/operating/installing.md`).
 */
export async function registerSearchAttributes(client: Client): Promise<readonly string[]> {
  const { namespace } = client.options;
  const { operatorService } = client.connection;
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(searchAttributeKeys).filter(
    ({ name }) => !(name in customAttributes),
  );
  if (missing.length === 0) return [];
  await operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(
      missing.map(({ name, type }) => [
        name,
        IndexedValueType[`INDEXED_VALUE_TYPE_${type}` as const],
      ]),
    ),
  });
  return missing.map(({ name }) => name);
}

/** As {@link registerSearchAttributes}; logs an error instead of rejecting. */
export async function tryRegisterSearchAttributes(client: Client, log: Logger): Promise<void> {
  try {
    await registerSearchAttributes(client);
  } catch (error) {
    log.warn(
      { err: error },
      'cannot register the search attributes; register them by hand (docs/operating/installing.md)',
    );
  }
}
