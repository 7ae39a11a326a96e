import {
  findSealedSecrets,
  listSealedSecrets,
  type SealedSecret,
} from '../db/webhooks/subscriptions/sealed-secrets.ts';
import { keyIdOf, type Sealer } from '../security/sealer.ts';
import { findSecretShapes } from '../security/secret-shapes.ts';
import type { Check, CheckContext } from './check.ts';
import { resealSecrets, tryOpen, tryOpenHeaders } from './reseal.ts';

const pageSize = 1000;

function sealerOf({ sealer }: CheckContext): Sealer {
  if (sealer === null) throw new Error('the check of webhook secrets needs SECRETS_KEY');
  return sealer;
}

/** Checks each sealed secret; `fault` returns what is wrong with it, or null. */
const secretCheck = (
  { id, title }: Pick<Check, 'id' | 'title'>,
  fault: (sealer: Sealer, secret: SealedSecret) => string | null,
  repair: Check['repair'],
): Check => ({
  id,
  title,
  subjectType: 'subscription',
  kind: null,
  repair,
  find: async function* find(context) {
    const sealer = sealerOf(context);
    for (let after: string | null = null; ;) {
      const secrets: readonly SealedSecret[] = await listSealedSecrets(context.sql, {
        after,
        limit: pageSize,
      });
      const wrong = secrets.flatMap((secret) => {
        const text = fault(sealer, secret);
        return text === null ? [] : [{ id: secret.id, text }];
      });
      yield { checked: secrets.length, wrong };
      const last = secrets.at(-1);
      if (last === undefined || secrets.length < pageSize) return;
      after = last.id;
    }
  },
});

const keyName = (keyId: string | null): string =>
  keyId === null ? 'a key that it does not name' : `the key ${keyId}`;

function lostSecret(sealer: Sealer, secret: SealedSecret): string | null {
  if (tryOpen(sealer, secret) !== null) return lostHeaders(sealer, secret);
  const keyId = keyIdOf(secret.secretSealed);
  return keyId !== null && sealer.keyIds.includes(keyId)
    ? 'has a secret whose bytes are damaged: its vendor has to rotate it'
    : `has a secret under ${keyName(keyId)}: add that key to SECRETS_KEY, or have its vendor ` +
        'rotate the secret';
}

function lostHeaders(sealer: Sealer, secret: SealedSecret): string | null {
  const { headersSealed } = secret;
  if (headersSealed === null || tryOpenHeaders(sealer, secret) !== null) return null;
  return (
    `has custom headers that do not open, under ${keyName(keyIdOf(headersSealed))}: add that key ` +
    'to SECRETS_KEY, or have its vendor set them again'
  );
}

const oldText = (what: string, sealed: Uint8Array): string =>
  `has ${what} under ${keyName(keyIdOf(sealed))}, which is not the first key of SECRETS_KEY`;

function oldSecret(sealer: Sealer, secret: SealedSecret): string | null {
  const { secretSealed, headersSealed } = secret;
  const isOld = (sealed: Uint8Array) => keyIdOf(sealed) !== sealer.keyIds[0];
  if (isOld(secretSealed) && tryOpen(sealer, secret) !== null)
    return oldText('a secret', secretSealed);
  return headersSealed !== null && isOld(headersSealed) && tryOpenHeaders(sealer, secret) !== null
    ? oldText('custom headers', headersSealed)
    : null;
}

/** The checks of webhook secrets against the keys of SECRETS_KEY. */
export const checksOfSecrets: readonly Check[] = [
  secretCheck(
    { id: 'secret-without-key', title: 'Each webhook secret opens by SECRETS_KEY' },
    lostSecret,
    null,
  ),
  secretCheck(
    {
      id: 'secret-under-old-key',
      title: 'Each webhook secret is sealed under the first key of SECRETS_KEY',
    },
    oldSecret,
    async (context, ids) => {
      const secrets = await findSealedSecrets(context.sql, ids);
      return resealSecrets(context.sql, sealerOf(context), secrets);
    },
  ),
];

/** Histories are read by everyone who may open the Temporal UI, and no secret belongs there. */
export const secretsInHistories: Check = {
  id: 'secret-in-history',
  title: 'No history contains a secret',
  subjectType: 'run',
  kind: null,
  repair: null,
  find: async function* find({ histories }) {
    for await (const { workflowId, runId, events } of histories()) {
      const wrong = events.flatMap((event, index) =>
        findSecretShapes(event).map((shape) => {
          return { id: runId, text: `has ${shape} in event ${index + 1}`, workflowId };
        }),
      );
      yield { checked: 1, wrong };
    }
  },
};
