import * as v from 'valibot';
import { ed25519PrivateKey, ed25519Key, keyRing, text } from '../config-values.ts';
import { optional, variable, type Variable } from './variable.ts';

/** The environment variables of tokens, secrets and the first operator. */
export const accessVariables = {
  JWT_ISSUER: variable('The `iss` claim of tokens.', text(), 'vendor-gateway'),
  JWT_KEYS_FILE: optional(
    'The path of the key ring that signs tokens (`npm run keys`); the API reads it every two ' +
      'seconds. The API requires it or JWT_SIGNING_KEY. Both unset: `npm start` creates a key ' +
      'ring in GATEWAY_HOME.',
    text(),
  ),
  JWT_SIGNING_KEY: optional(
    'Instead of JWT_KEYS_FILE: the Ed25519 private key (PKCS #8 PEM) that signs tokens. A new ' +
      'key requires a restart.',
    ed25519PrivateKey(),
  ),
  JWT_PREVIOUS_KEY: optional(
    'With JWT_SIGNING_KEY: a second Ed25519 key (private or public PEM) whose tokens the API ' +
      'accepts during a rotation.',
    ed25519Key(),
  ),
  SECRETS_KEY: optional(
    'The keys that encrypt webhook secrets at rest: 32 bytes in base64 each, separated ' +
      'by commas. The first encrypts, all decrypt. Unset: `npm start` creates one in GATEWAY_HOME.',
    keyRing(),
  ),
  OPERATOR_ID: optional(
    'With OPERATOR_SECRET: the id of an operator with the role Admin that the start creates. ' +
      'After a rotation of its secret or a deactivation, a start no longer changes it.',
    text(),
  ),
  OPERATOR_SECRET: optional(
    'The secret of OPERATOR_ID, at least 32 characters (openssl rand -base64 32).',
    v.pipe(text(), v.minLength(32, 'must have at least 32 characters')),
  ),
} as const satisfies Record<string, Variable>;
