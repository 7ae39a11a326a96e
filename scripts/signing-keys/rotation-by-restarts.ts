import { tokenLifeMsMax } from '../../api/auth/token-keys.ts';

const minutes = Math.ceil(tokenLifeMsMax / 60_000);

/** What is told where the key is in the environment. */
export const rotationByRestarts = `The signing key is in the environment (JWT_SIGNING_KEY), which no command can change.
It rotates by three restarts of all API processes, one process after another each time:
  1. Make a key (openssl genpkey -algorithm ed25519). Set its public half (openssl pkey -pubout) as JWT_PREVIOUS_KEY.
  2. Set the new key as JWT_SIGNING_KEY, and the old one as JWT_PREVIOUS_KEY.
  3. ${minutes} minutes after the last process was restarted, remove JWT_PREVIOUS_KEY.
With JWT_KEYS_FILE it takes one command and no restart: docs/operating.md.`;
