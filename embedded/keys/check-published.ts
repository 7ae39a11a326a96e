import { KeyRingError } from '../../security/key-ring.ts';
import { readRuntimeInfo } from '../state/runtime-info.ts';

/**
 * Throws {@link KeyRingError} if the embedded gateway runs and does not publish the key `kid`: a
 * gateway that was started with JWT_SIGNING_KEY does not read the ring of its state directory.
 */
export async function checkPublished(stateDir: string, kid: string): Promise<void> {
  const apiUrl = (await readRuntimeInfo(stateDir))?.apiUrl;
  if (apiUrl === undefined) return;
  const jwks = await fetch(`${apiUrl}/.well-known/jwks.json`, { signal: AbortSignal.timeout(5000) })
    .then((response) => response.text())
    .catch(() => '');
  if (jwks.includes(kid)) return;
  throw new KeyRingError(
    `The gateway at ${apiUrl} does not publish ${kid}. ` +
      'It has keys in its environment, or cannot read the ring.',
  );
}
